//! What rules find in the manifest and the settings of a project: findings in files that are no AL.

use std::path::{Path, PathBuf};

use candor_al_rules::{
    Place, Placed, ProjectFacts, ProjectFinding, RuleId, RuleObserver, SettingsProblem, check_project,
};
use candor_al_syntax::text::Position;
use candor_al_workspace::configuration::{Configuration, Manifest};
use candor_al_workspace::{Located, Problem, Warning};

use crate::Incident;
use crate::analysis::Found;
use crate::plan::Plan;

/// A finding in a file of the project's configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundInFile {
    pub(crate) path: PathBuf,
    pub(crate) found: Found,
}

/// What was found in the configuration of a project, silenced rules included.
#[derive(Debug, Default)]
pub(crate) struct ProjectAnalysis {
    /// By file and place.
    pub(crate) found: Vec<FoundInFile>,
    /// Rules that failed.
    pub(crate) incidents: Vec<Incident>,
}

/// Runs those rules of the plan that look at projects.
pub(crate) fn analyse_project(
    root: &Path,
    configuration: &Configuration,
    plan: &Plan,
    observer: &mut impl RuleObserver,
) -> ProjectAnalysis {
    if !plan.selection.rules().any(RuleId::is_about_projects) {
        return ProjectAnalysis::default();
    }
    let checked = check_project(&facts_of(configuration), &plan.selection, observer);
    let manifest = &configuration.manifest.path;
    ProjectAnalysis {
        found: checked.findings.into_iter().map(found).collect(),
        incidents: checked
            .incidents
            .iter()
            .map(|incident| {
                let message = format!(
                    "Rule {} failed while looking at the configuration of {}: {}; its findings there are missing. This is a \
                     fault in Candor, please report it.",
                    incident.rule.id(),
                    root.display(),
                    incident.message
                );
                Incident {
                    traceback: incident.location.clone(),
                    ..Incident::new("rule_failed", message).in_file(manifest)
                }
            })
            .collect(),
    }
}

fn found(finding: ProjectFinding) -> FoundInFile {
    FoundInFile {
        path: finding.place.file,
        found: Found {
            rule: finding.rule,
            severity: finding.severity,
            start: finding.place.start,
            end: finding.place.end,
            message: finding.message,
        },
    }
}

/// What rules about projects may know.
fn facts_of(configuration: &Configuration) -> ProjectFacts {
    let Manifest {
        path,
        runtime,
        application,
        platform,
        ..
    } = &configuration.manifest;
    let placed = |fact: &Option<Located<String>>| {
        fact.as_ref().map(|fact| Placed {
            value: fact.value.clone(),
            place: Place {
                file: path.clone(),
                start: fact.position,
                end: fact.end,
            },
        })
    };
    let mut facts = ProjectFacts::default();
    facts.runtime = placed(runtime);
    facts.application = placed(application);
    facts.platform = placed(platform);
    facts.settings_problems = configuration.warnings.iter().filter_map(settings_problem).collect();
    facts
}

/// The problem of `alcops.json` that a warning tells, if it tells one.
fn settings_problem(warning: &Warning) -> Option<Placed<SettingsProblem>> {
    let value = match &warning.problem {
        Problem::AlcopsUnknownKey { key } => SettingsProblem::UnknownKey(key.clone()),
        Problem::AlcopsUnusable { reason } => SettingsProblem::Unusable(reason.clone()),
        _ => return None,
    };
    let start = warning.position.unwrap_or(Position { line: 1, column: 1 });
    Some(Placed {
        value,
        place: Place {
            file: warning.path.clone(),
            start,
            end: warning.end.unwrap_or(start),
        },
    })
}
