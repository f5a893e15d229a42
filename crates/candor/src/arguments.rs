//! The command line as it is typed.

use std::ffi::OsString;
use std::time::Duration;

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
}

/// Which server, and how patiently.
#[derive(Debug, Args)]
pub(crate) struct ServerArguments {
    /// The program that is the server, and its arguments, after `--`
    #[arg(value_name = "COMMAND", last = true, required_unless_present = "url")]
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
