//! `catalog_import_source`: bringing files in.
//!
//! A file is copied first, and the copy is read, so that what is recorded is what was read. The entry is named by the
//! bytes and by everything that decides how they are read.

use std::path::{Path, PathBuf};

use candor_catalog_store::{
    Alias, AliasBook, AliasKind, AliasName, CloneFile, EntryHash, EntryKind, EntrySchema, Event, Field, Manifest,
    NewEntry, Project, Provenance, Published, StagedEntry, StagedFile, StoreError,
};
use candor_catalog_tables::import::{Format, ImportOptions, ImportReport, stage_file};
use candor_catalog_tables::snapshot::StagedSnapshot;
use candor_contract::JournalDraft;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::recipe::log_alias;
use crate::build::{engine_versions, take_over};
use crate::catalog::{Call, Catalog, alias_name};
use crate::failure::{Explained, about};
use crate::replies::{ImportRemark, ImportResult, Schema};
use crate::requests::ImportArguments;
use crate::vocabulary::{CatalogError, CatalogInvalid, CatalogNotFound, Result};

/// Part of every source's identity. Moves only when the same bytes would be read as other rows.
const READER: u64 = 1;

/// What is to become of a file, by the case table.
#[derive(Debug, PartialEq, Eq)]
enum Case {
    /// It is this version already.
    Known(u64),
    /// It becomes this version.
    Mint(u64),
}

/// A source that was read and is not yet visible.
struct ReadSource {
    entry: StagedEntry,
    snapshot: StagedFile,
    report: ImportReport,
}

impl Catalog {
    /// Brings a file in as a version of a source alias, and recomputes what follows it.
    ///
    /// # Errors
    /// `NotFound/NoSuchSource`; `Invalid/BadName`, `WrongKind`, `BadSchema`, `BadFile`, `BadVersion`;
    /// `Stale/SourceChanged`; failures to write. Each but mistakes in the call itself has a record in the journal.
    pub fn import_source(&self, call: &Call<'_>, arguments: &ImportArguments) -> Result<ImportResult> {
        let project = self.project()?;
        let name = alias_name(&arguments.alias)?;
        let prompt = arguments.prompt.as_deref().unwrap_or_default();
        self.try_import(&project, call, &name, arguments, prompt)
            .map_err(|error| self.import_failed(&project, call, error, arguments, prompt))
    }

    fn try_import(
        &self,
        project: &Project,
        call: &Call<'_>,
        name: &AliasName,
        arguments: &ImportArguments,
        prompt: &str,
    ) -> Result<ImportResult> {
        if let Some(alias) = project.aliases().explained()?.find(name)
            && alias.kind == AliasKind::Catalog
        {
            return Err(StoreError::WrongKind {
                name: name.to_string(),
                kind: alias.kind,
            })
            .explained();
        }
        let path = Path::new(&arguments.outside_path);
        let reader_options = arguments.reader_options.clone().map(Value::Object);
        let options = ImportOptions::from_json(arguments.schema.as_ref(), reader_options.as_ref()).explained()?;
        check_format(path, &options)?;
        let clone = project.clone_file(path).explained()?;
        let imported = self.import_clone(project, call, name, arguments, &options, &clone, prompt);
        if imported.is_err() && clone.is_new && !self.is_recorded(project, &clone) {
            // No entry came of it, so it is no record of anything.
            let _ = project.discard_clone(&clone);
        }
        imported
    }

    fn is_recorded(&self, project: &Project, clone: &CloneFile) -> bool {
        let Ok(page) = project.entries(0, usize::MAX) else {
            return true;
        };
        page.hashes.iter().any(|hash| {
            let manifest = project.manifest(hash);
            manifest.is_ok_and(|manifest| {
                let provenance = manifest.provenance.as_ref();
                provenance.is_some_and(|provenance| provenance.digest == clone.digest)
            })
        })
    }

