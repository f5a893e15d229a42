//! `alcops.json`: thresholds, patterns and choices of the rules.

mod values;

use std::path::{Path, PathBuf};

use super::reader::{ALCOPS_NAME, Reader};
use super::ruleset::is_web_address;
use crate::json::{Json, Member, Node};
use crate::warning::{Problem, Warning};
use values::Values;

/// The most bytes that a file named by `Extends` may have: 1 MiB.
const BASE_LIMIT: u64 = 1024 * 1024;

/// The settings of `alcops.json`, or their defaults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlcopsSettings {
    /// The file they come from; absent when there is none.
    pub path: Option<PathBuf>,
    /// Cognitive complexity from which a procedure is reported.
    pub cognitive_complexity_threshold: u32,
    /// Cyclomatic complexity from which a procedure is reported.
    pub cyclomatic_complexity_threshold: u32,
    /// Maintainability index up to which a procedure is reported.
    pub maintainability_index_threshold: u32,
    /// The languages to demand translations for; absent: those of the files present.
    pub languages_to_translate: Option<Vec<String>>,
    /// Naming patterns by kind of identifier, as far as given.
    pub naming_patterns: Vec<(String, NamingPattern)>,
    /// Where sequential GUIDs are demanded.
    pub sequential_guid_scope: SequentialGuidScope,
    /// The template for names of event subscribers; absent: the default one.
    pub subscriber_naming_pattern: Option<String>,
    /// Acronyms with their proper spelling, beside the built-in ones.
    pub known_acronyms: Vec<String>,
    /// Characters that a tooltip may end with.
    pub tool_tip_punctuations: Vec<Punctuation>,
    /// Where blank lines are demanded.
    pub statement_block_spacing: StatementBlockSpacing,
}

impl Default for AlcopsSettings {
    fn default() -> Self {
        Self {
            path: None,
            cognitive_complexity_threshold: 15,
            cyclomatic_complexity_threshold: 8,
            maintainability_index_threshold: 20,
            languages_to_translate: None,
            naming_patterns: Vec::new(),
            sequential_guid_scope: SequentialGuidScope::KeyFields,
            subscriber_naming_pattern: None,
            known_acronyms: Vec::new(),
            tool_tip_punctuations: vec![Punctuation {
                character: ".".to_owned(),
                name: "dot".to_owned(),
            }],
            statement_block_spacing: StatementBlockSpacing::default(),
        }
    }
}

/// Regular expressions for names of one kind; absent ones forbid nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NamingPattern {
    /// What a name must match.
    pub allow_pattern: Option<String>,
    /// What a name must not match.
    pub disallow_pattern: Option<String>,
    /// The first pattern in words.
    pub allow_description: Option<String>,
    /// The second pattern in words.
    pub disallow_description: Option<String>,
}

/// Where sequential GUIDs are demanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SequentialGuidScope {
    /// In fields that are part of a key.
    #[default]
    KeyFields,
    /// Wherever a GUID is created.
    AllGuidFields,
}

/// A character that a tooltip may end with.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Punctuation {
    /// The character, as text.
    pub character: String,
    /// What messages call it.
    pub name: String,
}

/// Where blank lines between statements are demanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own in the file")]
pub struct StatementBlockSpacing {
    /// Before a control-flow statement.
    pub control_flow_before: bool,
    /// After one.
    pub control_flow_after: bool,
    /// Before statements that leave the procedure.
    pub scope_leaving: ScopeLeaving,
    /// Before an `else` on a line of its own.
    pub else_chain_before: bool,
    /// Around control flow on one line as well.
    pub one_liners: bool,
}

impl Default for StatementBlockSpacing {
    fn default() -> Self {
        Self {
            control_flow_before: true,
            control_flow_after: true,
            scope_leaving: ScopeLeaving::ExitAndError,
            else_chain_before: false,
            one_liners: false,
        }
    }
}

/// Which statements that leave the procedure need a blank line before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScopeLeaving {
    /// None.
    Off,
    /// `exit`.
    ExitOnly,
    /// Calls of `Error`.
    ErrorOnly,
    /// Both.
    ExitAndError,
}

/// How `Extends` is treated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExtendsOptions<'a> {
    pub(crate) external_allowed: bool,
    pub(crate) cache: Option<&'a Path>,
}

/// Loads the nearest `alcops.json` at or above `root`. One that cannot be used is a
/// warning, and every setting takes its default; none further up takes its place.
pub(crate) fn load_alcops(reader: &mut Reader<'_>, root: &Path, options: ExtendsOptions<'_>) -> AlcopsSettings {
    let Some(path) = find(reader, root) else {
        return AlcopsSettings::default();
    };
    let unusable = |reader: &mut Reader<'_>, warning: Warning| {
        reader.warnings.push(warning);
        AlcopsSettings {
            path: Some(path.clone()),
            ..AlcopsSettings::default()
        }
    };
    let local = match reader.json(&path) {
        Ok(Some(node)) if node.value != Json::Null => node,
        Ok(_) => {
            return AlcopsSettings {
                path: Some(path.clone()),
                ..AlcopsSettings::default()
            };
        }
        Err(warning) => return unusable(reader, as_alcops(warning)),
    };
    report_unknown_keys(reader, &path, &local);
    let node = match extended(reader, &path, local, options) {
        Ok(node) => node,
        Err(warning) => return unusable(reader, warning),
    };
    match Values(&node).settings() {
        Ok(settings) => AlcopsSettings {
            path: Some(path),
            ..settings
        },
        Err(bad) => {
            let (start, end) = (bad.position, bad.end);
            let reason = bad.in_words();
            let problem = Problem::AlcopsUnusable { reason };
            unusable(reader, Warning::over(&path, start, end, problem))
        }
    }
}

