//! The words of failures: one place, so that the same reason reads the same from every tool.

use std::cmp::Reverse;
use std::path::Path;

use candor_al_workspace::project::ProjectProblem;
use candor_al_workspace::{PathProblem, Warning};
use candor_contract::shortened;

use crate::vocabulary::{AlError, AlFaulted, AlNotFound, AlPlace, AlUnavailable, FixCandidate};

/// How many characters of an argument are echoed: enough for every real key, version and path that anybody mistypes.
const ECHOED: usize = 300;

/// How many projects a message lists; a workspace can have hundreds.
const LISTED_PROJECTS: usize = 30;

/// What a call of a fix tool is about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'a> {
    /// The rule, as it was asked for.
    pub(crate) diagnostic_id: &'a str,
    /// The file; none when the call is about a whole project.
    pub(crate) file: Option<&'a Path>,
    /// Line and column, as they were asked for.
    pub(crate) position: Option<(i64, i64)>,
}

impl Subject<'_> {
    /// `path:line:column`, the file, or the project.
    fn place_in_words(&self) -> String {
        match (self.file, self.position) {
            (Some(file), Some((line, column))) => format!("{}:{line}:{column}", file.display()),
            (Some(file), None) => file.display().to_string(),
            (None, _) => "the project".to_owned(),
        }
    }

    /// The same, to be put behind a verb.
    fn at_place(&self) -> String {
        let preposition = if self.position.is_some() { "at" } else { "in" };
        format!("{preposition} {}", self.place_in_words())
    }

    fn place(&self) -> AlPlace {
        AlPlace {
            file_path: self.file.map(|file| file.display().to_string()),
            diagnostic_id: Some(self.diagnostic_id.to_owned()),
        }
    }

    fn not_found(&self, reason: AlNotFound, message: String) -> AlError {
        AlError::not_found(reason, message).place(self.place())
    }

    /// The rule has no fix, or there is no such rule.
    pub(crate) fn no_fix_provider(&self, exists: bool, near: &[&str]) -> AlError {
        let id = self.diagnostic_id;
        let message = if exists {
            format!("Rule {id} offers no fix; repair the code by hand.")
        } else {
            format!(
                "Candor has no rule {id}, so there is no fix for it.{}",
                did_you_mean(near)
            )
        };
        self.not_found(AlNotFound::NoFixProvider, message)
    }

    /// The file is none of the project's.
    pub(crate) fn file_not_in_project(&self, project: &Path) -> AlError {
        let message = format!(
            "{} is no AL file of the project {}. Check the path; a file in a nested project belongs to that one.",
            self.file.unwrap_or(project).display(),
            project.display()
        );
        self.not_found(AlNotFound::FileNotInProject, message)
    }

    /// The project does not want the rule. `because` says who says so.
    pub(crate) fn suppressed_by_ruleset(&self, because: &str) -> AlError {
        let message = format!("Rule {} is switched off: {because}.", self.diagnostic_id);
        self.not_found(AlNotFound::SuppressedByRuleset, message)
    }

    /// The rule's cop does not run.
    pub(crate) fn no_analyzer_for_rule(&self, cop: &str, why: NotRunning) -> AlError {
        let id = self.diagnostic_id;
        let message = match why {
            NotRunning::Cop => format!(
                "Rule {id} belongs to {cop}, which does not run here. Name {cop} in `analyzers`, or in the setting \
                 al.codeAnalyzers of the project."
            ),
            NotRunning::OffByDefault => format!(
                "Rule {id} of {cop} is off unless a ruleset switches it on. Give it an action in the ruleset of the \
                 project; which cops run is said by al.codeAnalyzers."
            ),
        };
        self.not_found(AlNotFound::NoAnalyzerForRule, message)
    }

    /// The rule reports nothing there.
    pub(crate) fn no_diagnostic_at_position(&self) -> AlError {
        let message = format!(
            "Rule {} reports nothing {}. The code has probably changed: re-run analyze and take the position from its \
             answer.",
            self.diagnostic_id,
            self.at_place()
        );
        self.not_found(AlNotFound::NoDiagnosticAtPosition, message)
    }

    /// A pragma suppresses what the rule reports there.
    pub(crate) fn suppressed_by_pragma(&self) -> AlError {
        let message = format!(
            "What rule {} finds {} is suppressed there by `#pragma warning disable`.",
            self.diagnostic_id,
            self.at_place()
        );
        self.not_found(AlNotFound::SuppressedByPragma, message)
    }

    /// The rule offers nothing for this occurrence.
    pub(crate) fn no_fix_for_diagnostic(&self) -> AlError {
        let message = format!(
            "Rule {} offers no fix for what it finds {}; repair the code by hand.",
            self.diagnostic_id,
            self.at_place()
        );
        self.not_found(AlNotFound::NoFixForDiagnostic, message)
    }

    /// The fix exists, and changes nothing.
    pub(crate) fn fix_changes_nothing(&self, key: &str) -> AlError {
        let message = format!(
            "The fix {key:?} of rule {} changes nothing {}.",
            self.diagnostic_id,
            self.at_place()
        );
        self.not_found(AlNotFound::NoFixForDiagnostic, message)
    }

    /// No fix on offer has the key that was given.
    pub(crate) fn no_fix_for_equivalence_key(&self, key: &str, candidates: Vec<FixCandidate>) -> AlError {
        let message = format!(
            "Rule {} offers no fix with the equivalenceKey {:?} {}. Pass the equivalenceKey of a candidate verbatim.",
            self.diagnostic_id,
            shortened(key, ECHOED),
            self.at_place()
        );
        self.not_found(AlNotFound::NoFixForEquivalenceKey, message)
            .candidates(candidates)
    }

    /// Several fixes, and no key given.
    pub(crate) fn ambiguous(&self, candidates: Vec<FixCandidate>) -> AlError {
        let message = format!(
            "Rule {} offers {} different fixes {}. Pass the equivalenceKey of one candidate, or let the user choose.",
            self.diagnostic_id,
            candidates.len(),
            self.at_place()
        );
        AlError::ambiguous(candidates, message).place(self.place())
    }

    /// The file to be written is not the one the caller knows.
    pub(crate) fn stale(&self, message: impl Into<String>) -> AlError {
        AlError::stale(message).place(self.place())
    }

    /// The file changed since the content version that was given.
    pub(crate) fn stale_version(&self, files: &[&Path]) -> AlError {
        let names: Vec<_> = files.iter().take(3).map(|file| file.display().to_string()).collect();
        let more = files.len().saturating_sub(names.len());
        let more = if more == 0 {
            String::new()
        } else {
            format!(" and {more} more")
        };
        self.stale(format!(
            "Changed since the contentVersion given: {}{more}. Nothing was written. Re-run analyze and repeat the call.",
            names.join(", ")
        ))
    }

    /// The content version that was given is none this server remembers.
    pub(crate) fn unknown_version(&self, version: &str) -> AlError {
        self.stale(format!(
            "The project is not at contentVersion {:?}, and that version is too old (or of another server) to tell \
             which files changed since. Nothing was written. Re-run analyze and repeat the call.",
            shortened(version, ECHOED)
        ))
    }

    /// Nothing is found that could be fixed, which is good news.
    pub(crate) fn nothing_to_fix(&self) -> String {
        format!(
            "Rule {} reports nothing in {}; there is nothing to fix.",
            self.diagnostic_id,
            self.place_in_words()
        )
    }

    /// The place of this subject, for an error made elsewhere.
    pub(crate) fn at(&self, error: AlError) -> AlError {
        error.place(self.place())
    }
}

