//! Paths as other programs want them: with slashes, or as URIs.

use std::path::{Component, Path, Prefix};

/// What has a meaning of its own in no part of a URI.
const UNRESERVED: &[u8] = b"-._~";

/// `path` from `folder` on, with slashes on every system; the whole path when it lies elsewhere.
pub(crate) fn shown_path(folder: &Path, path: &Path) -> String {
    let Ok(below) = path.strip_prefix(folder) else {
        return path.to_string_lossy().into_owned();
    };
    let names: Vec<_> = below.iter().map(|name| name.to_string_lossy()).collect();
    names.join("/")
}

/// `path` from `folder` on as a relative URI; none when it lies elsewhere.
pub(crate) fn relative_uri(folder: &Path, path: &Path) -> Option<String> {
    let below = path.strip_prefix(folder).ok()?;
    let names: Vec<_> = below.iter().map(|name| encoded(name.as_encoded_bytes())).collect();
    Some(names.join("/"))
}

/// An absolute path as a `file` URI.
pub(crate) fn file_uri(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    for component in path.components() {
        match component {
            Component::Prefix(prefix) => match prefix.kind() {
                Prefix::Disk(disk) | Prefix::VerbatimDisk(disk) => {
                    uri.extend(["/", &char::from(disk).to_string(), ":"]);
                }
                Prefix::UNC(server, share) | Prefix::VerbatimUNC(server, share) => {
                    let [server, share] = [server, share].map(|name| encoded(name.as_encoded_bytes()));
                    uri.extend([&server, "/", &share]);
                }
                Prefix::Verbatim(name) | Prefix::DeviceNS(name) => {
                    uri.extend(["/", &encoded(name.as_encoded_bytes())]);
                }
            },
            Component::RootDir | Component::CurDir => {}
            Component::ParentDir => uri.push_str("/.."),
            Component::Normal(name) => uri.extend(["/", &encoded(name.as_encoded_bytes())]),
        }
    }
    uri
}

/// The same of a folder: it ends with a slash, so that what is in it can be resolved against it.
pub(crate) fn folder_uri(folder: &Path) -> String {
    let mut uri = file_uri(folder);
    uri.push('/');
    uri
}

/// A name with everything but letters, digits and a few marks as `%XX`.
fn encoded(name: &[u8]) -> String {
    let mut text = String::with_capacity(name.len());
    for &byte in name {
        if byte.is_ascii_alphanumeric() || UNRESERVED.contains(&byte) {
            text.push(char::from(byte));
        } else {
            const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
            text.push('%');
            text.push(char::from(DIGITS[usize::from(byte >> 4)]));
            text.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
    }
    text
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_path_below_a_folder_is_told_from_there() {
        let folder = Path::new("/code/app");
        let path = Path::new("/code/app/src/Tool List.al");
        assert_eq!(shown_path(folder, path), "src/Tool List.al");
        assert_eq!(shown_path(Path::new("/elsewhere"), path), "/code/app/src/Tool List.al");
        assert_eq!(relative_uri(folder, path).as_deref(), Some("src/Tool%20List.al"));
        assert_eq!(relative_uri(folder, Path::new("/code/other/A.al")), None);
    }

    #[test]
    fn a_uri_keeps_slashes_and_encodes_what_means_something_else() {
        let path = Path::new("/a b/50%/#1?/C:/Größe.al");
        assert_eq!(file_uri(path), "file:///a%20b/50%25/%231%3F/C%3A/Gr%C3%B6%C3%9Fe.al");
        assert_eq!(folder_uri(Path::new("/code/app")), "file:///code/app/");
        assert_eq!(folder_uri(Path::new("/")), "file:///");
    }

    #[test]
    fn a_first_name_with_a_colon_is_no_scheme() {
        let uri = relative_uri(Path::new("/app"), Path::new("/app/mailto:x/A.al"));
        assert_eq!(uri.as_deref(), Some("mailto%3Ax/A.al"));
    }
}
