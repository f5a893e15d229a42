//! Recomputing what follows an alias that moved.
//!
//! Everything is built first, over heads as they will be. Then all heads move in one step: a reader, or a process that
//! is killed, sees the state before or the state after.

use std::collections::{BTreeMap, BTreeSet};

use candor_catalog_store::{AliasBook, AliasKind, EntryHash, Event, Project, ProjectLock};
use candor_contract::JournalDraft;
use serde_json::json;

use crate::binding::{Moving, bind_again};
use crate::build::parse;
use crate::catalog::{Call, Catalog};
use crate::failure::Explained;
use crate::lineage::Lineage;
use crate::replies::{RecalcEntry, RecalcReport};
use crate::vocabulary::Result;

/// A head that is to move, unless somebody else moved it meanwhile.
#[derive(Debug, Clone)]
pub(crate) struct Move {
    pub(crate) alias_id: String,
    pub(crate) from: EntryHash,
    pub(crate) to: EntryHash,
}

/// What came of recomputing: a report, and the heads that are to move.
#[derive(Debug)]
pub(crate) struct Recomputed {
    pub(crate) report: RecalcReport,
    pub(crate) moves: Vec<Move>,
}

impl Catalog {
    /// What recomputing from these roots would do.
    pub(crate) fn forecast(&self, project: &Project, lineage: &Lineage, roots: &BTreeSet<EntryHash>) -> RecalcReport {
        let (order, circular) = lineage.cone(roots);
        let mut report = empty_report(project, roots, &order, &circular);
        report.dry_run = true;
        for hash in order.iter().chain(&circular) {
            let mut entry = described(lineage, hash);
            entry.action = if entry.stale || roots.contains(hash) {
                "rebuild"
            } else {
                "cascade"
            }
            .into();
            report.entries.push(entry);
        }
        report
    }

    /// Recomputes the roots and what follows them, and publishes the results as entries. No head moves yet. The first
    /// failure stops it: what would come after is left as it is.
    pub(crate) fn recompute(
        &self,
        project: &Project,
        call: &Call<'_>,
        book: &AliasBook,
        lineage: &Lineage,
        roots: &BTreeSet<EntryHash>,
        mut moving: Moving,
        prompt: &str,
    ) -> Recomputed {
        let (order, circular) = lineage.cone(roots);
        let mut report = empty_report(project, roots, &order, &circular);
        let mut moves = Vec::new();
        let mut halted_by: Option<String> = None;
        for hash in &order {
            let mut entry = described(lineage, hash);
            if let Some(culprit) = &halted_by {
                let message = format!("Not recomputed, since {culprit} failed before it.");
                if entry.stale {
                    entry.error_id = self.record_member(project, call, hash, &message, None);
                }
                entry.action = "skipped".into();
                entry.error = Some(message);
                report.entries.push(entry);
                continue;
            }
            match self.recompute_one(project, call, book, &moving, hash, prompt) {
                Ok(new) if new == *hash => entry.action = "noop".into(),
                Ok(new) => {
                    entry.action = "rebuilt".into();
                    entry.new_hash = Some(new.to_string());
                    report.remap.insert(hash.to_string(), new.to_string());
                    for (alias_id, _) in &lineage.entries[hash].aliases {
                        moving.insert(alias_id.clone(), new.clone());
                        moves.push(Move {
                            alias_id: alias_id.clone(),
                            from: hash.clone(),
                            to: new.clone(),
                        });
                    }
                }
                Err(error) => {
                    let name = entry.alias.clone().unwrap_or_else(|| hash.to_string());
                    let message = format!("Recomputing `{name}` failed: {}", error.message());
                    entry.error_id = self.record_member(project, call, hash, &message, error.reason());
                    entry.action = "failed".into();
                    entry.error = Some(message);
                    report.status = "failed".into();
                    halted_by = Some(format!("`{name}`"));
                }
            }
            report.entries.push(entry);
        }
        for hash in &circular {
            let mut entry = described(lineage, hash);
            entry.action = "skipped".into();
            entry.error = Some("It follows itself through others, so it would never be done.".into());
            report.entries.push(entry);
        }
        Recomputed { report, moves }
    }

