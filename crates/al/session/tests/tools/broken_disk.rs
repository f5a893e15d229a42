//! What a disk that fails in the wrong moment does to the writing tools.

use std::io::ErrorKind;
use std::sync::Arc;

use candor_al_session::tools::{AnalyzeArguments, ApplyFixAllArguments, ConflictKind, Scope};
use candor_al_session::{Answer, Cancellation, Session};
use candor_al_workspace::faults::{Effect, Fault, FaultyFileSystem, Operation};
use candor_al_workspace::file_system::Disk;

use crate::fixture::{PAGE, Project, kind};

fn session(project: &Project, faults: Vec<Fault>) -> Session {
    Session::with_files(Arc::new(FaultyFileSystem::new(Disk, faults)), vec![project.root()])
}

fn failing(operation: Operation, path: &str) -> Fault {
    Fault::new(operation, path, Effect::Fail(ErrorKind::PermissionDenied))
}

fn all(project: &Project) -> ApplyFixAllArguments {
    ApplyFixAllArguments {
        scope: Scope::Project,
        ..project.all("LC0020")
    }
}

#[test]
fn a_write_that_fails_leaves_the_file_and_says_so() {
    let project = Project::new(&[("a.al", PAGE)]);
    let session = session(&project, vec![failing(Operation::Rename, "a.al")]);
    let Answer { result, incidents } =
        session.apply_fix(&project.apply("a.al", "LC0020", 11, 17), &Cancellation::new());
    assert_eq!(kind(&result), "Faulted/WriteFailed");
    let envelope = result.unwrap_err().to_envelope();
    assert_eq!(envelope.fields()["detail"], "PermissionDenied");
    assert_eq!(envelope.fields()["filePath"], project.path("a.al"));
    assert_eq!(incidents[0].code, "write_failed");
    assert_eq!(project.text("a.al"), PAGE);
    assert_eq!(project.names(""), ["a.al", "app.json"], "no temporary file is left");
}

#[test]
fn a_file_that_cannot_be_read_any_more_is_told_apart() {
    let project = Project::new(&[("a.al", PAGE)]);
    let session = session(&project, vec![failing(Operation::Read, "a.al").after(1)]);
    let result = session
        .apply_fix(&project.apply("a.al", "LC0020", 11, 17), &Cancellation::new())
        .result;
    assert_eq!(kind(&result), "Faulted/ReadFailed");
}

#[test]
fn an_edit_between_looking_and_writing_is_never_overwritten() {
    let project = Project::new(&[("a.al", PAGE)]);
    let path = project.root().join("a.al");
    let theirs = PAGE.replace("Name'", "Nome'");
    let edit = {
        let (path, theirs) = (path, theirs.clone());
        Effect::First(Arc::new(move || std::fs::write(&path, &theirs).unwrap()))
    };
    let session = session(&project, vec![Fault::new(Operation::Read, "a.al", edit).after(1)]);
    let result = session
        .apply_fix(&project.apply("a.al", "LC0020", 11, 17), &Cancellation::new())
        .result;
    assert_eq!(kind(&result), "Stale");
    assert_eq!(project.text("a.al"), theirs);
}

#[test]
fn a_batch_is_set_back_when_one_of_its_files_cannot_be_written() {
    let project = Project::new(&[("a.al", PAGE), ("b.al", PAGE), ("c.al", PAGE)]);
    let session = session(&project, vec![failing(Operation::Rename, "b.al")]);
    let answer = session.apply_fix_all(&all(&project), &Cancellation::new());
    let result = answer.result.unwrap();
    assert!(!result.applied);
    let conflicts = result.conflicts.unwrap();
    let kinds: Vec<_> = conflicts.iter().map(|conflict| conflict.kind).collect();
    assert_eq!(
        kinds,
        [
            ConflictKind::RolledBack,
            ConflictKind::WriteFailed,
            ConflictKind::NotWritten
        ]
    );
    assert_eq!(result.files_changed.unwrap(), Vec::<String>::new());
    assert_eq!(result.changes.unwrap(), []);
    assert_eq!(result.unfixed_diagnostics.unwrap().len(), 3);
    assert!(result.message.unwrap().contains("could not be written"));
    for name in ["a.al", "b.al", "c.al"] {
        assert_eq!(project.text(name), PAGE);
    }
    let codes: Vec<_> = answer.incidents.iter().map(|incident| incident.code.as_str()).collect();
    assert_eq!(codes, ["write_failed"], "what follows from it is not recorded");
}

#[test]
fn an_unreadable_file_is_a_warning_and_the_rest_is_analysed() {
    let project = Project::new(&[("a.al", PAGE), ("b.al", PAGE)]);
    let session = session(&project, vec![failing(Operation::Read, "b.al").always()]);
    let Answer { result, incidents } = session.analyze(&AnalyzeArguments::default(), &Cancellation::new());
    let result = result.unwrap();
    assert_eq!(result.total_count, 1);
    assert!(result.warnings[0].contains("b.al"), "{:?}", result.warnings);
    assert_eq!(incidents[0].code, "unreadable_file");
}

#[test]
fn a_file_that_became_unreadable_is_no_file_of_another_project() {
    let project = Project::new(&[("a.al", PAGE), ("b.al", PAGE)]);
    let session = session(&project, vec![failing(Operation::Read, "a.al").after(1).always()]);
    let cancellation = Cancellation::new();
    let get = project.get("a.al", "LC0020", 11, 17);
    assert!(session.get_fixes(&get, &cancellation).result.is_ok());
    project.write("a.al", format!("// changed\n{PAGE}"));
    let result = session.get_fixes(&get, &cancellation).result;
    assert_eq!(kind(&result), "Faulted/ReadFailed");
    let error = result.unwrap_err();
    assert_eq!(error.to_envelope().fields()["filePath"], project.path("a.al"));
    assert!(error.message().contains("could not be read"), "{}", error.message());
    let result = session
        .apply_fix(&project.apply("a.al", "LC0020", 12, 17), &cancellation)
        .result;
    assert_eq!(kind(&result), "Faulted/ReadFailed");
    let document = ApplyFixAllArguments {
        scope: Scope::Document,
        file_path: Some(project.path("a.al")),
        ..project.all("LC0020")
    };
    let result = session.apply_fix_all(&document, &cancellation).result;
    assert_eq!(kind(&result), "Faulted/ReadFailed");
    let one_file = AnalyzeArguments {
        file_path: Some(project.path("a.al")),
        ..AnalyzeArguments::default()
    };
    assert_eq!(
        kind(&session.analyze(&one_file, &cancellation).result),
        "Faulted/ReadFailed"
    );
}

#[test]
fn a_cancelled_call_writes_nothing() {
    let project = Project::new(&[("a.al", PAGE)]);
    let cancellation = Cancellation::new();
    cancellation.cancel();
    let result = project
        .session
        .apply_fix(&project.apply("a.al", "LC0020", 11, 17), &cancellation)
        .result;
    assert_eq!(kind(&result), "Faulted");
    assert_eq!(project.text("a.al"), PAGE);
}
