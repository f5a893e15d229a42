//! Repairs a whole text: every finding of the chosen fixes, until nothing is left to repair.

use std::sync::Arc;

use candor_al_syntax::edit::EditSet;
use candor_al_syntax::{Symbols, Tree, parse};

use crate::{FileContext, FixProvider, Incident, RuleId, RuleSelection, check};

/// More passes than any rule needs: the longest honest chain removes the parameters of one procedure, every other one
/// in a pass.
const MAXIMUM_PASSES: u32 = 20;

/// A fix to make wherever its rule finds something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChosenFix {
    /// The rule.
    pub rule: RuleId,
    /// One of the fixes in its metadata.
    pub fix: &'static FixProvider,
}

impl ChosenFix {
    /// The fix of `rule` with this key.
    pub fn new(rule: RuleId, equivalence_key: &str) -> Option<Self> {
        rule.metadata().fix(equivalence_key).map(|fix| Self { rule, fix })
    }
}

/// A text after its repair.
#[derive(Clone, Debug)]
pub struct FixedText {
    /// The tree of the repaired text; that of the original when nothing was done.
    pub tree: Tree,
    /// How many findings each fix repaired; only fixes that did something.
    pub repaired: Vec<(ChosenFix, usize)>,
    /// How often the text was changed.
    pub passes: u32,
    /// Faults of our own that the repair ran into. What they concern was left as it was.
    pub problems: Vec<FixProblem>,
    /// Rules that failed on the way.
    pub incidents: Vec<Incident>,
}

impl FixedText {
    /// The repaired text.
    pub fn text(&self) -> Arc<str> {
        self.tree.shared_text()
    }

    /// Whether anything was repaired.
    pub fn is_changed(&self) -> bool {
        self.passes > 0
    }
}

/// A fault of a fix: a bug of ours, to be reported as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FixProblem {
    /// The text had more syntax errors afterwards; the change was taken back and the fix given up for this text.
    BrokeSyntax(ChosenFix),
    /// The rule still found something to repair after the last pass.
    DidNotConverge(ChosenFix),
}

/// Makes the chosen fixes wherever their rules find something that no pragma suppresses, and looks again, until
/// nothing is left that can be repaired. In each pass, of two changes in each other's way the later one waits.
/// `symbols` are those that `tree` was parsed with.
pub fn fix_all(tree: &Tree, symbols: &Symbols, file: &FileContext, chosen: &[ChosenFix]) -> FixedText {
    let mut chosen = chosen.to_vec();
    let mut result = FixedText {
        tree: tree.clone(),
        repaired: Vec::new(),
        passes: 0,
        problems: Vec::new(),
        incidents: Vec::new(),
    };
    while !chosen.is_empty() {
        let pass = plan(&mut result, file, &chosen);
        if pass.edits.is_empty() {
            break;
        }
        if result.passes == MAXIMUM_PASSES {
            let unfinished = pass.repaired.iter().map(|&(fix, _)| FixProblem::DidNotConverge(fix));
            result.problems.extend(unfinished);
            break;
        }
        if let Some(tree) = apply(&result.tree, &pass.edits, symbols) {
            take(&mut result, tree, &pass.repaired);
            continue;
        }
        // Some fix broke the text. Try them one by one, so that only the guilty one is given up.
        let before = chosen.len();
        for &(fix, _) in &pass.repaired {
            let alone = plan(&mut result, file, &[fix]);
            if let Some(tree) = apply(&result.tree, &alone.edits, symbols) {
                take(&mut result, tree, &alone.repaired);
            } else {
                result.problems.push(FixProblem::BrokeSyntax(fix));
                chosen.retain(|other| *other != fix);
            }
        }
        if chosen.len() == before {
            // Each alone was fine, together they were not: they were made one after the other just now.
            result.passes += 1;
        }
    }
    result
}

/// The changes of one pass.
struct Pass {
    edits: EditSet,
    repaired: Vec<(ChosenFix, usize)>,
}

fn plan(result: &mut FixedText, file: &FileContext, chosen: &[ChosenFix]) -> Pass {
    let selection = RuleSelection::of(chosen.iter().map(|choice| choice.rule));
    let checked = check(&result.tree, file, &selection);
    let mut pass = Pass {
        edits: EditSet::new(),
        repaired: Vec::new(),
    };
    remember(&mut result.incidents, checked.incidents);
    for finding in checked.findings.iter().filter(|finding| !finding.suppressed) {
        for choice in chosen.iter().filter(|choice| choice.rule == finding.rule) {
            let edits = match finding.fix(choice.fix.equivalence_key, &result.tree) {
                Ok(edits) => edits,
                Err(incident) => {
                    remember(&mut result.incidents, [incident]);
                    None
                }
            };
            let Some(edits) = edits else { continue };
            if pass.edits.add_all(&edits).is_ok() {
                count(&mut pass.repaired, *choice, 1);
                break;
            }
        }
    }
    pass
}

