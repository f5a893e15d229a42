//! What a check was asked to do, with nothing left to decide.

use std::env;
use std::path::{Path, PathBuf};

use candor_al_session::check::{CheckOptions, Detail, RuleChoice};
use candor_al_session::fix::FixOptions;

use crate::arguments::{CheckArguments, CheckFormat, FailOn};
use crate::failure::Failure;

/// The arguments of `check`, resolved.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "a flag of a command line is a bool")]
pub(super) struct CheckSettings {
    pub(super) paths: Vec<PathBuf>,
    pub(super) choice: RuleChoice,
    pub(super) symbols: Vec<String>,
    pub(super) format: CheckFormat,
    pub(super) fix: Option<FixOptions>,
    pub(super) fix_with: Vec<String>,
    pub(super) diff: bool,
    pub(super) statistics: bool,
    pub(super) show_suppressed: bool,
    pub(super) fail_on: FailOn,
    pub(super) quiet: bool,
    pub(super) baseline: Option<BaselineFile>,
    pub(super) watch: bool,
    pub(super) is_polling: bool,
    pub(super) all_configurations: bool,
    /// What paths are shown relative to.
    pub(super) folder: PathBuf,
    /// What paths are relative to for those who know the repository: its
    /// root, or the current folder when that is in none.
    pub(super) repository: PathBuf,
}

/// The file with the known findings.
#[derive(Debug, Clone)]
pub(super) struct BaselineFile {
    pub(super) path: PathBuf,
    /// Whether it is to know the findings of this run.
    pub(super) is_written: bool,
}

impl CheckSettings {
    pub(super) fn resolve(arguments: CheckArguments) -> Result<Self, Failure> {
        if arguments.unsafe_fixes && !arguments.fix && !arguments.diff {
            return Err(Failure::Usage(
                "`--unsafe-fixes` does nothing without `--fix` or `--diff`",
            ));
        }
        if !arguments.fix_with.is_empty() && !arguments.fix && !arguments.diff {
            return Err(Failure::Usage("`--fix-with` does nothing without `--fix` or `--diff`"));
        }
        let is_for_findings_only = !matches!(arguments.format, CheckFormat::Human | CheckFormat::Json);
        if is_for_findings_only && (arguments.diff || arguments.statistics) {
            return Err(Failure::Usage(
                "`--diff` and `--statistics` are written with `--format human` or `--format json` only",
            ));
        }
        if arguments.show_suppressed && arguments.format != CheckFormat::Sarif {
            return Err(Failure::Usage(
                "`--show-suppressed` needs `--format sarif`, which can mark findings as suppressed",
            ));
        }
        if is_for_findings_only && arguments.watch {
            return Err(Failure::Usage(
                "`--watch` writes report after report, which only `--format human` and `--format json` can tell apart",
            ));
        }
        let folder = env::current_dir().map_err(Failure::NoCurrentFolder)?;
        let is_repository = |folder: &&Path| folder.join(".git").exists();
        let repository = folder.ancestors().find(is_repository).unwrap_or(&folder).to_owned();
        let fix = (arguments.fix || arguments.diff).then_some(FixOptions {
            unsafe_fixes: arguments.unsafe_fixes,
            // A difference is looked at before anything is written.
            write: !arguments.diff,
            diff: arguments.diff,
        });
        Ok(Self {
            paths: arguments.paths,
            choice: RuleChoice {
                select: words(arguments.select),
                ignore: words(arguments.ignore),
            },
            symbols: symbols(arguments.symbols)?,
            format: arguments.format,
            fix,
            fix_with: words(arguments.fix_with),
            diff: arguments.diff,
            statistics: arguments.statistics,
            show_suppressed: arguments.show_suppressed,
            fail_on: arguments.fail_on,
            quiet: arguments.quiet,
            baseline: arguments.baseline.map(|path| BaselineFile {
                path,
                is_written: arguments.write_baseline,
            }),
            watch: arguments.watch,
            is_polling: arguments.poll,
            all_configurations: arguments.all_configurations,
            folder,
            repository,
        })
    }

    /// Whether findings are written one by one.
    pub(super) const fn shows_findings(&self) -> bool {
        match self.format {
            CheckFormat::Human => !self.statistics && !self.diff,
            _ => true,
        }
    }

    /// What the session is asked.
    pub(super) fn options(&self) -> CheckOptions {
        let detail = match self.format {
            // It knows findings by their source line.
            _ if self.baseline.is_some() => Detail::Excerpts,
            CheckFormat::Human if !self.shows_findings() => Detail::Counts,
            CheckFormat::Human if !self.quiet => Detail::Excerpts,
            // Its fingerprints tell the source line.
            CheckFormat::Sarif => Detail::Excerpts,
            _ => Detail::Diagnostics,
        };
        CheckOptions {
            paths: self.paths.clone(),
            choice: self.choice.clone(),
            symbols: self.symbols.clone(),
            detail,
            timing: self.statistics,
            fix: self.fix,
            suppressed: self.show_suppressed,
            fix_with: self.fix_with.clone(),
            all_configurations: self.all_configurations,
            ..CheckOptions::default()
        }
    }

    /// A path as it is shown to people: relative to the current folder when
    /// it lies below it.
    pub(super) fn shown<'p>(&self, path: &'p Path) -> std::borrow::Cow<'p, str> {
        path.strip_prefix(&self.folder).unwrap_or(path).to_string_lossy()
    }
}

/// A trailing comma is no word.
fn words(words: Vec<String>) -> Vec<String> {
    words.into_iter().filter(|word| !word.trim().is_empty()).collect()
}

/// Preprocessor symbols. One that no condition can name would be defined for nothing, and nobody would notice.
fn symbols(given: Vec<String>) -> Result<Vec<String>, Failure> {
    let symbol = |word: String| {
        let symbol = word.trim();
        let is_name = |text: &str| {
            text.chars()
                .all(|character| character.is_alphanumeric() || character == '_')
        };
        if symbol.starts_with(|first: char| first.is_numeric()) || !is_name(symbol) {
            return Err(Failure::NoSymbol(word));
        }
        Ok(symbol.to_owned())
    };
    words(given).into_iter().map(symbol).collect()
}