    #[expect(clippy::too_many_arguments, reason = "all of them are parts of one call")]
    fn import_clone(
        &self,
        project: &Project,
        call: &Call<'_>,
        name: &AliasName,
        arguments: &ImportArguments,
        options: &ImportOptions,
        clone: &CloneFile,
        prompt: &str,
    ) -> Result<ImportResult> {
        let reader = reader_signature(options);
        let hash = source_hash(&clone.digest, &clone.suffix, &reader)?;
        let case = case_of(&*project.aliases().explained()?, name, &hash, arguments.pinned_version)?;
        if let Case::Known(version) = case {
            // Its rows may be gone; the file is here now, and so is its copy.
            let manifest = project.manifest(&hash).explained()?;
            self.ensure_snapshot(project, call, &manifest)?;
            return self.import_reply(project, name, version, &hash, clone, None);
        }
        let version = match case {
            Case::Known(version) | Case::Mint(version) => version,
        };
        let read = if project.entry(&hash).is_ok() {
            None
        } else {
            Some(self.read_clone(
                project,
                call,
                clone,
                &hash,
                options,
                |digest| Provenance {
                    alias: name.to_string(),
                    version,
                    path: absolute(&arguments.outside_path),
                    digest,
                    suffix: clone.suffix.clone(),
                    bytes: clone.bytes,
                    reader: reader.clone(),
                    imported_at: String::new(),
                },
                prompt,
            )?)
        };
        let report = self.publish_source(project, call, &hash, read, prompt)?;
        let book = project.aliases().explained()?;
        let moved = book.find(name).map(|alias| alias.id.clone());
        let mut warnings = Vec::new();
        let pin = arguments.pinned_version;
        let (alias, recalc, step) = self.advance_with_followers(
            project,
            call,
            moved.as_deref().map(|id| (id, &hash)),
            |book| mint(book, name, &hash, pin),
            &format!("Recomputed: `{name}` got version {version}"),
            &mut warnings,
        )?;
        log_alias(project, call, &alias);
        self.settle(project, call, &alias.id, recalc.as_ref());
        let mut reply = self.import_reply(project, name, alias.version(), &hash, clone, report.as_ref())?;
        reply.created = true;
        reply.recalc = recalc;
        reply.checkpoint_step = step;
        reply.warnings.extend(warnings);
        Ok(reply)
    }

    #[expect(clippy::too_many_arguments, reason = "all of them are parts of one call")]
    fn read_clone(
        &self,
        project: &Project,
        call: &Call<'_>,
        clone: &CloneFile,
        hash: &EntryHash,
        options: &ImportOptions,
        provenance: impl FnOnce(String) -> Provenance,
        prompt: &str,
    ) -> Result<ReadSource> {
        let started = std::time::Instant::now();
        let staged = project.stage_snapshot(hash).explained()?;
        let read = stage_file(&clone.path, staged.path(), options, call.progress).explained()?;
        let report = read.report;
        let mut manifest = Manifest::new(hash.clone(), EntryKind::Source);
        manifest.cache_worthy_why = "imported data".into();
        manifest.tool = Some(call.tool().into());
        manifest.prompt = Some(prompt.to_string()).filter(|prompt| !prompt.trim().is_empty());
        manifest.engine_versions = engine_versions();
        manifest.reproducible = Some(true);
        manifest.reproducible_by = Some("copy".into());
        let snapshot = take_over(&mut manifest, read.snapshot, staged)?;
        manifest.execute_seconds = started.elapsed().as_secs_f64();
        manifest.provenance = Some(provenance(clone.digest.clone()));
        let schema = EntrySchema {
            fields: report
                .columns
                .iter()
                .map(|column| Field {
                    name: column.name.clone(),
                    data_type: column.data_type.clone(),
                })
                .collect(),
            row_count: manifest.row_count,
        };
        let entry = NewEntry {
            manifest,
            schema,
            recipe: None,
        };
        let entry = project.stage(entry).explained()?;
        Ok(ReadSource {
            entry,
            snapshot,
            report,
        })
    }

    fn publish_source(
        &self,
        project: &Project,
        call: &Call<'_>,
        hash: &EntryHash,
        read: Option<ReadSource>,
        prompt: &str,
    ) -> Result<Option<ImportReport>> {
        let lock = self.lock(project, call.tool())?;
        let mut report = None;
        if let Some(read) = read {
            if lock.publish(read.entry, Some(read.snapshot)).explained()? == Published::Created {
                self.believe_snapshot(project, hash);
            }
            report = Some(read.report);
        }
        lock.add_prompt(hash, prompt).explained()?;
        Ok(report)
    }

