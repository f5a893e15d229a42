//! What `list_rules` promises.

use candor_al_rules::RuleId;
use candor_al_session::tools::{ListRulesArguments, ListRulesResult};
use candor_al_session::{AlError, Cancellation, Session};
use serde_json::json;

use crate::fixture::{Project, kind};

fn list(project: &Project, arguments: &ListRulesArguments) -> Result<ListRulesResult, AlError> {
    project.session.list_rules(arguments, &Cancellation::new()).result
}

fn ids(result: &ListRulesResult) -> Vec<&str> {
    result.rules.iter().map(|rule| rule.id.as_str()).collect()
}

#[test]
fn rules_are_listed_by_id_with_their_cop() {
    let project = Project::new(&[]);
    let result = list(&project, &ListRulesArguments::default()).unwrap();
    let listed = ids(&result);
    let mut sorted = listed.clone();
    sorted.sort_unstable();
    assert_eq!(listed, sorted);
    let lc0020 = result.rules.iter().find(|rule| rule.id == "LC0020").unwrap();
    let keys = serde_json::to_value(lc0020)
        .unwrap()
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect::<Vec<_>>();
    assert_eq!(keys, ["id", "title", "cop"]);
    assert_eq!(lc0020.cop.as_deref(), Some("ALCops.LinterCop"));
}

#[test]
fn verbose_tells_everything_but_in_other_words() {
    let project = Project::new(&[]);
    let arguments = ListRulesArguments {
        cop_filter: Some("lintercop".into()),
        verbose: true,
        ..Default::default()
    };
    let result = list(&project, &arguments).unwrap();
    let lc0020 = result.rules.iter().find(|rule| rule.id == "LC0020").unwrap();
    let entry = serde_json::to_value(lc0020).unwrap();
    let keys: Vec<_> = entry.as_object().unwrap().keys().cloned().collect();
    let expected = [
        "id",
        "title",
        "description",
        "severity",
        "category",
        "copName",
        "hasCodeFix",
        "helpUri",
        "fixSafety",
    ];
    assert_eq!(keys, expected);
    assert_eq!(entry["hasCodeFix"], json!(true));
    assert_eq!(entry["severity"], json!("Warning"));
}

#[test]
fn cops_are_chosen_by_filter_and_by_analyzers() {
    let project = Project::new(&[]);
    // Every rule of a cop has its two letters, and no other rule has.
    for (filter, analyzers, letters) in [
        (Some("ALCops.LinterCop"), None, Some("LC")),
        (Some("LINTERCOP"), None, Some("LC")),
        (None, Some("FormattingCop"), Some("FC")),
        (Some("LinterCop"), Some("FormattingCop"), None),
    ] {
        let arguments = ListRulesArguments {
            cop_filter: filter.map(Into::into),
            analyzers: analyzers.map(|name| vec![name.into()]),
            ..Default::default()
        };
        let result = list(&project, &arguments).unwrap();
        let expected: Vec<_> = RuleId::ALL
            .iter()
            .map(|rule| rule.id())
            .filter(|id| letters.is_some_and(|letters| id.starts_with(letters)))
            .collect();
        assert_eq!(ids(&result), expected);
    }
    let blank = ListRulesArguments {
        cop_filter: Some(" ".into()),
        ..Default::default()
    };
    assert!(
        list(&project, &blank).unwrap().rules.len() > 5,
        "a blank filter is none"
    );
}

#[test]
fn unknown_cops_are_named_in_warnings() {
    let project = Project::new(&[]);
    let arguments = ListRulesArguments {
        cop_filter: Some("CodeCop".into()),
        analyzers: Some(vec!["UICop".into(), "LinterCop".into()]),
        ..Default::default()
    };
    let result = list(&project, &arguments).unwrap();
    assert_eq!(ids(&result), Vec::<&str>::new());
    assert!(
        result.warnings[0].contains("UICop") && result.warnings[1].contains("CodeCop"),
        "{:?}",
        result.warnings
    );
}

#[test]
fn without_a_project_the_answer_says_how_to_provide_one() {
    let session = Session::new(Vec::new());
    for project_path in [None, Some("/somewhere".to_owned())] {
        let arguments = ListRulesArguments {
            project_path,
            ..Default::default()
        };
        let result = session.list_rules(&arguments, &Cancellation::new()).result;
        assert_eq!(kind(&result), "Invalid");
        assert!(result.unwrap_err().message().contains("No AL project available"));
    }
}

#[test]
fn empty_analyzers_are_invalid() {
    let project = Project::new(&[]);
    let arguments = ListRulesArguments {
        analyzers: Some(Vec::new()),
        ..Default::default()
    };
    assert_eq!(kind(&list(&project, &arguments)), "Invalid");
}
