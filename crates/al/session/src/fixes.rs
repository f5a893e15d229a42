//! The tools `get_fixes` and `apply_fix`.

use candor_al_workspace::write::{ConflictKind, FileChange, WriteError, sweep_temporary_files, write_file};
use candor_contract::json_bytes;

use crate::Incident;
use crate::difference::difference;
use crate::lookup::{
    candidates, choose, file_of, paths_of, position_argument, rule_runs, rule_with_fixes, version_holds,
};
use crate::message::{self, Subject};
use crate::session::{Call, View, cancelled, room_beside};
use crate::tools::{self, ApplyFixArguments, ApplyFixResult, GetFixesArguments, GetFixesResult};
use crate::vocabulary::{AlError, AlFaulted};

impl Call<'_> {
    pub(crate) fn get_fixes(&mut self, arguments: &GetFixesArguments) -> Result<GetFixesResult, AlError> {
        let (root, path) = paths_of(self, &arguments.project_path, &arguments.file_path)?;
        rule_id_argument(&arguments.diagnostic_id)?;
        let wanted = position_argument(arguments.line, arguments.column)?;
        let cops = self.cops(arguments.analyzers.as_deref())?;
        let view = self.view_with_meaning(&root, cops.as_deref())?;
        let subject = Subject {
            diagnostic_id: &arguments.diagnostic_id,
            file: Some(&path),
            position: Some((arguments.line, arguments.column)),
        };
        let rule = rule_with_fixes(&subject)?;
        let file = file_of(&path, &view, &subject)?;
        rule_runs(rule, &view, &subject)?;
        let target = self.target(rule, file, wanted, &view, &subject)?;
        Ok(GetFixesResult {
            diagnostic_id: arguments.diagnostic_id.clone(),
            file_path: path.display().to_string(),
            line: wanted.line,
            column: wanted.column,
            matched_line: target.position.line,
            matched_column: target.position.column,
            fixes: candidates(&target.fixes),
            warnings: self.warnings(),
            content_version: view.snapshot.content_version.to_string(),
        })
    }

    pub(crate) fn apply_fix(&mut self, arguments: &ApplyFixArguments) -> Result<ApplyFixResult, AlError> {
        let (root, path) = paths_of(self, &arguments.project_path, &arguments.file_path)?;
        rule_id_argument(&arguments.diagnostic_id)?;
        let wanted = position_argument(arguments.line, arguments.column)?;
        let cops = self.cops(arguments.analyzers.as_deref())?;
        let view = self.view_with_meaning(&root, cops.as_deref())?;
        let subject = Subject {
            diagnostic_id: &arguments.diagnostic_id,
            file: Some(&path),
            position: Some((arguments.line, arguments.column)),
        };
        let rule = rule_with_fixes(&subject)?;
        // Before anything is looked up: a position in a file that has moved on would find something else, or nothing.
        version_holds(arguments.content_version.as_deref(), [path.as_path()], &view, &subject)?;
        let file = file_of(&path, &view, &subject)?;
        rule_runs(rule, &view, &subject)?;
        let target = self.target(rule, file, wanted, &view, &subject)?;
        let fix = choose(&target.fixes, arguments.equivalence_key.as_deref(), &subject)?;

        let old = target.file.text();
        // The fix is among those on offer, so it has edits and did not fail a moment ago.
        let edits = target.finding.fix(fix.equivalence_key, &target.tree).ok().flatten();
        let new = edits.map(|edits| edits.apply(old)).filter(|new| new != old);
        let Some(new) = new else {
            return Err(subject.fix_changes_nothing(fix.equivalence_key));
        };
        let fixed = candor_al_syntax::parse(new.as_str(), &view.plan.symbols);
        if fixed.errors().len() > target.tree.errors().len() {
            return Err(self.broken_fix(fix.title, &view, &subject));
        }
        if !arguments.dry_run {
            self.write_one(
                &FileChange {
                    path: &path,
                    expected: old,
                    new_text: &new,
                },
                &view,
                &subject,
            )?;
        }
        let version_before = view.snapshot.content_version.to_string();
        let written_version = (!arguments.dry_run).then(|| view.entry.version_now()).flatten();
        let mut result = ApplyFixResult {
            applied: !arguments.dry_run,
            dry_run: arguments.dry_run,
            file_path: path.display().to_string(),
            fix_title: fix.title.to_owned(),
            diagnostic_id: arguments.diagnostic_id.clone(),
            equivalence_key: fix.equivalence_key.to_owned(),
            safety: fix.safety.into(),
            files_changed: vec![path.display().to_string()],
            changes: Vec::new(),
            warnings: self.warnings(),
            content_version: written_version.unwrap_or(version_before),
        };
        let change = change_that_fits(
            &target.file.relative_path,
            &result.file_path,
            old,
            &new,
            json_bytes(&result),
        );
        result.changes.push(change);
        Ok(result)
    }

    /// Writes one file, guarded.
    fn write_one(&mut self, change: &FileChange<'_>, view: &View, subject: &Subject<'_>) -> Result<(), AlError> {
        let root = &view.snapshot.root;
        let sweep = sweep_temporary_files(&*self.session.files, root);
        self.notes.add_workspace(&sweep.warnings, Some(root));
        let conflict = match write_file(&*self.session.files, *change, self.cancellation) {
            Ok(_) => return Ok(()),
            Err(WriteError::Cancelled(error)) => return Err(cancelled(error)),
            Err(WriteError::Conflict(conflict)) => conflict,
        };
        let faulted = |reason| AlError::faulted_because(reason, conflict.message.clone());
        let error = match conflict.kind {
            ConflictKind::StaleFile => {
                view.entry.distrust(&conflict.path);
                return Err(subject.stale(conflict.message.clone()));
            }
            ConflictKind::UnsupportedEncoding => faulted(AlFaulted::UnsupportedEncoding),
            ConflictKind::ReadFailed => faulted(AlFaulted::ReadFailed),
            ConflictKind::WriteFailed | ConflictKind::RolledBack | ConflictKind::NotWritten => {
                let detail = conflict.cause.map(|cause| format!("{cause:?}"));
                let error = faulted(AlFaulted::WriteFailed);
                match detail {
                    Some(detail) => error.detail(detail),
                    None => error,
                }
            }
        };
        let incident = Incident::of_conflict(conflict.kind.into(), &conflict.message, &conflict.path);
        self.notes.add_incidents(incident, Some(root));
        Err(subject.at(error))
    }

    /// A fix that would have broken the file: a fault of ours, and nothing was written.
    fn broken_fix(&mut self, title: &str, view: &View, subject: &Subject<'_>) -> AlError {
        let message = format!(
            "The fix {title:?} of rule {} would have broken the syntax of the file, so nothing was written. This is a fault \
             in Candor, please report it.",
            subject.diagnostic_id
        );
        let mut incident = Incident::new("fix_broke_syntax", message.as_str());
        incident.happened_now = true;
        incident.file_path = subject.file.map(|file| file.display().to_string());
        self.notes.add_incidents([incident], Some(&view.snapshot.root));
        subject.at(AlError::faulted(message))
    }
}

/// A rule id must say something.
pub(crate) fn rule_id_argument(id: &str) -> Result<(), AlError> {
    /// Far beyond any analyzer's ids, and short enough to be echoed.
    const LONGEST: usize = 100;
    if id.trim().is_empty() {
        Err(message::blank("diagnosticId", "the id of a rule, such as LC0020"))
    } else if id.len() > LONGEST {
        Err(message::no_rule_id(id))
    } else {
        Ok(())
    }
}

/// What happens to one file, as far as it fits into a reply whose rest takes `rest` bytes.
pub(crate) fn change_that_fits(name: &str, file_path: &str, old: &str, new: &str, rest: usize) -> tools::FileChange {
    // As JSON, a diff is longer: every line end, quote and tab takes two bytes.
    let mut limit = room_beside(rest);
    loop {
        let shown = difference(name, old, new, limit);
        let change = tools::FileChange {
            file_path: file_path.to_owned(),
            diff: shown.text,
            diff_truncated: shown.truncated.then_some(true),
        };
        if limit == 0 || json_bytes(&change) < room_beside(rest) {
            return change;
        }
        limit = limit * 3 / 4;
    }
}
