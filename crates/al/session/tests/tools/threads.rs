//! Several calls at once.

use std::thread;

use candor_al_session::Cancellation;
use candor_al_session::tools::AnalyzeArguments;

use crate::fixture::{FIXED_PAGE, PAGE, Project, kind};

#[test]
fn of_several_fixes_of_one_place_exactly_one_is_made() {
    let project = Project::new(&[("a.al", PAGE)]);
    let results: Vec<_> = thread::scope(|scope| {
        let calls: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| project.apply_fix(&project.apply("a.al", "LC0020", 11, 17))))
            .collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    for result in results.iter().filter(|result| result.is_err()) {
        let kind = kind(result);
        assert!(
            ["Stale", "NotFound/NoDiagnosticAtPosition"].contains(&kind.as_str()),
            "{kind}"
        );
    }
    assert_eq!(project.text("a.al"), FIXED_PAGE);
}

#[test]
fn every_answer_is_of_one_piece() {
    let names: Vec<String> = (0..20).map(|number| format!("{number:02}.al")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), PAGE)).collect();
    let project = Project::new(&files);
    thread::scope(|scope| {
        let fixing = scope.spawn(|| {
            for name in &names {
                project.apply_fix(&project.apply(name, "LC0020", 11, 17)).unwrap();
            }
        });
        let looks: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let mut last = usize::MAX;
                    while last > 0 {
                        let answer = project
                            .session
                            .analyze(&AnalyzeArguments::default(), &Cancellation::new());
                        let result = answer.result.unwrap();
                        assert_eq!(result.count, result.total_count);
                        assert!(result.total_count <= last, "what is fixed stays fixed");
                        last = result.total_count;
                    }
                })
            })
            .collect();
        fixing.join().unwrap();
        for look in looks {
            look.join().unwrap();
        }
    });
}
