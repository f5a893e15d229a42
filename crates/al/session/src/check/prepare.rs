//! What a list of paths means: which files are checked, and how.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use candor_al_model::AppIdentity;
use candor_al_rules::{RuleId, RuleTimes};
use candor_al_workspace::configuration::{Configuration, load_configuration};
use candor_al_workspace::discovery::{self, Scope, SelectedProject, project_files};
use candor_al_workspace::file_system::FileSystem;
use candor_al_workspace::{Problem, normalize_path};
use rayon::prelude::*;

use super::CheckOptions;
use crate::analysis::Found;
use crate::clock::elapsed_time;
use crate::message;
use crate::notes::Notes;
use crate::plan::{ChosenRules, Plan, configuration_options};
use crate::project_checks::{FoundInFile, analyse_project};
use crate::translations::with_translations;
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
    /// What is wrong in its configuration, as far as it was asked for.
    pub(super) configuration: Vec<FoundInFile>,
    /// The times of the rules that looked at it.
    pub(super) rule_times: Vec<(RuleId, Duration)>,
    /// The number of its first file.
    pub(super) first_file: usize,
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
            project_unit(files, project, &configuration, &choice, options)
        })
        .collect();
    tell_once(&mut units);
    if !selection.loose_files.is_empty() {
        let plan = plan(&no_configuration(), &choice, options);
        units.push(Unit {
            root: None,
            plan,
            notes: Notes::default(),
            identity: AppIdentity::default(),
            others: Vec::new(),
            configuration: Vec::new(),
            rule_times: Vec::new(),
            first_file: 0,
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
        unit.first_file = prepared.files.len();
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
    options: &CheckOptions,
) -> Unit {
    let mut found = project_files(files, &project.root);
    let mut others = Vec::new();
    if project.scope != Scope::Whole {
        (found.files, others) = found.files.into_iter().partition(|file| project.scope.contains(file));
    }
    let mut notes = Notes::default();
    notes.add_workspace(&configuration.warnings, Some(&project.root));
    notes.add_workspace(&found.warnings, Some(&project.root));
    let plan = plan(configuration, choice, options);
    let translations = match &options.memory {
        Some(memory) => memory.translations(&project.root),
        None => Arc::default(),
    };
    let plan = with_translations(plan, configuration, &translations, files, &project.root, &mut notes);
    let mut times = RuleTimes::new(elapsed_time);
    let analysis = analyse_project(&project.root, configuration, &plan, &mut times);
    notes.add_incidents(analysis.incidents, Some(&project.root));
    let mut found_in_configuration = analysis.found;
    found_in_configuration.retain(|one| project.scope.contains(&one.path));
    let about_projects = plan.selection.rules().filter(|rule| rule.is_about_projects());
    Unit {
        root: Some(project.root.as_path().into()),
        rule_times: about_projects.map(|rule| (rule, times.of(rule))).collect(),
        plan,
        notes,
        identity: configuration.manifest.identity(&project.root),
        others,
        configuration: found_in_configuration,
        first_file: 0,
        files: found.files,
    }
}

fn plan(configuration: &Configuration, choice: &ChosenRules, options: &CheckOptions) -> Plan {
    let plan = Plan::of_choice(configuration, choice, &options.symbols);
    if options.suppressed {
        plan.with_silenced_rules()
    } else {
        plan
    }
}

/// Settings that several projects share are told about by the first of them.
fn tell_once(units: &mut [Unit]) {
    let mut told = HashSet::new();
    for unit in units {
        unit.configuration.retain(|one| {
            let Found {
                rule, start, message, ..
            } = &one.found;
            told.insert((one.path.clone(), *start, *rule, message.clone()))
        });
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