fn find(reader: &mut Reader<'_>, root: &Path) -> Option<PathBuf> {
    for folder in root.ancestors() {
        let exact = folder.join(ALCOPS_NAME);
        if reader.has_file(&exact) {
            return Some(exact);
        }
        let mut files = reader.interesting_files(folder);
        files.retain(|path| {
            path.file_name()
                .is_some_and(|name| name.eq_ignore_ascii_case(ALCOPS_NAME))
        });
        if let Some(found) = files.into_iter().find(|path| reader.has_file(path)) {
            return Some(found);
        }
    }
    None
}

/// A warning about reading the file, worded as one about its settings.
fn as_alcops(warning: Warning) -> Warning {
    let reason = match warning.problem {
        Problem::InvalidJson { cause } => format!("it is not valid JSON: {cause}"),
        Problem::UnreadableFile { cause } => format!("it could not be read ({cause})"),
        Problem::TooLarge { length, limit } => {
            format!("it has {length} bytes, more than the limit of {limit}")
        }
        other => other.to_string(),
    };
    Warning {
        problem: Problem::AlcopsUnusable { reason },
        ..warning
    }
}

fn report_unknown_keys(reader: &mut Reader<'_>, path: &Path, node: &Node) {
    for member in node.members() {
        let known = values::KNOWN_KEYS.iter();
        if !known.into_iter().any(|key| member.name.eq_ignore_ascii_case(key)) {
            let key = member.name.clone();
            let problem = Problem::AlcopsUnknownKey { key };
            let warning = Warning::over(path, member.position, member.name_end, problem);
            reader.warnings.push(warning);
        }
    }
}

/// The settings with those of the file that `Extends` names behind them.
fn extended(reader: &mut Reader<'_>, path: &Path, local: Node, options: ExtendsOptions<'_>) -> Result<Node, Warning> {
    let Some(extends) = local.get("Extends") else {
        return Ok(local);
    };
    let (start, end) = (extends.position, extends.end);
    let fail = |reason: String| {
        let problem = Problem::AlcopsUnusable { reason };
        Warning::over(path, start, end, problem)
    };
    let source = match extends.get("Source").map(|node| &node.value) {
        None if matches!(extends.value, Json::Object(_)) => return Ok(local),
        Some(Json::Text(source)) if source.trim().is_empty() => return Ok(local),
        Some(Json::Text(source)) => source.trim().to_owned(),
        _ => return Err(fail("Extends must be an object with a text Source".to_owned())),
    };
    let file = base_file(&source, options).map_err(fail)?;
    let about = |what: &str| fail(format!("Extends names {source}, {what}"));
    let bytes = match reader.bytes(&file, BASE_LIMIT) {
        Ok(Some(bytes)) => bytes,
        Ok(None) if is_web_address(&source) => {
            let where_to = file.display();
            return Err(about(&format!(
                "which is not in the cache and is never downloaded here; save it as {where_to} to use it"
            )));
        }
        Ok(None) => return Err(about("which does not exist")),
        Err(warning) => return Err(about(&format!("but {}", warning.problem))),
    };
    let base = match crate::json::parse(&file, &bytes) {
        Ok(Some(base)) => base,
        Ok(None) => return Ok(local),
        Err(warning) => return Err(about(&format!("which {}", warning.problem))),
    };
    if base.get("Extends").is_some() {
        return Err(about("which extends another file itself; only one level is possible"));
    }
    // Held up by itself: the places of its values are not those of this file.
    if let Err(bad) = Values(&base).settings() {
        return Err(about(&format!("in which {}", bad.in_words())));
    }
    report_unknown_keys(reader, &file, &base);
    Ok(merged(base, local))
}

fn base_file(source: &str, options: ExtendsOptions<'_>) -> Result<PathBuf, String> {
    if !is_web_address(source) {
        let file = PathBuf::from(source);
        return if file.is_absolute() {
            Ok(file)
        } else {
            Err(format!(
                "Extends names {source}, which is neither an absolute path nor an http(s) address"
            ))
        };
    }
    let authority = source.split('/').nth(2).unwrap_or_default();
    if authority.contains('@') {
        return Err("Extends names an address with credentials".to_owned());
    }
    let (true, Some(cache)) = (options.external_allowed, options.cache) else {
        return Err(format!(
            "Extends names {source}, and external files are off (al.enableExternalRulesets)"
        ));
    };
    Ok(super::ruleset::cached_file(cache, source))
}

/// `local` over `base`: objects are merged, everything else is replaced.
fn merged(base: Node, local: Node) -> Node {
    let (Json::Object(base_members), Json::Object(local_members)) = (base.value, &local.value) else {
        return local;
    };
    let mut members: Vec<Member> = base_members;
    for member in local_members.clone() {
        let is_same = |other: &Member| other.name.eq_ignore_ascii_case(&member.name);
        match members.iter().rposition(is_same) {
            Some(index) => {
                let below = members.remove(index);
                members.push(Member {
                    node: merged(below.node, member.node),
                    ..member
                });
            }
            None => members.push(member),
        }
    }
    Node {
        value: Json::Object(members),
        position: local.position,
        end: local.end,
    }
}