/// The changed text's tree, unless it has more syntax errors than before.
fn apply(tree: &Tree, edits: &EditSet, symbols: &Symbols) -> Option<Tree> {
    let changed = parse(edits.apply(tree.text()), symbols);
    (changed.errors().len() <= tree.errors().len()).then_some(changed)
}

fn take(result: &mut FixedText, tree: Tree, repaired: &[(ChosenFix, usize)]) {
    if repaired.is_empty() {
        return;
    }
    result.tree = tree;
    result.passes += 1;
    for &(fix, number) in repaired {
        count(&mut result.repaired, fix, number);
    }
}

fn count(repaired: &mut Vec<(ChosenFix, usize)>, fix: ChosenFix, number: usize) {
    match repaired.iter_mut().find(|(present, _)| *present == fix) {
        Some((_, sum)) => *sum += number,
        None => repaired.push((fix, number)),
    }
}

fn remember(incidents: &mut Vec<Incident>, more: impl IntoIterator<Item = Incident>) {
    for incident in more {
        // The same rule fails the same way in every pass; once is enough to know.
        if !incidents
            .iter()
            .any(|known| known.rule == incident.rule && known.work == incident.work)
        {
            incidents.push(incident);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(text: &str, rules: &[(RuleId, usize)]) -> FixedText {
        let symbols = Symbols::none();
        let chosen: Vec<_> = rules
            .iter()
            .map(|&(rule, fix)| ChosenFix {
                rule,
                fix: &rule.metadata().fixes[fix],
            })
            .collect();
        fix_all(&parse(text, &symbols), &symbols, &FileContext::default(), &chosen)
    }

    const BOTH: &str = "codeunit 1 A { Permissions = tabledata B = R; procedure C(); begin end; }";

    #[test]
    fn several_fixes_are_made_in_one_pass() {
        let fixed = fixed(BOTH, &[(RuleId::FC0001, 0), (RuleId::FC0006, 0)]);
        let repaired: Vec<_> = fixed
            .repaired
            .iter()
            .map(|(choice, number)| (choice.rule, *number))
            .collect();
        assert_eq!(
            &*fixed.text(),
            "codeunit 1 A { Permissions = tabledata B = r; procedure C() begin end; }"
        );
        assert_eq!(repaired, [(RuleId::FC0006, 1), (RuleId::FC0001, 1)]);
        assert_eq!((fixed.passes, fixed.problems, fixed.incidents), (1, vec![], vec![]));
    }

    #[test]
    fn only_chosen_fixes_are_made() {
        let fixed = fixed(BOTH, &[(RuleId::FC0001, 0)]);
        assert_eq!(
            &*fixed.text(),
            "codeunit 1 A { Permissions = tabledata B = R; procedure C() begin end; }"
        );
    }

    #[test]
    fn suppressed_findings_are_left_alone() {
        let text = format!("#pragma warning disable FC0001\n{BOTH}");
        assert!(!fixed(&text, &[(RuleId::FC0001, 0)]).is_changed());
    }

    #[test]
    fn findings_in_each_others_way_are_repaired_one_after_the_other() {
        let text = "codeunit 1 A { procedure B(C: Integer; D: Integer; E: Integer; F: Integer) begin end; }";
        let fixed = fixed(text, &[(RuleId::LC0095, 0)]);
        assert_eq!(&*fixed.text(), "codeunit 1 A { procedure B() begin end; }");
        assert_eq!(fixed.repaired.iter().map(|(_, number)| number).sum::<usize>(), 4);
        assert!(fixed.passes > 1);
    }

    #[test]
    fn one_change_may_repair_several_findings() {
        let text = "\
codeunit 1 A
{
    Access = Internal;
    [IntegrationEvent(false, false)]
    local procedure B() begin end;
    [IntegrationEvent(false, false)]
    local procedure C() begin end;
}
";
        let fixed = fixed(text, &[(RuleId::AC0012, 0)]);
        assert_eq!(&*fixed.text(), text.replace("    Access = Internal;\n", ""));
        assert_eq!(fixed.repaired[0].1, 2);
    }

    #[test]
    fn of_two_fixes_for_one_finding_the_first_chosen_is_made() {
        let text = "codeunit 1 A { Access = Internal; [IntegrationEvent(false)] local procedure B() begin end; }";
        let fixed = fixed(text, &[(RuleId::AC0012, 1), (RuleId::AC0012, 0)]);
        assert_eq!(&*fixed.text(), text.replace("IntegrationEvent", "InternalEvent"));
    }

    #[test]
    fn broken_parts_are_left_alone_and_the_rest_is_repaired() {
        let text = "codeunit 1 A { procedure B(); begin x := ; end; procedure C(); begin end; }";
        let fixed = fixed(text, &[(RuleId::FC0001, 0)]);
        assert_eq!(&*fixed.text(), text.replace("C();", "C()"));
    }
}
