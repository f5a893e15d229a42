//! A check by rules that ask what names mean: app by app, in the order of dependencies.
//!
//! Of the apps that are done only their declarations stay. The trees of one group of apps are held at a time: all files
//! of a group are parsed, their declarations join those before, and then the files are looked at.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use candor_al_model::{AppId, AppIdentity, FileDeclarations, FileId, Universe, arrange, declarations_of};
use candor_al_rules::Workspace;
use candor_al_workspace::file_system::{FileSystem, Stamp};
use candor_al_workspace::source::stream_sources;
use rayon::prelude::*;

use super::file::{Outcome, ReadFile, Worker};
use super::memory::Recall;
use super::prepare::Prepared;

/// A file of a group.
struct Place<'a> {
    path: &'a Path,
    unit: usize,
    /// Its number among the files that are checked; none for one that only declares.
    number: Option<usize>,
}

/// What is known of a file of a group once it is parsed.
struct Parsed {
    read: ReadFile,
    declarations: Arc<FileDeclarations>,
    /// What identifies its source for a memory.
    identity: Option<(Stamp, u64)>,
}

type Slot = Mutex<Option<Parsed>>;

/// Checks all files; `done` is called for each, in any order, from several threads.
pub(super) fn check_in_groups(
    files: &dyn FileSystem,
    prepared: &Prepared,
    worker: &Worker<'_>,
    recall: &Recall<'_>,
    done: &(dyn Fn(usize, Outcome) + Sync),
) {
    let identities: Vec<AppIdentity> = prepared.units.iter().map(|unit| unit.identity.clone()).collect();
    let mut numbers: Vec<Vec<usize>> = vec![Vec::new(); prepared.units.len()];
    for (number, &unit) in prepared.unit_of_file.iter().enumerate() {
        numbers[unit as usize].push(number);
    }
    let mut universe = Arc::new(Universe::new());
    let mut ids: Vec<Option<AppId>> = vec![None; prepared.units.len()];
    for group in arrange(&identities) {
        if worker.cancellation.is_cancelled() {
            return;
        }
        let mut places: Vec<Place<'_>> = Vec::new();
        for &unit in &group.apps {
            let checked = numbers[unit].iter().map(|&number| Place {
                path: &prepared.files[number],
                unit,
                number: Some(number),
            });
            let others = prepared.units[unit].others.iter().map(|path| Place {
                path,
                unit,
                number: None,
            });
            places.extend(checked.chain(others));
        }
        let slots = read(files, prepared, worker, recall, &places, done);
        let dependencies: Vec<AppId> = group.dependencies.iter().filter_map(|&it| ids[it]).collect();
        let first = universe.file_count() as u32;
        let mut added = Vec::with_capacity(group.apps.len());
        for &unit in &group.apps {
            let of_unit = places.iter().zip(&slots).filter(|(place, _)| place.unit == unit);
            let declarations = of_unit.map(|(_, slot)| {
                let slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
                // A file that cannot be read keeps its number and declares nothing.
                slot.as_ref()
                    .map(|parsed| Arc::clone(&parsed.declarations))
                    .unwrap_or_default()
            });
            let declarations = declarations.collect();
            let description = identities[unit].description(&dependencies, group.has_missing_dependencies);
            added.push((description, declarations));
        }
        // Nobody else holds it between two groups.
        let Some(known) = Arc::get_mut(&mut universe) else {
            return;
        };
        for (&unit, id) in group.apps.iter().zip(known.add_apps(added)) {
            ids[unit] = Some(id);
        }
        slots.into_par_iter().enumerate().for_each(|(index, slot)| {
            let place = &places[index];
            let parsed = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
            if let (Some(number), Some(parsed)) = (place.number, parsed)
                && !worker.cancellation.is_cancelled()
            {
                let unit = &prepared.units[place.unit];
                let workspace = Workspace::new(Arc::clone(&universe), FileId(first + index as u32));
                let context = unit.plan.context.clone().in_workspace(workspace);
                let outcome = worker.finish(place.path, parsed.read, unit, &context);
                recall.keep(place.path, parsed.identity, number, prepared, &outcome);
                done(number, outcome);
            }
        });
    }
}

/// Parses the files of a group.
fn read(
    files: &dyn FileSystem,
    prepared: &Prepared,
    worker: &Worker<'_>,
    recall: &Recall<'_>,
    places: &[Place<'_>],
    done: &(dyn Fn(usize, Outcome) + Sync),
) -> Vec<Slot> {
    let paths: Vec<_> = places.iter().map(|place| place.path.to_owned()).collect();
    let slots: Vec<Slot> = places.iter().map(|_| Mutex::default()).collect();
    stream_sources(files, &paths, worker.cancellation, |index, source| {
        let place = &places[index];
        let identity = recall.identity(source.as_ref().ok());
        match worker.read(place.path, source, &prepared.units[place.unit]) {
            Ok(read) => {
                let declarations = Arc::new(declarations_of(&read.tree).0);
                *slots[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(Parsed {
                    read,
                    declarations,
                    identity,
                });
            }
            Err(outcome) => {
                if let Some(number) = place.number {
                    done(number, outcome);
                }
            }
        }
    });
    slots
}
