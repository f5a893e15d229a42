//! The translation files of a project: which texts are translated into which languages.
//!
//! They are the largest files a project has, and only some projects are asked about them, so nothing here happens unless
//! somebody calls [`TranslationFiles::read`]. What is kept of a file is one number for each translated unit.

mod xliff;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use candor_al_syntax::text::{LineIndex, SourceText};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::file_system::{FileKind, FileSystem, Stamp};
use crate::source::read_bounded;
use crate::warning::{Problem, Warning};
use xliff::{Fault, Languages, Units, Xliff};

/// The folder of a project that translation files lie in.
pub const TRANSLATIONS_FOLDER: &str = "Translations";

/// The most bytes a translation file may have, 128 MiB: those of the largest public apps have about half of that.
pub const TRANSLATION_LIMIT: u64 = 128 * 1024 * 1024;

/// What is asked of the translation files of a project.
#[derive(Debug, Clone, Copy)]
pub struct TranslationQuestion<'a> {
    /// The languages that matter; when there are none, those of the files.
    pub languages: &'a [String],
    /// Makes the number by which the id of a unit, or the first segment of one, is known.
    pub key: fn(&str) -> u64,
}

/// What is translated in a project.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Translations {
    /// The languages of which it is known what is translated into them, sorted by name. Those with a file that could not
    /// be read are not among them.
    pub languages: Vec<TranslatedLanguage>,
    /// The keys of the first segments of all ids in all files that were read; sorted, none twice.
    pub objects: Arc<[u64]>,
    /// What could not be read or used.
    pub warnings: Vec<Warning>,
    /// Stands for all of this.
    pub content_hash: u64,
}

/// What is translated into a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranslatedLanguage {
    /// Its name as the settings or its file spell it: `de-DE`.
    pub name: String,
    /// The keys of the ids of the translated units; sorted, none twice.
    pub translated: Arc<[u64]>,
}

/// The translation files of a project, each read once for as long as it does not change.
#[derive(Debug, Default)]
pub struct TranslationFiles(Mutex<Arc<Knowledge>>);

/// What is known of the disk, never changed once it is shared.
#[derive(Debug, Default)]
struct Knowledge {
    files: HashMap<PathBuf, Known>,
    /// The last answer.
    answer: Option<Answer>,
}

/// What was asked, the files the answer was made from, and the answer.
type Answer = (Vec<String>, Vec<Arc<TranslationFile>>, Arc<Translations>);

#[derive(Debug, Clone)]
struct Known {
    file: Arc<TranslationFile>,
    stamp: Stamp,
    /// Whether a change could have happened that the stamp does not show.
    is_ambiguous: bool,
}

/// One file.
#[derive(Debug)]
struct TranslationFile {
    path: PathBuf,
    /// XXH3 of its bytes; none when it could not be read.
    content_hash: Option<u64>,
    languages: Languages,
    content: Content,
    warnings: Vec<Warning>,
}

#[derive(Debug)]
enum Content {
    Units {
        translated: Arc<[u64]>,
        objects: Arc<[u64]>,
    },
    /// Nobody asked for its language.
    NotRead,
    /// Nobody can tell.
    Unknown,
}

impl TranslationFile {
    /// The language that its texts are in: what it says, or what its name says.
    fn language(&self) -> Option<&str> {
        self.languages
            .target
            .as_deref()
            .or_else(|| language_of_name(&self.path))
    }

    /// Whether it is the list of texts to be translated, which the compiler writes, and no translation.
    fn is_generated(&self) -> bool {
        is_generated(&self.path)
    }

    /// Whether it says that something is to be translated into its language.
    fn demands_translation(&self) -> bool {
        let same = |source: &String| {
            self.language()
                .is_some_and(|target| source.eq_ignore_ascii_case(target))
        };
        !self.is_generated() && !self.languages.source.as_ref().is_some_and(same)
    }

    const fn is_unknown(&self) -> bool {
        matches!(self.content, Content::Unknown)
    }
}

impl TranslationFiles {
    /// No file read yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What is translated in the project in `root`. Files whose stamp has not changed are not read again, and of files
    /// in languages that nobody asks for nothing but their head is read.
    ///
    /// Never fails: a file that is broken, unreadable or larger than [`TRANSLATION_LIMIT`] is a warning, and nothing is
    /// known of its language.
    pub fn read(&self, files: &dyn FileSystem, root: &Path, question: TranslationQuestion<'_>) -> Arc<Translations> {
        // No lock is held while files are read; see `Project::refresh`.
        let before = Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let now = files.now();
        let folder = root.join(TRANSLATIONS_FOLDER);
        let (paths, listing) = match list(files, &folder) {
            Ok(paths) => (paths, None),
            Err(warning) => (Vec::new(), Some(warning)),
        };
        let looked_at: Vec<Known> = paths
            .par_iter()
            .map(|path| look_at(files, path, before.files.get(path), now, question))
            .collect();
        let languages = wanted_languages(question.languages);
        let read: Vec<Arc<TranslationFile>> = looked_at.iter().map(|known| Arc::clone(&known.file)).collect();
        let answer = match &before.answer {
            Some((asked, made_from, answer))
                if *asked == languages && listing.is_none() && is_same(made_from, &read) =>
            {
                Arc::clone(answer)
            }
            _ => Arc::new(answer(&languages, &read, listing.clone())),
        };
        let after = Knowledge {
            files: paths.into_iter().zip(looked_at).collect(),
            answer: listing.is_none().then(|| (languages, read, Arc::clone(&answer))),
        };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(after);
        answer
    }
}