    /// Reads the copy of a file as it was read when it was imported.
    pub(crate) fn read_source(
        &self,
        clone: &Path,
        reader: &Value,
        target: &Path,
        call: &Call<'_>,
    ) -> Result<StagedSnapshot> {
        let options = ImportOptions::from_json(reader.get("schema"), reader.get("reader_options")).explained()?;
        let read = stage_file(clone, target, &options, call.progress).explained()?;
        Ok(read.snapshot)
    }

    fn import_reply(
        &self,
        project: &Project,
        name: &AliasName,
        version: u64,
        hash: &EntryHash,
        clone: &CloneFile,
        report: Option<&ImportReport>,
    ) -> Result<ImportResult> {
        let notes = report
            .into_iter()
            .flat_map(|report| &report.notes)
            .map(|note| ImportRemark {
                kind: serde_json::to_value(note.kind)
                    .ok()
                    .and_then(|kind| kind.as_str().map(String::from))
                    .unwrap_or_default(),
                column: note.column.clone(),
                text: note.text.clone(),
            });
        let schema = project.schema(hash).explained()?;
        Ok(ImportResult {
            project: project.name().to_string(),
            alias: name.to_string(),
            version,
            hash: hash.to_string(),
            created: false,
            path: clone.path.display().to_string(),
            digest: clone.digest.clone(),
            row_count: schema.row_count,
            schema: Schema::of(&schema),
            schema_to_paste: report
                .map(|report| report.schema.to_json())
                .filter(|schema| !schema.is_null()),
            read_as: report
                .and_then(|report| report.read_as.as_ref())
                .and_then(|read_as| serde_json::to_value(read_as).ok()),
            notes: notes.collect(),
            recalc: None,
            checkpoint_step: None,
            warnings: Vec::new(),
        })
    }

    fn import_failed(
        &self,
        project: &Project,
        call: &Call<'_>,
        error: CatalogError,
        arguments: &ImportArguments,
        prompt: &str,
    ) -> CatalogError {
        let mut draft = JournalDraft::new(error.message()).file_path(&arguments.outside_path);
        if !prompt.trim().is_empty() {
            draft = draft.prompt(prompt);
        }
        let error = self.record(project, call, error, draft);
        project.log(
            &Event::new("build_error")
                .with("tool", call.tool())
                .with("prompt", prompt)
                .with("message", error.message())
                .with("error_id", json!(error.place_ref().error_id)),
        );
        error
    }
}

fn check_format(path: &Path, options: &ImportOptions) -> Result<()> {
    let Some(format) = Format::of(path) else {
        // A folder or a missing file is told as such.
        let message = match std::fs::metadata(path) {
            Err(_) => {
                let message = format!("There is no file `{}`.", path.display());
                return Err(CatalogError::not_found(CatalogNotFound::NoSuchSource, message));
            }
            Ok(metadata) if metadata.is_dir() => format!("`{}` is a folder; name one file.", path.display()),
            Ok(_) => format!("`{}` ends in none of .csv, .tsv, .txt, .parquet, .pq.", path.display()),
        };
        return Err(CatalogError::invalid_because(CatalogInvalid::BadFile, message));
    };
    if format == Format::Parquet && options.has_reader_options() {
        let message = "A Parquet file says itself how it is read: leave reader_options out.";
        return Err(CatalogError::invalid_because(CatalogInvalid::BadSchema, message).detail("reader_options"));
    }
    Ok(())
}

fn absolute(path: &str) -> String {
    std::path::absolute(path)
        .unwrap_or_else(|_| PathBuf::from(path))
        .display()
        .to_string()
}

/// Everything that decides how the bytes are read.
fn reader_signature(options: &ImportOptions) -> Value {
    let mut signature = Map::new();
    let schema = options.schema.to_json();
    if !schema.is_null() {
        signature.insert("schema".into(), schema);
    }
    let reader = options.reader_json();
    if options.has_reader_options() {
        signature.insert("reader_options".into(), reader);
    }
    Value::Object(signature)
}

