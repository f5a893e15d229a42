//! Measures what must be fast: digesting, writing, pages at any offset, importing CSV. CPU time, so that other work on
//! the machine does not count.
//!
//! `cargo run --release -p candor-catalog-tables --example measure -- [MILLIONS OF ROWS]`
#![expect(
    clippy::print_stdout,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "it prints rough figures"
)]

use arrow::array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use candor_catalog_tables::Unobserved;
use candor_catalog_tables::digest::Digester;
use candor_catalog_tables::import::{ImportOptions, import_file};
use candor_catalog_tables::snapshot::{SnapshotKind, SnapshotReader, SnapshotWriter};
use cpu_time::ProcessTime;
use std::error::Error;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

const BATCH: i64 = 65_536;

fn batch(start: i64, rows: i64) -> Result<RecordBatch, Box<dyn Error>> {
    let range = start..start + rows;
    // A cheap generator: the values need only be of many kinds.
    let mixed = |n: i64| n.wrapping_mul(6_364_136_223_846_793_005).rotate_right(21) & 0xffff_ffff;
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("id", Arc::new(Int64Array::from_iter_values(range.clone()))),
        (
            "customer",
            Arc::new(Int64Array::from_iter_values(range.clone().map(|n| mixed(n) % 100_000))),
        ),
        (
            "city",
            Arc::new(StringArray::from_iter_values(
                range.clone().map(|n| format!("city {}", mixed(n) % 200)),
            )),
        ),
        (
            "note",
            Arc::new(StringArray::from_iter_values(
                range.clone().map(|n| format!("order {:x}", mixed(n))),
            )),
        ),
        (
            "price",
            Arc::new(Float64Array::from_iter_values(
                range.clone().map(|n| (mixed(n) % 100_000) as f64 / 100.0),
            )),
        ),
        (
            "weight",
            Arc::new(Float64Array::from_iter_values(
                range.clone().map(|n| mixed(n) as f64 / 7.0),
            )),
        ),
        (
            "quantity",
            Arc::new(
                range
                    .clone()
                    .map(|n| (n % 11 != 0).then_some(mixed(n) % 50))
                    .collect::<Int64Array>(),
            ),
        ),
        (
            "at",
            Arc::new(TimestampMicrosecondArray::from_iter_values(
                range.map(|n| 1_700_000_000_000_000 + n * 1_000_003),
            )),
        ),
    ];
    Ok(RecordBatch::try_from_iter(columns)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let millions: f64 = std::env::args().nth(1).map_or(Ok(10.0), |text| text.parse())?;
    let rows = (millions * 1e6) as i64;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("rows.parquet");

    let mut bytes = 0;
    let mut digesting = 0.0;
    let mut writing = Duration::ZERO;
    let schema = batch(0, 1)?.schema();
    let mut digester = Digester::new(&schema);
    let mut writer = SnapshotWriter::create(&path, &schema, SnapshotKind::Computed)?;
    let mut start = 0;
    while start < rows {
        let rows = batch(start, BATCH.min(rows - start))?;
        bytes += rows.get_array_memory_size();
        let clock = ProcessTime::now();
        digester.update(&rows)?;
        digesting += clock.elapsed().as_secs_f64();
        let clock = ProcessTime::now();
        writer.write(&rows)?;
        writing += clock.elapsed();
        start += BATCH;
    }
    let digest = digester.finish();
    let gigabytes = bytes as f64 / 1e9;
    println!(
        "digest     {digesting:7.2} s  {:.2} GB of Arrow, {:.2} GB/s",
        gigabytes,
        gigabytes / digesting
    );
    println!("write      {:7.2} s", writing.as_secs_f64());
    let clock = ProcessTime::now();
    let facts = writer.finish(&Unobserved)?;
    println!(
        "read back  {:7.2} s  {} MB",
        clock.elapsed().as_secs_f64(),
        facts.bytes / 1_000_000
    );
    assert_eq!(facts.digest, digest, "the file holds what was written");

    let reader = SnapshotReader::open(&path)?;
    for share in [0.0, 0.25, 0.5, 0.77, 0.999] {
        let offset = (rows as f64 * share) as u64;
        let clock = ProcessTime::now();
        let page = reader.page(offset, 100, None)?;
        println!(
            "page       {:7.2} ms at {offset} ({} rows)",
            clock.elapsed().as_secs_f64() * 1e3,
            page.num_rows()
        );
    }

    let text = folder.path().join("rows.csv");
    let mut file = std::io::BufWriter::new(std::fs::File::create(&text)?);
    writeln!(file, "id,customer,city,note,price,at")?;
    for n in 0..rows / 5 {
        let cents = n * 7919 % 100_000;
        writeln!(
            file,
            "{n},{},city {},\"order, {n:x}\",{}.{:02},2024-01-{:02}T10:00:00",
            n % 99_991,
            n % 200,
            cents / 100,
            cents % 100,
            n % 28 + 1
        )?;
    }
    file.flush()?;
    drop(file);
    let size = std::fs::metadata(&text)?.len();
    let clock = ProcessTime::now();
    let imported = import_file(
        &text,
        &folder.path().join("imported.parquet"),
        &ImportOptions::default(),
        &Unobserved,
    )?;
    let seconds = clock.elapsed().as_secs_f64();
    println!(
        "import     {seconds:7.2} s  {} rows, {} MB of CSV, {:.0} MB/s",
        imported.facts.rows,
        size / 1_000_000,
        size as f64 / 1e6 / seconds
    );
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap_or("VmHWM: unknown");
    println!("memory     {}", peak.trim_start_matches("VmHWM:").trim());
    Ok(())
}
