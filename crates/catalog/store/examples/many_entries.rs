//! Measures what a project of ten thousand entries costs: a page of the list, a checkpoint, a lookup.
//!
//! `cargo run --release -p candor-catalog-store --example many_entries [ENTRIES]`

#![expect(clippy::print_stdout, reason = "a measurement is for a terminal")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use candor_catalog_store::{
    AliasKind, AliasName, EntryHash, EntryKind, EntrySchema, Home, Interference, LOCK_WAIT, Manifest, NewEntry,
    Operation, ProjectName, StepHook,
};

/// Filling a project is not what is measured.
#[derive(Debug)]
struct NoSync;

impl StepHook for NoSync {
    fn before(&self, _operation: Operation, _path: &Path) -> Interference {
        Interference::SkipSync
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let count: u64 = std::env::args().nth(1).map_or(Ok(10_000), |count| count.parse())?;
    let folder = tempfile::tempdir()?;
    let name = ProjectName::new("many")?;
    let project = Home::with_hook(folder.path(), Arc::new(NoSync)).create(&name, "measure", LOCK_WAIT)?;
    let started = Instant::now();
    let lock = project.lock("measure", LOCK_WAIT)?;
    for number in 0..count {
        let manifest = Manifest::new(EntryHash::new(&format!("{number:012x}"))?, EntryKind::Computed);
        let staged = project.stage(NewEntry {
            manifest,
            schema: EntrySchema::default(),
            recipe: Some("SELECT 1".into()),
        })?;
        lock.publish(staged, None)?;
    }
    lock.change_aliases(|book| {
        for number in 0..count {
            let hash = EntryHash::new(&format!("{number:012x}"))?;
            book.create(AliasName::new(&format!("a{number}"))?, AliasKind::Catalog, hash)?;
        }
        Ok(())
    })?;
    lock.checkpoint("fill")?;
    drop(lock);
    println!("filled with {count} entries in {:.1?}", started.elapsed());

    for round in ["first in a process", "again"] {
        let project = if round == "again" {
            project.clone()
        } else {
            Home::at(folder.path()).project(&name)?
        };
        for offset in [0, count as usize / 2] {
            let started = Instant::now();
            let page = project.entries(offset, 50)?;
            let book = project.aliases()?;
            for hash in &page.hashes {
                project.manifest(hash)?;
                project.schema(hash)?;
                book.version_of(hash);
            }
            println!("{round}: 50 of {} at {offset} in {:.1?}", page.total, started.elapsed());
        }
    }
    let project = Home::at(folder.path()).project(&name)?;
    let started = Instant::now();
    let lock = project.lock("measure", LOCK_WAIT)?;
    let manifest = Manifest::new(EntryHash::new("ffffffffffff")?, EntryKind::Computed);
    let staged = project.stage(NewEntry {
        manifest,
        schema: EntrySchema::default(),
        recipe: Some("SELECT 1".into()),
    })?;
    lock.publish(staged, None)?;
    println!("publishing one more, synced: {:.1?}", started.elapsed());
    let started = Instant::now();
    lock.checkpoint("one more")?;
    println!("its checkpoint: {:.1?}", started.elapsed());
    Ok(())
}
