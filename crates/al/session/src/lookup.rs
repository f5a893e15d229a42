//! What the fix tools share: from an id and a place to the finding that is meant, or to the reason why there is none.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use candor_al_rules::{Finding, FixProvider, RuleId, RuleSelection};
use candor_al_syntax::Tree;
use candor_al_syntax::text::{LineIndex, Position};
use candor_al_workspace::project::SourceFile;
use candor_contract::nearest_names;

use crate::analysis::incident_in;
use crate::message::{self, NotRunning, Subject};
use crate::plan::Decision;
use crate::position::{Match, Occurrence, match_position};
use crate::session::{Call, View};
use crate::vocabulary::{AlError, FixCandidate};

/// The finding that a call is about.
pub(crate) struct Target {
    pub(crate) file: Arc<SourceFile>,
    pub(crate) tree: Tree,
    pub(crate) finding: Finding,
    pub(crate) position: Position,
    /// The fixes on offer, in the order of the rule; at least one.
    pub(crate) fixes: Vec<&'static FixProvider>,
}

/// One rule over one file.
pub(crate) struct RuleInFile {
    pub(crate) tree: Tree,
    pub(crate) lines: LineIndex,
    /// In the order of the text, suppressed ones among them.
    pub(crate) findings: Vec<Finding>,
    pub(crate) incidents: Vec<crate::Incident>,
}

/// Runs one rule over a file.
pub(crate) fn run_rule(rule: RuleId, file: &SourceFile, view: &View) -> RuleInFile {
    let tree = candor_al_syntax::parse(file.text(), &view.plan.symbols);
    let checked = candor_al_rules::check(&tree, &view.context(&file.path), &RuleSelection::of([rule]));
    let lines = LineIndex::new(file.text());
    let of_rule = |incident: &&candor_al_rules::Incident| incident.rule == rule;
    RuleInFile {
        incidents: checked
            .incidents
            .iter()
            .filter(of_rule)
            .map(|one| incident_in(one, &file.path, &lines))
            .collect(),
        findings: checked
            .findings
            .into_iter()
            .filter(|finding| finding.rule == rule)
            .collect(),
        lines,
        tree,
    }
}

/// The fixes that the rule of a finding offers for it, as callers choose between them.
pub(crate) fn candidates(fixes: &[&'static FixProvider]) -> Vec<FixCandidate> {
    fixes.iter().map(|&fix| FixCandidate::from(fix)).collect()
}

/// A position that was given as arguments.
pub(crate) fn position_argument(line: i64, column: i64) -> Result<Position, AlError> {
    let part = |name: &str, given: i64| match u32::try_from(given) {
        Ok(0) | Err(_) if given < 1 => Err(message::too_small(name, given, 1)),
        // No text has so many lines or columns, so nothing will be found there.
        Err(_) => Ok(u32::MAX),
        Ok(part) => Ok(part),
    };
    Ok(Position {
        line: part("line", line)?,
        column: part("column", column)?,
    })
}

impl Call<'_> {
    /// Adds what a rule met in a file. A rule that failed there has nothing to say about the file.
    pub(crate) fn rule_failures(&mut self, looked: &RuleInFile, root: &Path) -> Result<(), AlError> {
        let Some(first) = looked.incidents.first() else {
            return Ok(());
        };
        let error = AlError::faulted(first.message.clone());
        self.notes.add_incidents(looked.incidents.iter().cloned(), Some(root));
        Err(error)
    }

    /// The finding that a position means, and its fixes.
    pub(crate) fn target(
        &mut self,
        rule: RuleId,
        file: Arc<SourceFile>,
        wanted: Position,
        view: &View,
        subject: &Subject<'_>,
    ) -> Result<Target, AlError> {
        let looked = run_rule(rule, &file, view);
        self.rule_failures(&looked, &view.snapshot.root)
            .map_err(|error| subject.at(error))?;
        let occurrences: Vec<Occurrence> = looked
            .findings
            .iter()
            .map(|finding| Occurrence {
                position: looked.lines.position(finding.range.start),
                suppressed: finding.suppressed,
            })
            .collect();
        let index = match match_position(&occurrences, wanted) {
            Match::Live(index) => index,
            Match::Suppressed => return Err(subject.suppressed_by_pragma()),
            Match::Nothing => return Err(subject.no_diagnostic_at_position()),
        };
        let finding = looked.findings[index].clone();
        let fixes = finding.fixes(&looked.tree).map_err(|incident| {
            let incident = incident_in(&incident, &file.path, &looked.lines);
            let error = AlError::faulted(incident.message.clone());
            self.notes.add_incidents([incident], Some(&view.snapshot.root));
            subject.at(error)
        })?;
        if fixes.is_empty() {
            return Err(subject.no_fix_for_diagnostic());
        }
        Ok(Target {
            file,
            tree: looked.tree,
            finding,
            position: occurrences[index].position,
            fixes,
        })
    }
}