/// Why a rule that exists does not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotRunning {
    /// Its cop was not chosen.
    Cop,
    /// It is off by default.
    OffByDefault,
}

fn did_you_mean(near: &[&str]) -> String {
    if near.is_empty() {
        String::new()
    } else {
        format!(" Did you mean {}?", near.join(" or "))
    }
}

/// A path argument that can be no path.
pub(crate) fn bad_path(argument: &str, given: &str, problem: &PathProblem) -> AlError {
    AlError::invalid(format!(
        "Argument `{argument}` cannot be used: {problem} (given: {:?}).",
        shortened(given, ECHOED)
    ))
    .detail(argument)
}

/// A number that must be greater.
pub(crate) fn too_small(argument: &str, given: i64, least: i64) -> AlError {
    AlError::invalid(format!(
        "Argument `{argument}` must be at least {least}, but is {given}."
    ))
    .detail(argument)
}

/// A rule id that is none: no rule's has more than a few letters.
pub(crate) fn no_rule_id(given: &str) -> AlError {
    AlError::invalid(format!(
        "Argument `diagnosticId` must be the id of a rule, such as LC0020, but is {:?}.",
        shortened(given, ECHOED)
    ))
    .detail("diagnosticId")
}

/// An argument that has to say something.
pub(crate) fn blank(argument: &str, what: &str) -> AlError {
    AlError::invalid(format!("Argument `{argument}` is blank: it must be {what}.")).detail(argument)
}

/// No project was found when the server started.
pub(crate) fn no_project() -> AlError {
    AlError::invalid(
        "No AL project available: no folder with an app.json was found at or below the folder this server was started in. \
         Start it with --projects <folder>, or in the folder of a project.",
    )
}

/// A project the server was not started for.
pub(crate) fn unknown_project(given: &str, known: &[&Path]) -> AlError {
    if known.is_empty() {
        return no_project().detail("projectPath");
    }
    AlError::invalid(format!(
        "Argument `projectPath` is {:?}, which is no project of this server. Known are: {}.",
        shortened(given, ECHOED),
        listed(known, Path::new(given))
    ))
    .detail("projectPath")
}