fn is_same(one: &[Arc<TranslationFile>], other: &[Arc<TranslationFile>]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| Arc::ptr_eq(one, other))
}

/// The languages of a setting, each once, without blank ones.
fn wanted_languages(setting: &[String]) -> Vec<String> {
    let mut languages: Vec<String> = Vec::new();
    for language in setting.iter().map(|language| language.trim()) {
        if !language.is_empty() && !languages.iter().any(|known| known.eq_ignore_ascii_case(language)) {
            languages.push(language.to_owned());
        }
    }
    languages
}

/// The translation files in a folder, sorted; none if there is no such folder.
fn list(files: &dyn FileSystem, folder: &Path) -> Result<Vec<PathBuf>, Warning> {
    let entries = match files.list(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            let cause = error.to_string();
            return Err(Warning::new(folder, Problem::UnreadableFolder { cause }));
        }
    };
    let is_translation = |path: &PathBuf| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("xlf"));
    Ok(entries
        .into_iter()
        .filter(|entry| matches!(entry.kind, FileKind::File | FileKind::Link))
        .map(|entry| folder.join(entry.name))
        .filter(is_translation)
        .collect())
}

fn look_at(
    files: &dyn FileSystem,
    path: &Path,
    known: Option<&Known>,
    now: SystemTime,
    question: TranslationQuestion<'_>,
) -> Known {
    let is_wanted = |languages: &Languages| {
        let asked = |target: &String| {
            question
                .languages
                .iter()
                .any(|name| name.trim().eq_ignore_ascii_case(target))
        };
        let are_all_asked = question.languages.iter().all(|name| name.trim().is_empty());
        are_all_asked || is_generated(path) || languages.target.as_ref().is_none_or(asked)
    };
    // What was left out may be wanted now.
    let is_enough = |file: &TranslationFile| !matches!(file.content, Content::NotRead) || !is_wanted(&file.languages);
    let known = known.filter(|known| is_enough(&known.file));
    if let Some(known) = known.filter(|known| !known.is_ambiguous)
        && files.metadata(path).is_ok_and(|metadata| metadata.stamp == known.stamp)
    {
        return known.clone();
    }
    let (stamp, bytes) = match read_bounded(files, path, TRANSLATION_LIMIT) {
        Ok(read) => read,
        Err(warning) => return unreadable(path, known, warning),
    };
    let content_hash = xxh3_64(&bytes);
    let is_ambiguous = stamp.is_ambiguous_at(now);
    let file = match known {
        Some(known) if known.file.content_hash == Some(content_hash) => Arc::clone(&known.file),
        _ => Arc::new(parse(path, bytes, content_hash, question.key, is_wanted)),
    };
    Known {
        file,
        stamp,
        is_ambiguous,
    }
}

/// A file that could not be read; it is tried again each time.
fn unreadable(path: &Path, known: Option<&Known>, warning: Warning) -> Known {
    let stamp = Stamp {
        length: 0,
        modified_nanoseconds: 0,
        identity: 0,
    };
    let same = known.filter(|known| known.file.warnings.first() == Some(&warning));
    let file = same.map_or_else(
        || {
            Arc::new(TranslationFile {
                path: path.to_owned(),
                content_hash: None,
                languages: Languages::default(),
                content: Content::Unknown,
                warnings: vec![warning],
            })
        },
        |known| Arc::clone(&known.file),
    );
    Known {
        file,
        stamp,
        is_ambiguous: true,
    }
}

