//! Building entries: from a bound recipe to something that can be published.

use std::time::Instant;

use candor_catalog_engine::{Engine, Facts, Recipe, Worth};
use candor_catalog_store::{
    EntryHash, EntryKind, EntrySchema, Event, Field, Manifest, NewEntry, Parent, Project, ProjectLock, Published,
    StagedEntry, StagedFile,
};
use candor_catalog_tables::snapshot::StagedSnapshot;
use candor_catalog_tables::types::type_name;
use candor_contract::JournalDraft;
use serde_json::Value;

use crate::binding::Bound;
use crate::catalog::{Call, Catalog};
use crate::failure::Explained;
use crate::replies::{BuildResult, Schema};
use crate::vocabulary::{CatalogError, CatalogFaulted, Result};

/// A result that is computed and not yet visible, or one that was there already.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) hash: EntryHash,
    pub(crate) staged: Option<(StagedEntry, Option<StagedFile>)>,
    /// Whether a second run is to say if it is reproducible.
    pub(crate) is_unproven: bool,
    pub(crate) warnings: Vec<String>,
}

impl Catalog {
    /// Computes what a recipe says, unless it was computed before. Holds no lock.
    pub(crate) fn build(&self, project: &Project, call: &Call<'_>, bound: Bound, prompt: &str) -> Result<Built> {
        let Bound {
            recipe,
            hash,
            references,
        } = bound;
        if let Ok(entry) = project.entry(&hash) {
            return Ok(Built {
                hash,
                staged: None,
                is_unproven: false,
                warnings: lint(&entry.manifest.volatile_functions),
            });
        }
        let started = Instant::now();
        let engine = self.engine()?;
        let bindings = self.bindings(project, call, &references)?;
        let facts = engine.facts(&recipe, &bindings).explained()?;
        let compile_seconds = started.elapsed().as_secs_f64();

        let mut manifest = Manifest::new(hash.clone(), EntryKind::Computed);
        let (read, unread) = references
            .into_iter()
            .partition(|parent: &Parent| facts.parents.contains(&parent.reference));
        manifest.parents = read;
        manifest.unread = unread;
        manifest.tool = Some(call.tool().into());
        manifest.prompt = Some(prompt.to_string()).filter(|prompt| !prompt.trim().is_empty());
        manifest.engine_versions = engine_versions();
        manifest.compile_seconds = compile_seconds;
        manifest.volatile_functions = self.volatile_functions(project, &facts, &manifest)?;
        if facts.is_proven() && manifest.volatile_functions.is_empty() {
            manifest.reproducible = Some(true);
            manifest.reproducible_by = Some("proven".into());
        }
        let running = Instant::now();
        let snapshot = match &facts.worth {
            Worth::Cheap => {
                manifest.cache_worthy = false;
                manifest.cache_worthy_why = "ops:Filter,Projection".into();
                manifest.row_count = engine.check(&recipe, &bindings, call.progress).explained()?;
                None
            }
            Worth::Worthy { why } => {
                manifest.cache_worthy_why.clone_from(why);
                let staged = project.stage_snapshot(&hash).explained()?;
                let result = engine
                    .materialise(&recipe, &bindings, staged.path(), call.progress)
                    .explained()?;
                Some(take_over(&mut manifest, result.snapshot, staged)?)
            }
        };
        manifest.execute_seconds = running.elapsed().as_secs_f64();
        let schema = EntrySchema {
            fields: facts
                .columns
                .iter()
                .map(|column| Field {
                    name: column.name.clone(),
                    data_type: type_name(&column.data_type),
                })
                .collect(),
            row_count: manifest.row_count,
        };
        let is_unproven = manifest.cache_worthy && manifest.reproducible.is_none();
        let warnings = lint(&manifest.volatile_functions);
        let staged = project
            .stage(NewEntry {
                manifest,
                schema,
                recipe: Some(recipe.sql().into()),
            })
            .explained()?;
        Ok(Built {
            hash,
            staged: Some((staged, snapshot)),
            is_unproven,
            warnings,
        })
    }

