//! The tool `apply_fix_all`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use candor_al_rules::{ChosenFix, FixProvider, FixedText, RuleId};
use candor_al_syntax::text::LineIndex;
use candor_al_workspace::project::SourceFile;
use candor_al_workspace::write::{self, sweep_temporary_files, write_files};
use candor_contract::{ReplyBudget, json_bytes};
use rayon::prelude::*;

use crate::Incident;
use crate::analysis::incident_in;
use crate::fixes::{change_that_fits, rule_id_argument};
use crate::lookup::{RuleInFile, choose, file_of, rule_runs, rule_with_fixes, run_rule, version_holds};
use crate::message::{self, Subject};
use crate::repair::problem_in_words;
use crate::session::{Call, View, cancelled, path_argument, room_beside};
use crate::tools::{ApplyFixAllArguments, ApplyFixAllResult, Conflict, FileChange, Scope, UnfixedDiagnostic};
use crate::vocabulary::AlError;

/// Positions and conflicts that a reply lists at most; the rest is counted.
const LISTED: usize = 200;

/// A file in which the rule finds something.
struct Affected {
    file: Arc<SourceFile>,
    looked: RuleInFile,
}

impl Affected {
    /// Where the rule finds something live.
    fn occurrences(&self) -> impl Iterator<Item = UnfixedDiagnostic> {
        let live = self.looked.findings.iter().filter(|finding| !finding.suppressed);
        live.map(|finding| unfixed(&self.file.path, finding.range.start, &self.looked.lines))
    }
}

/// A file after its repair.
struct Repaired<'a> {
    affected: &'a Affected,
    fixed: FixedText,
    /// What is still there afterwards.
    left: Vec<UnfixedDiagnostic>,
}

impl Repaired<'_> {
    fn is_changed(&self) -> bool {
        self.fixed.tree.text() != self.affected.file.text()
    }
}

