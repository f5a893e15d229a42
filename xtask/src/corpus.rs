//! `corpus`: every AL file below some folders, parsed and checked.

use std::fs;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use candor_al_syntax::text::{LineIndex, SourceText};
use candor_al_syntax::{Symbols, Tree, configurations, parse};
use cpu_time::{ProcessTime, ThreadTime};
use rayon::prelude::*;

use crate::files;
use crate::usage::{megabytes, peak_memory};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// A folder to search, or one file; may be repeated.
    #[arg(long, required = true)]
    path: Vec<PathBuf>,
    /// Preprocessor symbols to define, separated by commas.
    #[arg(long, value_delimiter = ',')]
    symbols: Vec<String>,
    /// Parse each file once more for each symbol its conditions mention, and once with all of them.
    #[arg(long)]
    all_configurations: bool,
    /// Number of threads; 0 means one for each core.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Number of errors and faults that are listed at most.
    #[arg(long, default_value_t = 50)]
    list: usize,
}

/// What one file, or all of them, gave.
#[derive(Default)]
struct Totals {
    files: u64,
    /// Texts parsed; more than files when configurations are tried.
    parses: u64,
    bytes_on_disk: u64,
    /// Bytes of all texts parsed.
    bytes_parsed: u64,
    tokens: u64,
    nodes: u64,
    lossy: u64,
    files_with_errors: u64,
    errors: u64,
    parse_time: Duration,
    /// The first syntax errors, one line each.
    listed: Vec<String>,
    /// Trees that are not what they have to be, panics, files that cannot be read.
    faults: Vec<String>,
}

impl Totals {
    /// Adds what later files gave; at most `limit` errors stay listed.
    fn merge(mut self, other: Self, limit: usize) -> Self {
        self.files += other.files;
        self.parses += other.parses;
        self.bytes_on_disk += other.bytes_on_disk;
        self.bytes_parsed += other.bytes_parsed;
        self.tokens += other.tokens;
        self.nodes += other.nodes;
        self.lossy += other.lossy;
        self.files_with_errors += other.files_with_errors;
        self.parse_time += other.parse_time;
        self.errors += other.errors;
        self.listed.extend(other.listed);
        self.listed.truncate(limit);
        self.faults.extend(other.faults);
        self
    }
}

/// Runs the task; `false` when a tree was wrong or the parser panicked.
pub(crate) fn run(options: &Options) -> io::Result<bool> {
    let paths = files::find(&options.path)?;
    let symbols: Symbols = options.symbols.iter().collect();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(io::Error::other)?;
    // Panics are caught and listed with their file; the usual message would only repeat them.
    panic::set_hook(Box::new(|_| {}));
    let (begin, begin_cpu) = (Instant::now(), ProcessTime::now());
    let totals = pool.install(|| {
        paths
            .par_iter()
            .map(|path| check_file(path, &symbols, options))
            .reduce(Totals::default, |left, right| left.merge(right, options.list))
    });
    let (wall, cpu) = (begin.elapsed(), begin_cpu.elapsed());
    drop(panic::take_hook());

    show_list("syntax errors", &totals.listed, totals.errors, options.list);
    show_list("faults", &totals.faults, totals.faults.len() as u64, options.list);
    show_totals(&totals, wall, cpu);
    Ok(totals.faults.is_empty())
}

