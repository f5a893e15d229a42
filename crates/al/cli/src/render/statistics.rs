//! What a run cost, and what each rule found.

use std::io::{self, Write};
use std::time::Duration;

use candor_al_session::check::{RuleStatistics, Statistics};
use serde::Serialize;

use super::findings::counted;
use super::palette::{Palette, paint};
use super::quantities::{bytes, grouped, time};
use super::table::{Align, TableCell, write_table};

/// Writes a table of rules, most findings first, and the sizes and times.
pub(crate) fn write_statistics(
    out: &mut dyn Write,
    statistics: &Statistics,
    peak_memory: Option<u64>,
    palette: &Palette,
) -> io::Result<()> {
    let mut rules: Vec<&RuleStatistics> = statistics.rules.iter().collect();
    rules.sort_by(|one, other| other.findings.cmp(&one.findings).then(one.id.cmp(other.id)));
    let rows: Vec<_> = rules
        .iter()
        .map(|rule| {
            [
                TableCell::styled(rule.id, palette.name),
                TableCell::plain(grouped(rule.findings as u64)),
                TableCell::plain(time(rule.time)),
            ]
        })
        .collect();
    let head = [
        ("rule", Align::Left),
        ("findings", Align::Right),
        ("time", Align::Right),
    ];
    write_table(out, palette, head, &rows)?;
    writeln!(out)?;

    let mut row =
        |name: &str, value: &str| writeln!(out, "{} {value}", paint(palette.aside, format_args!("{name:<8}")));
    row(
        "read",
        &format!(
            "{}, {}, {} lines",
            counted(statistics.files, "file"),
            bytes(statistics.bytes),
            grouped(statistics.lines)
        ),
    )?;
    row("found", &counted(statistics.findings, "finding"))?;
    row(
        "time",
        &format!("{}, {} on all processors", time(statistics.wall), time(statistics.cpu)),
    )?;
    row(
        "of these",
        &format!(
            "preparing {}, reading {}, parsing {}, checking {}",
            time(statistics.preparing),
            time(statistics.reading),
            time(statistics.parsing),
            time(statistics.checking)
        ),
    )?;
    if let Some(memory) = peak_memory {
        row("memory", &format!("{} at most", bytes(memory)))?;
    }
    writeln!(out)
}

/// The same as data: sizes in bytes, times in seconds.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatisticsEntry {
    files: usize,
    bytes: u64,
    lines: u64,
    findings: usize,
    wall_seconds: f64,
    cpu_seconds: f64,
    preparing_seconds: f64,
    reading_seconds: f64,
    parsing_seconds: f64,
    checking_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_memory_bytes: Option<u64>,
    rules: Vec<RuleEntry>,
}

#[derive(Debug, Serialize)]
struct RuleEntry {
    id: &'static str,
    findings: usize,
    seconds: f64,
}

impl StatisticsEntry {
    pub(crate) fn of(statistics: &Statistics, peak_memory_bytes: Option<u64>) -> Self {
        Self {
            files: statistics.files,
            bytes: statistics.bytes,
            lines: statistics.lines,
            findings: statistics.findings,
            wall_seconds: seconds(statistics.wall),
            cpu_seconds: seconds(statistics.cpu),
            preparing_seconds: seconds(statistics.preparing),
            reading_seconds: seconds(statistics.reading),
            parsing_seconds: seconds(statistics.parsing),
            checking_seconds: seconds(statistics.checking),
            peak_memory_bytes,
            rules: statistics
                .rules
                .iter()
                .map(|rule| RuleEntry {
                    id: rule.id,
                    findings: rule.findings,
                    seconds: seconds(rule.time),
                })
                .collect(),
        }
    }
}

/// Seconds to the microsecond: more digits would only be noise.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statistics() -> Statistics {
        Statistics {
            files: 36_605,
            bytes: 715_200_000,
            lines: 15_600_000,
            findings: 1_203,
            wall: Duration::from_millis(4_200),
            cpu: Duration::from_millis(8_300),
            preparing: Duration::from_millis(90),
            reading: Duration::from_millis(600),
            parsing: Duration::from_millis(6_100),
            checking: Duration::from_millis(1_400),
            rules: vec![
                RuleStatistics {
                    id: "AC0007",
                    findings: 3,
                    time: Duration::from_micros(400),
                },
                RuleStatistics {
                    id: "LC0095",
                    findings: 1_200,
                    time: Duration::from_millis(800),
                },
            ],
        }
    }

    #[test]
    fn the_rule_with_most_findings_comes_first() {
        let mut out = Vec::new();
        write_statistics(&mut out, &statistics(), Some(1_500_000_000), &Palette::plain()).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "\
rule    findings    time
LC0095     1,200  800 ms
AC0007         3  400 µs

read     36,605 files, 715.2 MB, 15,600,000 lines
found    1,203 findings
time     4.20 s, 8.30 s on all processors
of these preparing 90 ms, reading 600 ms, parsing 6.10 s, checking 1.40 s
memory   1.5 GB at most

"
        );
    }

    #[test]
    fn data_has_seconds_and_bytes() {
        let entry = serde_json::to_value(StatisticsEntry::of(&statistics(), None)).unwrap();
        assert_eq!(entry["cpuSeconds"], 8.3);
        assert_eq!(
            entry["rules"][0],
            serde_json::json!({"id": "AC0007", "findings": 3, "seconds": 0.0004})
        );
        assert!(entry.get("peakMemoryBytes").is_none(), "what is not known is left out");
    }
}
