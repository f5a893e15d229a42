//! Checks many files once, for the command line: read, parse, look, forget. Files are worked on by several threads and
//! reported in one fixed order, so that two runs over the same files report the same.

mod configurations;
mod file;
mod groups;
mod memory;
mod prepare;
mod progress;
mod project;
mod run;
mod statistics;

pub use configurations::Occurrence;
pub use memory::CheckMemory;
pub use progress::CheckProgress;
pub use run::{check, check_with};
pub use statistics::{RuleStatistics, Statistics};

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fix::{FileFix, FixOptions};
use crate::tools::{Diagnostic, Summary};
use crate::{FixSafety, Incident};

/// What to check, and how.
#[derive(Debug, Clone, Default)]
pub struct CheckOptions {
    /// Projects, folders of projects, or files; relative ones against the current folder. None: the current folder.
    pub paths: Vec<PathBuf>,
    /// Which rules run.
    pub choice: RuleChoice,
    /// Preprocessor symbols defined in every project, besides its own.
    pub symbols: Vec<String>,
    /// How much is told about each finding.
    pub detail: Detail,
    /// Whether times are taken, which costs a little time itself.
    pub timing: bool,
    /// Whether findings that are suppressed are told as well, and by whom.
    pub suppressed: bool,
    /// Repairs to make, before what is left is reported.
    pub fix: Option<FixOptions>,
    /// Which of several fixes of a rule to make, as `RULE=KEY`.
    pub fix_with: Vec<String>,
    /// Whether each file is checked in every combination of the preprocessor symbols that it mentions. Repairs are not
    /// made then: they are made for one configuration, and could break another.
    pub all_configurations: bool,
    /// What is remembered from one check to the next with the same options, so that only what has changed is read again.
    /// Not used by checks that repair.
    pub memory: Option<Arc<CheckMemory>>,
    /// Counts the files done, for a progress bar.
    pub progress: Option<Arc<CheckProgress>>,
}

/// Which rules run, as a command line says it: ids, cops (long or short names) or `ALL`, without regard to case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleChoice {
    /// These rules, those that are off by default too, whatever settings and rulesets say. Empty: the project's choice.
    pub select: Vec<String>,
    /// But never these.
    pub ignore: Vec<String>,
}

/// How much is told about each finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// Only numbers; files are not reported.
    Counts,
    /// Everything but the source lines.
    #[default]
    Diagnostics,
    /// Source lines too.
    Excerpts,
}

/// What there is to say about one file, be it AL or of the project's configuration; files without anything to say are not reported.
#[derive(Debug, Clone, PartialEq)]
pub struct FileReport {
    /// The file.
    pub file_path: PathBuf,
    /// Its project; none for a file in no project.
    pub project: Option<Arc<Path>>,
    /// What is wrong in it as it is after the run, in the order of the text: once it is repaired, what is left.
    pub findings: Vec<ReportedFinding>,
    /// What would be wrong in it, if nobody had suppressed it; empty unless [`CheckOptions::suppressed`] asks for it.
    pub suppressed: Vec<SuppressedFinding>,
    /// What was repaired.
    pub fix: Option<FileFix>,
}

/// A finding that is suppressed, and by whom.
#[derive(Debug, Clone, PartialEq)]
pub struct SuppressedFinding {
    /// What would have been reported.
    pub finding: ReportedFinding,
    /// Who suppresses it.
    pub by: SuppressedBy,
}

/// Who suppresses a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SuppressedBy {
    /// A `#pragma warning disable` around the place.
    Pragma,
    /// The ruleset or the manifest of the project; in words.
    Project(String),
}

/// A diagnostic as the command line shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportedFinding {
    /// The entry, as `analyze` has it.
    pub diagnostic: Diagnostic,
    /// The safety of the fix the rule offers (of several, that of the least safe); none without a fix.
    pub fix_safety: Option<FixSafety>,
    /// How many fixes the rule offers to choose from.
    pub fix_count: usize,
    /// The source lines, with [`Detail::Excerpts`].
    pub excerpt: Option<Excerpt>,
    /// In which configurations it is there, with [`CheckOptions::all_configurations`]; none when in all of them,
    /// and for rules that ask what names mean, which look at the configuration of the project alone.
    pub occurrence: Option<Occurrence>,
}

/// The lines a finding is about: all of a short span, the first and the last of a long one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    pub(crate) lines: Vec<(u32, Arc<str>)>,
}

impl Excerpt {
    /// A line by its number from 1, without its line end.
    pub fn line(&self, number: u32) -> Option<&str> {
        self.lines
            .iter()
            .find(|(known, _)| *known == number)
            .map(|(_, text)| text.as_ref())
    }
}

/// What a whole run found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CheckReport {
    /// The projects checked, in order.
    pub projects: Vec<PathBuf>,
    /// Files read.
    pub files: usize,
    /// How many of them were as a check before had left them, and were not read again.
    pub remembered_files: usize,
    /// Whether the answer is that of the check before, with [`CheckOptions::memory`].
    pub is_unchanged: bool,
    /// Findings that are neither suppressed nor repaired.
    pub total_count: usize,
    /// Numbers of them.
    pub summary: Summary,
    /// How many of them a safe fix repairs.
    pub fixable_count: usize,
    /// How many of them only an unsafe fix, or one of several to choose from, repairs.
    pub unsafely_fixable_count: usize,
    /// Findings that a pragma suppresses.
    pub suppressed_count: usize,
    /// What limits the answer: settings, rulesets, files that could not be read, rules that failed.
    pub warnings: Vec<String>,
    /// The same and more, for the journal.
    pub incidents: Vec<Incident>,
    /// Always counted; times only with [`CheckOptions::timing`].
    pub statistics: Statistics,
}
