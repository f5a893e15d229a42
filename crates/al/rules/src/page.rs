//! The page of a rule, and the index of all: Markdown made from what the rule files say.
//!
//! The body of a page is written in the rule file. Its sections are fixed, so that every page answers the same
//! questions in the same order, and its examples are run as tests: see `testing.rs`.

use std::fmt::Write;

use crate::{Cop, Origin, RuleId, Safety};

/// The sections of a page's body, in order. Those marked with `false` may be left out.
#[cfg(test)]
pub(crate) const SECTIONS: &[(&str, bool)] = &[
    ("What it flags", true),
    ("Why", true),
    ("Example", true),
    ("Better", true),
    ("Settings", false),
    ("When to ignore it", false),
    ("Fix", false),
];

/// The page of a rule, in Markdown. Stable: the same program writes the same page.
pub fn page(rule: RuleId) -> String {
    let metadata = rule.metadata();
    let mut page = format!("# {}: {}\n\n", metadata.id, metadata.title);
    let on = if metadata.enabled_by_default { "yes" } else { "no" };
    let mut row = |name: &str, value: &str| {
        let _ = writeln!(page, "| {name} | {value} |");
    };
    row("Name", metadata.name);
    row("---", "---");
    row("Cop", metadata.cop.name());
    row("Category", metadata.category.name());
    row("Severity", metadata.severity.name());
    row("On by default", on);
    for fix in metadata.fixes {
        row(
            "Fix",
            &format!("{} (`{}`, {})", fix.title, fix.equivalence_key, fix.safety),
        );
    }
    let settings = if metadata.settings.is_empty() {
        "none".to_owned()
    } else {
        metadata.settings.join(", ")
    };
    row("Settings", &settings);
    page.push('\n');
    page.push_str(metadata.documentation.trim());
    page.push_str("\n\n## Origin\n\n");
    match metadata.origin {
        Origin::Same(origin) => {
            let _ = write!(page, "The same rule as {origin}");
            if let Some(address) = metadata.help_uri() {
                let _ = write!(page, ", <{address}>");
            }
            page.push_str(", written anew. Rulesets and pragmas that name its id keep working.\n");
        }
        Origin::Own => page.push_str("Candor's own.\n"),
    }
    page
}

/// The index of all rules, in Markdown: by cop, by what they need, and by their fixes. It links to
/// `<id in lower case>.md` beside it.
pub fn index() -> String {
    let mut index = String::from("# Rules\n\n");
    let fixable = RuleId::ALL
        .iter()
        .filter(|rule| !rule.metadata().fixes.is_empty())
        .count();
    let _ = write!(
        index,
        "{} rules, {fixable} of them with a fix. A *cop* is a set of rules that is switched on and off together. Which \
         rules run in a project, and with which severity, is told in [Configuration](../configuration.md); what *safe* and \
         *unsafe* mean, in [Fixes](../fixes.md). `candor-al rules` prints this list, `candor-al rule ID` a page of it.\n\n\
         [By cop](#by-cop) · [by what they need](#by-what-they-need) · [by fix](#by-fix)\n\n## By cop\n",
        RuleId::ALL.len()
    );
    for &cop in Cop::ALL {
        let _ = writeln!(index, "\n### {}\n", cop.name());
        index.push_str("| Id | Title | Severity | On by default | Fix |\n|---|---|---|---|---|\n");
        for rule in RuleId::of_cop(cop) {
            let metadata = rule.metadata();
            let mut safeties: Vec<_> = metadata.fixes.iter().map(|fix| fix.safety.name()).collect();
            safeties.dedup();
            let _ = writeln!(
                index,
                "| {} | {} | {} | {} | {} |",
                link(rule),
                metadata.title,
                metadata.severity,
                if metadata.enabled_by_default { "yes" } else { "no" },
                safeties.join(", "),
            );
        }
    }
    index.push_str("\n## By what they need\n\n");
    let mut needs: Vec<&str> = RuleId::ALL.iter().map(|&rule| need(rule)).collect();
    needs.sort_unstable();
    needs.dedup();
    for wanted in needs {
        list(&mut index, wanted, |rule| need(rule) == wanted);
    }
    index.push_str("\n## By fix\n\n");
    let has = |rule: RuleId, safety: Safety| rule.metadata().fixes.iter().any(|fix| fix.safety == safety);
    list(&mut index, "a safe fix", |rule| has(rule, Safety::Safe));
    list(&mut index, "an unsafe fix", |rule| has(rule, Safety::Unsafe));
    list(&mut index, "no fix", |rule| rule.metadata().fixes.is_empty());
    index
}

fn link(rule: RuleId) -> String {
    format!("[{}]({}.md)", rule.id(), rule.id().to_ascii_lowercase())
}

fn need(rule: RuleId) -> &'static str {
    rule.metadata().needs.in_words()
}

/// A list item with the rules that are wanted, if there are any.
fn list(index: &mut String, what: &str, is_wanted: impl Fn(RuleId) -> bool) {
    let links: Vec<_> = RuleId::ALL
        .iter()
        .copied()
        .filter(|&rule| is_wanted(rule))
        .map(link)
        .collect();
    if !links.is_empty() {
        let _ = writeln!(index, "* **{}** ({}): {}", what, links.len(), links.join(", "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_its_facts_and_its_sections_in_order() {
        for &rule in RuleId::ALL {
            let page = page(rule);
            assert!(page.starts_with(&format!("# {}: ", rule.id())), "{page}");
            let mut rest = rule.metadata().documentation.trim();
            for &(section, is_required) in SECTIONS {
                let heading = format!("## {section}\n");
                let is_present = rest.starts_with(&heading);
                assert!(
                    is_present || !is_required,
                    "{}: section `{section}` is missing or misplaced",
                    rule.id()
                );
                if is_present {
                    rest = &rest[heading.len()..];
                    rest = rest.find("\n## ").map_or("", |index| &rest[index + 1..]);
                }
            }
            assert_eq!(rest, "", "{}: a section that pages do not have", rule.id());
            let has_fix_section = page.contains("\n## Fix\n");
            assert_eq!(
                has_fix_section,
                !rule.metadata().fixes.is_empty(),
                "{}: section `Fix`",
                rule.id()
            );
            assert!(!rule.metadata().description().is_empty());
            assert!(
                page.lines().all(|line| line.trim_end() == line),
                "{}: blanks at a line end",
                rule.id()
            );
        }
    }

    #[test]
    fn every_rule_is_in_each_part_of_the_index_once() {
        let index = index();
        let (cops, rest) = index.split_once("\n## By what they need\n").unwrap();
        let (needs, fixes) = rest.split_once("\n## By fix\n").unwrap();
        for &rule in RuleId::ALL {
            let link = link(rule);
            for part in [cops, needs] {
                assert_eq!(part.matches(&link).count(), 1, "{}", rule.id());
            }
            let has_fixes = rule.metadata().fixes.len();
            let times = fixes.matches(&link).count();
            assert!((1..=has_fixes.max(1)).contains(&times), "{}", rule.id());
        }
    }
}
