//! Reading a ruleset and what it includes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use candor_al_syntax::text::Position;
use xxhash_rust::xxh3::xxh3_64;

use super::{Action, Ruleset};
use crate::configuration::reader::Reader;
use crate::configuration::settings::project_path;
use crate::json::{Fields, Json, Located, Node};
use crate::path::settings_path;
use crate::warning::{Problem, Warning};

/// More rulesets than this in one chain of includes are a mistake.
const MOST_RULESETS: usize = 256;

/// How rulesets that lie elsewhere are treated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RulesetOptions<'a> {
    /// The project's folder; includes of the first file are relative to it.
    pub(crate) root: &'a Path,
    /// Whether settings allow rulesets on the web; if silent, the first file decides.
    pub(crate) external_allowed: Option<bool>,
    /// The folder where their copies lie.
    pub(crate) cache: Option<&'a Path>,
}

/// A ruleset file by itself.
#[derive(Debug, Clone, Default)]
struct RulesetFile {
    general: Option<Action>,
    external_allowed: Option<bool>,
    includes: Vec<Include>,
    rules: BTreeMap<String, Option<Action>>,
}

#[derive(Debug, Clone)]
struct Include {
    path: Located<String>,
    action: Option<Action>,
}

/// Loads the ruleset in `path`, which exists, with everything it includes.
pub(crate) fn load_ruleset(reader: &mut Reader<'_>, path: &Path, options: &RulesetOptions<'_>) -> Ruleset {
    let mut loader = Loader {
        reader,
        options: options.clone(),
        open: Vec::new(),
        loaded: BTreeMap::new(),
    };
    let mut ruleset = loader.load(path);
    ruleset.path = Some(path.to_owned());
    ruleset
}

/// The file in `cache` that stands for a ruleset on the web.
pub(crate) fn cached_file(cache: &Path, address: &str) -> PathBuf {
    cache.join(format!("{:016x}.ruleset.json", xxh3_64(address.as_bytes())))
}