/// The identity of a source: its bytes, the kind of file its name says it is, and how it is read.
fn source_hash(digest: &str, suffix: &str, reader: &Value) -> Result<EntryHash> {
    let kind = Format::of(Path::new(&format!("x{suffix}"))).map_or("unknown", |format| match format {
        Format::Csv => "csv",
        Format::Parquet => "parquet",
    });
    let key = json!(["source", READER, digest, kind, sorted(reader)]).to_string();
    let hash = Sha256::digest(key.as_bytes());
    let hash: String = hash[..6].iter().map(|byte| format!("{byte:02x}")).collect();
    EntryHash::new(&hash).explained()
}

/// The same with the members of objects by name: in which order they were given says nothing.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(String, Value)> = members
                .iter()
                .map(|(name, value)| (name.clone(), sorted(value)))
                .collect();
            members.sort_by(|left, right| left.0.cmp(&right.0));
            Value::Object(members.into_iter().collect())
        }
        Value::Array(elements) => Value::Array(elements.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

/// What is to become of a file: the case table of imports.
fn case_of(book: &AliasBook, name: &AliasName, hash: &EntryHash, pin: Option<u64>) -> Result<Case> {
    let refused = |message: String| {
        Err(about(
            CatalogError::invalid_because(CatalogInvalid::BadVersion, message),
            name.as_str(),
        ))
    };
    let alias = book.find(name);
    if let Some(alias) = alias.filter(|alias| alias.kind == AliasKind::Catalog) {
        return Err(StoreError::WrongKind {
            name: name.to_string(),
            kind: alias.kind,
        })
        .explained();
    }
    if pin == Some(0) {
        return refused("Versions count from 1.".into());
    }
    let elsewhere = book
        .iter()
        .find(|other| other.name != *name && other.history.contains(hash));
    if let Some(other) = elsewhere {
        let version = other.version_of(hash).unwrap_or(1);
        return refused(format!(
            "This file, read this way, is `{}-v{version}` already. Read it by that name, or give it a second one: \
             catalog_create(name=\"{name}\", sql=\"SELECT * FROM {}\").",
            other.name, other.name
        ));
    }
    let Some(alias) = alias else {
        return match pin {
            None | Some(1) => Ok(Case::Mint(1)),
            Some(pin) => refused(format!(
                "`{name}` does not exist yet, so this file becomes version 1, not {pin}: leave pinned_version out."
            )),
        };
    };
    let head = alias.version();
    let known = alias.version_of(hash);
    match pin {
        Some(pin) if pin <= head => {
            if alias.entry_of(pin).explained()? == hash {
                Ok(Case::Known(pin))
            } else {
                refused(format!(
                    "This file is not `{name}-v{pin}`: its bytes, or the way they are read, differ from what was imported then. \
                     Leave pinned_version out to make it version {}.",
                    head + 1
                ))
            }
        }
        Some(pin) if pin > head + 1 => refused(format!(
            "The newest version of `{name}` is {head}, so the next one is {}, not {pin}.",
            head + 1
        )),
        _ if alias.latest == *hash => match pin {
            None => Ok(Case::Known(head)),
            Some(pin) => refused(format!(
                "This file is `{name}-v{head}` already, so it cannot become version {pin} as well."
            )),
        },
        _ => match known {
            None => Ok(Case::Mint(head + 1)),
            Some(version) => refused(format!(
                "This file is `{name}-v{version}`, an older version. Read that one as \"{name}-v{version}\", or reset the project to go back."
            )),
        },
    }
}

/// Makes the version under the lock, if the case is still the same.
fn mint(
    book: &mut AliasBook,
    name: &AliasName,
    hash: &EntryHash,
    pin: Option<u64>,
) -> candor_catalog_store::Result<Alias> {
    match book.find(name).cloned() {
        None => book.create(name.clone(), AliasKind::Source, hash.clone()).cloned(),
        Some(alias) => {
            let is_next = pin.is_none_or(|pin| pin == alias.version() + 1 || alias.latest == *hash);
            if !is_next || (alias.latest != *hash && alias.history.contains(hash)) {
                return Err(StoreError::VersionMoved {
                    alias: name.to_string(),
                    expected: format!("the version before v{}", pin.unwrap_or(alias.version())),
                    found: alias.latest.to_string(),
                });
            }
            book.advance(name, AliasKind::Source, hash.clone(), None).cloned()
        }
    }
}
