//! What there is to say beside an answer.

use std::path::Path;

use candor_al_workspace::{Problem, Warning};
use candor_contract::shortened;

use crate::Incident;

/// How many warnings a reply carries; the rest is counted.
const SHOWN: usize = 30;

/// How many characters a warning has in a reply at most; what it echoes may be of any length.
const CHARACTERS: usize = 600;

/// Warnings for whoever asked, and incidents for the journal.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes {
    pub(crate) warnings: Vec<String>,
    pub(crate) incidents: Vec<Incident>,
}

impl Notes {
    /// Adds a warning.
    pub(crate) fn warn(&mut self, warning: impl Into<String>) {
        self.warnings.push(warning.into());
    }

    /// Adds an incident, which is a warning too.
    pub(crate) fn add_incident(&mut self, incident: Incident) {
        self.warnings.push(incident.message.clone());
        self.incidents.push(incident);
    }

    /// Adds incidents that happened in a project.
    pub(crate) fn add_incidents(&mut self, incidents: impl IntoIterator<Item = Incident>, project: Option<&Path>) {
        for incident in incidents {
            self.add_incident(match project {
                Some(project) => incident.in_project(project),
                None => incident,
            });
        }
    }

    /// Adds what the workspace has to say; it is an incident when something failed, and not just a matter of taste.
    pub(crate) fn add_workspace(&mut self, warnings: &[Warning], project: Option<&Path>) {
        for warning in warnings {
            let message = warning.to_string();
            if !is_failure(&warning.problem) {
                self.warnings.push(message);
                continue;
            }
            let mut incident = Incident::new(warning.problem.code(), message).in_file(&warning.path);
            incident.position = warning.position.map(|position| (position.line, position.column));
            self.add_incidents([incident], project);
        }
    }

    /// The warnings for a reply: none twice, not too many.
    pub(crate) fn shown(&self) -> Vec<String> {
        let mut shown: Vec<String> = Vec::new();
        let mut left_out = 0;
        for warning in &self.warnings {
            if shown.contains(warning) {
                continue;
            }
            if shown.len() < SHOWN {
                shown.push(shortened(warning, CHARACTERS).into_owned());
            } else {
                left_out += 1;
            }
        }
        if left_out > 0 {
            shown.push(format!("{left_out} more warnings are not shown"));
        }
        shown
    }
}

/// Whether a problem is a failure, and not a setting that does not concern this program or a file that is as its author
/// wants it.
fn is_failure(problem: &Problem) -> bool {
    !matches!(
        problem,
        Problem::UnknownCop { .. }
            | Problem::InvalidEncoding { .. }
            | Problem::ExternalRulesetsOff { .. }
            | Problem::TwoActions { .. }
            | Problem::AlcopsUnknownKey { .. }
            | Problem::NoProject
            | Problem::NotSource
            | Problem::Missing
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_warnings_are_counted_rather_than_shown() {
        let mut notes = Notes::default();
        for number in 0..SHOWN + 5 {
            notes.warn(format!("warning {number}"));
            notes.warn("the same again");
        }
        let shown = notes.shown();
        assert_eq!(shown.len(), SHOWN + 1);
        assert_eq!(shown.last().map(String::as_str), Some("6 more warnings are not shown"));
    }
}
