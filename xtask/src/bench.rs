//! `cargo xtask bench`: how fast `candor-al check` is, as a ratio to `ruff check` in the same run.
//!
//! Absolute times say more about the machine than about the program. So both programs run in turn, each over source of
//! its own language with every rule on and findings counted instead of printed, and what is compared is bytes of source
//! per CPU second. Design 4.6 asks for 5 times ruff's figure and never under 2.5 times.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;

#[derive(Args)]
pub(crate) struct Options {
    /// A folder of AL code, for instance a clone of BCApps.
    #[arg(long)]
    path: PathBuf,
    /// A folder of Python code, for instance Python's standard library.
    #[arg(long)]
    peer_path: PathBuf,
    /// The program to measure, built with --release.
    #[arg(long, default_value = "target/release/candor-al")]
    program: PathBuf,
    /// The peer.
    #[arg(long, default_value = "ruff")]
    ruff: PathBuf,
    /// How often each runs; the median counts.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

/// One side of the comparison.
struct Side {
    name: &'static str,
    command: Vec<String>,
    bytes: u64,
    /// CPU seconds of each round.
    rounds: Vec<f64>,
}

impl Side {
    fn new(name: &'static str, program: &Path, arguments: &[&str], path: &Path, extension: &str) -> io::Result<Self> {
        let command = std::iter::once(program.as_os_str())
            .chain(arguments.iter().map(AsRef::as_ref))
            .chain([path.as_os_str()])
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        Ok(Self {
            name,
            command,
            bytes: bytes_below(path, extension)?,
            rounds: Vec::new(),
        })
    }

    fn run(&mut self) -> io::Result<()> {
        let before = children_cpu_seconds()?;
        let status = Command::new(&self.command[0])
            .args(&self.command[1..])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .map_err(|error| io::Error::new(error.kind(), format!("cannot start {}: {error}", self.command[0])))?;
        // Both exit with 1 when there are findings, and there are.
        if !matches!(status.code(), Some(0 | 1)) {
            return Err(io::Error::other(format!(
                "{} ended with {status}",
                self.command.join(" ")
            )));
        }
        self.rounds.push(children_cpu_seconds()? - before);
        Ok(())
    }

    fn megabytes_per_second(&self) -> f64 {
        let mut rounds = self.rounds.clone();
        rounds.sort_by(f64::total_cmp);
        #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
        let megabytes = self.bytes as f64 / 1e6;
        megabytes / rounds[rounds.len() / 2]
    }
}

pub(crate) fn run(options: &Options) -> io::Result<bool> {
    let statistics = ["check", "--select", "ALL", "--statistics"];
    let ours = Side::new("candor-al", &options.program, &statistics, &options.path, "al")?;
    let ruff = [&statistics[..], &["--no-cache", "--isolated"]].concat();
    let peer = Side::new("ruff", &options.ruff, &ruff, &options.peer_path, "py")?;
    let mut sides = [ours, peer];
    for _ in 0..options.rounds.max(1) {
        for side in &mut sides {
            side.run()?;
        }
    }
    for side in &sides {
        println!("{}\n  {}", side.name, side.command.join(" "));
        let rounds: Vec<_> = side.rounds.iter().map(|seconds| format!("{seconds:.2}")).collect();
        println!(
            "  {} bytes; CPU seconds {}; {:.1} MB per CPU second",
            side.bytes,
            rounds.join(" "),
            side.megabytes_per_second()
        );
    }
    let ratio = sides[0].megabytes_per_second() / sides[1].megabytes_per_second();
    println!("ratio {ratio:.1} (asked for: 5, never under 2.5)");
    Ok(ratio >= 2.5)
}

/// The CPU seconds, user and system, of all child processes that have ended.
fn children_cpu_seconds() -> io::Result<f64> {
    // Fields 16 and 17 of the line, counted behind the program's name in parentheses, in ticks of 10 ms.
    let line = fs::read_to_string("/proc/self/stat")?;
    let fields = line.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks: u32 = fields
        .split_whitespace()
        .skip(13)
        .take(2)
        .filter_map(|ticks| ticks.parse::<u32>().ok())
        .sum();
    Ok(f64::from(ticks) / 100.0)
}

/// The bytes of all files below `path` with this extension, which is compared ignoring case.
fn bytes_below(path: &Path, extension: &str) -> io::Result<u64> {
    let mut bytes = 0;
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file()
                && entry
                    .path()
                    .extension()
                    .is_some_and(|it| it.eq_ignore_ascii_case(extension))
            {
                bytes += entry.metadata()?.len();
            }
        }
    }
    Ok(bytes)
}
