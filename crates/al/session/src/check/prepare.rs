//! What a list of paths means: which files are checked, and how.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use candor_al_model::AppIdentity;
use candor_al_workspace::configuration::{Configuration, load_configuration};
use candor_al_workspace::discovery::{self, Scope, SelectedProject, project_files};
use candor_al_workspace::file_system::FileSystem;
use candor_al_workspace::{Problem, normalize_path};
use rayon::prelude::*;

use super::CheckOptions;
use crate::meaning::identity_of;
use crate::message;
use crate::notes::Notes;
use crate::plan::{ChosenRules, Plan, configuration_options};
use crate::vocabulary::{AlError, AlNotFound, AlPlace};

/// A project, or the files that are in none, ready to be checked.
pub(super) struct Unit {
    pub(super) root: Option<Arc<Path>>,
    pub(super) plan: Plan,
    pub(super) notes: Notes,
    /// Its place among other apps.
    pub(super) identity: AppIdentity,
    /// Files of the project that nobody asked to check; what they declare counts all the same.
    pub(super) others: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

/// Everything that is to be checked, in the order of reports.
pub(super) struct Prepared {
    pub(super) units: Vec<Unit>,
    pub(super) files: Vec<PathBuf>,
    /// The unit of each file.
    pub(super) unit_of_file: Vec<u32>,
    pub(super) notes: Notes,
}

pub(super) fn prepare(files: &dyn FileSystem, options: &CheckOptions) -> Result<Prepared, AlError> {
    let choice = ChosenRules::read(&options.choice)?;
    let paths = absolute(&options.paths)?;
    let selection = discovery::select(files, &paths);
    let mut notes = Notes::default();
    for warning in &selection.warnings {
        match warning.problem {
            Problem::Missing => return Err(nothing_at(&warning.path, "does not exist")),
            Problem::NotSource => return Err(nothing_at(&warning.path, "is neither a folder nor an .al file")),
            _ => notes.add_workspace(std::slice::from_ref(warning), None),
        }
    }
    if selection.projects.is_empty() && selection.loose_files.is_empty() {
        let first = paths.first().map_or(Path::new("."), PathBuf::as_path);
        return Err(nothing_at(
            first,
            "holds no AL project (a folder with app.json) and no .al file",
        ));
    }
    let configurations = configuration_options();
    let mut units: Vec<Unit> = selection
        .projects
        .par_iter()
        .map(|project| {
            let configuration = load_configuration(files, &project.root, &configurations);
            project_unit(files, project, &configuration, &choice, &options.symbols)
        })
        .collect();
    if !selection.loose_files.is_empty() {
        let plan = Plan::of_choice(&no_configuration(), &choice, &options.symbols);
        units.push(Unit {
            root: None,
            plan,
            notes: Notes::default(),
            identity: AppIdentity::default(),
            others: Vec::new(),
            files: selection.loose_files,
        });
    }
    let mut prepared = Prepared {
        units: Vec::new(),
        files: Vec::new(),
        unit_of_file: Vec::new(),
        notes,
    };
    for mut unit in units {
        let index = prepared.units.len() as u32;
        prepared
            .unit_of_file
            .resize(prepared.files.len() + unit.files.len(), index);
        prepared.files.append(&mut unit.files);
        prepared.units.push(unit);
    }
    Ok(prepared)
}

fn project_unit(
    files: &dyn FileSystem,
    project: &SelectedProject,
    configuration: &Configuration,
    choice: &ChosenRules,
    symbols: &[String],
) -> Unit {
    let mut found = project_files(files, &project.root);
    let mut others = Vec::new();
    if project.scope != Scope::Whole {
        (found.files, others) = found.files.into_iter().partition(|file| project.scope.contains(file));
    }
    let mut notes = Notes::default();
    notes.add_workspace(&configuration.warnings, Some(&project.root));
    notes.add_workspace(&found.warnings, Some(&project.root));
    Unit {
        root: Some(project.root.as_path().into()),
        plan: Plan::of_choice(configuration, choice, symbols),
        notes,
        identity: identity_of(&project.root, &configuration.manifest),
        others,
        files: found.files,
    }
}

/// Files in no project are checked by all cops, as in a project that chooses none.
fn no_configuration() -> Configuration {
    let mut configuration = Configuration::default();
    configuration.cops.cops = configuration_options().available_cops;
    configuration
}

fn absolute(paths: &[PathBuf]) -> Result<Vec<PathBuf>, AlError> {
    let here = [PathBuf::from(".")];
    let paths = if paths.is_empty() { &here } else { paths };
    let absolute = |path: &PathBuf| match path.to_str() {
        Some(text) => normalize_path(text).map_err(|problem| message::bad_path("path", text, &problem)),
        None => std::path::absolute(path).map_err(|error| nothing_at(path, &format!("cannot be used ({error})"))),
    };
    paths.iter().map(absolute).collect()
}

fn nothing_at(path: &Path, what: &str) -> AlError {
    AlError::not_found(AlNotFound::FileNotInProject, format!("{} {what}.", path.display())).place(AlPlace {
        file_path: Some(path.display().to_string()),
        diagnostic_id: None,
    })
}