/// The projects a message names: all, or of many those with the most folders in common with the path that was given.
pub(crate) fn listed(projects: &[&Path], given: &Path) -> String {
    let mut shown: Vec<&Path> = projects.to_vec();
    let in_common = |path: &Path| {
        let pairs = path.components().zip(given.components());
        pairs.take_while(|(one, other)| one == other).count()
    };
    if shown.len() > LISTED_PROJECTS {
        shown.sort_by_key(|path| Reverse(in_common(path)));
        shown.truncate(LISTED_PROJECTS);
    }
    let paths: Vec<_> = shown.iter().map(|path| path.display().to_string()).collect();
    let more = projects.len() - shown.len();
    let more = if more == 0 {
        String::new()
    } else {
        format!(" and {more} more")
    };
    paths.join(", ") + &more
}

/// A folder that is no project.
pub(crate) fn not_a_project(problem: &ProjectProblem) -> AlError {
    AlError::invalid(format!("Argument `projectPath` cannot be used: {problem}.")).detail("projectPath")
}

/// A scope of `analyze` that no project contains.
pub(crate) fn scope_outside_projects(scope: &Path, known: &[&Path]) -> AlError {
    let message = format!(
        "{} lies in no project of this server, so nothing was analysed. Known are: {}.",
        scope.display(),
        listed(known, scope)
    );
    nothing_analysed(scope, message)
}

/// A file that is asked for is there, and cannot be read.
pub(crate) fn unreadable(warning: &Warning) -> AlError {
    AlError::faulted_because(AlFaulted::ReadFailed, format!("{warning}."))
}

/// A scope of `analyze` in which the project (or those projects) that it leads to have no AL file.
pub(crate) fn empty_scope(file: Option<&Path>, folder: Option<&Path>, projects: &[&Path]) -> Option<AlError> {
    let place = file.or(folder)?;
    let which = match (file, folder) {
        (Some(file), Some(folder)) => format!("that is {} and lies below {}", file.display(), folder.display()),
        (Some(file), None) => format!("that is {}", file.display()),
        _ => format!("below {}", place.display()),
    };
    let message = format!(
        "There is no AL file of {} {which}, so nothing was analysed. Check the path; a file in a nested project belongs to \
         that one.",
        listed(projects, place)
    );
    Some(nothing_analysed(place, message))
}

fn nothing_analysed(scope: &Path, message: String) -> AlError {
    AlError::not_found(AlNotFound::FileNotInProject, message).place(AlPlace {
        file_path: Some(scope.display().to_string()),
        diagnostic_id: None,
    })
}

/// The compiler's diagnostics were asked for, and nobody can get them.
pub(crate) fn no_proxy() -> AlError {
    AlError::unavailable(
        AlUnavailable::NoProxy,
        "The compiler's diagnostics are not available: this version of Candor has no proxy to Microsoft's AL server and \
         always runs as with --no-proxy. Use source native.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Subject<'_> = Subject {
        diagnostic_id: "LC0020",
        file: None,
        position: None,
    };

    #[test]
    fn a_place_is_as_exact_as_it_is_known() {
        let file = Path::new("/app/a.al");
        let place = |file, position| Subject { file, position, ..AT }.place_in_words();
        assert_eq!(place(Some(file), Some((3, 5))), "/app/a.al:3:5");
        assert_eq!(place(Some(file), None), "/app/a.al");
        assert_eq!(place(None, None), "the project");
    }

    #[test]
    fn an_unknown_project_is_echoed_beside_the_known_ones() {
        let known = [Path::new("/a"), Path::new("/b")];
        let message = unknown_project("/c", &known).message().to_owned();
        assert_eq!(
            message,
            "Argument `projectPath` is \"/c\", which is no project of this server. Known are: /a, /b."
        );
    }

    #[test]
    fn of_many_projects_the_nearest_are_named_and_the_rest_counted() {
        let many: Vec<_> = (0..100)
            .map(|number| format!("/code/{}/{number}", number % 2))
            .collect();
        let many: Vec<&Path> = many.iter().map(Path::new).collect();
        let message = unknown_project("/code/1/x", &many).message().to_owned();
        assert!(message.contains("Known are: /code/1/1, /code/1/3, "), "{message}");
        assert!(message.ends_with("/code/1/59 and 70 more."), "{message}");
    }

    #[test]
    fn a_long_argument_is_echoed_in_part() {
        let long = "x".repeat(100_000);
        let lengths = [
            unknown_project(&long, &[Path::new("/a")]),
            no_rule_id(&long),
            AT.unknown_version(&long),
            AT.no_fix_for_equivalence_key(&long, Vec::new()),
        ]
        .map(|error| error.to_json().len());
        assert!(lengths.iter().all(|length| *length < 1_000), "{lengths:?}");
    }

    #[test]
    fn without_any_project_no_empty_list_is_shown() {
        assert!(
            unknown_project("/c", &[])
                .message()
                .starts_with("No AL project available: ")
        );
    }

    #[test]
    fn many_stale_files_are_counted_rather_than_listed() {
        let files: Vec<_> = ["/a", "/b", "/c", "/d", "/e"].map(Path::new).into();
        let message = AT.stale_version(&files).message().to_owned();
        assert!(
            message.starts_with("Changed since the contentVersion given: /a, /b, /c and 2 more."),
            "{message}"
        );
    }
}
