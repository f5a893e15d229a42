//! Problems that stop nothing but must not be kept quiet.

use std::fmt;
use std::path::{Path, PathBuf};

use candor_al_syntax::text::Position;
use thiserror::Error;

/// A problem and the place where it was met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The file or folder concerned.
    pub path: PathBuf,
    /// The place in that file, where one is known.
    pub position: Option<Position>,
    /// Just behind what is meant at that place, where that is known.
    pub end: Option<Position>,
    /// What is wrong, and what follows from it.
    pub problem: Problem,
}

impl Warning {
    pub(crate) fn new(path: impl AsRef<Path>, problem: Problem) -> Self {
        Self {
            path: path.as_ref().to_owned(),
            position: None,
            end: None,
            problem,
        }
    }

    pub(crate) fn at(path: impl AsRef<Path>, position: Position, problem: Problem) -> Self {
        Self {
            position: Some(position),
            ..Self::new(path, problem)
        }
    }

    pub(crate) fn over(path: impl AsRef<Path>, start: Position, end: Position, problem: Problem) -> Self {
        Self {
            end: Some(end),
            ..Self::at(path, start, problem)
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.path.display())?;
        if let Some(position) = self.position {
            write!(formatter, ":{position}")?;
        }
        write!(formatter, ": {}", self.problem)
    }
}

/// The kinds of problems, worded for people; [`Problem::code`] is the word for programs.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// A path to start from does not exist.
    #[error("does not exist; it is ignored")]
    Missing,
    /// No project stands at or below a path to start from.
    #[error("no AL project (a folder with app.json) was found here; it is ignored")]
    NoProject,
    /// A path names neither a folder nor an AL file.
    #[error("is neither a folder nor an .al file; it is ignored")]
    NotSource,
    /// A folder could not be listed.
    #[error("the folder could not be read ({cause}); what it holds is left out")]
    UnreadableFolder {
        /// What the system said.
        cause: String,
    },
    /// A file could not be read.
    #[error("the file could not be read ({cause}); it is left out")]
    UnreadableFile {
        /// What the system said.
        cause: String,
    },
    /// A temporary file that a killed process left could not be removed.
    #[error("this left-over temporary file could not be removed ({cause}); delete it by hand")]
    NotRemoved {
        /// What the system said.
        cause: String,
    },
    /// A file is too large to be source or settings.
    #[error("the file has {length} bytes, more than the limit of {limit}; it is left out")]
    TooLarge {
        /// Its length in bytes.
        length: u64,
        /// The most that is read, in bytes.
        limit: u64,
    },
    /// An AL file holds bytes that are invalid in its encoding.
    #[error(
        "the file holds bytes that are not valid {encoding}; they are read as U+FFFD and the file will not be changed"
    )]
    InvalidEncoding {
        /// The encoding it was read as.
        encoding: String,
    },
    /// A file is no JSON.
    #[error("is not valid JSON: {cause}; the file is treated as absent")]
    InvalidJson {
        /// What the parser expected.
        cause: String,
    },
    /// A setting has the wrong kind of value.
    #[error("{setting} must be {expected}; this value is ignored")]
    WrongKind {
        /// The name of the setting.
        setting: String,
        /// What it should be, such as "a text".
        expected: String,
    },
    /// A project's app.json is missing (it was there when the project was found).
    #[error("app.json is missing; the project has no name, symbols or runtime")]
    NoManifest,
    /// An analyzer is named that does not exist here.
    #[error("the analyzer {spec} names the cop {cop}, which is not available; it is left out")]
    UnknownCop {
        /// The analyzer as written.
        spec: String,
        /// The cop it means.
        cop: String,
    },
    /// A ruleset that settings or another ruleset name does not exist.
    #[error("the ruleset {} does not exist; none of its rules apply", ruleset.display())]
    NoRuleset {
        /// Where it was looked for.
        ruleset: PathBuf,
    },
    /// A ruleset includes itself.
    #[error("the included ruleset {} leads back to itself; the second visit is ignored", ruleset.display())]
    RulesetCycle {
        /// The ruleset visited twice.
        ruleset: PathBuf,
    },
    /// More rulesets are included than make sense.
    #[error("more than {limit} rulesets are included; the rest is ignored")]
    TooManyRulesets {
        /// The most that are read.
        limit: usize,
    },
    /// A ruleset asks for an action that does not exist.
    #[error(
        "the action {action:?} does not exist (Error, Warning, Info, Hidden, None and Default do); Default is taken"
    )]
    UnknownAction {
        /// The action as written.
        action: String,
    },
    /// A ruleset gives one rule two actions.
    #[error("the rule {rule} has two different actions in this ruleset; the last one counts")]
    TwoActions {
        /// The id of the rule.
        rule: String,
    },
    /// A ruleset on the web is named without being allowed.
    #[error("the ruleset {address} is not read: external rulesets are off (al.enableExternalRulesets)")]
    ExternalRulesetsOff {
        /// Its address.
        address: String,
    },
    /// A ruleset on the web is allowed but not in the cache.
    #[error(
        "the ruleset {address} is not in the cache and is never downloaded here; save it as {} to use it", file.display()
    )]
    ExternalRulesetNotCached {
        /// Its address.
        address: String,
        /// The file that would be read.
        file: PathBuf,
    },
    /// `alcops.json` could not be applied (rule CM0001).
    #[error("{reason}; every setting takes its default")]
    AlcopsUnusable {
        /// What is wrong with it.
        reason: String,
    },
    /// `alcops.json` has a key that means nothing (rule CM0001).
    #[error("the setting {key} does not exist; it is ignored")]
    AlcopsUnknownKey {
        /// The key as written.
        key: String,
    },
}

impl Problem {
    /// The problem in one word of snake case, as the journal records it.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Missing => "missing_path",
            Self::NoProject => "no_project",
            Self::NotSource => "not_source",
            Self::UnreadableFolder { .. } => "unreadable_folder",
            Self::UnreadableFile { .. } => "unreadable_file",
            Self::NotRemoved { .. } => "file_not_removed",
            Self::TooLarge { .. } => "file_too_large",
            Self::InvalidEncoding { .. } => "invalid_encoding",
            Self::InvalidJson { .. } => "invalid_json",
            Self::WrongKind { .. } => "wrong_setting",
            Self::NoManifest => "no_manifest",
            Self::UnknownCop { .. } => "unknown_cop",
            Self::NoRuleset { .. } => "no_ruleset",
            Self::RulesetCycle { .. } => "ruleset_cycle",
            Self::TooManyRulesets { .. } => "too_many_rulesets",
            Self::UnknownAction { .. } => "unknown_action",
            Self::TwoActions { .. } => "two_actions",
            Self::ExternalRulesetsOff { .. } => "external_rulesets_off",
            Self::ExternalRulesetNotCached { .. } => "external_ruleset_not_cached",
            Self::AlcopsUnusable { .. } => "alcops_unusable",
            Self::AlcopsUnknownKey { .. } => "alcops_unknown_key",
        }
    }

    /// Whether the problem is about settings in `alcops.json`, which rule CM0001 reports.
    pub const fn concerns_alcops(&self) -> bool {
        matches!(self, Self::AlcopsUnusable { .. } | Self::AlcopsUnknownKey { .. })
    }
}
