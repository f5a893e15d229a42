//! Finding and reading AL files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use candor_al_syntax::text::SourceText;

/// Every file below `folders` whose name ends in `.al` in any case, sorted. Links are not followed; a folder that
/// is a file stands for itself.
pub(crate) fn find(folders: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = Vec::new();
    for folder in folders {
        if fs::metadata(folder).map_err(|error| named(folder, &error))?.is_dir() {
            open.push(folder.clone());
        } else {
            found.push(folder.clone());
        }
    }
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| named(&folder, &error))? {
            let entry = entry?;
            let kind = entry.file_type()?;
            let path = entry.path();
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() && is_al(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Whether the name ends in `.al`; `.AL` alone counts too, as one file of Microsoft's is called.
fn is_al(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| {
        name.len() >= 3 && name.is_char_boundary(name.len() - 3) && name[name.len() - 3..].eq_ignore_ascii_case(".al")
    })
}

/// The text of one file.
pub(crate) fn read(path: &Path) -> io::Result<SourceText> {
    fs::read(path)
        .map(SourceText::decode_vec)
        .map_err(|error| named(path, &error))
}

/// An error that says which file it is about.
pub(crate) fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
