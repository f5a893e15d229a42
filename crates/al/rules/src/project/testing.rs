//! How rules about projects are tested: facts, and the expected findings beside them.

use candor_al_syntax::text::Position;

use super::{Place, Placed, ProjectFacts, ProjectFinding, check_project};
use crate::{RuleId, RuleSelection};

/// A fact in line `line` of `file`, in columns 5 to 9.
pub(crate) fn placed<T>(file: &str, line: u32, value: T) -> Placed<T> {
    let position = |column| Position { line, column };
    Placed {
        value,
        place: Place {
            file: file.into(),
            start: position(5),
            end: position(9),
        },
    }
}

/// The cases of a rule about projects.
#[derive(Default)]
pub(crate) struct ProjectTester {
    cases: Vec<Case>,
}

struct Case {
    name: &'static str,
    facts: ProjectFacts,
    expected: Expected,
}

enum Expected {
    /// Findings in these lines of these files, as `file:line`.
    Places(&'static [&'static str]),
    /// One finding that says this.
    Message(&'static str),
}

impl ProjectTester {
    /// Findings in these places, told as `file:line`.
    pub(crate) fn flags(self, name: &'static str, facts: ProjectFacts, places: &'static [&'static str]) -> Self {
        assert!(!places.is_empty(), "use `silent`");
        self.case(name, facts, Expected::Places(places))
    }

    /// No finding.
    pub(crate) fn silent(self, name: &'static str, facts: ProjectFacts) -> Self {
        self.case(name, facts, Expected::Places(&[]))
    }

    /// One finding, worded like this.
    pub(crate) fn says(self, name: &'static str, facts: ProjectFacts, message: &'static str) -> Self {
        self.case(name, facts, Expected::Message(message))
    }

    fn case(mut self, name: &'static str, facts: ProjectFacts, expected: Expected) -> Self {
        self.cases.push(Case { name, facts, expected });
        self
    }

    /// The cases that fail, and what no case shows.
    pub(crate) fn failures(self, rule: RuleId) -> Vec<String> {
        let has = |is_one: &dyn Fn(&Expected) -> bool| self.cases.iter().any(|case| is_one(&case.expected));
        let mut failures = Vec::new();
        for (what, is_shown) in [
            (
                "flagging something",
                has(&|case| matches!(case, Expected::Places([_, ..]))),
            ),
            ("being silent", has(&|case| matches!(case, Expected::Places([])))),
            ("speaking", has(&|case| matches!(case, Expected::Message(_)))),
        ] {
            if !is_shown {
                failures.push(format!("no case shows the rule {what}"));
            }
        }
        for Case { name, facts, expected } in &self.cases {
            let checked = check_project(facts, &RuleSelection::of([rule]), &mut ());
            assert_eq!(checked.incidents, []);
            let findings = checked.findings;
            let is_right = match expected {
                Expected::Places(places) => findings.iter().map(place_in_words).eq(places.iter().copied()),
                Expected::Message(message) => {
                    matches!(findings.as_slice(), [finding] if finding.message == *message)
                }
            };
            if !is_right {
                failures.push(format!("{name}: {findings:#?}"));
            }
        }
        failures
    }
}

fn place_in_words(finding: &ProjectFinding) -> String {
    format!("{}:{}", finding.place.file.display(), finding.place.start.line)
}