pub(crate) fn is_web_address(text: &str) -> bool {
    let starts = |scheme: &str| {
        text.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    starts("http://") || starts("https://")
}

struct Loader<'a, 'b> {
    reader: &'a mut Reader<'b>,
    options: RulesetOptions<'a>,
    /// The files being loaded, each including the next.
    open: Vec<PathBuf>,
    loaded: BTreeMap<PathBuf, Ruleset>,
}

impl Loader<'_, '_> {
    fn load(&mut self, path: &Path) -> Ruleset {
        let identity = self.reader.resolve(path);
        if let Some(ruleset) = self.loaded.get(&identity) {
            return ruleset.clone();
        }
        let Some(node) = self.reader.json_if_usable(path) else {
            return Ruleset::default();
        };
        let file = parse_file(path, &node, &mut self.reader.warnings);
        if self.open.is_empty() {
            let allowed = self.options.external_allowed.or(file.external_allowed);
            self.options.external_allowed = allowed;
        }
        let mut ruleset = Ruleset {
            path: None,
            general: file.general,
            rules: BTreeMap::new(),
        };
        self.open.push(identity.clone());
        for include in &file.includes {
            if let Some(included) = self.included_file(path, &include.path) {
                let included = self.load(&included).mapped(include.action);
                ruleset.include(&included);
            }
        }
        self.open.pop();
        ruleset.rules.extend(file.rules);
        self.loaded.insert(identity, ruleset.clone());
        ruleset
    }

    /// The file that an include in `path` means, unless there is a reason against it.
    fn included_file(&mut self, path: &Path, text: &Located<String>) -> Option<PathBuf> {
        let found = self.locate(path, text.value.trim());
        let problem = match found {
            Err(problem) => problem,
            Ok(file) => {
                let identity = self.reader.resolve(&file);
                if self.open.contains(&identity) {
                    Problem::RulesetCycle { ruleset: file }
                } else if self.loaded.len() + self.open.len() >= MOST_RULESETS {
                    let limit = MOST_RULESETS;
                    Problem::TooManyRulesets { limit }
                } else {
                    return Some(file);
                }
            }
        };
        let warning = Warning::at(path, text.position, problem);
        // A file that is included twice is reported once.
        if !self.reader.warnings.contains(&warning) {
            self.reader.warnings.push(warning);
        }
        None
    }

    fn locate(&mut self, path: &Path, text: &str) -> Result<PathBuf, Problem> {
        if is_web_address(text) {
            return locate_external(self.reader, text, &self.options);
        }
        let beside = settings_path(path.parent().unwrap_or(Path::new("")), text);
        // Includes of the first file are documented as relative to the project, and are
        // widely written as relative to the file.
        let mut places = vec![beside];
        if self.open.len() == 1 {
            places.insert(0, project_path(self.options.root, text));
        }
        let found = places.iter().find(|place| self.reader.has_file(place));
        let found = found.cloned();
        found.ok_or_else(|| {
            let ruleset = places.pop().unwrap_or_default();
            Problem::NoRuleset { ruleset }
        })
    }
}

/// The copy of a ruleset on the web.
pub(crate) fn locate_external(
    reader: &mut Reader<'_>,
    address: &str,
    options: &RulesetOptions<'_>,
) -> Result<PathBuf, Problem> {
    let address = address.to_owned();
    let (Some(true), Some(cache)) = (options.external_allowed, options.cache) else {
        return Err(Problem::ExternalRulesetsOff { address });
    };
    let file = cached_file(cache, &address);
    if reader.has_file(&file) {
        Ok(file)
    } else {
        Err(Problem::ExternalRulesetNotCached { address, file })
    }
}

fn parse_file(path: &Path, node: &Node, warnings: &mut Vec<Warning>) -> RulesetFile {
    let mut fields = Fields::new(path, node, warnings);
    let mut file = RulesetFile {
        general: action(&mut fields, "generalAction"),
        external_allowed: fields.boolean("enableExternalRulesets"),
        ..RulesetFile::default()
    };
    for element in fields.list("includedRuleSets").unwrap_or_default() {
        let mut inner = fields.inside(element);
        let action = action(&mut inner, "action");
        if let Some(path) = inner.text("path") {
            file.includes.push(Include { path, action });
        } else if matches!(element.value, Json::Object(_)) {
            inner.wrong_kind(element.position, "path", "the path of a ruleset");
        }
    }
    for element in fields.list("rules").unwrap_or_default() {
        let mut inner = fields.inside(element);
        let action = action(&mut inner, "action");
        let Some(id) = inner.text("id") else {
            if matches!(element.value, Json::Object(_)) {
                inner.wrong_kind(element.position, "id", "the id of a rule");
            }
            continue;
        };
        let key = id.value.trim().to_ascii_uppercase();
        let previous = file.rules.insert(key, action);
        if previous.is_some_and(|previous| previous != action) {
            let rule = id.value;
            let problem = Problem::TwoActions { rule };
            warn_at(&mut inner, id.position, problem);
        }
    }
    file
}

/// The action of a member; `None` for `Default`, for none and for a word that is no action.
fn action(fields: &mut Fields<'_>, name: &str) -> Option<Action> {
    let text = fields.text(name)?;
    let word = text.value.trim();
    let known = [
        Action::Error,
        Action::Warning,
        Action::Info,
        Action::Hidden,
        Action::None,
    ]
    .into_iter()
    .find(|action| action.name().eq_ignore_ascii_case(word));
    if known.is_none() && !word.eq_ignore_ascii_case("Default") {
        let action = text.value;
        warn_at(fields, text.position, Problem::UnknownAction { action });
    }
    known
}

fn warn_at(fields: &mut Fields<'_>, position: Position, problem: Problem) {
    let warning = Warning::at(fields.path, position, problem);
    fields.warnings.push(warning);
}
