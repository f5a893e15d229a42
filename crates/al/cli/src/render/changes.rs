//! What fixes did, or would do, to files.

use std::io::{self, Write};

use candor_al_session::fix::FileFix;

use super::findings::counted;
use super::palette::{Palette, paint};
use super::printable::one_line;

/// What was done to one file, by the name people know it by.
#[derive(Debug, Clone)]
pub(crate) struct ChangedFile {
    path: String,
    fix: FileFix,
}

impl ChangedFile {
    /// The difference is not kept: it has been written.
    pub(crate) fn new(path: &str, fix: FileFix) -> Self {
        Self {
            path: path.to_owned(),
            fix: FileFix { diff: None, ..fix },
        }
    }

    /// Whether a fix changes its text.
    pub(crate) fn has_repairs(&self) -> bool {
        !self.fix.repaired.is_empty()
    }

    /// What went wrong, for standard error.
    pub(crate) fn problems(&self) -> impl Iterator<Item = String> + '_ {
        self.fix
            .problems
            .iter()
            .map(|problem| format!("{}: {problem}", self.path))
    }

    fn count(&self) -> usize {
        self.fix.repaired.iter().map(|repair| repair.count).sum()
    }
}

/// Writes what each fix did in each file; of files that could not be written,
/// nothing. Without `done`, what it would do.
pub(crate) fn write_repairs(
    out: &mut dyn Write,
    files: &[ChangedFile],
    done: bool,
    palette: &Palette,
) -> io::Result<()> {
    let changed: Vec<&ChangedFile> = files
        .iter()
        .filter(|file| file.has_repairs() && (file.fix.written || !done))
        .collect();
    let verb = if done { "Fixed" } else { "Would fix" };
    if changed.is_empty() {
        return writeln!(out, "{verb} nothing");
    }
    let findings = counted(changed.iter().map(|file| file.count()).sum(), "finding");
    writeln!(
        out,
        "{} in {}",
        paint(palette.added, format_args!("{verb} {findings}")),
        counted(changed.len(), "file")
    )?;
    for file in changed {
        writeln!(out, "  {}", paint(palette.heading, one_line(&file.path)))?;
        for repair in &file.fix.repaired {
            writeln!(
                out,
                "    {} ×{}  {} {}",
                paint(palette.name, &repair.id),
                repair.count,
                one_line(&repair.title),
                paint(palette.aside, format_args!("({})", repair.safety))
            )?;
        }
    }
    Ok(())
}

/// Writes a unified difference under the name of a file. The session names
/// files as their project does; whoever applies a patch stands elsewhere.
pub(crate) fn write_diff(out: &mut dyn Write, path: &str, diff: &str, palette: &Palette) -> io::Result<()> {
    let path = path.replace('\\', "/");
    let path = path.trim_start_matches('/');
    // Behind a tab may stand a date: it ends the name, which could end at the first blank otherwise.
    let end = if path.contains(' ') { "\t" } else { "" };
    writeln!(out, "{}", paint(palette.heading, format_args!("--- a/{path}{end}")))?;
    writeln!(out, "{}", paint(palette.heading, format_args!("+++ b/{path}{end}")))?;
    for line in diff
        .split_inclusive('\n')
        .skip_while(|line| line.starts_with("--- ") || line.starts_with("+++ "))
    {
        let style = match line.as_bytes().first() {
            Some(b'+') => palette.added,
            Some(b'-') => palette.removed,
            Some(b'@') => palette.place,
            _ => anstyle::Style::new(),
        };
        // The line is written as it is, its line end included, so that the patch applies.
        let (text, end) = line.split_at(line.trim_end_matches(['\r', '\n']).len());
        write!(out, "{}{end}", paint(style, text))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use candor_al_session::FixSafety;
    use candor_al_session::fix::Repair;

    use super::*;

    fn fixed(written: bool) -> ChangedFile {
        let repair = Repair {
            id: "AC0018".to_owned(),
            title: "ALCops: Set Locked property to true".to_owned(),
            safety: FixSafety::Safe,
            count: 2,
        };
        ChangedFile::new(
            "src/Tool.Table.al",
            FileFix {
                repaired: vec![repair],
                written,
                ..FileFix::default()
            },
        )
    }

    fn written(files: &[ChangedFile], done: bool) -> String {
        let mut out = Vec::new();
        write_repairs(&mut out, files, done, &Palette::plain()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn repairs_are_told_by_file_and_rule() {
        assert_eq!(
            written(&[fixed(true)], true),
            "\
Fixed 2 findings in 1 file
  src/Tool.Table.al
    AC0018 ×2  ALCops: Set Locked property to true (safe)
"
        );
    }

    #[test]
    fn a_file_that_was_not_written_was_not_fixed() {
        assert_eq!(written(&[fixed(false)], true), "Fixed nothing\n");
        assert!(written(&[fixed(false)], false).starts_with("Would fix 2 findings in 1 file\n"));
    }

    #[test]
    fn a_patch_keeps_its_line_ends_and_gets_the_readers_path() {
        let diff = "--- a/Tool.al\n+++ b/Tool.al\n@@ -1,2 +1,2 @@\n table 1 A\r\n-old\r\n+new\r\n";
        let mut out = Vec::new();
        write_diff(&mut out, "src/Tool.al", diff, &Palette::plain()).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "--- a/src/Tool.al\n+++ b/src/Tool.al\n@@ -1,2 +1,2 @@\n table 1 A\r\n-old\r\n+new\r\n"
        );
    }

    #[test]
    fn a_name_with_blanks_ends_at_a_tab() {
        let diff = "--- a/A.al\n+++ b/A.al\n@@ -1,1 +1,1 @@\n-old\n+new\n";
        let mut out = Vec::new();
        write_diff(&mut out, "My App/A.al", diff, &Palette::plain()).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "--- a/My App/A.al\t\n+++ b/My App/A.al\t\n@@ -1,1 +1,1 @@\n-old\n+new\n"
        );
    }

    #[test]
    fn a_removed_line_that_looks_like_a_head_stays() {
        let diff = "--- a/A.al\n+++ b/A.al\n@@ -1,1 +0,0 @@\n--- was a comment\n";
        let mut out = Vec::new();
        write_diff(&mut out, "A.al", diff, &Palette::plain()).unwrap();
        assert!(String::from_utf8(out).unwrap().ends_with("@@\n--- was a comment\n"));
    }
}
