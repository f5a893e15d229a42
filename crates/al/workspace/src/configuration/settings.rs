//! What the editor and AL-Go are told about a project.

use std::path::{Path, PathBuf};

use super::reader::{Reader, WORKSPACE_EXTENSION};
use crate::json::{Fields, Json, Located, Node};
use crate::path::{settings_path, without_dots};
use crate::warning::{Problem, Warning};

/// A value together with the settings file that gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting<T> {
    pub(crate) value: T,
    pub(crate) file: PathBuf,
}

/// The settings that matter here, merged: what is nearer to the project wins.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Settings {
    /// `al.codeAnalyzers`, or what AL-Go builds with when the editor is not told.
    pub(crate) analyzers: Option<Setting<Vec<Located<String>>>>,
    pub(crate) ruleset: Option<RulesetSetting>,
    pub(crate) external_rulesets: Option<bool>,
    pub(crate) package_cache: Option<Vec<String>>,
}

/// Where a ruleset is said to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RulesetSetting {
    pub(crate) file: PathBuf,
    pub(crate) text: Located<String>,
}

/// The nearest ancestor of `root`, or itself, that is a repository. `.git` is a file in
/// worktrees and submodules.
pub(crate) fn repository_of(reader: &mut Reader<'_>, root: &Path) -> Option<PathBuf> {
    root.ancestors()
        .find(|ancestor| reader.has_anything(&ancestor.join(".git")))
        .map(Path::to_owned)
}

/// Reads the editor's settings: `.vscode/settings.json` of the project, then upwards to
/// the repository those of folders that may be opened as a whole, and workspace files that
/// list the project.
pub(crate) fn load_editor_settings(reader: &mut Reader<'_>, root: &Path, repository: Option<&Path>) -> Settings {
    let mut settings = Settings::default();
    for folder in root.ancestors() {
        if folder == root || repository.is_some() {
            let path = folder.join(".vscode/settings.json");
            if let Some(node) = reader.json_if_usable(&path) {
                settings.fill(reader, &path, &node);
            }
        }
        for path in workspace_files(reader, folder) {
            let Some(node) = reader.json_if_usable(&path) else {
                continue;
            };
            if let (true, Some(inner)) = (lists(&node, folder, root), node.get("settings")) {
                settings.fill(reader, &path, inner);
            }
        }
        if repository == Some(folder) {
            break;
        }
    }
    settings
}

fn workspace_files(reader: &mut Reader<'_>, folder: &Path) -> Vec<PathBuf> {
    let mut files = reader.interesting_files(folder);
    files.retain(|path| {
        path.extension()
            .is_some_and(|end| end.eq_ignore_ascii_case(WORKSPACE_EXTENSION))
    });
    files
}

/// Whether a workspace file in `folder` lists the project in `root`.
fn lists(workspace: &Node, folder: &Path, root: &Path) -> bool {
    let Some(Json::List(folders)) = workspace.get("folders").map(|node| &node.value) else {
        return false;
    };
    folders.iter().any(|listed| match listed.get("path") {
        Some(Node {
            value: Json::Text(path),
            ..
        }) => settings_path(folder, path) == root,
        _ => false,
    })
}

impl Settings {
    /// Takes from `node` what is not yet known.
    fn fill(&mut self, reader: &mut Reader<'_>, path: &Path, node: &Node) {
        let mut fields = Fields::new(path, node, &mut reader.warnings);
        if self.analyzers.is_none() {
            self.analyzers = fields.texts("al.codeAnalyzers").map(|value| Setting {
                value,
                file: path.to_owned(),
            });
        }
        if self.ruleset.is_none() {
            let text = fields.text("al.ruleSetPath");
            let text = text.filter(|text| !text.value.trim().is_empty());
            self.ruleset = text.map(|text| RulesetSetting {
                file: path.to_owned(),
                text,
            });
        }
        if self.external_rulesets.is_none() {
            self.external_rulesets = fields.boolean("al.enableExternalRulesets");
        }
        if self.package_cache.is_none() {
            self.package_cache = package_cache(&mut fields);
        }
    }
}

