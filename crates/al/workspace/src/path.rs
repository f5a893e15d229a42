//! Paths as callers write them.

use std::path::{Component, Path, PathBuf};

use thiserror::Error;

/// The longest path accepted, in bytes: what Linux itself accepts.
const LONGEST_PATH: usize = 4096;

/// Why a text is no usable path.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PathProblem {
    /// Nothing but white space.
    #[error("the path is blank; pass the absolute path of a file or folder")]
    Blank,
    /// It holds the character U+0000.
    #[error("the path {path:?} holds a NUL character, which no path can")]
    HoldsNul {
        /// The text as given.
        path: String,
    },
    /// It is longer than any file system accepts.
    #[error("the path is {length} bytes long; at most {LONGEST_PATH} are possible")]
    TooLong {
        /// Its length in bytes.
        length: usize,
    },
    /// It is relative and the current folder cannot be told.
    #[error("the path {path:?} is relative, and the current folder is unknown: {cause}")]
    NoCurrentFolder {
        /// The text as given.
        path: String,
        /// What the system said.
        cause: String,
    },
}

/// Makes an absolute path of what a caller wrote: relative to the current folder, without
/// `.`, `..`, doubled or trailing separators. Looks at no file and follows no link; `~` and
/// environment variables mean nothing.
///
/// # Errors
/// When the text cannot be a path at all; see [`PathProblem`].
pub fn normalize_path(text: &str) -> Result<PathBuf, PathProblem> {
    if text.trim().is_empty() {
        return Err(PathProblem::Blank);
    }
    if text.contains('\0') {
        return Err(PathProblem::HoldsNul { path: text.to_owned() });
    }
    if text.len() > LONGEST_PATH {
        return Err(PathProblem::TooLong { length: text.len() });
    }
    let absolute = std::path::absolute(text).map_err(|cause| PathProblem::NoCurrentFolder {
        path: text.to_owned(),
        cause: cause.to_string(),
    })?;
    Ok(without_dots(&absolute))
}

/// The path with `.` and `..` resolved by text alone; `..` above the root stays there.
pub(crate) fn without_dots(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                clean.push(component);
            }
        }
    }
    clean
}

/// The place a settings file means by `text`: absolute, or relative to `base`. Settings
/// are shared between systems, so a backslash separates everywhere.
pub(crate) fn settings_path(base: &Path, text: &str) -> PathBuf {
    without_dots(&base.join(text.trim().replace('\\', "/")))
}

/// The order that lists of paths have: that of their bytes, which costs a tenth of
/// comparing component by component.
pub(crate) fn compare(left: &Path, right: &Path) -> std::cmp::Ordering {
    left.as_os_str().cmp(right.as_os_str())
}

/// The path relative to `root`, with `/` between its components, as reports and versions
/// spell it on every system. Outside `root` it is the path itself.
pub fn relative_text(root: &Path, path: &Path) -> String {
    let relative = path.strip_prefix(root).unwrap_or(path);
    if cfg!(windows) {
        relative.to_string_lossy().replace('\\', "/")
    } else {
        relative.to_string_lossy().into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_made_absolute_and_plain() {
        let here = std::env::current_dir().unwrap();
        for (text, expected) in [
            ("/a/b.al", PathBuf::from("/a/b.al")),
            ("/a//b/./c/../d/", PathBuf::from("/a/b/d")),
            ("/../../a", PathBuf::from("/a")),
            ("a b.al", here.join("a b.al")),
            ("./~/x", here.join("~/x")),
            ("..", here.parent().unwrap().to_owned()),
        ] {
            assert_eq!(normalize_path(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_a_path_is_refused_with_the_reason() {
        assert_eq!(normalize_path(" \t"), Err(PathProblem::Blank));
        assert_eq!(normalize_path(""), Err(PathProblem::Blank));
        let problem = normalize_path("/a\0b").unwrap_err();
        assert_eq!(
            problem.to_string(),
            "the path \"/a\\0b\" holds a NUL character, which no path can"
        );
        let problem = normalize_path(&"a/".repeat(3000)).unwrap_err();
        assert_eq!(problem, PathProblem::TooLong { length: 6000 });
    }

    #[test]
    fn a_path_in_settings_may_be_written_with_backslashes() {
        let base = Path::new("/repo/app");
        for (text, expected) in [
            (r".\rules\my.ruleset.json", "/repo/app/rules/my.ruleset.json"),
            ("../shared/x.json", "/repo/shared/x.json"),
            ("/etc/x.json", "/etc/x.json"),
        ] {
            assert_eq!(settings_path(base, text), Path::new(expected));
        }
    }
}