/// The folder and the file of a fix tool.
pub(crate) fn paths_of(call: &Call<'_>, project_path: &str, file_path: &str) -> Result<(PathBuf, PathBuf), AlError> {
    let project = call.session.any_project(project_path)?;
    let file = crate::session::path_argument("filePath", file_path)?;
    Ok((project, file))
}

/// The rule of a fix tool, which must offer fixes.
pub(crate) fn rule_with_fixes(subject: &Subject<'_>) -> Result<RuleId, AlError> {
    let id = subject.diagnostic_id.trim();
    match RuleId::from_id(id) {
        Some(rule) if !rule.metadata().fixes.is_empty() => Ok(rule),
        Some(_) => Err(subject.no_fix_provider(true, &[])),
        None => {
            let near = nearest_names(id, RuleId::ALL.iter().map(|rule| rule.id()));
            Err(subject.no_fix_provider(false, &near))
        }
    }
}

/// Whether the rule runs in the project; otherwise the reason why not.
pub(crate) fn rule_runs(rule: RuleId, view: &View, subject: &Subject<'_>) -> Result<(), AlError> {
    let cop = rule.metadata().cop.name();
    match view.plan.decision(rule) {
        Decision::Runs(_) => Ok(()),
        Decision::Suppressed(why) => Err(subject.suppressed_by_ruleset(why)),
        Decision::CopNotChosen => Err(subject.no_analyzer_for_rule(cop, NotRunning::Cop)),
        Decision::OffByDefault => Err(subject.no_analyzer_for_rule(cop, NotRunning::OffByDefault)),
    }
}

/// The file of the project that is meant.
///
/// # Errors
/// `Faulted`/`ReadFailed` for one that is there and cannot be read, otherwise `NotFound`/`FileNotInProject`.
pub(crate) fn file_of(path: &Path, view: &View, subject: &Subject<'_>) -> Result<Arc<SourceFile>, AlError> {
    if let Some(file) = view.snapshot.file(path) {
        return Ok(Arc::clone(file));
    }
    Err(match view.snapshot.unreadable(path) {
        Some(warning) => subject.at(message::unreadable(warning)),
        None => subject.file_not_in_project(&view.snapshot.root),
    })
}

/// The fix that a key names; without a key the only one.
pub(crate) fn choose(
    fixes: &[&'static FixProvider],
    key: Option<&str>,
    subject: &Subject<'_>,
) -> Result<&'static FixProvider, AlError> {
    match (key, fixes) {
        (Some(key), _) => {
            let chosen = fixes.iter().find(|fix| fix.equivalence_key == key).copied();
            chosen.ok_or_else(|| subject.no_fix_for_equivalence_key(key, candidates(fixes)))
        }
        (None, [only]) => Ok(only),
        (None, _) => Err(subject.ambiguous(candidates(fixes))),
    }
}

/// Whether files are what they were in a version that the caller relies on.
pub(crate) fn version_holds<'f>(
    version: Option<&str>,
    files: impl IntoIterator<Item = &'f Path>,
    view: &View,
    subject: &Subject<'_>,
) -> Result<(), AlError> {
    let Some(version) = version.filter(|version| *version != view.snapshot.content_version.to_string()) else {
        return Ok(());
    };
    let Some(known) = view.entry.files_of_version(version) else {
        return Err(subject.unknown_version(version));
    };
    let content = |path: &Path| view.snapshot.file(path).map(|file| file.content_hash);
    let changed: Vec<&Path> = files
        .into_iter()
        .filter(|path| known.content(path) != content(path))
        .collect();
    if changed.is_empty() {
        Ok(())
    } else {
        Err(subject.stale_version(&changed))
    }
}
