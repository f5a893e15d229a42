//! What every rule file contains.

use std::fmt::Debug;

use candor_al_syntax::edit::EditSet;
use candor_al_syntax::{Node, TextRange, Tree};

use crate::context::Context;
#[cfg(test)]
use crate::testing::Tester;
use crate::{Finding, FixProvider, Metadata, ProjectFacts, ProjectFinding, RuleId, State};

/// A rule: three pure functions over what it remembers of a finding, and what is known about it without running it.
///
/// The registry calls them through a `match`; a rule is never a value.
pub(crate) trait Rule {
    /// What is known about the rule without running it; its page is part of that.
    const METADATA: Metadata;

    /// What `find` remembers for `message` and `fix`: node numbers, token numbers, small facts. No text.
    type State: Clone + PartialEq + Debug + Send + Sync;

    /// Looks at one node of one of the kinds in the metadata and reports what is wrong with it.
    ///
    /// Called for every such node of every file: decide on the cheapest fact first, and allocate nothing.
    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>);

    /// Words a finding: what, why, and what to do.
    fn message(state: &Self::State, tree: &Tree) -> String;

    /// Builds the edits of one of the fixes in the metadata; none when it has nothing to offer here.
    fn fix(_state: &Self::State, _fix: &'static FixProvider, _tree: &Tree) -> Option<EditSet> {
        None
    }

    /// Looks at a project. Only rules about projects do; see `project.rs`.
    fn find_in_project(_rule: RuleId, _project: &ProjectFacts, _findings: &mut Vec<ProjectFinding>) {}

    /// The rule's tests, which `cargo test <id>` runs; see [`Tester`].
    #[cfg(test)]
    fn tests(tests: Tester) -> Tester;
}

/// Takes what a rule finds.
pub(crate) struct Report<'a, S> {
    rule: RuleId,
    findings: &'a mut Vec<Finding>,
    wrap: fn(S) -> State,
}

impl<'a, S> Report<'a, S> {
    pub(crate) fn new(rule: RuleId, findings: &'a mut Vec<Finding>, wrap: fn(S) -> State) -> Self {
        Self { rule, findings, wrap }
    }

    /// Reports a finding at `range`.
    pub(crate) fn at(&mut self, range: TextRange, state: S) {
        self.findings.push(Finding::new(self.rule, range, (self.wrap)(state)));
    }
}