    fn recompute_one(
        &self,
        project: &Project,
        call: &Call<'_>,
        book: &AliasBook,
        moving: &Moving,
        hash: &EntryHash,
        prompt: &str,
    ) -> Result<EntryHash> {
        let entry = project.entry(hash).explained()?;
        let Some(sql) = entry.recipe else {
            // A source follows nothing.
            return Ok(hash.clone());
        };
        let bound = bind_again(parse(&sql)?, &entry.manifest, book, moving)?;
        if bound.hash == *hash {
            return Ok(hash.clone());
        }
        let mut built = self.build(project, call, bound, prompt)?;
        let lock = self.lock(project, call.tool())?;
        self.publish(&lock, &mut built, prompt)?;
        Ok(built.hash)
    }

    fn record_member(
        &self,
        project: &Project,
        call: &Call<'_>,
        hash: &EntryHash,
        message: &str,
        reason: Option<&'static str>,
    ) -> Option<String> {
        let draft = JournalDraft::new(message)
            .code(reason.unwrap_or("recalc_skipped"))
            .hash(hash.as_str());
        let written = call.scope.record(&self.journal(project), draft);
        written.ok().map(|record| record.id)
    }

    /// Moves the heads that recomputing came to, those that somebody else moved meanwhile excepted: these are named.
    pub(crate) fn move_heads(book: &mut AliasBook, moves: &[Move]) -> candor_catalog_store::Result<Vec<String>> {
        let mut left = Vec::new();
        for step in moves {
            let Some(alias) = book.by_id(&step.alias_id) else {
                continue;
            };
            let name = alias.name.clone();
            if alias.latest == step.from {
                book.advance(&name, AliasKind::Catalog, step.to.clone(), Some(&step.from))?;
            } else if alias.latest != step.to {
                left.push(name.to_string());
            }
        }
        Ok(left)
    }

    /// Tells the log that heads moved.
    pub(crate) fn log_moves(&self, project: &Project, call: &Call<'_>, report: &RecalcReport) {
        if !report.remap.is_empty() {
            project.log(
                &Event::new("recalc")
                    .with("tool", call.tool())
                    .with("remap", json!(report.remap))
                    .with("step", json!(report.checkpoint_step)),
            );
        }
    }

    /// Recomputes these roots as an operation of its own: builds, moves heads, takes one checkpoint when something changed.
    pub(crate) fn recompute_now(
        &self,
        project: &Project,
        call: &Call<'_>,
        roots: &BTreeSet<EntryHash>,
        prompt: &str,
    ) -> Result<RecalcReport> {
        let book = project.aliases().explained()?;
        let lineage = Lineage::of(project, &book, &Moving::new());
        let Recomputed { mut report, moves } =
            self.recompute(project, call, &book, &lineage, roots, Moving::new(), prompt);
        if moves.is_empty() {
            return Ok(report);
        }
        let lock = self.lock(project, call.tool())?;
        let left = lock.change_aliases(|book| Self::move_heads(book, &moves)).explained()?;
        mention_left(&mut report, &left);
        let message = format!("candor: {} ({} rebuilt)", call.tool(), report.remap.len());
        report.checkpoint_step = self.checkpoint(&lock, &message, &mut report.warnings);
        drop(lock);
        self.log_moves(project, call, &report);
        Ok(report)
    }

