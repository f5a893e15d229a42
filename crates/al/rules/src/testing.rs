//! How rules are tested.
//!
//! A rule's tests are a list of cases, each a small text with the expected result beside it. `[|…|]` marks where
//! findings have to be: exactly there, and nowhere else. Every case runs with both kinds of line end.
//!
//! [`Tester::run`] demands of every rule that it is seen flagging, silent and speaking, and that each of its fixes is
//! seen at work.

use std::sync::Arc;

use candor_al_model::{AppDescription, FileId, Universe, declarations_of};
use candor_al_syntax::{Symbols, TextRange, Tree, parse};

use crate::project::ProjectTester;
use crate::{
    Checked, ChosenFix, Cop, FileContext, Finding, FixProvider, RuleId, RuleSelection, RuntimeVersion, Translations,
    Workspace, check, fix_all,
};

/// The cases of one rule.
pub(crate) struct Tester {
    rule: RuleId,
    file: FileContext,
    /// Other files of the project.
    others: Vec<&'static str>,
    cases: Vec<Case>,
    /// Those of a rule about projects, which has no others.
    project_cases: Option<ProjectTester>,
}

struct Case {
    name: &'static str,
    text: String,
    file: FileContext,
    others: Vec<&'static str>,
    expected: Expected,
}

enum Expected {
    /// Live findings exactly at the marks.
    Findings,
    /// Findings exactly at the marks, every one suppressed.
    Suppressed,
    /// No finding.
    Silence,
    /// Findings exactly at the marks, or none, in text that has syntax errors.
    InBrokenText,
    /// One finding that says this.
    Message(&'static str),
    /// At least one finding, and the text afterwards.
    FixedText(&'static FixProvider, String),
    /// At least one finding, and nothing offered for any.
    NoFix(&'static FixProvider),
}

impl Tester {
    pub(crate) fn new(rule: RuleId) -> Self {
        Self {
            rule,
            file: FileContext::default(),
            others: Vec::new(),
            cases: Vec::new(),
            project_cases: None,
        }
    }

    /// The cases of a rule about projects.
    pub(crate) fn about_projects(mut self, cases: ProjectTester) -> Self {
        self.project_cases = Some(cases);
        self
    }

    /// From here on, projects run on this runtime.
    pub(crate) fn on_runtime(self, major: u16, minor: u16) -> Self {
        self.in_project(|file| file.runtime = Some(RuntimeVersion::new(major, minor)))
    }

    /// From here on, projects are like this.
    pub(crate) fn in_project(mut self, change: impl FnOnce(&mut FileContext)) -> Self {
        change(&mut self.file);
        self
    }

    /// From here on, projects have this file as well.
    pub(crate) fn with_file(mut self, text: &'static str) -> Self {
        self.others.push(text);
        self
    }

    /// Findings exactly at the marks.
    pub(crate) fn flags(self, name: &'static str, text: &str) -> Self {
        self.case(name, text, Expected::Findings)
    }

    /// Findings exactly at the marks (or none), in text that has syntax errors.
    pub(crate) fn flags_broken(self, name: &'static str, text: &str) -> Self {
        self.case(name, text, Expected::InBrokenText)
    }

    /// No finding.
    pub(crate) fn silent(self, name: &'static str, text: &str) -> Self {
        self.case(name, text, Expected::Silence)
    }

    /// Findings exactly at the marks, all of them suppressed by a pragma.
    pub(crate) fn suppressed(self, name: &'static str, text: &str) -> Self {
        self.case(name, text, Expected::Suppressed)
    }

    /// One finding, worded like this.
    pub(crate) fn says(self, name: &'static str, text: &str, message: &'static str) -> Self {
        self.case(name, text, Expected::Message(message))
    }

    /// Repairing every finding with the rule's only fix gives `after`.
    pub(crate) fn fixes(self, name: &'static str, before: &str, after: &str) -> Self {
        let [fix] = self.rule.metadata().fixes else {
            panic!(
                "{}: `fixes` is for rules with one fix, use `fixes_with`",
                self.rule.id()
            )
        };
        self.case(name, before, Expected::FixedText(fix, dedent(after)))
    }

    /// Repairing every finding with the fix of this key gives `after`.
    pub(crate) fn fixes_with(self, key: &str, name: &'static str, before: &str, after: &str) -> Self {
        let fix = self.fix(key);
        self.case(name, before, Expected::FixedText(fix, dedent(after)))
    }

    /// There are findings, but the fix of this key has nothing to offer for any of them.
    pub(crate) fn offers_no_fix(self, key: &str, name: &'static str, text: &str) -> Self {
        let fix = self.fix(key);
        self.case(name, text, Expected::NoFix(fix))
    }

    fn fix(&self, key: &str) -> &'static FixProvider {
        self.rule
            .metadata()
            .fix(key)
            .unwrap_or_else(|| panic!("{} has no fix `{key}`", self.rule.id()))
    }

    fn case(mut self, name: &'static str, text: &str, expected: Expected) -> Self {
        let file = self.file.clone();
        self.cases.push(Case {
            name,
            text: dedent(text),
            file,
            others: self.others.clone(),
            expected,
        });
        self
    }

    /// Runs all cases and panics with the list of those that fail.
    pub(crate) fn run(mut self) {
        if let Some(cases) = self.project_cases.take() {
            let failures = cases.failures(self.rule);
            assert!(failures.is_empty(), "{}:\n\n{}", self.rule.id(), failures.join("\n\n"));
            return;
        }
        let mut failures: Vec<String> = Vec::new();
        for case in &self.cases {
            for line_end in ["\n", "\r\n"] {
                if let Err(problem) = case.run(self.rule, line_end) {
                    failures.push(format!("{} with line end {line_end:?}: {problem}", case.name));
                    break;
                }
            }
        }
        failures.extend(self.missing().into_iter().map(|what| format!("no case shows {what}")));
        assert!(failures.is_empty(), "{}:\n\n{}", self.rule.id(), failures.join("\n\n"));
    }

    fn missing(&self) -> Vec<String> {
        let has = |is_one: &dyn Fn(&Expected) -> bool| self.cases.iter().any(|case| is_one(&case.expected));
        let mut missing = Vec::new();
        if !has(&|case| matches!(case, Expected::Findings | Expected::InBrokenText)) {
            missing.push("the rule flagging something".to_owned());
        }
        if !has(&|case| matches!(case, Expected::Silence)) {
            missing.push("the rule being silent".to_owned());
        }
        if !has(&|case| matches!(case, Expected::Message(_))) {
            missing.push("what the rule says".to_owned());
        }
        for fix in self.rule.metadata().fixes {
            if !has(&|case| matches!(case, Expected::FixedText(shown, _) if shown == &fix)) {
                missing.push(format!("the fix `{}` at work", fix.equivalence_key));
            }
        }
        missing
    }
}

impl Case {
    fn run(&self, rule: RuleId, line_end: &str) -> Result<(), String> {
        let with_line_ends = |text: &str| text.replace('\n', line_end);
        let (text, marks) = unmark(&with_line_ends(&self.text));
        let tree = parse(text, &Symbols::none());
        let is_broken = !tree.errors().is_empty();
        let may_be_broken = matches!(self.expected, Expected::InBrokenText) || rule == RuleId::CN0001;
        if is_broken && !may_be_broken {
            return Err(format!("the text has syntax errors:\n{tree:?}"));
        }
        let file = in_project_of(&tree, &self.others, self.file.clone());
        let Checked { findings, incidents } = check(&tree, &file, &RuleSelection::of([rule]));
        if !incidents.is_empty() {
            return Err(format!("{incidents:?}"));
        }
        let findings: Vec<Finding> = findings.into_iter().filter(|finding| finding.rule == rule).collect();
        match &self.expected {
            Expected::Suppressed => same_places(&tree, &findings, &marks, true),
            Expected::InBrokenText if !is_broken => Err("the text has no syntax error".to_owned()),
            Expected::Findings | Expected::InBrokenText => same_places(&tree, &findings, &marks, false),
            Expected::Silence => same_places(&tree, &findings, &[], false),
            Expected::Message(expected) => match findings.as_slice() {
                [finding] if finding.message(&tree) == *expected => Ok(()),
                [finding] => Err(format!("it says: {}", finding.message(&tree))),
                _ => Err(format!("{} findings instead of one", findings.len())),
            },
            Expected::FixedText(fix, after) => {
                if findings.is_empty() {
                    return Err("nothing is found that could be repaired".to_owned());
                }
                let chosen = ChosenFix { rule, fix };
                let fixed = repair(&tree, &file, chosen)?;
                same_text(&fixed, &with_line_ends(after))
            }
            Expected::NoFix(fix) => {
                if findings.is_empty() {
                    return Err("nothing is found at all".to_owned());
                }
                let offered = |finding: &Finding| finding.fix(fix.equivalence_key, &tree) != Ok(None);
                if findings.iter().any(offered) {
                    Err("a fix is offered".to_owned())
                } else {
                    Ok(())
                }
            }
        }
    }
}

/// The facts for a file whose project consists of it and some others.
pub(crate) fn in_project_of(tree: &Tree, others: &[&str], file: FileContext) -> FileContext {
    let other_trees = others.iter().map(|text| parse(*text, &Symbols::none()));
    let mut declarations = vec![Arc::new(declarations_of(tree).0)];
    declarations.extend(other_trees.map(|tree| Arc::new(declarations_of(&tree).0)));
    let mut universe = Universe::new();
    universe.add_app(AppDescription::default(), declarations);
    file.in_workspace(Workspace::new(Arc::new(universe), FileId(0)))
}

/// The facts for a file that is all of its project.
fn alone(tree: &Tree) -> FileContext {
    in_project_of(tree, &[], FileContext::default())
}

/// Makes one fix everywhere and holds it to what is promised of every fix: no new syntax error, an end, and nothing
/// left to do afterwards.
pub(crate) fn repair(tree: &Tree, file: &FileContext, chosen: ChosenFix) -> Result<Arc<str>, String> {
    let symbols = &Symbols::none();
    let fixed = fix_all(tree, symbols, file, &[chosen]);
    if !fixed.problems.is_empty() || !fixed.incidents.is_empty() {
        return Err(format!("{:?} {:?}", fixed.problems, fixed.incidents));
    }
    if !fixed.is_changed() {
        return Err("the fix changes nothing".to_owned());
    }
    let again = fix_all(&fixed.tree, symbols, file, &[chosen]);
    if again.is_changed() {
        return Err(format!(
            "the fix is not idempotent, a second run gives\n{}",
            again.text()
        ));
    }
    Ok(fixed.text())
}

fn same_places(tree: &Tree, findings: &[Finding], marks: &[TextRange], suppressed: bool) -> Result<(), String> {
    let found: Vec<TextRange> = findings.iter().map(|finding| finding.range).collect();
    if found != marks {
        let show = |ranges: &[TextRange]| {
            ranges
                .iter()
                .map(|&range| format!("  {range:?} {}", tree.slice(range)))
                .collect::<Vec<_>>()
                .join("\n")
        };
        return Err(format!(
            "expected findings at\n{}\nbut found\n{}",
            show(marks),
            show(&found)
        ));
    }
    if findings.iter().any(|finding| finding.suppressed != suppressed) {
        return Err(format!(
            "expected every finding to be {}",
            if suppressed { "suppressed" } else { "live" }
        ));
    }
    Ok(())
}

fn same_text(found: &str, expected: &str) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!(
        "expected\n{expected}\nbut the fix gives\n{found}\n({expected:?}\n{found:?})"
    ))
}