fn parse(
    path: &Path,
    bytes: Vec<u8>,
    content_hash: u64,
    key: fn(&str) -> u64,
    is_wanted: impl FnOnce(&Languages) -> bool,
) -> TranslationFile {
    let source = SourceText::decode_vec(bytes);
    let mut warnings = Vec::new();
    if !source.is_lossless() {
        let encoding = source.encoding().to_string();
        warnings.push(Warning::new(path, Problem::InvalidEncoding { encoding }));
    }
    let text = source.text();
    let (languages, content) = match xliff::read(text, key, is_wanted).and_then(|read| with_language(path, text, read))
    {
        Ok(Xliff { languages, units }) => {
            let content = units.map_or(Content::NotRead, |Units { translated, objects }| Content::Units {
                translated: translated.into(),
                objects: objects.into(),
            });
            (languages, content)
        }
        Err(Fault {
            offset,
            reason,
            languages,
        }) => {
            let mut within = (0..=offset.min(text.len())).rev();
            let offset = within.find(|&offset| text.is_char_boundary(offset)).unwrap_or(0);
            let position = LineIndex::new(text).position(offset as u32);
            warnings.push(Warning::at(path, position, Problem::InvalidTranslation { reason }));
            (languages, Content::Unknown)
        }
    };
    TranslationFile {
        path: path.to_owned(),
        content_hash: Some(content_hash),
        languages,
        content,
        warnings,
    }
}

/// A translation that does not say into which language is of no use; the compiler's own list need not say it.
fn with_language(path: &Path, text: &str, read: Xliff) -> Result<Xliff, Fault> {
    if read.languages.target.is_some() || is_generated(path) {
        return Ok(read);
    }
    Err(Fault {
        offset: text.find("<file").or_else(|| text.find(":file")).unwrap_or_default(),
        reason: "its first `file` element has no target-language".to_owned(),
        languages: read.languages,
    })
}

/// Whether a file is the list of texts that the compiler writes: `App.g.xlf`.
fn is_generated(path: &Path) -> bool {
    let stem = path.file_stem().map(Path::new);
    stem.and_then(Path::extension)
        .is_some_and(|end| end.eq_ignore_ascii_case("g"))
}

/// The language in the name of a file, `App.de-DE.xlf`.
fn language_of_name(path: &Path) -> Option<&str> {
    let language = Path::new(path.file_stem()?).extension()?.to_str()?;
    let primary = language.split('-').next().unwrap_or_default();
    let is_language = (2..=3).contains(&primary.len())
        && primary.bytes().all(|byte| byte.is_ascii_alphabetic())
        && language
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_language.then_some(language)
}

fn answer(asked: &[String], files: &[Arc<TranslationFile>], listing: Option<Warning>) -> Translations {
    let is_in =
        |file: &TranslationFile, name: &str| file.language().is_some_and(|other| other.eq_ignore_ascii_case(name));
    let mut names: Vec<&str> = asked.iter().map(String::as_str).collect();
    if asked.is_empty() {
        for file in files.iter().filter(|file| file.demands_translation()) {
            let language = file.language();
            names.extend(language.filter(|name| !names.iter().any(|known| known.eq_ignore_ascii_case(name))));
        }
    }
    // A file that could not be read may hold every translation into its language; one that does not even say into which
    // may hold those of any language that has no other file.
    let unknown = || files.iter().filter(|file| file.is_unknown() && !file.is_generated());
    let is_any_unknown = listing.is_some() || unknown().any(|file| file.language().is_none());
    let is_known = |name: &&str| {
        !unknown().any(|file| is_in(file, name)) && (!is_any_unknown || files.iter().any(|file| is_in(file, name)))
    };
    names.retain(is_known);
    names.sort_unstable();
    let languages = names
        .into_iter()
        .map(|name| {
            let sets = files
                .iter()
                .filter(|file| is_in(file, name))
                .filter_map(|file| match &file.content {
                    Content::Units { translated, .. } => Some(translated),
                    _ => None,
                });
            TranslatedLanguage {
                name: name.to_owned(),
                translated: union(sets),
            }
        })
        .collect();
    let objects = files.iter().filter_map(|file| match &file.content {
        Content::Units { objects, .. } => Some(objects),
        _ => None,
    });
    let mut hasher = Xxh3::new();
    for name in asked {
        hasher.update(name.as_bytes());
        hasher.update(&[0]);
    }
    for file in files {
        hasher.update(file.path.file_name().unwrap_or_default().as_encoded_bytes());
        hasher.update(&[0, u8::from(file.content_hash.is_some())]);
        hasher.update(&file.content_hash.unwrap_or_default().to_le_bytes());
    }
    hasher.update(&[u8::from(listing.is_some())]);
    let of_files = files.iter().flat_map(|file| file.warnings.iter().cloned());
    Translations {
        languages,
        objects: union(objects),
        warnings: listing.into_iter().chain(of_files).collect(),
        content_hash: hasher.digest(),
    }
}

/// All keys of some sets. A single set is shared, since it may be large.
fn union<'a>(mut sets: impl Iterator<Item = &'a Arc<[u64]>>) -> Arc<[u64]> {
    let Some(first) = sets.next() else {
        return Arc::default();
    };
    let Some(second) = sets.next() else {
        return Arc::clone(first);
    };
    let mut keys: Vec<u64> = [first, second]
        .into_iter()
        .chain(sets)
        .flat_map(|set| set.iter().copied())
        .collect();
    keys.sort_unstable();
    keys.dedup();
    keys.into()
}