    /// The functions that make a result differ from run to run, those of what it reads included.
    fn volatile_functions(&self, project: &Project, facts: &Facts, manifest: &Manifest) -> Result<Vec<String>> {
        let mut names: Vec<String> = facts
            .volatile_functions
            .iter()
            .map(|function| function.name.clone())
            .collect();
        for parent in &manifest.parents {
            let inherited = project.manifest(&parent.hash).explained()?;
            names.extend(inherited.volatile_functions.iter().cloned());
        }
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    /// Makes a result visible, and has it verified after the reply.
    pub(crate) fn publish(&self, lock: &ProjectLock<'_>, built: &mut Built, prompt: &str) -> Result<Published> {
        let project = lock.project();
        let published = match built.staged.take() {
            Some((entry, snapshot)) => {
                let published = lock.publish(entry, snapshot).explained()?;
                if published == Published::Created {
                    self.believe_snapshot(project, &built.hash);
                }
                published
            }
            None => Published::Existing,
        };
        lock.add_prompt(&built.hash, prompt).explained()?;
        if published == Published::Created && built.is_unproven {
            self.verify_later(project, &built.hash);
        }
        Ok(published)
    }

    /// Takes the checkpoint of an operation. The operation has taken place, so a failure is a warning.
    pub(crate) fn checkpoint(&self, lock: &ProjectLock<'_>, message: &str, warnings: &mut Vec<String>) -> Option<u64> {
        match lock.checkpoint(message) {
            Ok(checkpoint) => Some(checkpoint.step),
            Err(error) => {
                warnings.push(format!(
                    "The change was made, but is in no checkpoint yet: {error} It becomes part of the next one."
                ));
                None
            }
        }
    }

    /// What a reply says about an entry.
    pub(crate) fn described(&self, project: &Project, hash: &EntryHash, warnings: Vec<String>) -> Result<BuildResult> {
        let entry = project.entry(hash).explained()?;
        let manifest = entry.manifest;
        Ok(BuildResult {
            project: project.name().to_string(),
            hash: hash.to_string(),
            alias: None,
            version: None,
            created: true,
            row_count: manifest.row_count,
            execute_seconds: manifest.execute_seconds,
            schema: Schema::of(&entry.schema),
            parents: manifest.parents.iter().map(Into::into).collect(),
            stored: manifest.cache_worthy,
            stored_why: manifest.cache_worthy_why,
            reproducible: manifest.reproducible,
            nonreproducible_columns: manifest.nonreproducible_columns,
            entry_path: project.layout().entry(hash).display().to_string(),
            recalc: None,
            checkpoint_step: None,
            warnings,
        })
    }

    /// Records that a build failed, in the journal and among the events.
    pub(crate) fn build_failed(
        &self,
        project: &Project,
        call: &Call<'_>,
        error: CatalogError,
        sql: &str,
        prompt: &str,
    ) -> CatalogError {
        let mut draft = JournalDraft::new(error.message());
        if !prompt.trim().is_empty() {
            draft = draft.prompt(prompt);
        }
        let error = self.record(project, call, error, draft);
        let id = error.place_ref().error_id.clone();
        project.log(
            &Event::new("build_error")
                .with("tool", call.tool())
                .with("prompt", prompt)
                .with("code", sql)
                .with("message", error.message())
                .with("error_id", id.map_or(Value::Null, Value::from)),
        );
        error
    }
}

/// Brings a written snapshot under the store's temporary name, and records what is known of it.
pub(crate) fn take_over(manifest: &mut Manifest, snapshot: StagedSnapshot, staged: StagedFile) -> Result<StagedFile> {
    let facts = snapshot.facts();
    manifest.row_count = facts.rows;
    manifest.cache_bytes = Some(facts.bytes);
    manifest.snapshot_blake3 = Some(facts.blake3.clone());
    manifest.result_digest = Some(facts.digest.to_string());
    manifest.digest = Some(serde_json::to_value(&facts.digest).map_err(|error| {
        CatalogError::faulted_because(
            CatalogFaulted::WriteFailed,
            format!("The digest cannot be written: {error}."),
        )
    })?);
    snapshot.publish_at(staged.path()).explained()?;
    Ok(staged)
}

/// The versions of the crates that results may depend on.
pub(crate) fn engine_versions() -> serde_json::Map<String, Value> {
    Engine::versions()
        .into_iter()
        .map(|(name, version)| (name.to_string(), Value::from(version)))
        .collect()
}

/// Reads a recipe.
pub(crate) fn parse(sql: &str) -> Result<Recipe> {
    Recipe::parse(sql).explained()
}

fn lint(volatile: &[String]) -> Vec<String> {
    if volatile.is_empty() {
        return Vec::new();
    }
    let names: Vec<String> = volatile.iter().map(|name| format!("{name}()")).collect();
    vec![format!(
        "The rows depend on when they are computed, through {}. What is stored stays as it is, but cannot be made again.",
        names.join(", ")
    )]
}
