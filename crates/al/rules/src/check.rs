//! The engine: shows each node of a tree to the rules that want to see it.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use candor_al_syntax::{NodeId, Tree};

use crate::context::Context;
use crate::incident::{Guard, IncidentWork};
use crate::suppression::SuppressionsOfId;
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
            .push(Incident::caught(rule, range, IncidentWork::Find, payload.as_ref()));
        checked.findings.clear();
        failed.push(rule);
    }
    drop(guard);
    finish(tree, selection, &mut checked.findings);
    checked
}

fn look(
    context: &Context<'_>,
    selection: &RuleSelection,
    failed: &[RuleId],
    place: &Cell<(RuleId, NodeId)>,
    observer: &mut impl RuleObserver,
    findings: &mut Vec<Finding>,
) {
    // Most files have nothing that some rules look for; for a file without any such node, its root is enough.
    let is_of_interest = selection.kinds().intersects(context.tree().kinds());
    let visited = if is_of_interest { usize::MAX } else { 1 };
    for node in context.tree().nodes().take(visited) {
        for &rule in selection.interested_in(node.kind()) {
            if !failed.is_empty() && failed.contains(&rule) {
                continue;
            }
            // Whoever speaks about broken code is not held back by it.
            if rule != RuleId::CN0001 && !context.is_intact(node) {
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
    let pragmas = Suppressions::in_text(tree);
    let mut suppressions: Vec<(RuleId, SuppressionsOfId)> = Vec::new();
    for finding in findings {
        let rule = finding.rule;
        if let Some(severity) = selection.severity(rule) {
            finding.severity = severity;
        }
        // A text that is not AL cannot be declared in order.
        if pragmas.is_empty() || rule == RuleId::CN0001 {
            continue;
        }
        let index = suppressions
            .iter()
            .position(|(known, _)| *known == rule)
            .unwrap_or_else(|| {
                suppressions.push((rule, pragmas.about(rule.id())));
                suppressions.len() - 1
            });
        finding.suppressed = suppressions[index].1.is_suppressed(finding.range.start);
    }
}

#[cfg(test)]
mod tests {
    use candor_al_syntax::{Symbols, parse};

    use super::*;
    use crate::Severity;

    /// Two rules find something here, and one of them twice.
    const TEXT: &str = "\
codeunit 50100 A
{
    Permissions = tabledata Customer = R;

    procedure B();
    begin
    end;

    procedure C();
    begin
    end;
}
";

    fn ids(checked: &Checked) -> Vec<&'static str> {
        checked.findings.iter().map(|finding| finding.rule.id()).collect()
    }

    #[test]
    fn findings_come_in_text_order_with_the_severities_of_the_selection() {
        let tree = parse(TEXT, &Symbols::none());
        let selection =
            RuleSelection::with_severities([(RuleId::FC0001, Severity::Hidden), (RuleId::FC0006, Severity::Error)]);
        let checked = check(&tree, &FileContext::default(), &selection);
        let severities: Vec<_> = checked.findings.iter().map(|finding| finding.severity).collect();
        assert_eq!(ids(&checked), ["FC0006", "FC0001", "FC0001"]);
        assert_eq!(severities, [Severity::Error, Severity::Hidden, Severity::Hidden]);
    }

    #[test]
    fn only_selected_rules_run_but_syntax_errors_are_always_reported() {
        let tree = parse(TEXT.replace("= R;", "= ;"), &Symbols::none());
        let checked = check(&tree, &FileContext::default(), &RuleSelection::of([]));
        assert_eq!(ids(&checked), ["CN0001"]);
    }

    /// Panics when a rule is about to look, as the rule itself might.
    struct Saboteur(RuleId);

    impl RuleObserver for Saboteur {
        fn enter(&mut self, rule: RuleId) {
            assert!(rule != self.0, "sabotage of {}", rule.id());
        }

        fn leave(&mut self, _: RuleId) {}
    }

    #[test]
    fn a_rule_that_panics_is_reported_and_the_others_go_on() {
        crate::install_panic_hook();
        let tree = parse(TEXT, &Symbols::none());
        let checked = check_observed(
            &tree,
            &FileContext::default(),
            &RuleSelection::of([RuleId::FC0001, RuleId::FC0006]),
            &mut Saboteur(RuleId::FC0001),
        );
        assert_eq!(ids(&checked), ["FC0006"]);
        let [incident] = checked.incidents.as_slice() else {
            panic!("one incident: {:?}", checked.incidents)
        };
        assert_eq!((incident.rule, incident.work), (RuleId::FC0001, IncidentWork::Find));
        assert!(
            tree.slice(incident.range).starts_with("procedure B();"),
            "the node that was visited"
        );
        assert_eq!(incident.message, "sabotage of FC0001");
        assert!(
            incident
                .location
                .as_ref()
                .is_some_and(|location| location.contains("check.rs:"))
        );
    }

    #[test]
    fn a_fix_that_panics_becomes_an_incident() {
        crate::install_panic_hook();
        let tree = parse(TEXT, &Symbols::none());
        let checked = check(&tree, &FileContext::default(), &RuleSelection::of([RuleId::FC0001]));
        // A tree of another text is the one thing a finding cannot cope with.
        let other = parse("codeunit 1 A { }", &Symbols::none());
        let finding = &checked.findings[0];
        let key = RuleId::FC0001.metadata().fixes[0].equivalence_key;
        let incident = finding.fix(key, &other).unwrap_err();
        assert_eq!(
            (incident.rule, incident.work, incident.range),
            (finding.rule, IncidentWork::Fix, finding.range)
        );
        assert_eq!(
            finding.message(&other),
            RuleId::FC0001.metadata().title,
            "the title stands in for the message"
        );
    }

    #[test]
    fn a_fix_is_found_by_its_key_as_written_and_by_no_other() {
        let tree = parse(TEXT, &Symbols::none());
        let checked = check(&tree, &FileContext::default(), &RuleSelection::of([RuleId::FC0001]));
        let finding = &checked.findings[0];
        let offered = finding.fixes(&tree).unwrap();
        let [fix] = offered.as_slice() else {
            panic!("one fix: {offered:?}")
        };
        assert!(finding.fix(fix.equivalence_key, &tree).unwrap().is_some());
        assert_eq!(finding.fix(&fix.equivalence_key.to_lowercase(), &tree), Ok(None));
        assert_eq!(finding.fix("", &tree), Ok(None));
    }

    #[test]
    fn time_is_added_up_for_each_rule_by_the_callers_clock() {
        let tree = parse(TEXT, &Symbols::none());
        let ticks = Cell::new(0);
        let clock = || {
            ticks.set(ticks.get() + 1);
            Duration::from_millis(ticks.get())
        };
        let mut times = RuleTimes::new(clock);
        let selection = RuleSelection::of([RuleId::FC0001]);
        check_observed(&tree, &FileContext::default(), &selection, &mut times);
        assert_eq!(
            times.of(RuleId::FC0001),
            Duration::from_millis(2),
            "two procedures, a tick each"
        );
        assert_eq!(times.of(RuleId::CN0001), Duration::from_millis(1), "one file");
        assert_eq!(times.of(RuleId::LC0095), Duration::ZERO);
        let other = times.clone();
        times.add(&other);
        assert_eq!(times.of(RuleId::FC0001), Duration::from_millis(4));
    }
}
