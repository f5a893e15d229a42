//! What rules say about a project's manifest and settings.

use candor_al_rules::{Needs, RuleId};
use candor_al_session::tools::{AnalyzeArguments, Severity};
use candor_al_session::{Cancellation, Session};

use crate::fixture::{PAGE, Project, kind};

/// A manifest whose runtime, in line 4, is behind.
const BEHIND: &str = r#"{
  "name": "App",
  "application": "26.0.0.0",
  "runtime": "14.0",
  "suppressWarnings": ["DC0003", "DC0004", "DC0005", "DC0007", "DC0009"]
}"#;

fn all() -> AnalyzeArguments {
    AnalyzeArguments::default()
}

fn behind() -> Project {
    let project = Project::new(&[("src/a.al", PAGE)]);
    project.write("app.json", BEHIND);
    project
}

fn in_file(project: &Project, name: &str) -> AnalyzeArguments {
    AnalyzeArguments {
        file_path: Some(project.path(name)),
        ..all()
    }
}

fn in_folder(project: &Project, name: &str) -> AnalyzeArguments {
    AnalyzeArguments {
        folder_path: Some(project.path(name)),
        ..all()
    }
}

#[test]
fn a_manifest_is_part_of_its_project_and_its_folder_but_of_no_al_file() {
    let project = behind();
    let both = ["app.json:4:14 LC0033", "src/a.al:11:17 LC0020"];
    assert_eq!(project.found(&all()), both);
    assert_eq!(project.found(&in_folder(&project, "")), both);
    assert_eq!(project.found(&in_folder(&project, "src")), both[1..]);
    assert_eq!(project.found(&in_file(&project, "src/a.al")), both[1..]);
    assert_eq!(project.found(&in_file(&project, "app.json")), both[..1]);
    let result = project.analyze(&all()).unwrap();
    let found = &result.diagnostics[0];
    assert_eq!((found.end_line, found.end_column), (4, 20));
    assert_eq!((found.severity, found.has_fix), (Severity::Warning, false));
    assert_eq!(found.analyzer, "ALCops.LinterCop");
    assert_eq!(result.summary.by_analyzer.get("ALCops.LinterCop"), 2);
}

#[test]
fn a_settings_file_without_findings_is_a_success_and_one_of_another_project_is_not() {
    let project = Project::new(&[("a.al", PAGE)]);
    assert_eq!(
        project.found(&in_file(&project, "app.json")),
        Vec::<String>::new(),
        "nothing is wrong with it"
    );
    project.write("other.json", "{}");
    let result = project.analyze(&in_file(&project, "other.json"));
    assert_eq!(kind(&result), "NotFound/FileNotInProject");
}

#[test]
fn they_are_chosen_and_silenced_as_all_rules_are() {
    let project = behind();
    let of_rule = |id: &str| AnalyzeArguments {
        rule_ids: Some(vec![id.into()]),
        ..all()
    };
    assert_eq!(project.found(&of_rule("lc0033")), ["app.json:4:14 LC0033"]);
    let errors = AnalyzeArguments {
        severities: Some(vec![Severity::Error]),
        ..all()
    };
    assert_eq!(project.found(&errors), Vec::<String>::new());
    let others = AnalyzeArguments {
        analyzers: Some(vec!["FormattingCop".into()]),
        ..all()
    };
    assert_eq!(project.found(&others), Vec::<String>::new());
    project.write(
        "custom.ruleset.json",
        r#"{"rules": [{"id": "LC0033", "action": "Error"}]}"#,
    );
    assert_eq!(project.found(&errors), ["app.json:4:14 LC0033"]);
    project.write(
        "custom.ruleset.json",
        r#"{"rules": [{"id": "LC0033", "action": "None"}]}"#,
    );
    assert_eq!(project.found(&of_rule("LC0033")), Vec::<String>::new());
    project.write("custom.ruleset.json", "{}");
    project.write("app.json", BEHIND.replace("\"DC0003\"", "\"LC0033\""));
    assert_eq!(project.found(&of_rule("LC0033")), Vec::<String>::new());
    project.write("app.json", BEHIND.replace("14.0", "15.0"));
    assert_eq!(project.found(&all()), ["src/a.al:11:17 LC0020"]);
}

