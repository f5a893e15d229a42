//! Everything that settings say about a project: its manifest, the cops that run, the
//! ruleset, thresholds and affixes.

mod affixes;
mod alcops;
mod analyzers;
mod manifest;
mod reader;
mod ruleset;
mod settings;

pub use affixes::AffixSettings;
pub use alcops::{
    AlcopsSettings, NamingPattern, Punctuation, ScopeLeaving, SequentialGuidScope, StatementBlockSpacing,
};
pub use analyzers::{CopSelection, analyzer_name, find_cop};
pub use manifest::{AppReference, IdRange, Manifest};
pub use ruleset::{Action, Ruleset};

pub(crate) use manifest::load_manifest;
pub(crate) use reader::Evidence;

use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

use crate::file_system::FileSystem;
use crate::path::relative_text;
use crate::warning::{Problem, Warning};
use alcops::ExtendsOptions;
use reader::Reader;
use ruleset::{RulesetOptions, is_web_address};
use settings::{AlGoSettings, Settings};

/// What a program brings along when it loads configurations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConfigurationOptions {
    /// The names of the cops there are, long form (`ALCops.LinterCop`, `CodeCop`).
    pub available_cops: Vec<String>,
    /// The folder with copies of rulesets on the web; without it none is read.
    pub external_cache: Option<PathBuf>,
}

/// What settings say about one project.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Configuration {
    /// `app.json`.
    pub manifest: Manifest,
    /// The cops that run.
    pub cops: CopSelection,
    /// The ruleset, empty when there is none.
    pub ruleset: Ruleset,
    /// The folders where packages of other apps lie; they need not exist.
    pub package_cache_folders: Vec<PathBuf>,
    /// `alcops.json`.
    pub alcops: AlcopsSettings,
    /// `AppSourceCop.json`.
    pub affixes: AffixSettings,
    /// The files all of this was read from, sorted by path.
    pub files: Vec<PathBuf>,
    /// What is wrong with any of these.
    pub warnings: Vec<Warning>,
    /// Stands for the content of every file read.
    pub(crate) content_hash: u64,
}

/// Loads the configuration of the project in `root`, an absolute path.
pub fn load_configuration(files: &dyn FileSystem, root: &Path, options: &ConfigurationOptions) -> Configuration {
    load_with_evidence(files, root, options, load_manifest).0
}

/// Loads what settings say about files in `folder`, an absolute path, that belong to no
/// project: everything but a manifest.
pub fn load_loose_configuration(
    files: &dyn FileSystem,
    folder: &Path,
    options: &ConfigurationOptions,
) -> Configuration {
    load_with_evidence(files, folder, options, |_, _| Manifest::default()).0
}

/// The same, with what must stay unchanged for it to stay true.
pub(crate) fn load_with_evidence(
    files: &dyn FileSystem,
    root: &Path,
    options: &ConfigurationOptions,
    manifest: impl FnOnce(&mut Reader<'_>, &Path) -> Manifest,
) -> (Configuration, Evidence) {
    let mut reader = Reader::new(files);
    let manifest = manifest(&mut reader, root);
    let repository = settings::repository_of(&mut reader, root);
    let repository = repository.as_deref();
    let editor = settings::load_editor_settings(&mut reader, root, repository);
    let al_go = settings::load_al_go_settings(&mut reader, root, repository);
    let analyzers = editor.analyzers.as_ref().or(al_go.analyzers.as_ref());
    let cops = analyzers::select_cops(analyzers, &options.available_cops, &mut reader.warnings);
    let external_allowed = editor.external_rulesets.or(al_go.external_rulesets);
    let cache = options.external_cache.as_deref();
    let ruleset_options = RulesetOptions {
        root,
        external_allowed,
        cache,
    };
    let ruleset = match find_ruleset(&mut reader, root, repository, &editor, &al_go, &ruleset_options) {
        Some(path) => ruleset::load_ruleset(&mut reader, &path, &ruleset_options),
        None => Ruleset::default(),
    };
    let extends = ExtendsOptions {
        external_allowed: external_allowed == Some(true),
        cache,
    };
    let alcops = alcops::load_alcops(&mut reader, root, extends);
    let affixes = affixes::load_affixes(&mut reader, root);
    let package_cache_folders = editor
        .package_cache
        .unwrap_or_else(|| vec![".alpackages".to_owned()])
        .iter()
        .map(|text| settings::project_path(root, text))
        .collect();
    let (evidence, contents, warnings) = reader.finish();
    let read_files: Vec<PathBuf> = contents.keys().cloned().collect();
    let mut hasher = Xxh3::new();
    for (path, content) in contents {
        // Names and contents only, so that a copy of a project has the same version.
        let name = if path.starts_with(root) {
            relative_text(root, &path)
        } else {
            path.file_name().unwrap_or_default().to_string_lossy().into_owned()
        };
        hasher.update(name.as_bytes());
        hasher.update(&[0]);
        hasher.update(&content.to_le_bytes());
    }
    let configuration = Configuration {
        manifest,
        cops,
        ruleset,
        package_cache_folders,
        alcops,
        affixes,
        files: read_files,
        warnings,
        content_hash: hasher.digest(),
    };
    (configuration, evidence)
}

/// The file of the project's ruleset: the one settings name, AL-Go's, or one with a usual
/// name in the project or its repository.
fn find_ruleset(
    reader: &mut Reader<'_>,
    root: &Path,
    repository: Option<&Path>,
    editor: &Settings,
    al_go: &AlGoSettings,
    options: &RulesetOptions<'_>,
) -> Option<PathBuf> {
    const USUAL_NAMES: [&str; 3] = [
        "custom.ruleset.json",
        "app.ruleset.json",
        ".codeAnalysis/app.ruleset.json",
    ];
    if let Some(setting) = &editor.ruleset {
        let text = setting.text.value.trim();
        let found = if is_web_address(text) {
            ruleset::locate_external(reader, text, options)
        } else {
            let path = settings::project_path(root, text);
            if reader.has_file(&path) {
                Ok(path)
            } else {
                Err(Problem::NoRuleset { ruleset: path })
            }
        };
        return found
            .map_err(|problem| {
                let warning = Warning::at(&setting.file, setting.text.position, problem);
                reader.warnings.push(warning);
            })
            .ok();
    }
    if let Some(path) = &al_go.ruleset {
        return Some(path.clone());
    }
    [Some(root), repository]
        .into_iter()
        .flatten()
        .flat_map(|folder| USUAL_NAMES.map(|name| folder.join(name)))
        .find(|path| reader.has_file(path))
}