fn check_file(path: &Path, symbols: &Symbols, options: &Options) -> Totals {
    let mut totals = Totals {
        files: 1,
        ..Totals::default()
    };
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            totals.faults.push(files::named(path, &error).to_string());
            return totals;
        }
    };
    totals.bytes_on_disk = bytes.len() as u64;
    let source = SourceText::decode(&bytes);
    totals.lossy = u64::from(!source.is_lossless());
    let written_back = if source.is_lossless() {
        source.encode(source.text()).is_ok_and(|encoded| encoded == bytes)
    } else {
        source.to_bytes() == bytes
    };
    if !written_back {
        totals
            .faults
            .push(format!("{}: the bytes written back differ", path.display()));
    }
    let mut tried = vec![symbols.clone()];
    if options.all_configurations {
        tried.extend(configurations(source.text()));
        tried.dedup();
    }
    let lines = LineIndex::new(source.text());
    for symbols in &tried {
        let with = if tried.len() > 1 {
            format!(" [{}]", symbols.iter().collect::<Vec<_>>().join(","))
        } else {
            String::new()
        };
        let text = source.text();
        let begin = ThreadTime::now();
        let parsed = panic::catch_unwind(AssertUnwindSafe(|| parse(text, symbols)));
        totals.parse_time += begin.elapsed();
        totals.parses += 1;
        totals.bytes_parsed += text.len() as u64;
        let tree = match parsed {
            Ok(tree) => tree,
            Err(panic) => {
                totals.faults.push(format!(
                    "{}: panic: {}{with}",
                    path.display(),
                    panic_message(panic.as_ref())
                ));
                continue;
            }
        };
        totals.tokens += tree.tokens().len() as u64;
        totals.nodes += tree.nodes().len() as u64;
        totals
            .faults
            .extend(faults_of(&tree, text).map(|fault| format!("{}: {fault}{with}", path.display())));
        totals.errors += tree.errors().len() as u64;
        for error in tree
            .errors()
            .iter()
            .take(options.list - totals.listed.len().min(options.list))
        {
            let place = lines.position(error.range.start);
            let found = tree.token_at(error.range.start).text();
            totals.listed.push(format!(
                "{}:{place}: {}{with}",
                path.display(),
                error.kind.message(found)
            ));
        }
    }
    totals.files_with_errors = u64::from(totals.errors > 0);
    totals
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message")
}

/// What makes a tree unsound: text that is lost or changed, children outside their parents or out of order.
fn faults_of(tree: &Tree, text: &str) -> Option<String> {
    let mut rest = text;
    for token in tree.tokens() {
        match rest.strip_prefix(token.text()) {
            Some(behind) => rest = behind,
            None => {
                return Some(format!(
                    "the tokens differ from the text at offset {}",
                    text.len() - rest.len()
                ));
            }
        }
    }
    if !rest.is_empty() {
        return Some(format!("the tokens end at offset {}", text.len() - rest.len()));
    }
    for node in tree.nodes() {
        let range = node.range();
        let mut behind = range.start;
        for child in node.children() {
            let child_range = child.range();
            if child_range.start < behind || child_range.end > range.end {
                return Some(format!("{child:?} does not lie in {node:?} behind its siblings"));
            }
            behind = child_range.end;
        }
    }
    None
}

fn show_list(title: &str, items: &[String], count: u64, limit: usize) {
    if items.is_empty() {
        return;
    }
    println!("{title}:");
    for item in items.iter().take(limit) {
        println!("  {item}");
    }
    let hidden = count - items.len().min(limit) as u64;
    if hidden > 0 {
        println!("  … and {hidden} more");
    }
    println!();
}

fn show_totals(totals: &Totals, wall: Duration, cpu: Duration) {
    let parse_seconds = totals.parse_time.as_secs_f64();
    let rate = megabytes(totals.bytes_parsed) / parse_seconds.max(1e-9);
    println!(
        "files            {:>12}  ({:.1} MB on disk, {} not valid in their encoding)",
        totals.files,
        megabytes(totals.bytes_on_disk),
        totals.lossy
    );
    println!(
        "texts parsed     {:>12}  ({:.1} MB)",
        totals.parses,
        megabytes(totals.bytes_parsed)
    );
    println!("tokens           {:>12}", totals.tokens);
    println!("nodes            {:>12}", totals.nodes);
    println!(
        "syntax errors    {:>12}  in {} files",
        totals.errors, totals.files_with_errors
    );
    println!("faults           {:>12}", totals.faults.len());
    println!("parse            {parse_seconds:>12.2}  CPU s, {rate:.0} MB per CPU s");
    println!(
        "everything       {:>12.2}  CPU s, {:.2} s wall",
        cpu.as_secs_f64(),
        wall.as_secs_f64()
    );
    if let Some(peak) = peak_memory() {
        println!("peak memory      {:>12.1}  MB", megabytes(peak));
    }
    if cfg!(debug_assertions) {
        println!("(development profile: use `cargo run --release -p xtask --` for figures to compare)");
    }
}
