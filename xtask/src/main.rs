//! Tasks of the workspace that need all of it: `cargo xtask TASK`.
//!
//! Tasks run with the usual development profile, which optimises the syntax crate and all dependencies, so that
//! trying one costs no second build. Only figures meant for comparison need `cargo run --release -p xtask -- TASK`;
//! continuous integration never builds that.
#![expect(clippy::print_stdout, reason = "a task's output is its result")]

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod bench;
mod binding;
mod builtins;
mod corpus;
mod damage;
mod docs;
mod files;
mod random;
mod usage;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Tasks of the workspace that need all of it")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Measure `candor-al check` as a ratio to `ruff check` in the same run.
    Bench(bench::Options),
    /// Bind every name of every project below some folders; show what is not known and why, and measure.
    Binding(binding::Options),
    /// Write the facts about AL's built-in types out of Microsoft's public documentation.
    Builtins(builtins::Options),
    /// Parse every AL file below some folders; check that trees are lossless and sound, list errors, measure.
    Corpus(corpus::Options),
    /// Damage clean AL files at one place each and show how well the parser recovers.
    Damage(damage::Options),
    /// Write the pages of the rules, docs/rules/*.md, out of the rule files.
    Docs(docs::Options),
    /// Print the syntax tree of one AL file.
    Tree {
        /// The file.
        file: PathBuf,
        /// Preprocessor symbols to define, separated by commas.
        #[arg(long, value_delimiter = ',')]
        symbols: Vec<String>,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Bench(options) => bench::run(&options),
        Task::Binding(options) => binding::run(&options),
        Task::Builtins(options) => builtins::run(&options),
        Task::Corpus(options) => corpus::run(&options),
        Task::Damage(options) => damage::run(&options),
        Task::Docs(options) => docs::run(&options),
        Task::Tree { file, symbols } => files::read(&file).map(|source| {
            let tree = candor_al_syntax::parse(source.into_text(), &symbols.iter().collect());
            print!("{tree:?}");
            true
        }),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("{error}");
            ExitCode::from(2)
        }
    }
}
