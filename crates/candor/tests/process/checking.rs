use super::{Ended, candor, on_stand_in};

#[test]
fn a_server_that_does_everything_right_has_full_points() {
    let ended = on_stand_in("check", &["--format", "json", "--fail-on", "note"], "plain");
    assert_eq!(ended.found(), Vec::<String>::new(), "{ended:?}");
    assert_eq!(ended.code, 0);
    let json = ended.json();
    assert_eq!(json["summary"]["score"], 100);
    assert_eq!(json["summary"]["toolsProbed"], 1);
    assert_eq!(json["server"]["name"], "stand-in");
    assert!(!ended.out.contains(":null"), "{}", ended.out);
}

#[test]
fn everything_careless_is_found() {
    let ended = on_stand_in("check", &["--format", "json"], "sloppy");
    assert_eq!(ended.code, 1);
    let found = ended.found();
    for name in [
        "name-invalid",
        "title-missing",
        "description-missing",
        "hints-missing",
        "input-open",
        "parameter-undescribed",
        "reference",
        "default-keyword",
        "default-unsaid",
        "type-list",
        "unknown-format",
        "array-without-items",
        "output-closed",
    ] {
        assert!(found.iter().any(|found| found == name), "{name} is not among {found:?}");
    }
}

#[test]
fn every_finding_says_who_breaks_and_what_to_do() {
    let json = on_stand_in("check", &["--format", "json"], "sloppy").json();
    for finding in json["findings"].as_array().unwrap() {
        for member in ["id", "name", "severity", "message", "reason", "advice", "page"] {
            assert!(
                finding[member].as_str().is_some_and(|text| !text.is_empty()),
                "{member}: {finding}"
            );
        }
    }
}

#[test]
fn a_liar_is_caught() {
    let found = on_stand_in("check", &["--format", "json"], "liar").found();
    for name in ["hints-contradict", "order-unstable"] {
        assert!(found.iter().any(|found| found == name), "{name} is not among {found:?}");
    }
}

#[test]
fn a_server_that_cannot_be_begun_with_ends_with_its_own_words() {
    let ended = on_stand_in("check", &[], "ends-at-once");
    assert_eq!(ended.code, 2);
    assert!(ended.errors.contains("no database at db.example"), "{ended:?}");
    let mute = on_stand_in("check", &["--start-timeout", "1"], "mute");
    assert_eq!(mute.code, 2);
    assert!(mute.errors.contains("could not be initialised"), "{mute:?}");
    let missing = Ended::of(
        &candor()
            .args(["check", "--", "no-such-program-anywhere"])
            .output()
            .unwrap(),
    );
    assert_eq!(missing.code, 2);
    assert!(missing.errors.contains("no-such-program-anywhere"), "{missing:?}");
    let nothing = Ended::of(&candor().arg("check").output().unwrap());
    assert_eq!(nothing.code, 2);
    assert!(nothing.errors.contains("which server?"), "{nothing:?}");
}

#[test]
fn no_server_keeps_the_checker_waiting_or_is_left_behind() {
    for (manner, expected) in [
        ("mute-later", "list-unreadable"),
        ("mute-in-calls", "failure-unanswered"),
        ("ends-in-calls", "failure-ends-server"),
        ("floods-one-line", "flood"),
        ("floods-pages", "list-unreadable"),
        ("noisy", "output-noise"),
    ] {
        let options = ["--timeout", "1", "--total-timeout", "30", "--format", "json"];
        let ended = on_stand_in("check", &options, manner);
        assert_eq!(ended.code, 1, "{manner}: {ended:?}");
        let found = ended.found();
        assert!(
            found.iter().any(|name| name == expected),
            "{manner}: {expected} is not among {found:?}"
        );
    }
    // These write as fast as they can; a bound in bytes ends it.
    for manner in ["floods-lines", "floods-errors"] {
        let ended = on_stand_in("check", &["--timeout", "2", "--total-timeout", "30"], manner);
        assert!(ended.code < 3, "{manner}: {ended:?}");
    }
    #[cfg(target_os = "linux")]
    for manner in [
        "mute-later",
        "mute-in-calls",
        "floods-one-line",
        "floods-lines",
        "floods-pages",
        "floods-errors",
    ] {
        super::assert_none_left(&format!("stand_in\0{manner}\0"));
    }
}

#[test]
fn a_check_can_be_left_out_and_the_report_says_so() {
    let ended = on_stand_in("check", &["--ignore", "order-unstable", "--format", "json"], "liar");
    assert!(!ended.found().contains(&"order-unstable".to_owned()), "{ended:?}");
    assert!(ended.out.contains("left out as asked: L001"), "{ended:?}");
}

#[test]
fn the_human_report_explains_itself() {
    let ended = on_stand_in("check", &[], "sloppy");
    for text in [
        "stand-in 1.0.0",
        "title-missing",
        "Score ",
        "an error costs up to",
        "candor explain ID",
    ] {
        assert!(ended.out.contains(text), "{text} is not in\n{}", ended.out);
    }
    assert!(
        !ended.out.contains('\u{1b}'),
        "no colours without a terminal: {}",
        ended.out
    );
}

#[test]
fn sarif_names_every_rule_it_uses() {
    let ended = on_stand_in("check", &["--format", "sarif", "--file", "src/server.ts"], "sloppy");
    let sarif = ended.json();
    let run = &sarif["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert!(!results.is_empty());
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!(place, "src/server.ts");
    }
}

#[test]
fn annotations_stay_on_their_line() {
    let ended = on_stand_in("check", &["--format", "github", "--file", "src/server.ts"], "sloppy");
    for line in ended.out.lines() {
        let is_annotation = ["::error file=src/server.ts,title=", "::warning file=", "::notice file="]
            .iter()
            .any(|start| line.starts_with(start));
        assert!(is_annotation, "{line}");
    }
}
