//! The engine: shows each node of a tree to the rules that want to see it.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use candor_al_syntax::{NodeId, Tree};

use crate::context::Context;
use crate::incident::{Guard, IncidentWork};
use crate::{FileContext, Finding, Incident, RuleId, RuleSelection, Suppressions};

/// What [`check`] found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Checked {
    /// In text order; at one place, in the order of the rules' ids.
    pub findings: Vec<Finding>,
    /// The rules that failed; their findings in this file are missing.
    pub incidents: Vec<Incident>,
}

/// Watches the rules at work, to time them for instance.
pub trait RuleObserver {
    /// A rule is about to look at a node.
    fn enter(&mut self, rule: RuleId);
    /// The rule has looked.
    fn leave(&mut self, rule: RuleId);
}

impl RuleObserver for () {
    #[inline]
    fn enter(&mut self, _: RuleId) {}
    #[inline]
    fn leave(&mut self, _: RuleId) {}
}

/// How long each rule took, by a clock that the caller brings.
#[derive(Clone, Debug)]
pub struct RuleTimes<Clock> {
    clock: Clock,
    entered: Duration,
    times: Vec<Duration>,
}

impl<Clock: Fn() -> Duration> RuleTimes<Clock> {
    /// Starts at zero. `clock` tells the time since any fixed moment.
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            entered: Duration::ZERO,
            times: vec![Duration::ZERO; RuleId::ALL.len()],
        }
    }

    /// The time a rule took so far.
    pub fn of(&self, rule: RuleId) -> Duration {
        self.times[rule as usize]
    }

    /// Adds the times of another thread.
    pub fn add<Other>(&mut self, other: &RuleTimes<Other>) {
        for (time, more) in self.times.iter_mut().zip(&other.times) {
            *time += *more;
        }
    }
}

impl<Clock: Fn() -> Duration> RuleObserver for RuleTimes<Clock> {
    fn enter(&mut self, _: RuleId) {
        self.entered = (self.clock)();
    }

    fn leave(&mut self, rule: RuleId) {
        self.times[rule as usize] += (self.clock)().saturating_sub(self.entered);
    }
}

/// Runs the selected rules over a tree.
pub fn check(tree: &Tree, file: &FileContext, selection: &RuleSelection) -> Checked {
    check_observed(tree, file, selection, &mut ())
}

/// As [`check`], watched by an observer.
pub fn check_observed(
    tree: &Tree,
    file: &FileContext,
    selection: &RuleSelection,
    observer: &mut impl RuleObserver,
) -> Checked {
    let mut checked = Checked::default();
    if !selection.kinds().intersects(tree.kinds()) {
        return checked;
    }
    let context = Context::new(tree, file);
    let guard = Guard::enter();
    // One guard around the whole pass costs nothing for each node; the price is paid only after a panic, when the
    // file is looked at once more without the rule that failed.
    let mut failed: Vec<RuleId> = Vec::new();
    loop {
        let place = Cell::new((RuleId::CN0001, NodeId(0)));
        let findings = &mut checked.findings;
        let pass = AssertUnwindSafe(|| look(&context, selection, &failed, &place, observer, findings));
        let Err(payload) = catch_unwind(pass) else { break };
        let (rule, node) = place.get();
        let range = tree.node(node).range();
        checked
            .incidents
            .push(guard.incident(rule, range, IncidentWork::Find, payload.as_ref()));
        checked.findings.clear();
        failed.push(rule);
    }
    drop(guard);
    finish(tree, selection, &mut checked.findings);
    checked
}

fn look<'t>(
    context: &Context<'t>,
    selection: &RuleSelection,
    failed: &[RuleId],
    place: &Cell<(RuleId, NodeId)>,
    observer: &mut impl RuleObserver,
    findings: &mut Vec<Finding>,
) {
    for node in context.tree().nodes() {
        for &rule in selection.interested_in(node.kind()) {
            if !failed.is_empty() && failed.contains(&rule) {
                continue;
            }
            place.set((rule, node.id()));
            observer.enter(rule);
            rule.find(node, context, findings);
            observer.leave(rule);
        }
    }
}

/// Sorts the findings, gives them the severities of the selection and marks those that a pragma suppresses.
fn finish(tree: &Tree, selection: &RuleSelection, findings: &mut [Finding]) {
    if findings.is_empty() {
        return;
    }
    findings.sort_by_key(|finding| (finding.range.start, finding.rule, finding.range.end));
    let suppressions = Suppressions::of(tree);
    for finding in findings {
        if let Some(severity) = selection.severity(finding.rule) {
            finding.severity = severity;
        }
        let can_be_suppressed = finding.rule != RuleId::CN0001 && !suppressions.is_empty();
        finding.suppressed = can_be_suppressed && suppressions.is_suppressed(finding.rule.id(), finding.range.start);
    }
}
