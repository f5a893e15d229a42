//! `app.json`: what a project says about itself.

use std::path::{Path, PathBuf};

use candor_al_model::AppIdentity;

use super::reader::Reader;
use crate::discovery::MANIFEST_NAME;
use crate::json::{Fields, Json, Located, Node};
use crate::warning::{Problem, Warning};

/// The content of `app.json` as far as analysis needs it. Texts that are missing are empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Manifest {
    /// The file itself.
    pub path: PathBuf,
    /// The id of the app, a GUID as written.
    pub id: String,
    /// The name of the app.
    pub name: String,
    /// Its publisher.
    pub publisher: String,
    /// Its version, as written.
    pub version: String,
    /// The runtime it is written for, as written (such as `15.0`).
    pub runtime: Option<Located<String>>,
    /// The application version it needs, as written.
    pub application: Option<Located<String>>,
    /// The platform version it needs, as written.
    pub platform: Option<Located<String>>,
    /// `Cloud` (taken when absent) or `OnPrem`, as written.
    pub target: Option<Located<String>>,
    /// Compiler features, such as `TranslationFile`.
    pub features: Vec<Located<String>>,
    /// Symbols that `#if` finds defined in every file.
    pub preprocessor_symbols: Vec<Located<String>>,
    /// Ids of diagnostics that are dropped for the whole project.
    pub suppress_warnings: Vec<Located<String>>,
    /// The ranges its object ids come from.
    pub id_ranges: Vec<Located<IdRange>>,
    /// The apps it depends on.
    pub dependencies: Vec<Located<AppReference>>,
    /// The apps that see its internal members; the place is that of the list's element.
    pub internals_visible_to: Vec<Located<AppReference>>,
    /// Where the setting `internalsVisibleTo` stands, also when its list is empty.
    pub internals_visible_to_position: Option<candor_al_syntax::text::Position>,
}

impl Manifest {
    /// What it says about the place of its app among others; `root` is the folder of the project.
    pub fn identity(&self, root: &Path) -> AppIdentity {
        AppIdentity {
            id: self.id.clone(),
            name: self.name.clone(),
            publisher: self.publisher.clone(),
            folder: root.to_string_lossy().replace('\\', "/"),
            dependencies: self.dependencies.iter().map(|it| it.value.id.clone()).collect(),
            needs_application: self.application.is_some(),
            names_its_records: self.has_feature("NoImplicitWith"),
        }
    }

    /// Whether a compiler feature is on; the case of its name is free.
    pub fn has_feature(&self, name: &str) -> bool {
        let mut features = self.features.iter();
        features.any(|feature| feature.value.eq_ignore_ascii_case(name))
    }

    /// Whether diagnostics of this id are dropped for the whole project.
    pub fn suppresses(&self, id: &str) -> bool {
        let mut suppressed = self.suppress_warnings.iter();
        suppressed.any(|suppressed| suppressed.value.trim().eq_ignore_ascii_case(id))
    }
}

/// A range of object ids, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IdRange {
    /// The first id.
    pub from: u32,
    /// The last id.
    pub to: u32,
}

/// Another app, as a manifest names it. Texts that are missing are empty.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct AppReference {
    /// Its id, a GUID as written.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its publisher.
    pub publisher: String,
    /// The lowest version accepted; empty where none is asked for.
    pub version: String,
}

pub(crate) fn load_manifest(reader: &mut Reader<'_>, root: &Path) -> Manifest {
    let path = root.join(MANIFEST_NAME);
    if !reader.has_file(&path) {
        reader.warnings.push(Warning::new(&path, Problem::NoManifest));
    }
    let node = reader.json_if_usable(&path);
    let mut manifest = Manifest {
        path: path.clone(),
        ..Manifest::default()
    };
    let Some(node) = node else {
        return manifest;
    };
    let mut fields = Fields::new(&path, &node, &mut reader.warnings);
    manifest.id = fields.plain_text("id");
    manifest.name = fields.plain_text("name");
    manifest.publisher = fields.plain_text("publisher");
    manifest.version = fields.plain_text("version");
    manifest.runtime = fields.text("runtime");
    manifest.application = fields.text("application");
    manifest.platform = fields.text("platform");
    manifest.target = fields.text("target");
    manifest.features = fields.texts("features").unwrap_or_default();
    manifest.preprocessor_symbols = fields.texts("preprocessorSymbols").unwrap_or_default();
    manifest.suppress_warnings = fields.texts("suppressWarnings").unwrap_or_default();
    manifest.id_ranges = id_ranges(&mut fields);
    manifest.dependencies = references(&mut fields, "dependencies");
    manifest.internals_visible_to = references(&mut fields, "internalsVisibleTo");
    manifest.internals_visible_to_position = node
        .members()
        .iter()
        .rfind(|member| member.name.eq_ignore_ascii_case("internalsVisibleTo"))
        .map(|member| member.position);
    manifest
}

fn id_ranges(fields: &mut Fields<'_>) -> Vec<Located<IdRange>> {
    let list = fields.list("idRanges").unwrap_or_default();
    // The older form has one range alone.
    let nodes: Vec<&Node> = list.iter().chain(fields.node.get("idRange")).collect();
    let mut ranges = Vec::new();
    for node in nodes {
        let bound = |name| match &node.get(name)?.value {
            Json::Number(number) | Json::Text(number) => number.trim().parse().ok(),
            _ => None,
        };
        if let (Some(from), Some(to)) = (bound("from"), bound("to")) {
            ranges.push(Located {
                value: IdRange { from, to },
                position: node.position,
                end: node.end,
            });
        } else {
            let expected = "a list of objects with the numbers from and to";
            fields.wrong_kind(node.position, "idRanges", expected);
        }
    }
    ranges
}

fn references(fields: &mut Fields<'_>, name: &str) -> Vec<Located<AppReference>> {
    let mut references = Vec::new();
    for node in fields.list(name).unwrap_or_default() {
        let mut inner = fields.inside(node);
        if !matches!(node.value, Json::Object(_)) {
            continue;
        }
        // Before runtime 5.0 the id was called appId.
        let id = inner.text("id").or_else(|| inner.text("appId"));
        references.push(Located {
            value: AppReference {
                id: id.map_or_else(String::new, |id| id.value),
                name: inner.plain_text("name"),
                publisher: inner.plain_text("publisher"),
                version: inner.plain_text("version"),
            },
            position: node.position,
            end: node.end,
        });
    }
    references
}
