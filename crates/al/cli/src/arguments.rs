//! The command line as it is typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  candor-al check                       the project in this folder, or all below it
  candor-al check src/Tool.Table.al     one file, as part of its project
  candor-al check --diff                what the safe fixes would change
  candor-al check --fix                 make the safe fixes
  candor-al rule AC0018                 what a rule wants, and why
  candor-al mcp                         the same for an agent, over standard input and output";

const CHECK_EXAMPLES: &str = "\
Exit codes:
  0  nothing at or above --fail-on
  1  findings at or above --fail-on; with --diff also: there is something to change
  2  the command line is wrong, or a file could not be read or written
  With --watch: that of the last report, once Ctrl-C ends it

Examples:
  candor-al check apps --select LinterCop,AC0018
  candor-al check --select ALL --ignore FormattingCop --statistics
  candor-al check --fix --unsafe-fixes src/Tool.Table.al
  candor-al check --diff --unsafe-fixes | git apply
  candor-al check --format json --fail-on never > findings.json
  candor-al check --baseline candor.baseline.json --write-baseline
  candor-al check --watch
  candor-al check --format sarif > candor-al.sarif";

/// Analyse and fix AL code, without Microsoft's compiler.
#[derive(Debug, Parser)]
#[command(name = "candor-al", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Look for findings, and fix them
    Check(CheckArguments),
    /// List the rules by cop
    Rules(RulesArguments),
    /// Show the page of a rule: what it flags, why, and what its fix does
    Rule(RuleArguments),
    /// Show what went wrong lately: rules that failed, files that could not be read or written
    Errors(ErrorsArguments),
    /// Serve five tools to an agent, over standard input and output (MCP)
    Mcp(McpArguments),
}

#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "a flag of a command line is a bool")]
pub(crate) struct CheckArguments {
    /// Projects, folders of projects, or files [default: the current folder]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Run only these rules, whatever the settings and rulesets say: ids, cops or ALL
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub(crate) select: Vec<String>,

    /// Do not run these rules: ids, cops or ALL
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub(crate) ignore: Vec<String>,

    /// Define these preprocessor symbols in every project, besides its own
    #[arg(long, value_name = "SYMBOLS", value_delimiter = ',')]
    pub(crate) symbols: Vec<String>,

    /// Check every combination of the preprocessor symbols that a file mentions
    #[arg(long, conflicts_with_all = ["fix", "diff"])]
    pub(crate) all_configurations: bool,

    /// How to write the result: for people, as one JSON document, or as another program wants it
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = CheckFormat::Human)]
    pub(crate) format: CheckFormat,

    /// Make the safe fixes; what is left is reported
    #[arg(long)]
    pub(crate) fix: bool,

    /// With --fix or --diff: also the fixes that may change behaviour or break a caller
    #[arg(long)]
    pub(crate) unsafe_fixes: bool,

    /// With --fix or --diff: which fix to make where a rule offers several, by its key
    #[arg(long, value_name = "RULE=KEY", value_delimiter = ',')]
    pub(crate) fix_with: Vec<String>,

    /// Print what the fixes would change, and write nothing
    #[arg(long)]
    pub(crate) diff: bool,

    /// Print sizes, times and numbers for each rule instead of the findings; with json, beside them
    #[arg(long)]
    pub(crate) statistics: bool,

    /// Report only findings that this file does not know
    #[arg(long, value_name = "FILE", conflicts_with = "diff")]
    pub(crate) baseline: Option<PathBuf>,

    /// With --baseline: write the file, so that it knows all findings of this run
    #[arg(long, requires = "baseline")]
    pub(crate) write_baseline: bool,

    /// With --format sarif: also findings that a pragma, the ruleset or app.json suppresses, marked as such
    #[arg(long)]
    pub(crate) show_suppressed: bool,

    /// Report again whenever something changes, until Ctrl-C
    #[arg(long, short, conflicts_with_all = ["fix", "diff", "write_baseline"])]
    pub(crate) watch: bool,

    /// With --watch: look at the files every few seconds, where the system does not tell of changes (network drives)
    #[arg(long, requires = "watch")]
    pub(crate) poll: bool,

    /// The least severity that makes the exit code 1
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t = FailOn::Warning)]
    pub(crate) fail_on: FailOn,

    /// One line for each finding; no progress, no summary
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RulesArguments {
    /// Only these: ids or cops
    #[arg(value_name = "RULE")]
    pub(crate) rules: Vec<String>,

    /// Only rules with a fix
    #[arg(long)]
    pub(crate) fixable: bool,

    /// How to write the list
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct RuleArguments {
    /// The rule, such as AC0018
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    /// How to write it: as a page for people, or its facts and the page as JSON
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct ErrorsArguments {
    /// Show at most so many, the newest first
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    pub(crate) limit: usize,

    /// Remove them all
    #[arg(long, conflicts_with_all = ["limit", "format"])]
    pub(crate) clear: bool,

    /// How to write them
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

// The server reads its options itself: it also takes those of the server that
// people come from, and says which of them mean nothing here.
#[derive(Debug, Args)]
pub(crate) struct McpArguments {
    /// --projects FOLDER[;FOLDER...]: where the projects are [default: the current folder, four levels down];
    /// --text-only: no structured results; --no-proxy: as always in this version
    #[arg(value_name = "OPTION", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) options: Vec<std::ffi::OsString>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    Human,
    Json,
    Sarif,
    Github,
    Azure,
    Errorlog,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Human,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    Error,
    Warning,
    Info,
    // AL-Go's word for it.
    #[value(alias = "none")]
    Never,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn lists_are_split_at_commas_and_may_be_repeated() {
        let arguments = Arguments::try_parse_from([
            "candor-al",
            "check",
            "--select",
            "AC0018,LinterCop",
            "--select",
            "FC0001",
            "app",
        ])
        .expect("a command line");
        let Command::Check(check) = arguments.command else {
            panic!("not a check")
        };
        assert_eq!(check.select, ["AC0018", "LinterCop", "FC0001"]);
        assert_eq!(check.paths, [PathBuf::from("app")]);
        assert_eq!(check.fail_on, FailOn::Warning);
    }
}