#[test]
fn settings_that_have_no_effect_are_a_warning_and_a_finding_with_their_place() {
    let project = Project::new(&[("a.al", PAGE)]);
    project.write(
        "alcops.json",
        "{\n  \"Cognitive\": 1,\n  \"CyclomaticComplexityThreshold\": 9\n}",
    );
    assert_eq!(project.found(&all()), ["a.al:11:17 LC0020", "alcops.json:2:3 CM0001"]);
    let result = project.analyze(&all()).unwrap();
    assert_eq!(
        result.warnings,
        [format!(
            "{}:2:3: the setting Cognitive does not exist; it is ignored",
            project.path("alcops.json")
        )]
    );
    let found = &result.diagnostics[1];
    assert_eq!((found.end_line, found.end_column), (2, 14));
    assert_eq!(found.analyzer, "ALCops.Common");
    assert_eq!(
        found.message,
        format!(
            "{} could not be fully applied: there is no setting Cognitive. Correct its name, or remove it.",
            project.path("alcops.json")
        )
    );
    project.write("alcops.json", "{\n  \"CyclomaticComplexityThreshold\": \"many\"\n}");
    let result = project.analyze(&in_file(&project, "alcops.json")).unwrap();
    assert_eq!(result.diagnostics[0].line, 2);
    assert!(
        result.diagnostics[0]
            .message
            .contains("CyclomaticComplexityThreshold must be a whole number"),
        "{result:?}"
    );
    project.write("alcops.json", "{}");
    assert_eq!(project.found(&all()), ["a.al:11:17 LC0020"]);
}

#[test]
fn a_ruleset_silences_the_finding_about_settings_and_never_the_warning() {
    let project = Project::new(&[("a.al", PAGE)]);
    project.write("alcops.json", "{");
    project.write(
        "custom.ruleset.json",
        r#"{"rules": [{"id": "CM0001", "action": "None"}]}"#,
    );
    let result = project.analyze(&all()).unwrap();
    assert_eq!(result.total_count, 1, "the page's");
    assert_eq!(result.warnings.len(), 1, "{:?}", result.warnings);
}

#[test]
fn the_settings_are_looked_at_whichever_of_the_cops_a_project_chooses() {
    let project = Project::new(&[("a.al", PAGE)]);
    project.write("alcops.json", r#"{"Nothing": 1}"#);
    project.write(
        ".vscode/settings.json",
        r#"{"al.codeAnalyzers": ["${analyzerFolder}ALCops.FormattingCop.dll"]}"#,
    );
    assert_eq!(project.found(&all()), ["alcops.json:1:2 CM0001"]);
}

#[test]
fn settings_that_projects_share_are_told_about_once() {
    let project = Project::new(&[("a.al", PAGE)]);
    let outside = project.outside();
    std::fs::create_dir(outside.join("other")).unwrap();
    std::fs::write(outside.join("other/app.json"), BEHIND).unwrap();
    std::fs::write(outside.join("alcops.json"), r#"{"Nothing": 1}"#).unwrap();
    let session = Session::new(vec![project.root(), outside.join("other")]);
    let ask = |folder_path| {
        let arguments = AnalyzeArguments { folder_path, ..all() };
        let result = session.analyze(&arguments, &Cancellation::new()).result.unwrap();
        let ids = result.diagnostics.into_iter().map(|one| one.id);
        ids.collect::<Vec<_>>()
    };
    let whole = Some(outside.display().to_string());
    assert_eq!(ask(whole), ["CM0001", "LC0020", "LC0033"]);
    assert_eq!(ask(None), ["CM0001", "LC0020"], "the first project alone");
}

#[test]
fn there_is_no_fix_for_them() {
    let project = behind();
    assert_eq!(
        kind(&project.get_fixes("app.json", "LC0033", 4, 14)),
        "NotFound/NoFixProvider"
    );
}

/// The examples of a section: the name of the file, which stands behind the language of the block, and its text.
fn examples(page: &str, section: &str) -> Vec<(String, String)> {
    let start = page.find(&format!("## {section}\n")).expect("the section");
    let rest = &page[start + 3..];
    let mut rest = &rest[..rest.find("\n## ").unwrap_or(rest.len())];
    let mut found = Vec::new();
    while let Some(begin) = rest.find("```json ") {
        let (name, body) = rest[begin + 8..].split_once('\n').unwrap();
        let end = body.find("```").unwrap();
        found.push((name.to_owned(), body[..end].to_owned()));
        rest = &body[end + 3..];
    }
    assert!(!found.is_empty(), "{page}");
    found
}

#[test]
fn the_examples_of_their_pages_are_flagged_once_and_the_better_ones_not_at_all() {
    for &rule in RuleId::ALL
        .iter()
        .filter(|rule| rule.metadata().needs == Needs::Project)
    {
        let page = candor_al_session::rules::page(rule.id()).unwrap();
        for (section, expected) in [("Example", 1), ("Better", 0)] {
            for (name, text) in examples(&page, section) {
                let project = Project::new(&[]);
                project.write(&name, &text);
                let found = project.found(&all());
                assert_eq!(found.len(), expected, "{text}");
                assert!(found.iter().all(|one| one.ends_with(rule.id())), "{found:?}");
            }
        }
    }
}