impl Call<'_> {
    pub(crate) fn apply_fix_all(&mut self, arguments: &ApplyFixAllArguments) -> Result<ApplyFixAllResult, AlError> {
        let given_file = arguments.file_path.as_deref().filter(|path| !path.trim().is_empty());
        let path = match (arguments.scope, given_file) {
            (Scope::Document, None) => {
                return Err(message::blank("filePath", "the file to fix, since `scope` is document"));
            }
            (Scope::Document, Some(given)) => Some(path_argument("filePath", given)?),
            (Scope::Project, _) => None,
        };
        let root = self.session.any_project(&arguments.project_path)?;
        rule_id_argument(&arguments.diagnostic_id)?;
        let warning = (arguments.scope == Scope::Project && given_file.is_some())
            .then(|| "filePath was ignored, because `scope` is project.".to_owned());
        let cops = self.cops(arguments.analyzers.as_deref())?;
        let view = self.view_with_meaning(&root, cops.as_deref())?;
        let subject = Subject {
            diagnostic_id: &arguments.diagnostic_id,
            file: path.as_deref(),
            position: None,
        };
        let rule = rule_with_fixes(&subject)?;
        rule_runs(rule, &view, &subject)?;
        let files: Vec<Arc<SourceFile>> = match &path {
            Some(path) => vec![file_of(path, &view, &subject)?],
            None => view.snapshot.files.clone(),
        };
        let affected = self.affected(rule, &files, &view)?;
        let found: usize = affected.iter().map(|one| one.occurrences().count()).sum();
        if found == 0 {
            return Ok(self.nothing_found(arguments, warning, &view, &subject));
        }
        let on_offer = self.fixes_on_offer(rule, &affected, &view);
        if on_offer.is_empty() {
            return Err(subject.no_fix_for_diagnostic());
        }
        let fix = choose(&on_offer, arguments.equivalence_key.as_deref(), &subject)?;
        let repaired = self.repaired(ChosenFix { rule, fix }, &affected, &view)?;
        let changed: Vec<&Repaired<'_>> = repaired.iter().filter(|one| one.is_changed()).collect();
        let changed_paths = changed.iter().map(|one| one.affected.file.path.as_path());
        version_holds(arguments.content_version.as_deref(), changed_paths, &view, &subject)?;
        let outcome = if arguments.dry_run {
            write::WriteOutcome {
                changed: changed.iter().map(|one| one.affected.file.path.clone()).collect(),
                ..write::WriteOutcome::default()
            }
        } else {
            self.write_all(&changed, &view)?
        };
        Ok(self.result(arguments, warning, fix, found, &repaired, &outcome, &view))
    }

    /// The files in which the rule finds something, in the order of the project.
    fn affected(&mut self, rule: RuleId, files: &[Arc<SourceFile>], view: &View) -> Result<Vec<Affected>, AlError> {
        let affected: Vec<Affected> = files
            .par_iter()
            .filter(|_| !self.cancellation.is_cancelled())
            .map(|file| Affected {
                file: Arc::clone(file),
                looked: run_rule(rule, file, view),
            })
            .filter(|one| !one.looked.findings.is_empty() || !one.looked.incidents.is_empty())
            .collect();
        self.cancellation.check().map_err(cancelled)?;
        for one in &affected {
            self.notes
                .add_incidents(one.looked.incidents.iter().cloned(), Some(&view.snapshot.root));
        }
        Ok(affected)
    }

    /// The fixes that are offered for at least one occurrence, in the order of the rule.
    fn fixes_on_offer(&mut self, rule: RuleId, affected: &[Affected], view: &View) -> Vec<&'static FixProvider> {
        let mut offered = HashSet::new();
        for one in affected {
            for finding in one.looked.findings.iter().filter(|finding| !finding.suppressed) {
                match finding.fixes(&one.looked.tree) {
                    Ok(fixes) => offered.extend(fixes.iter().map(|fix| fix.equivalence_key)),
                    Err(incident) => {
                        let incident = incident_in(&incident, &one.file.path, &one.looked.lines);
                        self.notes.add_incidents([incident], Some(&view.snapshot.root));
                    }
                }
            }
        }
        rule.metadata()
            .fixes
            .iter()
            .filter(|fix| offered.contains(fix.equivalence_key))
            .collect()
    }

    /// The repaired texts, nothing written yet.
    fn repaired<'a>(
        &mut self,
        choice: ChosenFix,
        affected: &'a [Affected],
        view: &View,
    ) -> Result<Vec<Repaired<'a>>, AlError> {
        let repair = |one: &'a Affected| {
            let context = view.context(&one.file.path);
            let fixed = candor_al_rules::fix_all(&one.looked.tree, &view.plan.symbols, &context, &[choice]);
            let selection = candor_al_rules::RuleSelection::of([choice.rule]);
            let checked = candor_al_rules::check(&fixed.tree, &context, &selection);
            let lines = LineIndex::new(fixed.tree.text());
            let is_left = |finding: &&candor_al_rules::Finding| finding.rule == choice.rule && !finding.suppressed;
            let left = checked.findings.iter().filter(is_left);
            let left = left
                .map(|finding| unfixed(&one.file.path, finding.range.start, &lines))
                .collect();
            Repaired {
                affected: one,
                fixed,
                left,
            }
        };
        let repaired: Vec<Repaired<'a>> = affected
            .par_iter()
            .filter(|_| !self.cancellation.is_cancelled())
            .map(repair)
            .collect();
        self.cancellation.check().map_err(cancelled)?;
        for one in &repaired {
            let path = &one.affected.file.path;
            let failed = one
                .fixed
                .incidents
                .iter()
                .map(|incident| incident_in(incident, path, &one.affected.looked.lines));
            let faults = one.fixed.problems.iter().map(|&problem| {
                Incident::new(
                    "fix_faulty",
                    format!("{}: {}", path.display(), problem_in_words(problem)),
                )
                .in_file(path)
            });
            let all: Vec<Incident> = failed.chain(faults).collect();
            self.notes.add_incidents(all, Some(&view.snapshot.root));
        }
        Ok(repaired)
    }

    /// Writes all changed files, or none.
    fn write_all(&mut self, repaired: &[&Repaired<'_>], view: &View) -> Result<write::WriteOutcome, AlError> {
        let root = &view.snapshot.root;
        let sweep = sweep_temporary_files(&*self.session.files, root);
        self.notes.add_workspace(&sweep.warnings, Some(root));
        let changes: Vec<write::FileChange<'_>> = repaired
            .iter()
            .map(|one| write::FileChange {
                path: &one.affected.file.path,
                expected: one.affected.file.text(),
                new_text: one.fixed.tree.text(),
            })
            .collect();
        let outcome = write_files(&*self.session.files, &changes, self.cancellation);
        if outcome.cancelled {
            self.cancellation.check().map_err(cancelled)?;
        }
        for conflict in &outcome.conflicts {
            if conflict.kind == write::ConflictKind::StaleFile {
                view.entry.distrust(&conflict.path);
            }
            let incident = Incident::of_conflict(conflict.kind.into(), &conflict.message, &conflict.path);
            // Told in `conflicts`, so not among the warnings too.
            self.notes
                .incidents
                .extend(incident.map(|incident| incident.in_project(root)));
        }
        Ok(outcome)
    }

    fn nothing_found(
        &self,
        arguments: &ApplyFixAllArguments,
        warning: Option<String>,
        view: &View,
        subject: &Subject<'_>,
    ) -> ApplyFixAllResult {
        ApplyFixAllResult {
            message: Some(subject.nothing_to_fix()),
            warning,
            ..self.empty_result(arguments, 0, view.snapshot.content_version.to_string())
        }
    }

    fn empty_result(&self, arguments: &ApplyFixAllArguments, found: usize, version: String) -> ApplyFixAllResult {
        ApplyFixAllResult {
            applied: false,
            dry_run: arguments.dry_run,
            diagnostic_id: arguments.diagnostic_id.clone(),
            fix_title: None,
            equivalence_key: None,
            safety: None,
            diagnostics_found: found,
            files_changed: None,
            conflicts: None,
            message: None,
            unfixed_diagnostics: None,
            warning: None,
            changes: None,
            warnings: self.warnings(),
            content_version: version,
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "everything that was found out goes into the answer"
    )]
    fn result(
        &mut self,
        arguments: &ApplyFixAllArguments,
        warning: Option<String>,
        fix: &FixProvider,
        found: usize,
        repaired: &[Repaired<'_>],
        outcome: &write::WriteOutcome,
        view: &View,
    ) -> ApplyFixAllResult {
        let applied = !arguments.dry_run && !outcome.changed.is_empty();
        let version_now = applied.then(|| view.entry.version_now()).flatten();
        let version = version_now.unwrap_or_else(|| view.snapshot.content_version.to_string());
        let unfixed = unfixed_diagnostics(repaired, &outcome.conflicts);
        let files_changed: Vec<String> = outcome.changed.iter().map(|path| path.display().to_string()).collect();
        let conflicts: Vec<Conflict> = outcome.conflicts.iter().map(Conflict::from).collect();
        let mut result = ApplyFixAllResult {
            applied,
            fix_title: Some(fix.title.to_owned()),
            equivalence_key: Some(fix.equivalence_key.to_owned()),
            safety: Some(fix.safety.into()),
            files_changed: Some(self.listed(files_changed, "changed files")),
            conflicts: Some(self.listed(conflicts, "conflicts")),
            message: outcome.message.clone(),
            unfixed_diagnostics: Some(self.listed(unfixed, "unfixed diagnostics")),
            warning,
            changes: Some(Vec::new()),
            ..self.empty_result(arguments, found, version)
        };
        // The notes grew while the lists were made.
        result.warnings = self.warnings();
        let (changes, left_out) = changes_that_fit(repaired, &outcome.changed, json_bytes(&result));
        result.changes = Some(changes);
        if left_out > 0 {
            result.warnings.push(format!(
                "the differences of {left_out} more changed files did not fit into the reply; use scope document to see them"
            ));
        }
        result
    }

    /// The first entries of a list that may be very long; the rest is counted in a warning.
    fn listed<T>(&mut self, mut entries: Vec<T>, what: &str) -> Vec<T> {
        if entries.len() > LISTED {
            self.notes
                .warn(format!("{} more {what} are not listed", entries.len() - LISTED));
            entries.truncate(LISTED);
        }
        entries
    }
}

fn unfixed(path: &Path, offset: u32, lines: &LineIndex) -> UnfixedDiagnostic {
    let position = lines.position(offset);
    UnfixedDiagnostic {
        file_path: path.display().to_string(),
        line: position.line,
        column: position.column,
    }
}

/// What is still there: in files that hold their new text, as it is after the fix; then, in those that do not, as it was.
fn unfixed_diagnostics(repaired: &[Repaired<'_>], conflicts: &[write::Conflict]) -> Vec<UnfixedDiagnostic> {
    let in_conflict: HashSet<&PathBuf> = conflicts.iter().map(|conflict| &conflict.path).collect();
    let (as_they_were, as_fixed): (Vec<_>, Vec<_>) = repaired
        .iter()
        .partition(|one| in_conflict.contains(&one.affected.file.path));
    let left = as_fixed.iter().flat_map(|one| one.left.iter().cloned());
    let before = as_they_were.iter().flat_map(|one| one.affected.occurrences());
    let mut known = HashSet::new();
    left.chain(before).filter(|one| known.insert(one.clone())).collect()
}

/// The differences, as far as they fit, and how many files were left out.
fn changes_that_fit(repaired: &[Repaired<'_>], written: &[PathBuf], rest: usize) -> (Vec<FileChange>, usize) {
    let is_written: HashSet<&PathBuf> = written.iter().collect();
    let mut budget = ReplyBudget::new(room_beside(rest));
    let mut changes = Vec::new();
    let mut left_out = 0;
    for one in repaired
        .iter()
        .filter(|one| is_written.contains(&one.affected.file.path))
    {
        /// Too little to show anything worth reading.
        const LEAST: usize = 500;
        if budget.left() < LEAST {
            left_out += 1;
            continue;
        }
        let file = &one.affected.file;
        let used = room_beside(0) - budget.left();
        let path = file.path.display().to_string();
        let change = change_that_fits(&file.relative_path, &path, file.text(), one.fixed.tree.text(), used);
        if budget.take(&change) {
            changes.push(change);
        } else {
            left_out += 1;
        }
    }
    (changes, left_out)
}