/// `al.packageCachePath`: one folder or a list of them.
fn package_cache(fields: &mut Fields<'_>) -> Option<Vec<String>> {
    const NAME: &str = "al.packageCachePath";
    let texts = if let Json::Text(text) = &fields.node.get(NAME)?.value {
        vec![text.clone()]
    } else {
        let texts = fields.texts(NAME)?.into_iter();
        texts.map(|text| text.value).collect()
    };
    let is_blank = |text: &String| text.trim().is_empty();
    let texts: Vec<_> = texts.into_iter().filter(|text| !is_blank(text)).collect();
    (!texts.is_empty()).then_some(texts)
}

/// What AL-Go's settings say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct AlGoSettings {
    /// The cops it builds with.
    pub(crate) analyzers: Option<Setting<Vec<Located<String>>>>,
    /// The ruleset, which exists.
    pub(crate) ruleset: Option<PathBuf>,
    pub(crate) external_rulesets: Option<bool>,
}

/// Reads AL-Go's settings: the repository's, then the project's. The first `rulesetFile`
/// that exists counts; of the other settings the last.
pub(crate) fn load_al_go_settings(reader: &mut Reader<'_>, root: &Path, repository: Option<&Path>) -> AlGoSettings {
    let mut settings = AlGoSettings::default();
    let mut places = Vec::new();
    if let Some(repository) = repository {
        places.push((repository, repository.join(".AL-Go/settings.json")));
        places.push((repository, repository.join(".github/AL-Go-Settings.json")));
    }
    if repository != Some(root) {
        places.push((root, root.join(".AL-Go/settings.json")));
    }
    for (folder, path) in places {
        let Some(node) = reader.json_if_usable(&path) else {
            continue;
        };
        let mut fields = Fields::new(&path, &node, &mut reader.warnings);
        let ruleset = fields.text("rulesetFile");
        let external = fields.boolean("enableExternalRulesets");
        let analyzers = al_go_analyzers(&mut fields);
        settings.external_rulesets = external.or(settings.external_rulesets);
        if let Some(value) = analyzers {
            settings.analyzers = Some(Setting {
                value,
                file: path.clone(),
            });
        }
        let ruleset = ruleset.filter(|text| !text.value.trim().is_empty());
        if let (Some(text), None) = (ruleset, &settings.ruleset) {
            let ruleset = settings_path(folder, &text.value);
            if reader.has_file(&ruleset) {
                settings.ruleset = Some(ruleset);
            } else {
                let problem = Problem::NoRuleset { ruleset };
                let warning = Warning::at(&path, text.position, problem);
                reader.warnings.push(warning);
            }
        }
    }
    settings
}

/// `customCodeCops` and the switches of Microsoft's cops, as analyzers; absent unless at
/// least one is on.
fn al_go_analyzers(fields: &mut Fields<'_>) -> Option<Vec<Located<String>>> {
    let mut analyzers = fields.texts("customCodeCops").unwrap_or_default();
    for cop in ["CodeCop", "UICop", "PerTenantExtensionCop", "AppSourceCop"] {
        let switch = format!("enable{cop}");
        if let (Some(true), Some(node)) = (fields.boolean(&switch), fields.node.get(&switch)) {
            analyzers.push(Located {
                value: format!("${{{cop}}}"),
                position: node.position,
                end: node.end,
            });
        }
    }
    (!analyzers.is_empty()).then_some(analyzers)
}

/// The place that a path in the settings of the project in `root` means.
pub(crate) fn project_path(root: &Path, text: &str) -> PathBuf {
    let expanded = text.trim().replace("${workspaceFolder}", &root.to_string_lossy());
    without_dots(&settings_path(root, &expanded))
}
