//! Making a snapshot again that is missing or damaged, and saying so when it does not come out the same.

use std::path::PathBuf;

use candor_catalog_store::{CloneState, EntryHash, EntryKind, Event, Manifest, Project, Provenance, StagedFile};
use candor_catalog_tables::digest::{Comparison, TableDigest};
use candor_contract::JournalDraft;

use crate::binding::bind_as_recorded;
use crate::build::{engine_versions, parse, take_over};
use crate::catalog::{Call, Catalog};
use crate::failure::{Explained, about};
use crate::rows::SnapshotState;
use crate::verify::recorded_digest;
use crate::vocabulary::{CatalogError, CatalogFaulted, Result};

/// A snapshot that was made again.
struct Remade {
    staged: StagedFile,
    /// What is recorded about the new file.
    manifest: Manifest,
    digest: TableDigest,
}

impl Catalog {
    /// The snapshot of an entry; made again when it is missing or damaged. It must never be called with the project's lock
    /// held: making it can take long.
    pub(crate) fn ensure_snapshot(&self, project: &Project, call: &Call<'_>, manifest: &Manifest) -> Result<PathBuf> {
        match self.snapshot_state(project, manifest) {
            SnapshotState::Ready(path) => Ok(path),
            // What is recorded may have changed since: another process may have healed it meanwhile.
            state => self.heal(project, call, &manifest.content_hash, &state),
        }
    }

    fn heal(&self, project: &Project, call: &Call<'_>, hash: &EntryHash, found: &SnapshotState) -> Result<PathBuf> {
        let manifest = project.manifest(hash).explained()?;
        if let SnapshotState::Ready(path) = self.snapshot_state(project, &manifest) {
            return Ok(path);
        }
        let recorded = recorded_digest(&manifest)?;
        let remade = match manifest.kind {
            EntryKind::Source => self.import_again(project, call, &manifest)?,
            EntryKind::Computed => self.compute_again(project, call, &manifest)?,
        };
        let comparison = recorded.compare(&remade.digest);
        let lock = self.lock(project, call.tool())?;
        let manifest = project.manifest(hash).explained()?;
        if let SnapshotState::Ready(path) = self.snapshot_state(project, &manifest) {
            // Another process was faster; what it found out is recorded.
            return Ok(path);
        }
        if *found == SnapshotState::Damaged && project.has_snapshot(hash) {
            project.set_snapshot_aside(hash).explained()?;
        }
        let digest = remade.digest.to_string();
        let is_faithful = comparison == Comparison::Same;
        let is_news = !is_faithful && manifest.unfaithful_heal_digest.as_ref() != Some(&digest);
        let path = project.publish_snapshot(remade.staged).explained()?;
        lock.change_manifest(hash, |manifest| {
            manifest.cache_bytes = remade.manifest.cache_bytes;
            manifest.snapshot_blake3.clone_from(&remade.manifest.snapshot_blake3);
            if !is_faithful {
                manifest.unfaithful_heal_digest = Some(digest.clone());
                manifest.reproducible = Some(false);
                manifest.reproducible_by = Some("heal".into());
                manifest.nonreproducible_columns = differing(&comparison, &remade.digest);
            }
        })
        .explained()?;
        self.believe_snapshot(project, hash);
        drop(lock);
        project.log(
            &Event::new(if is_faithful { "heal" } else { "unfaithful_heal" })
                .with("hash", hash.as_str())
                .with("tool", call.tool()),
        );
        if is_news {
            let message = format!(
                "Entry {hash} was made again, since its snapshot was {}, and came out differently: {comparison}. {} Recorded was {recorded}, found was {digest}. \
                 The new rows are served and pinned.",
                if *found == SnapshotState::Missing {
                    "missing"
                } else {
                    "damaged"
                },
                self.attribution(project, &manifest),
            );
            // Without a tool: a heal is no failure of the call that happens to read the rows, and its agent must hear of it.
            let draft = JournalDraft::new(message).code("unfaithful_heal").hash(hash.as_str());
            self.journal(project)
                .record(draft)
                .map_err(|error| CatalogError::faulted_because(CatalogFaulted::WriteFailed, error.to_string()))?;
        }
        Ok(path)
    }

