//! Running a result a second time, after the reply, to see whether it comes out the same.

use std::sync::atomic::{AtomicBool, Ordering};

use candor_catalog_engine::Verdict;
use candor_catalog_store::{EntryHash, Event, Manifest, Project};
use candor_catalog_tables::digest::TableDigest;
use candor_contract::{CallScope, JournalDraft, OwnRecords};

use crate::binding::bind_as_recorded;
use crate::build::parse;
use crate::catalog::{Call, Catalog};
use crate::failure::Explained;
use crate::vocabulary::{CatalogError, CatalogFaulted, Result};

/// Who records what is found out in the background: no tool, so that every agent hears of it.
const TOOL: &str = "verification";

impl Catalog {
    /// Verifies an entry after the reply. Its verdict goes to its record and, when it is bad, to the journal.
    pub(crate) fn verify_later(&self, project: &Project, hash: &EntryHash) {
        if !self.inner.options.verify_in_background {
            return;
        }
        let (project, hash) = (project.clone(), hash.clone());
        let stop = self.inner.background.stop_flag();
        // A weak handle: a catalog that is given up must not live on for its verifications.
        let inner = std::sync::Arc::downgrade(&self.inner);
        self.inner.background.submit(move || {
            if let Some(inner) = inner.upgrade() {
                // What cannot be verified now stays unverified, which its record says.
                let _ = Self { inner }.verify_entry(&project, &hash, &stop);
            }
        });
    }

    fn verify_entry(&self, project: &Project, hash: &EntryHash, stop: &AtomicBool) -> Result<()> {
        let stopped = || stop.load(Ordering::Relaxed);
        let scope = CallScope::new(TOOL, OwnRecords::default());
        let call = Call::new(&scope, &stopped);
        let verdict = self.second_run(project, &call, hash)?;
        self.record_verdict(project, hash, &verdict)
    }

    /// Computes an entry once more and compares. Writes nothing.
    pub(crate) fn second_run(&self, project: &Project, call: &Call<'_>, hash: &EntryHash) -> Result<Verdict> {
        let entry = project.entry(hash).explained()?;
        let recorded = recorded_digest(&entry.manifest)?;
        let recipe = parse(&entry.recipe.unwrap_or_default())?;
        let bound = bind_as_recorded(recipe, &entry.manifest)?;
        let bindings = self.bindings(project, call, &bound.references)?;
        self.engine()?
            .verify(&bound.recipe, &bindings, &recorded, call.progress)
            .explained()
    }

    fn record_verdict(&self, project: &Project, hash: &EntryHash, verdict: &Verdict) -> Result<()> {
        let is_reproducible = verdict.is_reproducible();
        let lock = self.lock(project, TOOL)?;
        let mut is_news = false;
        lock.change_manifest(hash, |manifest| {
            is_news = manifest.reproducible != Some(is_reproducible);
            manifest.reproducible = Some(is_reproducible);
            manifest.reproducible_by = Some("verified".into());
            manifest.nonreproducible_columns.clone_from(&verdict.columns);
        })
        .explained()?;
        // Of the history it becomes part with the next operation: nobody asked for this one.
        drop(lock);
        if is_reproducible || !is_news {
            return Ok(());
        }
        let message = format!(
            "A second run of entry {hash} gave another result: {}. Its stored rows are kept and pinned; they cannot be made again. \
             An ORDER BY that covers a unique key inside windows, LIMIT and ordered aggregates, or exact types instead of \
             floating point, make it reproducible.",
            verdict.comparison
        );
        project.log(
            &Event::new("nonreproducible")
                .with("hash", hash.as_str())
                .with("columns", verdict.columns.clone()),
        );
        let draft = JournalDraft::new(message).code("nonreproducible").hash(hash.as_str());
        self.journal(project)
            .record(draft)
            .map(|_| ())
            .map_err(|error| CatalogError::faulted_because(CatalogFaulted::WriteFailed, error.to_string()))
    }
}

/// The digest that was recorded when an entry was stored.
pub(crate) fn recorded_digest(manifest: &Manifest) -> Result<TableDigest> {
    let whole = manifest
        .digest
        .as_ref()
        .and_then(|digest| serde_json::from_value(digest.clone()).ok());
    let found = whole.or_else(|| manifest.result_digest.as_deref()?.parse().ok());
    found.ok_or_else(|| {
        let message = format!(
            "The record of entry {} holds no digest that this version can read.",
            manifest.content_hash
        );
        CatalogError::faulted_because(CatalogFaulted::DataDamaged, message)
    })
}
