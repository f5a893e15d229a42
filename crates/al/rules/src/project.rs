//! Rules that look at no tree but at a project: its manifest and its settings.
//!
//! Such a rule is a file like every other and stands in the same table; it implements [`ProjectRule`] instead of `Rule`.
//! It is asked once for a project, not for each file. What it finds stands in `app.json` or in a settings file, which
//! somebody else has read: the facts arrive with their places.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use candor_al_syntax::text::Position;
use candor_al_syntax::{Node, TextRange, Tree};

use crate::context::Context;
use crate::incident::{Guard, IncidentWork};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Incident, Metadata, Needs, RuleId, RuleObserver, RuleSelection, Severity};

/// A stretch of a file of the project.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The file.
    pub file: PathBuf,
    /// Where the stretch begins.
    pub start: Position,
    /// Just behind its end; the start where the end is not known.
    pub end: Position,
}

/// A fact and where it stands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Placed<T> {
    /// The fact.
    pub value: T,
    /// Where it was written.
    pub place: Place,
}

/// What is known about a project from its manifest and its settings.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct ProjectFacts {
    /// `runtime` of `app.json`, as written.
    pub runtime: Option<Placed<String>>,
    /// `application` of `app.json`, as written.
    pub application: Option<Placed<String>>,
    /// `platform` of `app.json`, as written.
    pub platform: Option<Placed<String>>,
    /// What could not be applied of `alcops.json`, or of the file it extends.
    pub settings_problems: Vec<Placed<SettingsProblem>>,
}

/// Why a part of `alcops.json`, or all of it, has no effect.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SettingsProblem {
    /// There is no setting of this name; the others are applied.
    UnknownKey(String),
    /// None of the settings is applied, for this reason.
    Unusable(String),
}

/// Something a rule has to say about a project.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProjectFinding {
    /// The rule that found it.
    pub rule: RuleId,
    /// Where.
    pub place: Place,
    /// The severity the selection gives to the rule.
    pub severity: Severity,
    /// What, why, and what to do.
    pub message: String,
}

/// What [`check_project`] found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CheckedProject {
    /// By file and place; at one place, in the order of the rules' ids.
    pub findings: Vec<ProjectFinding>,
    /// The rules that failed; their findings are missing. Their ranges mean nothing.
    pub incidents: Vec<Incident>,
}

/// Runs those of the selected rules over a project that look at projects, watched by an observer (`&mut ()` for none).
pub fn check_project(
    facts: &ProjectFacts,
    selection: &RuleSelection,
    observer: &mut impl RuleObserver,
) -> CheckedProject {
    let mut checked = CheckedProject::default();
    for rule in selection.rules().filter(|rule| rule.is_about_projects()) {
        observer.enter(rule);
        let guard = Guard::enter();
        let mut found = Vec::new();
        let caught = catch_unwind(AssertUnwindSafe(|| rule.find_in_project(facts, &mut found)));
        drop(guard);
        observer.leave(rule);
        match caught {
            Ok(()) => checked.findings.append(&mut found),
            Err(payload) => {
                let (range, work) = (TextRange::empty(0), IncidentWork::Find);
                let incident = Incident::caught(rule, range, work, payload.as_ref());
                checked.incidents.push(incident);
            }
        }
    }
    for finding in &mut checked.findings {
        finding.severity = selection.severity(finding.rule).unwrap_or(finding.severity);
    }
    let order = |finding: &ProjectFinding| (finding.place.file.clone(), finding.place.start, finding.rule);
    checked.findings.sort_by_cached_key(order);
    checked
}

impl RuleId {
    /// Whether the rule looks at projects ([`check_project`]) and not at files ([`crate::check`]).
    pub fn is_about_projects(self) -> bool {
        self.metadata().needs == Needs::Project
    }
}

/// A rule about projects: what is known about it, how it finds, and what it says. It offers no fix.
pub(crate) trait ProjectRule {
    /// What is known about the rule without running it; its page is part of that. It wants to see no kind of node.
    const METADATA: Metadata;

    /// What `find` remembers for `message`.
    type State;

    /// Looks at a project and reports what is wrong with it.
    fn find(project: &ProjectFacts, report: &mut ProjectReport<Self::State>);

    /// Words a finding: what, why, and what to do.
    fn message(state: &Self::State) -> String;

    /// The rule's tests, which `cargo test <id>` runs.
    #[cfg(test)]
    fn tests(tests: ProjectTester) -> ProjectTester;
}

/// Takes what a rule finds in a project.
pub(crate) struct ProjectReport<S>(Vec<(Place, S)>);

impl<S> ProjectReport<S> {
    /// Reports a finding at `place`.
    pub(crate) fn at(&mut self, place: &Place, state: S) {
        self.0.push((place.clone(), state));
    }
}

/// In the table of rules, a rule about projects is one that finds nothing in any tree.
impl<R: ProjectRule> Rule for R {
    const METADATA: Metadata = <R as ProjectRule>::METADATA;

    type State = ();

    fn find<'t>(_node: Node<'t>, _context: &Context<'t>, _report: &mut Report<'_, Self::State>) {}

    fn message((): &Self::State, _tree: &Tree) -> String {
        <R as ProjectRule>::METADATA.title.to_owned()
    }

    fn find_in_project(rule: RuleId, project: &ProjectFacts, findings: &mut Vec<ProjectFinding>) {
        let mut report = ProjectReport(Vec::new());
        <R as ProjectRule>::find(project, &mut report);
        findings.extend(report.0.into_iter().map(|(place, state)| ProjectFinding {
            rule,
            place,
            severity: <R as ProjectRule>::METADATA.severity,
            message: <R as ProjectRule>::message(&state),
        }));
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        let cases = <R as ProjectRule>::tests(ProjectTester::default());
        tests.about_projects(cases)
    }
}

#[cfg(test)]
mod testing;
#[cfg(test)]
pub(crate) use testing::{ProjectTester, placed};