/// Takes the marks out of a text.
fn unmark(marked: &str) -> (String, Vec<TextRange>) {
    let (mut text, mut marks, mut open) = (String::new(), Vec::new(), Vec::new());
    let mut rest = marked;
    while let Some(index) = rest.find(['[', '|']) {
        text.push_str(&rest[..index]);
        rest = &rest[index..];
        if let Some(behind) = rest.strip_prefix("[|") {
            open.push(text.len() as u32);
            rest = behind;
        } else if let Some(behind) = rest.strip_prefix("|]") {
            let start = open.pop().expect("a mark that ends has begun");
            marks.push(TextRange::new(start, text.len() as u32));
            rest = behind;
        } else {
            text.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    assert!(open.is_empty(), "a mark that begins has to end");
    text.push_str(rest);
    marks.sort();
    (text, marks)
}

/// A text as it would stand at the left margin: without the line end it begins with, and without the blanks that all
/// its lines share. Directives stand where they stand, which for the sake of the reader may be further left.
fn dedent(text: &str) -> String {
    let text = text.strip_prefix('\n').unwrap_or(text);
    let is_blank = |line: &&str| line.trim().is_empty();
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let margin = text
        .lines()
        .filter(|line| !is_blank(line))
        .map(indentation)
        .min()
        .unwrap_or(0);
    let lines = text
        .split('\n')
        .map(|line| if is_blank(&line) { "" } else { &line[margin..] });
    lines.collect::<Vec<_>>().join("\n")
}

/// The examples of a rule's page: the code blocks of one section.
fn examples(rule: RuleId, section: &str) -> Vec<&'static str> {
    let documentation = rule.metadata().documentation;
    let heading = format!("## {section}\n");
    let start = documentation
        .find(&heading)
        .map_or(documentation.len(), |index| index + heading.len());
    let rest = &documentation[start..];
    let mut rest = &rest[..rest.find("\n## ").unwrap_or(rest.len())];
    let mut found = Vec::new();
    while let Some(begin) = rest.find("```al\n") {
        let body = &rest[begin + "```al\n".len()..];
        let end = body.find("```").expect("a code block ends");
        found.push(&body[..end]);
        rest = &body[end + 3..];
    }
    found
}

/// The project that the examples of a rule belong to.
fn project_of_examples(rule: RuleId) -> FileContext {
    let mut file = FileContext::default();
    if rule == RuleId::LC0091 {
        let languages = [("de-DE".to_owned(), Arc::from([]))];
        file.translations = Some(Translations::new(languages, Arc::from([]), 0));
    }
    file
}

/// The rules that look at AL files, and whose examples are AL; those of the others are tested where settings are read.
fn rules_about_files() -> impl Iterator<Item = RuleId> {
    RuleId::ALL.iter().copied().filter(|rule| !rule.is_about_projects())
}

/// Rules that report every method, however good it is.
const MEASURING: &[RuleId] = &[RuleId::LC0007, RuleId::LC0009];

/// The rules that have something to say about the examples of a rule: it, and all others but those that only measure.
/// Rules about documentation judge each other's examples alone; all the rest are shorter without any.
fn judges_of(rule: RuleId) -> RuleSelection {
    let has_say = |judge: RuleId| {
        let about_documentation = judge.metadata().cop == Cop::Documentation;
        !MEASURING.contains(&judge) && (!about_documentation || rule.metadata().cop == Cop::Documentation)
    };
    let is_judge = |judge: &RuleId| *judge == rule || has_say(*judge);
    RuleSelection::of(RuleId::ALL.iter().copied().filter(is_judge))
}

#[test]
fn every_example_on_a_page_is_flagged_exactly_once_by_its_rule() {
    for rule in rules_about_files() {
        let examples = examples(rule, "Example");
        assert!(!examples.is_empty(), "{}: no example", rule.id());
        for example in examples {
            let tree = parse(example, &Symbols::none());
            let is_broken = !tree.errors().is_empty();
            assert_eq!(is_broken, rule == RuleId::CN0001, "{}: {tree:?}", rule.id());
            let checked = check(
                &tree,
                &in_project_of(&tree, &[], project_of_examples(rule)),
                &RuleSelection::of([rule]),
            );
            assert_eq!(checked.findings.len(), 1, "{}: {example}", rule.id());
        }
    }
}

#[test]
fn every_fix_repairs_the_examples_of_its_rule_for_good_and_makes_no_work_for_another() {
    for rule in rules_about_files() {
        let all = judges_of(rule);
        for fix in rule.metadata().fixes {
            for example in examples(rule, "Example") {
                let tree = parse(example, &Symbols::none());
                let file = alone(&tree);
                let fixed = repair(&tree, &file, ChosenFix { rule, fix })
                    .unwrap_or_else(|problem| panic!("{} `{}`: {problem}", rule.id(), fix.equivalence_key));
                let before = check(&tree, &file, &all).findings;
                let fixed = parse(fixed, &Symbols::none());
                let after = check(&fixed, &alone(&fixed), &all).findings;
                let number_of = |findings: &[Finding], rule| findings.iter().filter(|it| it.rule == rule).count();
                assert_eq!(number_of(&after, rule), 0, "{} `{}`", rule.id(), fix.equivalence_key);
                for &other in RuleId::ALL {
                    let is_new = number_of(&after, other) > number_of(&before, other);
                    assert!(!is_new, "`{}` makes work for {}", fix.equivalence_key, other.id());
                }
            }
        }
    }
}

#[test]
fn all_rules_together_are_silent_over_every_better_example() {
    for rule in rules_about_files() {
        let all = judges_of(rule);
        let examples = examples(rule, "Better");
        let has_better_form = !MEASURING.contains(&rule);
        assert_eq!(!examples.is_empty(), has_better_form, "{}: better examples", rule.id());
        for example in examples {
            let tree = parse(example, &Symbols::none());
            let findings = check(&tree, &in_project_of(&tree, &[], project_of_examples(rule)), &all).findings;
            let said: Vec<String> = findings
                .iter()
                .map(|finding| format!("{}: {}", finding.rule.id(), finding.message(&tree)))
                .collect();
            assert!(
                said.is_empty(),
                "the better example of {} is flagged: {said:?}",
                rule.id()
            );
        }
    }
}

#[test]
fn marks_are_taken_out_and_the_margin_too() {
    let (text, marks) = unmark(&dedent("\n    a [|b|] c[1]\n      [|[d]|]\n"));
    assert_eq!(text, "a b c[1]\n  [d]\n");
    assert_eq!(marks, [TextRange::new(2, 3), TextRange::new(11, 14)]);
}

#[test]
#[should_panic(expected = "no case shows the fix `")]
fn a_fix_that_no_case_shows_at_work_fails_the_tests_of_its_rule() {
    let fixable = RuleId::ALL
        .iter()
        .find(|rule| !rule.metadata().fixes.is_empty())
        .expect("some rule has a fix");
    Tester::new(*fixable).silent("nothing", "codeunit 1 A { }").run();
}

/// Every text that differs from `text` by one token that is missing, if that makes it something else than AL.
fn damaged(text: &str) -> impl Iterator<Item = Tree> {
    let tree = parse(text, &Symbols::none());
    let number_of_tokens = tree.tokens().len() as u32;
    (0..number_of_tokens).filter_map(move |index| {
        let token = tree.token(index);
        if token.kind().is_trivia() {
            return None;
        }
        let range = token.range().as_usize();
        let rest = format!("{} {}", &tree.text()[..range.start], &tree.text()[range.end..]);
        Some(parse(rest, &Symbols::none())).filter(|tree| !tree.errors().is_empty())
    })
}

#[test]
fn nothing_is_said_about_good_code_that_is_broken_in_one_place() {
    for rule in rules_about_files() {
        let all = judges_of(rule);
        for example in examples(rule, "Better") {
            for tree in damaged(example) {
                let findings = check(&tree, &alone(&tree), &all).findings;
                let said = findings.iter().find(|finding| finding.rule != RuleId::CN0001);
                assert!(said.is_none(), "{said:?} about\n{}", tree.text());
            }
        }
    }
}

#[test]
fn broken_code_breaks_no_rule_and_no_fix() {
    let all = RuleSelection::all();
    for rule in rules_about_files() {
        for example in examples(rule, "Example") {
            for tree in damaged(example) {
                let file = alone(&tree);
                let checked = check(&tree, &file, &all);
                assert_eq!(checked.incidents, [], "{}", tree.text());
                for finding in &checked.findings {
                    assert!(!finding.message(&tree).is_empty());
                }
                for fix in rule.metadata().fixes {
                    let fixed = fix_all(&tree, &Symbols::none(), &file, &[ChosenFix { rule, fix }]);
                    assert!(
                        fixed.problems.is_empty() && fixed.incidents.is_empty(),
                        "{}",
                        tree.text()
                    );
                }
            }
        }
    }
}
