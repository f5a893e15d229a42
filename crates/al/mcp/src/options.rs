//! What the server is told when it starts.

use std::ffi::OsString;

/// How a server is set up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServerOptions {
    /// Folders to look for projects in; none: the current folder.
    pub projects: Vec<String>,
    /// Whether successes are sent as text only, without `structuredContent` and output schemas.
    pub text_only: bool,
    /// Options that mean nothing here, for the log.
    pub warnings: Vec<String>,
}

/// Options of the AL MCP server that people come from, which configure what this one does without: each with what
/// follows it.
const WITHOUT_MEANING: [(&str, Follows); 18] = [
    ("--devtools-path", Follows::Value),
    ("--alcops-analyzers", Follows::Value),
    ("--nolog", Follows::Nothing),
    ("--debug", Follows::Nothing),
    ("--noauth", Follows::TrueOrFalse),
    ("--enablecodeanalysis", Follows::TrueOrFalse),
    ("--enableexternalrulesets", Follows::TrueOrFalse),
    ("--codeanalyzers", Follows::Value),
    ("--rulesetpath", Follows::Value),
    ("--settingspath", Follows::Value),
    ("--locale", Follows::Value),
    ("--packagecachepath", Follows::Value),
    ("--assemblyprobingpaths", Follows::Value),
    ("--outfolder", Follows::Value),
    ("--logfile", Follows::Value),
    ("--loglevel", Follows::Value),
    ("--mode", Follows::Value),
    ("--environment", Follows::Value),
];

/// What stands behind an option.
#[derive(Clone, Copy)]
enum Follows {
    Nothing,
    Value,
    TrueOrFalse,
}

impl ServerOptions {
    /// Reads the options of a command line. The case of names is free; `--projects a;b`, `--projects=a;b` and several
    /// `--projects` are the same. Nothing here stops a server from starting: what means nothing is a warning.
    pub fn from_arguments(arguments: impl IntoIterator<Item = OsString>) -> Self {
        let mut options = Self::default();
        let mut arguments = arguments
            .into_iter()
            .map(|argument| argument.to_string_lossy().into_owned())
            .peekable();
        while let Some(argument) = arguments.next() {
            let (name, value) = match argument.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name.to_ascii_lowercase(), Some(value.to_owned())),
                _ => (argument.to_ascii_lowercase(), None),
            };
            match name.as_str() {
                // There is no proxy in this version, so the server always runs like this.
                "--no-proxy" => {}
                "--text-only" => options.text_only = true,
                "--projects" => match value.or_else(|| arguments.next()) {
                    Some(folders) => options.add_projects(&folders),
                    None => options
                        .warnings
                        .push("--projects is ignored: no folder follows it".to_owned()),
                },
                _ => {
                    let known = WITHOUT_MEANING.iter().find(|(known, _)| *known == name);
                    let Some((_, follows)) = known else {
                        options.warnings.push(format!("unknown option {argument} is ignored"));
                        continue;
                    };
                    let is_value = |next: &String| match follows {
                        Follows::Nothing => false,
                        Follows::Value => true,
                        Follows::TrueOrFalse => next == "true" || next == "false",
                    };
                    if value.is_none() {
                        arguments.next_if(is_value);
                    }
                    options.warnings.push(format!(
                        "{name} is ignored: it configures Microsoft's AL server or compiler"
                    ));
                }
            }
        }
        options
    }

    fn add_projects(&mut self, folders: &str) {
        let folders = folders.split(';').map(str::trim).filter(|folder| !folder.is_empty());
        self.projects.extend(folders.map(str::to_owned));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> ServerOptions {
        ServerOptions::from_arguments(arguments.iter().map(OsString::from))
    }

    #[test]
    fn projects_may_be_given_in_several_ways() {
        let expected = ["a", "b c", "d"];
        assert_eq!(read(&["--projects", "a; b c;;d;"]).projects, expected);
        assert_eq!(read(&["--PROJECTS", "a", "--projects=b c;d"]).projects, expected);
        assert_eq!(read(&[]), ServerOptions::default());
    }

    #[test]
    fn options_of_the_reference_are_ignored_together_with_their_values() {
        for ignored in [
            vec!["--nolog"],
            vec!["--noauth"],
            vec!["--noauth", "true"],
            vec!["--enableCodeAnalysis", "false"],
            vec!["--codeanalyzers", "--not-an-option"],
            vec!["--devtools-path", "/tools"],
            vec!["--logfile=/x"],
        ] {
            let arguments = [&ignored[..], &["--projects", "a"]].concat();
            let options = read(&arguments);
            assert_eq!(options.projects, ["a"], "{ignored:?}");
            assert_eq!(options.warnings.len(), 1, "{ignored:?}");
        }
        assert_eq!(
            read(&["--noauth", "a"]).warnings.len(),
            2,
            "only true and false belong to it"
        );
    }

    #[test]
    fn the_state_there_is_may_be_asked_for() {
        assert_eq!(read(&["--no-proxy"]), ServerOptions::default());
    }

    #[test]
    fn an_option_without_its_value_and_an_unknown_one_are_told() {
        assert_eq!(read(&["--projects"]).warnings.len(), 1);
        assert_eq!(read(&["--fast"]).warnings, ["unknown option --fast is ignored"]);
    }
}