    fn compute_again(&self, project: &Project, call: &Call<'_>, manifest: &Manifest) -> Result<Remade> {
        let hash = &manifest.content_hash;
        let entry = project.entry(hash).explained()?;
        let bound = bind_as_recorded(parse(&entry.recipe.unwrap_or_default())?, manifest)?;
        let bindings = self.bindings(project, call, &bound.references)?;
        let staged = project.stage_snapshot(hash).explained()?;
        let result = self
            .engine()?
            .materialise(&bound.recipe, &bindings, staged.path(), call.progress)
            .explained()
            .map_err(|error| about(error, hash.as_str()))?;
        let digest = result.snapshot.facts().digest.clone();
        let mut manifest = manifest.clone();
        let staged = take_over(&mut manifest, result.snapshot, staged)?;
        Ok(Remade {
            staged,
            manifest,
            digest,
        })
    }

    fn import_again(&self, project: &Project, call: &Call<'_>, manifest: &Manifest) -> Result<Remade> {
        let hash = &manifest.content_hash;
        let Some(provenance) = &manifest.provenance else {
            let message = format!("The record of the source entry {hash} does not say where it came from.");
            return Err(CatalogError::faulted_because(CatalogFaulted::DataDamaged, message));
        };
        let clone = project
            .check_clone(&provenance.digest, &provenance.suffix)
            .explained()?;
        let CloneState::Intact(clone) = clone else {
            return Err(self.beyond_repair(project, hash, provenance, &clone));
        };
        let staged = project.stage_snapshot(hash).explained()?;
        let snapshot = self.read_source(&clone, &provenance.reader, staged.path(), call)?;
        let digest = snapshot.facts().digest.clone();
        let mut manifest = manifest.clone();
        let staged = take_over(&mut manifest, snapshot, staged)?;
        Ok(Remade {
            staged,
            manifest,
            digest,
        })
    }

    /// Both the snapshot and the copy of the file are gone: only the file itself helps.
    fn beyond_repair(
        &self,
        project: &Project,
        hash: &EntryHash,
        provenance: &Provenance,
        clone: &CloneState,
    ) -> CatalogError {
        let (state, path) = match clone {
            CloneState::Damaged(path) => ("holds other bytes than were imported", path),
            CloneState::Missing(path) | CloneState::Intact(path) => ("is gone", path),
        };
        let alias = project.aliases().ok().and_then(|book| book.version_of(hash));
        let (alias, version) = alias.map_or((provenance.alias.clone(), provenance.version), |found| {
            (found.alias.to_string(), found.version)
        });
        let options = ["schema", "reader_options"]
            .into_iter()
            .filter_map(|name| Some((name, provenance.reader.get(name)?)))
            .map(|(name, value)| format!(", {name}={value}"))
            .collect::<String>();
        let message = format!(
            "The rows of `{alias}-v{version}` cannot be made: the snapshot `{}` is missing or damaged, and the copy `{}` {state}. \
             Bring the same file in again: catalog_import_source(outside_path=\"{}\", alias=\"{alias}\", pinned_version={version}{options}).",
            project.layout().snapshot(hash).display(),
            path.display(),
            provenance.path,
        );
        about(
            CatalogError::faulted_because(CatalogFaulted::DataDamaged, message),
            &format!("{alias}-v{version}"),
        )
    }

    /// Why a result came out differently, as far as the records tell.
    fn attribution(&self, project: &Project, manifest: &Manifest) -> String {
        let versions = engine_versions();
        let changed: Vec<String> = manifest
            .engine_versions
            .iter()
            .filter(|(name, version)| versions.get(*name) != Some(*version))
            .map(|(name, version)| {
                let now = versions.get(name).map_or_else(|| "none".into(), ToString::to_string);
                format!("{name} was {version} and is {now}")
            })
            .collect();
        if !changed.is_empty() {
            return format!(
                "The engine changed since ({}); the recipe is not at fault.",
                changed.join(", ")
            );
        }
        let unfaithful = manifest.parents.iter().find(|parent| {
            let parent = project.manifest(&parent.hash);
            parent.is_ok_and(|parent| parent.unfaithful_heal_digest.is_some())
        });
        if let Some(parent) = unfaithful {
            return format!(
                "What it reads, `{}` ({}), came out differently itself.",
                parent.reference, parent.hash
            );
        }
        if !manifest.volatile_functions.is_empty() {
            return format!("It depends on {}().", manifest.volatile_functions.join("(), "));
        }
        match manifest.kind {
            EntryKind::Source => "The file's copy is intact, so it is read differently than before.".into(),
            EntryKind::Computed => "The same query over the same rows is not deterministic.".into(),
        }
    }
}

fn differing(comparison: &Comparison, digest: &TableDigest) -> Vec<String> {
    match comparison {
        Comparison::Different { columns, .. } if !columns.is_empty() => columns.clone(),
        _ => digest.columns.iter().map(|column| column.name.clone()).collect(),
    }
}
