//! The command line as it is typed.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use candor::checks::{self, Check};
use candor::revision::Revision;
use candor::run::SlowCall;
use clap::{Args, Parser, Subcommand, ValueEnum};

/// Hold an MCP server to a contract: what it publishes, and how it fails
#[derive(Debug, Parser)]
#[command(name = "candor", version, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check a server: what it publishes, and how it fails
    Check(CheckArguments),
    /// Tell all about a check: what it looks at, who breaks and how, what to do
    Explain(ExplainArguments),
    /// Write what a server publishes into a lock file, to be kept and reviewed
    Pin(PinArguments),
    /// Compare what a server publishes with its lock file, or two lock files
    Diff(DiffArguments),
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) server: ServerArguments,

    /// Which tools get calls that must fail
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = Probe::ReadOnly)]
    pub(crate) probe: Probe,

    /// A call that takes long, as `TOOL` or `TOOL {"argument": 1}`: see who is served meanwhile, then cancel it.
    /// It is carried out, so choose one that does no harm
    #[arg(long, value_name = "CALL", value_parser = parse_slow_call)]
    pub(crate) slow_call: Option<SlowCall>,

    /// The least severity that makes the exit code 1
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t = FailOn::Warning)]
    pub(crate) fail_on: FailOn,

    /// Leave these checks out, by id or name, separated by commas
    #[arg(long, value_name = "IDS", value_delimiter = ',', value_parser = parse_check)]
    pub(crate) ignore: Vec<&'static Check>,

    /// How the report is written
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = CheckFormat::Human)]
    pub(crate) format: CheckFormat,

    /// Show every place of a check, not only the first few (human format)
    #[arg(long)]
    pub(crate) all: bool,

    /// The file that SARIF results and GitHub annotations point at, such as the one that defines the tools
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// The check, by id or name; without it all checks are listed
    #[arg(value_name = "ID", value_parser = parse_check)]
    pub(crate) check: Option<&'static Check>,
}

#[derive(Debug, Args)]
pub(crate) struct PinArguments {
    #[command(flatten)]
    pub(crate) server: ServerArguments,

    /// The lock file to write
    #[arg(long, short, value_name = "FILE", default_value = DEFAULT_LOCK)]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArguments {
    /// The lock file to compare with [default: candor.lock]; two of them are compared with each other
    #[arg(value_name = "LOCK", num_args = 0..=2)]
    pub(crate) locks: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) server: ServerArguments,

    /// The least class of difference that makes the exit code 1
    #[arg(long, value_name = "CLASS", value_enum, default_value_t = FailOnClass::Breaking)]
    pub(crate) fail_on: FailOnClass,

    /// How the differences are written
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = DiffFormat::Human)]
    pub(crate) format: DiffFormat,
}

/// The lock file's usual name.
pub(crate) const DEFAULT_LOCK: &str = "candor.lock";

/// Which server, and how patiently.
#[derive(Debug, Args)]
pub(crate) struct ServerArguments {
    /// The program that is the server, and its arguments, after `--`
    #[arg(value_name = "COMMAND", last = true)]
    pub(crate) command: Vec<OsString>,

    /// The address of a server that speaks streamable HTTP
    #[arg(long, value_name = "URL", conflicts_with = "command")]
    pub(crate) url: Option<String>,

    /// A header for every request, as `Name: value`; may be given several times
    #[arg(long, value_name = "HEADER", requires = "url")]
    pub(crate) header: Vec<String>,

    /// The revision to speak [default: the newest that both sides know]
    #[arg(long, value_name = "REVISION", value_parser = parse_revision)]
    pub(crate) revision: Option<Revision>,

    /// How many seconds to wait for a reply
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "10")]
    pub(crate) timeout: Duration,

    /// How many seconds to wait for the first reply
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "60")]
    pub(crate) start_timeout: Duration,

    /// How many seconds the whole run may take; what is not done by then is left out and said
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "600")]
    pub(crate) total_timeout: Duration,
}

fn parse_slow_call(text: &str) -> Result<SlowCall, String> {
    let (tool, arguments) = text
        .trim()
        .split_once(char::is_whitespace)
        .unwrap_or((text.trim(), "{}"));
    let arguments =
        serde_json::from_str(arguments).map_err(|error| format!("its arguments are no JSON object: {error}"))?;
    Ok(SlowCall {
        tool: tool.to_owned(),
        arguments,
    })
}

fn parse_revision(text: &str) -> Result<Revision, String> {
    Revision::parse(text).ok_or_else(|| {
        let names: Vec<_> = Revision::ALL.iter().map(|revision| revision.as_str()).collect();
        format!("known are {}", names.join(", "))
    })
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds is wanted".to_owned())?;
    if seconds > 0.0 && seconds <= 86_400.0 {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("more than 0 and at most 86400 seconds are possible".to_owned())
    }
}

fn parse_check(text: &str) -> Result<&'static Check, String> {
    checks::find(text).ok_or_else(|| "no check has this id or name; `candor explain` lists all".to_owned())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people
    Human,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code scanning and viewers
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// For people
    Human,
    /// One JSON object
    Json,
    /// Annotations of GitHub Actions
    Github,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOnClass {
    Breaking,
    Behavioural,
    Additive,
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Probe {
    /// None; nothing malformed is sent either
    None,
    /// Those that say they only read
    ReadOnly,
    /// All: for tools that write only calls that lack an argument or have one of the wrong type
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    Error,
    Warning,
    Note,
    Never,
}
