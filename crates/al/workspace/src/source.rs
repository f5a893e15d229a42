//! Reading AL files, one or very many.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use candor_al_syntax::text::SourceText;
use rayon::iter::{ParallelBridge as _, ParallelIterator as _};
use xxhash_rust::xxh3::xxh3_64;

use crate::cancellation::Cancellation;
use crate::file_system::{FileKind, FileSystem, Stamp};
use crate::warning::{Problem, Warning};

/// The most bytes an AL file may have, 16 MiB; the largest public one has a tenth of that.
pub const SOURCE_LIMIT: u64 = 16 * 1024 * 1024;

/// An AL file as it was when read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its text and encoding.
    pub text: SourceText,
    /// Its stamp, taken before reading: a change in between shows as a later stamp.
    pub stamp: Stamp,
    /// XXH3 of its bytes: equal on every system and in every version.
    pub content_hash: u64,
}

impl Source {
    /// The warning that belongs to this source when some of its bytes were invalid.
    pub fn warning(&self, path: &Path) -> Option<Warning> {
        (!self.text.is_lossless()).then(|| {
            let encoding = self.text.encoding().to_string();
            Warning::new(path, Problem::InvalidEncoding { encoding })
        })
    }
}

/// Reads an AL file. Invalid bytes do not hinder ([`Source::warning`] reports them).
///
/// # Errors
/// A warning when it cannot be read, is no file or is larger than [`SOURCE_LIMIT`].
pub fn read_source(files: &dyn FileSystem, path: &Path) -> Result<Source, Warning> {
    let (stamp, bytes) = read_bounded(files, path, SOURCE_LIMIT)?;
    Ok(decoded(stamp, bytes))
}

/// Reads `paths` and hands every one to `work` on the threads of the current rayon pool,
/// in no particular order, with its index in `paths`. Reading runs ahead of `work` on threads of
/// its own, a bounded number of files, and nothing is kept. Ends early when cancelled.
pub fn stream_sources<W>(files: &dyn FileSystem, paths: &[PathBuf], cancellation: &Cancellation, work: W)
where
    W: Fn(usize, Result<Source, Warning>) + Send + Sync,
{
    /// One thread waits for the disk while the other hands over.
    const READERS: usize = 2;
    /// Enough to never let a worker wait, little enough to stay in the cache.
    const FILES_AHEAD: usize = 32;
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::sync_channel(FILES_AHEAD);
    std::thread::scope(|scope| {
        for _ in 0..READERS.min(paths.len()) {
            let sender = sender.clone();
            let next = &next;
            scope.spawn(move || {
                while !cancellation.is_cancelled() {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = paths.get(index) else { break };
                    let read = read_bounded(files, path, SOURCE_LIMIT);
                    if sender.send((index, read)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        receiver.into_iter().par_bridge().for_each(|(index, read)| {
            if !cancellation.is_cancelled() {
                work(index, read.map(|(stamp, bytes)| decoded(stamp, bytes)));
            }
        });
    });
}

fn decoded(stamp: Stamp, bytes: Vec<u8>) -> Source {
    Source {
        content_hash: xxh3_64(&bytes),
        text: SourceText::decode_vec(bytes),
        stamp,
    }
}

/// The bytes of a file of at most `limit` bytes, and its stamp from before.
pub(crate) fn read_bounded(files: &dyn FileSystem, path: &Path, limit: u64) -> Result<(Stamp, Vec<u8>), Warning> {
    let unreadable = |cause: String| Warning::new(path, Problem::UnreadableFile { cause });
    let metadata = files.metadata(path).map_err(|error| unreadable(error.to_string()))?;
    if metadata.kind != FileKind::File {
        return Err(unreadable("it is no regular file".to_owned()));
    }
    let length = metadata.stamp.length;
    if length > limit {
        return Err(Warning::new(path, Problem::TooLarge { length, limit }));
    }
    let bytes = files.read(path).map_err(|error| unreadable(error.to_string()))?;
    Ok((metadata.stamp, bytes))
}
