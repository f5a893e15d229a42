//! The command line as it is typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

const EXAMPLES: &str = "\
Exit codes:
  0  done
  1  done, but something failed or is stale (recalc)
  2  the command line is wrong, or the call was refused or failed

Examples:
  candor-catalog demo                                   make a project to look at
  candor-catalog init sales                             make a project, and work on it
  candor-catalog import orders.csv                      bring a file in, as `orders`
  candor-catalog run 'SELECT region, SUM(amount) AS total FROM orders GROUP BY region' --name by_region
  candor-catalog peek by_region
  candor-catalog recalc --dry-run                       what is stale
  candor-catalog mcp                                    the same for an agent, over standard input and output

The catalog is in `catalog` below CANDOR_HOME, or else below ~/.candor.";

/// Data sets, and results computed from them by SQL recipes: versioned, reproducible.
#[derive(Debug, Parser)]
#[command(name = "candor-catalog", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// The project to work on [default: the active one]
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) project: Option<String>,
    /// How results are written
    #[arg(long, global = true, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tables and sentences
    Human,
    /// One JSON object, as the tools of the server answer
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a project, and work on it from now on
    Init(InitArguments),
    /// Bring a CSV or Parquet file in
    Import(ImportArguments),
    /// Build a result from a recipe, and show its rows
    Run(RunArguments),
    /// List sources and results, newest first
    List(ListArguments),
    /// Show rows of a source or result
    Peek(PeekArguments),
    /// Recompute what is stale, and what follows it
    Recalc(RecalcArguments),
    /// Show what went wrong lately
    Errors(ErrorsArguments),
    /// Serve the tools to an agent, over standard input and output (MCP)
    Mcp(McpArguments),
    /// Make a project with a small data set and a few versions, and say what to try
    Demo(DemoArguments),
}

#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// The project: a-z, 0-9, _ and -
    pub(crate) name: String,
}

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// The file: .csv, .tsv, .txt, .parquet or .pq
    pub(crate) file: PathBuf,
    /// The source alias [default: the file's name]
    pub(crate) alias: Option<String>,
    /// Types as JSON: {"column": "type"} or [["name", "type"]]
    #[arg(long, value_name = "JSON")]
    pub(crate) schema: Option<String>,
    /// How the text is read, as JSON: {"delimiter": ";", "decimal": ","}
    #[arg(long, value_name = "JSON")]
    pub(crate) options: Option<String>,
    /// The version that the file must be or become
    #[arg(long, value_name = "N")]
    pub(crate) version: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// The recipe: one SELECT or WITH query over aliases; `-` reads it from standard input
    #[arg(required_unless_present = "file")]
    pub(crate) sql: Option<String>,
    /// Read the recipe from a file
    #[arg(long, value_name = "FILE", conflicts_with = "sql")]
    pub(crate) file: Option<PathBuf>,
    /// Keep the result under this name: a new one, or a new version of it
    #[arg(long, value_name = "ALIAS")]
    pub(crate) name: Option<String>,
    /// Store nothing, only show the rows
    #[arg(long, conflicts_with = "name")]
    pub(crate) query: bool,
    /// What it is for, in your words
    #[arg(long, value_name = "TEXT")]
    pub(crate) prompt: Option<String>,
    /// Rows to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: u64,
}

#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    /// Entries to show
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: u64,
    /// Entries to pass over
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) offset: u64,
}

#[derive(Debug, Args)]
pub(crate) struct PeekArguments {
    /// An alias, a version such as orders-v2, or a hash
    pub(crate) reference: String,
    /// Rows to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: u64,
    /// Rows to pass over
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) offset: u64,
    /// Only these columns, separated by commas
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(crate) columns: Option<Vec<String>>,
}

#[derive(Debug, Args)]
pub(crate) struct RecalcArguments {
    /// Where to begin: aliases or hashes [default: all that is stale]
    pub(crate) roots: Vec<String>,
    /// Only say what would be done
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ErrorsArguments {
    /// Records to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
    /// Remove all records
    #[arg(long)]
    pub(crate) clear: bool,
}

#[derive(Debug, Args)]
pub(crate) struct McpArguments {
    /// Send successes as text only, without structured content and output schemas
    #[arg(long)]
    pub(crate) text_only: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// The project to make
    #[arg(default_value = "demo")]
    pub(crate) name: String,
}