    /// Gives an alias its new version together with what follows it.
    ///
    /// `advance` makes the version under the lock, in whatever way the operation needs, and says what it is. The entry of
    /// the new version exists already.
    pub(crate) fn advance_with_followers<T>(
        &self,
        project: &Project,
        call: &Call<'_>,
        moved: Option<(&str, &EntryHash)>,
        advance: impl FnOnce(&mut AliasBook) -> candor_catalog_store::Result<T>,
        prompt: &str,
        warnings: &mut Vec<String>,
    ) -> Result<(T, Option<RecalcReport>, Option<u64>)> {
        let book = project.aliases().explained()?;
        let recomputed = moved
            .filter(|_| self.recomputes_followers(project))
            .map(|(alias_id, hash)| {
                let moving = Moving::from([(alias_id.to_string(), hash.clone())]);
                let lineage = Lineage::of(project, &book, &moving);
                let roots = lineage.stale_through(alias_id);
                self.recompute(project, call, &book, &lineage, &roots, moving, prompt)
            });
        let (mut report, moves) = match recomputed {
            Some(Recomputed { report, moves }) => (Some(report), moves),
            None => (None, Vec::new()),
        };
        let lock = self.lock(project, call.tool())?;
        let (result, left) = lock
            .change_aliases(|book| Ok((advance(book)?, Self::move_heads(book, &moves)?)))
            .explained()?;
        let step = self.checkpoint(&lock, &format!("candor: {}", call.tool()), warnings);
        drop(lock);
        if let Some(report) = &mut report {
            mention_left(report, &left);
            report.checkpoint_step = step;
            self.log_moves(project, call, report);
        }
        Ok((result, report, step))
    }

    /// An entry that was bound before something it follows moved, and published after, is recomputed at once: nobody else
    /// will. The same goes for followers that somebody else moved while they were recomputed here.
    pub(crate) fn settle(&self, project: &Project, call: &Call<'_>, alias_id: &str, report: Option<&RecalcReport>) {
        if !self.recomputes_followers(project) {
            return;
        }
        let Ok(book) = project.aliases() else { return };
        let lineage = Lineage::of(project, &book, &Moving::new());
        let mut roots = BTreeSet::new();
        if let Some(alias) = book.by_id(alias_id)
            && let Some(entry) = lineage.entries.get(&alias.latest)
            && !lineage.reasons(&entry.manifest).is_empty()
        {
            roots.insert(alias.latest.clone());
        }
        if report.is_some_and(|report| report.status == "ok" && !report.warnings.is_empty()) {
            roots.extend(lineage.stale_through(alias_id));
        }
        if !roots.is_empty() {
            // What fails here is in the journal, and what stays stale is found by the next scan.
            let _ = self.recompute_now(project, call, &roots, "Recomputed: what it follows moved meanwhile");
        }
    }
}

fn mention_left(report: &mut RecalcReport, left: &[String]) {
    if !left.is_empty() {
        report.warnings.push(format!(
            "{} got another version meanwhile, which was kept.",
            left.join(", ")
        ));
    }
}

fn empty_report(
    project: &Project,
    roots: &BTreeSet<EntryHash>,
    order: &[EntryHash],
    circular: &[EntryHash],
) -> RecalcReport {
    RecalcReport {
        project: project.name().to_string(),
        roots: roots.iter().map(ToString::to_string).collect(),
        cone: order.iter().chain(circular).map(ToString::to_string).collect(),
        entries: Vec::new(),
        dry_run: false,
        status: if circular.is_empty() { "ok" } else { "cycle" }.into(),
        remap: BTreeMap::new(),
        checkpoint_step: None,
        warnings: Vec::new(),
    }
}

fn described(lineage: &Lineage, hash: &EntryHash) -> RecalcEntry {
    let live = &lineage.entries[hash];
    let reasons = lineage.reasons(&live.manifest);
    RecalcEntry {
        content_hash: hash.to_string(),
        action: String::new(),
        stale: !reasons.is_empty(),
        transitively_stale: reasons.is_empty(),
        new_hash: None,
        alias: live.aliases.first().map(|(_, name)| name.clone()),
        reasons,
        error: None,
        error_id: None,
    }
}

/// What a lock holder does last: used by operations that only change aliases.
pub(crate) fn finish(
    catalog: &Catalog,
    lock: &ProjectLock<'_>,
    call: &Call<'_>,
    warnings: &mut Vec<String>,
) -> Option<u64> {
    catalog.checkpoint(lock, &format!("candor: {}", call.tool()), warnings)
}
