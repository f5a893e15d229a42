//! Temporary files beside the ones they replace.

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::discovery::Walk;
use crate::file_system::{FileSystem, nanoseconds_since_epoch};
use crate::warning::{Problem, Warning};

/// The last part of the name of every temporary file.
const SUFFIX: &str = ".candor-tmp";

/// Digits that keep two writers apart.
const RANDOM_DIGITS: usize = 32;

/// A younger file may belong to a write that is under way.
const OLD_AGE: Duration = Duration::from_secs(30);

/// A name beside `target` that nobody else uses: `<target>.<32 hex digits>.candor-tmp`.
pub(super) fn temporary_path(target: &Path) -> PathBuf {
    /// File systems accept names of 255 bytes.
    const LONGEST_STEM: usize = 255 - SUFFIX.len() - RANDOM_DIGITS - 1;
    let stem = target.file_name().unwrap_or_default();
    let mut name = if stem.len() <= LONGEST_STEM {
        stem.to_owned()
    } else {
        // The name only helps people to recognise the file.
        let stem = stem.to_string_lossy();
        let is_boundary = |&length: &usize| stem.is_char_boundary(length);
        let length = (0..=LONGEST_STEM).rev().find(is_boundary);
        OsString::from(&stem[..length.unwrap_or(0)])
    };
    let random = || RandomState::new().hash_one(std::process::id());
    name.push(format!(".{:016x}{:016x}{SUFFIX}", random(), random()));
    target.with_file_name(name)
}

fn is_temporary(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let Some(rest) = name.strip_suffix(SUFFIX.as_bytes()) else {
        return false;
    };
    let Some((rest, digits)) = rest.split_last_chunk::<RANDOM_DIGITS>() else {
        return false;
    };
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    digits.iter().all(is_digit) && rest.len() > 1 && rest.ends_with(b".")
}

/// What a sweep did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sweep {
    /// The files removed, sorted.
    pub removed: Vec<PathBuf>,
    /// Those that could not be.
    pub warnings: Vec<Warning>,
}

/// Removes temporary files that a killed process left in the project at `root` more than
/// 30 seconds ago: only names of our own pattern, never in `.alpackages`, `.git` and the
/// like. For tools that write; one that only reads must leave the disk alone.
pub fn sweep_temporary_files(files: &dyn FileSystem, root: &Path) -> Sweep {
    let mut sweep = Sweep::default();
    let now = nanoseconds_since_epoch(files.now());
    let is_old = |path: &PathBuf| {
        files
            .metadata(path)
            .is_ok_and(|metadata| now - metadata.stamp.modified_nanoseconds > OLD_AGE.as_nanos().cast_signed())
    };
    for path in Walk::new(files, root)
        .files_of_project(is_temporary)
        .into_iter()
        .filter(is_old)
    {
        match files.remove(&path) {
            Ok(()) => sweep.removed.push(path),
            Err(error) => {
                let cause = error.to_string();
                let problem = Problem::NotRemoved { cause };
                sweep.warnings.push(Warning::new(&path, problem));
            }
        }
    }
    sweep
}
