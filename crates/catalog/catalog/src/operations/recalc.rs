//! `catalog_scan_staleness`, `catalog_recalc`: what is out of date, and bringing it up to date.

use std::collections::{BTreeMap, BTreeSet};

use candor_catalog_store::{EntryHash, Project};
use candor_catalog_tables::digest::{Comparison, Digester};
use candor_catalog_tables::snapshot::SnapshotReader;

use crate::binding::Moving;
use crate::catalog::{Call, Catalog, resolve};
use crate::failure::Explained;
use crate::lineage::Lineage;
use crate::replies::{OrphanStale, RecalcReport, StaleEntry, StalenessResult, VerifyReport};
use crate::requests::{RecalcArguments, StalenessArguments};
use crate::verify::recorded_digest;
use crate::vocabulary::{CatalogError, CatalogUnavailable, Result};

/// Rows read at a time when a digest is compared.
const BATCH: usize = 65_536;

impl Catalog {
    /// What follows something that moved. Writes nothing.
    ///
    /// # Errors
    /// When the project cannot be read, or the call is cancelled.
    pub fn scan_staleness(&self, call: &Call<'_>, arguments: &StalenessArguments) -> Result<StalenessResult> {
        let project = self.project()?;
        let book = project.aliases().explained()?;
        let lineage = Lineage::of(&project, &book, &Moving::new());
        let stale = lineage.stale();
        let (order, circular) = lineage.cone(&stale);
        let mut entries = BTreeMap::new();
        let mut transitively = Vec::new();
        for hash in order.iter().chain(&circular) {
            let is_stale = stale.contains(hash);
            if !is_stale {
                transitively.push(hash.to_string());
            }
            entries.insert(hash.to_string(), described(&lineage, hash, is_stale));
        }
        for (hash, live) in &lineage.entries {
            if !lineage.unknown(&live.manifest).is_empty() && !entries.contains_key(hash.as_str()) {
                entries.insert(hash.to_string(), described(&lineage, hash, false));
            }
        }
        let orphan_stale = if self.recomputes_followers(&project) {
            self.orphans(&project, &lineage, &stale)
        } else {
            Vec::new()
        };
        Ok(StalenessResult {
            project: project.name().to_string(),
            stale: stale.iter().map(ToString::to_string).collect(),
            transitively_stale: transitively,
            entries,
            orphan_stale,
            verify: if arguments.verify_results {
                Some(self.verify_stored(&project, call)?)
            } else {
                None
            },
        })
    }

    fn orphans(&self, project: &Project, lineage: &Lineage, stale: &BTreeSet<EntryHash>) -> Vec<OrphanStale> {
        let records = self.journal(project).list(1_000).unwrap_or_default();
        let orphan = |hash: &EntryHash| {
            let live = &lineage.entries[hash];
            let record = records
                .iter()
                .find(|record| record.hash.as_deref() == Some(hash.as_str()));
            OrphanStale {
                hash: hash.to_string(),
                alias: live.aliases.first().map(|(_, name)| name.clone()).unwrap_or_default(),
                reasons: lineage.reasons(&live.manifest),
                explanation: match record {
                    Some(record) => format!("recomputing it failed, see error {}: {}", record.id, record.message),
                    None => "what it follows moved while recomputing was switched off, or elsewhere; catalog_recalc brings it up to date".into(),
                },
            }
        };
        stale.iter().map(orphan).collect()
    }

    /// Compares the stored rows of every entry with what was recorded. Writes nothing, heals nothing.
    fn verify_stored(&self, project: &Project, call: &Call<'_>) -> Result<VerifyReport> {
        let mut report = VerifyReport::default();
        for hash in project.entries(0, usize::MAX).explained()?.hashes {
            if call.progress.is_cancelled() {
                return Err(CatalogError::unavailable(
                    CatalogUnavailable::Cancelled,
                    "Stopped as asked.",
                ));
            }
            let Ok(manifest) = project.manifest(&hash) else {
                continue;
            };
            if !manifest.cache_worthy {
                continue;
            }
            if !project.has_snapshot(&hash) {
                report.absent.push(hash.to_string());
                continue;
            }
            let compared = recorded_digest(&manifest).and_then(|recorded| {
                let reader = SnapshotReader::open(&project.layout().snapshot(&hash)).explained()?;
                let mut digester = Digester::new(reader.schema());
                for batch in reader.stream(None, BATCH).explained()? {
                    digester
                        .update(&batch.explained()?)
                        .map_err(|error| CatalogError::faulted(error.to_string()))?;
                }
                Ok(recorded.compare(&digester.finish()))
            });
            match compared {
                Ok(comparison) => {
                    let is_same = comparison == Comparison::Same;
                    report.results.insert(hash.to_string(), is_same);
                    if !is_same {
                        report.unfaithful.push(hash.to_string());
                    }
                }
                Err(error) => {
                    report.errors.insert(hash.to_string(), error.message().to_string());
                }
            }
        }
        Ok(report)
    }

    /// Recomputes what is stale, or says what that would do.
    ///
    /// # Errors
    /// A root that names nothing; failures of single entries are in the report.
    pub fn recalc(&self, call: &Call<'_>, arguments: &RecalcArguments) -> Result<RecalcReport> {
        let project = self.project()?;
        let book = project.aliases().explained()?;
        let lineage = Lineage::of(&project, &book, &Moving::new());
        let roots: BTreeSet<EntryHash> = match &arguments.roots {
            Some(roots) => roots
                .iter()
                .map(|root| resolve(&project, root))
                .collect::<Result<_>>()?,
            None => lineage.stale(),
        };
        let mut report = if arguments.dry_run.unwrap_or(true) {
            self.forecast(&project, &lineage, &roots)
        } else {
            self.recompute_now(&project, call, &roots, "Recomputed by catalog_recalc")?
        };
        if report.cone.is_empty() {
            report.warnings.push(if arguments.roots.is_some() {
                "None of the roots is the newest version of a name, so there is nothing to recompute.".into()
            } else {
                "Nothing is stale.".into()
            });
        }
        if !lineage.unreadable.is_empty() {
            report.warnings.push(format!(
                "The newest versions of {} cannot be read; nothing is known of what they follow.",
                lineage.unreadable.join(", ")
            ));
        }
        Ok(report)
    }
}

fn described(lineage: &Lineage, hash: &EntryHash, stale: bool) -> StaleEntry {
    let live = &lineage.entries[hash];
    let unknown = lineage.unknown(&live.manifest);
    let reasons = lineage.reasons(&live.manifest);
    StaleEntry {
        content_hash: hash.to_string(),
        aliases: live.aliases.iter().map(|(_, name)| name.clone()).collect(),
        stale,
        transitively_stale: !stale && unknown.is_empty(),
        live: true,
        reasons,
        unknown,
    }
}
