//! Compares the trees of `candor-al-syntax` with those of tree-sitter-al, file by file.
//!
//! For each construct both parsers name, the places where they see it are compared: for statements and declarations
//! where they start, for expressions where they start and end, which shows a difference in precedence. What differs is
//! a question, not a verdict: the two parsers are written by different people and either may be wrong.
//!
//! Tree-sitter-al keeps all branches of `#if` in one tree, while ours, like the compiler, keeps the active one. It is
//! therefore given the text with directives and inactive text blanked out, which moves nothing.

mod constructs;
mod opinion;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use candor_al_syntax::text::{LineIndex, SourceText};
use candor_al_syntax::{Symbols, parse};
use clap::Parser;
use rayon::prelude::*;

use constructs::CONSTRUCTS;
use opinion::Opinion;

/// Compare candor-al-syntax with tree-sitter-al over AL files.
#[derive(Parser)]
struct Options {
    /// A folder to search, or one file; may be repeated.
    #[arg(long, required = true)]
    path: Vec<PathBuf>,
    /// Preprocessor symbols to define, separated by commas.
    #[arg(long, value_delimiter = ',')]
    symbols: Vec<String>,
    /// Only this construct, by its name in the table.
    #[arg(long)]
    construct: Option<String>,
    /// Number of differences listed for each construct.
    #[arg(long, default_value_t = 5)]
    list: usize,
}

/// What one construct gave over the files compared so far.
#[derive(Clone, Default)]
struct Comparison {
    ours: usize,
    theirs: usize,
    differing_files: usize,
    differences: Vec<String>,
}

/// What all constructs gave, in the order of [`CONSTRUCTS`].
#[derive(Clone)]
struct Report {
    compared: usize,
    /// Files that one of the parsers rejects; nothing else of them is compared.
    rejected: Vec<String>,
    comparisons: Vec<Comparison>,
}

impl Report {
    fn new() -> Self {
        Self {
            compared: 0,
            rejected: Vec::new(),
            comparisons: vec![Comparison::default(); CONSTRUCTS.len()],
        }
    }

    fn merge(mut self, other: Self, list: usize) -> Self {
        self.compared += other.compared;
        self.rejected.extend(other.rejected);
        for (mine, more) in self.comparisons.iter_mut().zip(other.comparisons) {
            mine.ours += more.ours;
            mine.theirs += more.theirs;
            mine.differing_files += more.differing_files;
            mine.differences.extend(more.differences);
            mine.differences.truncate(list);
        }
        self
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    let files = match find(&options.path) {
        Ok(files) => files,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let opinion = Opinion::new();
    for name in opinion.unknown_names() {
        eprintln!("tree-sitter-al has no `{name}`");
    }
    let symbols: Symbols = options.symbols.iter().collect();
    let report = files
        .par_iter()
        .map(|path| compare(path, &symbols, &opinion))
        .reduce(Report::new, |left, right| left.merge(right, options.list));
    show(&report, &options);
    ExitCode::SUCCESS
}

/// Every `.al` file below the folders, sorted.
fn find(folders: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = folders.to_vec();
    while let Some(path) = open.pop() {
        if !path.is_dir() {
            found.push(path);
            continue;
        }
        for entry in fs::read_dir(&path)? {
            let entry = entry?.path();
            let is_al = entry
                .extension()
                .is_some_and(|extension| extension.eq_ignore_ascii_case("al"));
            if is_al || entry.is_dir() {
                open.push(entry);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn compare(path: &Path, symbols: &Symbols, opinion: &Opinion) -> Report {
    let mut report = Report::new();
    let source = match fs::read(path) {
        Ok(bytes) => SourceText::decode_vec(bytes),
        Err(error) => {
            report.rejected.push(format!("{}: {error}", path.display()));
            return report;
        }
    };
    let text = source.text();
    let lines = LineIndex::new(text);
    let tree = parse(text, symbols);
    if let Some(error) = tree.errors().first() {
        report.rejected.push(format!(
            "{}:{}: by us",
            path.display(),
            lines.position(error.range.start)
        ));
        return report;
    }
    let all_theirs = match opinion.places(&opinion::without_directives(&tree)) {
        Ok(places) => places,
        Err(offset) => {
            let place = lines.position(offset);
            report
                .rejected
                .push(format!("{}:{place}: by tree-sitter-al", path.display()));
            return report;
        }
    };
    report.compared = 1;
    for ((construct, theirs), comparison) in CONSTRUCTS.iter().zip(all_theirs).zip(&mut report.comparisons) {
        let ours = constructs::places(&tree, construct);
        comparison.ours = ours.len();
        comparison.theirs = theirs.len();
        let only_ours = ours.iter().find(|place| theirs.binary_search(place).is_err());
        let only_theirs = theirs.iter().find(|place| ours.binary_search(place).is_err());
        for (place, who) in [(only_ours, "only ours"), (only_theirs, "only theirs")] {
            if let Some(&(start, end)) = place {
                let end = if end > start { end as usize } else { text.len() };
                let shown: String = text[start as usize..end].chars().take(60).collect();
                let position = lines.position(start);
                comparison
                    .differences
                    .push(format!("{}:{position}: {who}: {shown:?}", path.display()));
            }
        }
        comparison.differing_files = usize::from(ours != theirs);
    }
    report
}

fn show(report: &Report, options: &Options) {
    println!("compared {} files", report.compared);
    for rejected in &report.rejected {
        println!("rejected: {rejected}");
    }
    println!("\n| construct | ours | tree-sitter-al | files that differ |\n|---|---|---|---|");
    for (construct, comparison) in CONSTRUCTS.iter().zip(&report.comparisons) {
        if options.construct.as_deref().is_none_or(|name| name == construct.name) {
            println!(
                "| {} | {} | {} | {} |",
                construct.name, comparison.ours, comparison.theirs, comparison.differing_files
            );
        }
    }
    for (construct, comparison) in CONSTRUCTS.iter().zip(&report.comparisons) {
        let wanted = options.construct.as_deref().is_none_or(|name| name == construct.name);
        if wanted && !comparison.differences.is_empty() {
            println!("\n{}:", construct.name);
            for difference in &comparison.differences {
                println!("  {difference}");
            }
        }
    }
}
