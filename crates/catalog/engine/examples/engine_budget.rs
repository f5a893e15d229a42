//! Measures the engine against plain DataFusion in one run and prints ratios as JSON.
//!
//! ```sh
//! cargo run --release -p candor-catalog-engine --example engine_budget -- [ROWS]
//! ```
//!
//! * `aggregate`: reading, grouping, ordering and storing, against DataFusion reading and grouping. Budget 1.3.
//! * `join`, `window`: as many result rows as input rows, ordered, written, digested and read back, against DataFusion
//!   sorting by the key and writing Parquet. Budget 2.5.
//!
//! Both sides use one partition, batches of 8,192 rows and the same files.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use arrow::array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use candor_catalog_engine::{BATCH_ROWS, Binding, Bindings, Engine, EngineOptions, Recipe, RowsOf};
use candor_catalog_tables::Unobserved;
use candor_catalog_tables::snapshot::{SnapshotKind, SnapshotWriter};
use datafusion::dataframe::DataFrameWriteOptions;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};

type Failure = Box<dyn std::error::Error>;

const CUSTOMERS: i64 = 100_000;

const AGGREGATE: &str =
    "SELECT city, count(*) AS n, sum(price * qty) AS revenue, avg(price) AS mean FROM orders GROUP BY city";
const JOIN: &str = "SELECT o.id, o.city, o.price, c.name FROM orders o JOIN customers c ON o.customer = c.customer";
const WINDOW: &str = "SELECT id, customer, row_number() OVER (PARTITION BY customer ORDER BY id) AS place, sum(price) OVER (PARTITION BY customer ORDER BY id) AS running FROM orders";

fn main() -> Result<(), Failure> {
    let rows: i64 = std::env::args().nth(1).map_or(Ok(10_000_000), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    write_tables(folder.path(), rows)?;
    let engine = Engine::new(&EngineOptions {
        memory_limit: 6 << 30,
        ..EngineOptions::default()
    })?;
    let bindings: Bindings = ["orders", "customers"]
        .into_iter()
        .map(|name| {
            let rows = RowsOf::Snapshot(folder.path().join(format!("{name}.parquet")));
            (
                name.to_owned(),
                Binding {
                    hash: "0".repeat(12),
                    rows,
                    volatile: false,
                },
            )
        })
        .collect();

    let mut report = serde_json::Map::new();
    report.insert("rows".to_owned(), rows.into());
    for (name, sql, plain_sql, budget) in [
        ("aggregate", AGGREGATE, AGGREGATE.to_owned(), 1.3),
        ("join", JOIN, format!("{JOIN} ORDER BY o.id"), 2.5),
        ("window", WINDOW, format!("{WINDOW} ORDER BY id"), 2.5),
    ] {
        let writes = name != "aggregate";
        // The second of two runs each: both sides then read from the page cache.
        let mut plain = 0.0;
        let mut ours = 0.0;
        for _ in 0..2 {
            plain = plain_datafusion(folder.path(), &plain_sql, writes)?;
            let start = Instant::now();
            let done = engine.materialise(
                &Recipe::parse(sql)?,
                &bindings,
                &folder.path().join("ours.parquet"),
                &Unobserved,
            )?;
            done.snapshot.publish()?;
            ours = start.elapsed().as_secs_f64();
        }
        let ratio = ours / plain;
        report.insert(
            name.to_owned(),
            serde_json::json!({ "plain_seconds": plain, "seconds": ours, "ratio": ratio, "budget": budget, "within": ratio <= budget }),
        );
    }
    #[expect(clippy::print_stdout, reason = "the report is what this program is for")]
    {
        println!("{}", serde_json::Value::from(report));
    }
    Ok(())
}

fn plain_datafusion(folder: &Path, sql: &str, writes: bool) -> Result<f64, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    runtime.block_on(async {
        let config = SessionConfig::new()
            .with_target_partitions(1)
            .with_batch_size(BATCH_ROWS);
        let context = SessionContext::new_with_config(config);
        for name in ["orders", "customers"] {
            let path = folder.join(format!("{name}.parquet"));
            context
                .register_parquet(name, path.to_string_lossy(), ParquetReadOptions::default())
                .await?;
        }
        let start = Instant::now();
        let frame = context.sql(sql).await?;
        if writes {
            let target = folder.join("plain.parquet");
            frame
                .write_parquet(
                    &target.to_string_lossy(),
                    DataFrameWriteOptions::new().with_single_file_output(true),
                    None,
                )
                .await?;
        } else {
            frame.collect().await?;
        }
        Ok(start.elapsed().as_secs_f64())
    })
}

fn write_tables(folder: &Path, rows: i64) -> Result<(), Failure> {
    let mut seed = 88_172_645_463_325_252_u64;
    let mut random = move |limit: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        i64::try_from(seed % limit).unwrap_or(0)
    };
    let mut writer: Option<SnapshotWriter> = None;
    for start in (0..rows).step_by(65_536) {
        let end = (start + 65_536).min(rows);
        let ids: Vec<i64> = (start..end).collect();
        let customers: Vec<i64> = ids.iter().map(|_| random(CUSTOMERS.unsigned_abs())).collect();
        let cities: Vec<String> = ids.iter().map(|_| format!("city {:03}", random(200))).collect();
        #[expect(clippy::cast_precision_loss, reason = "prices are small")]
        let prices: Vec<f64> = ids.iter().map(|_| random(100_000) as f64 / 100.0).collect();
        let quantities: Vec<i64> = ids.iter().map(|_| random(9) + 1).collect();
        let columns: [(&str, ArrayRef); 5] = [
            ("id", Arc::new(Int64Array::from(ids))),
            ("customer", Arc::new(Int64Array::from(customers))),
            ("city", Arc::new(StringArray::from(cities))),
            ("price", Arc::new(Float64Array::from(prices))),
            ("qty", Arc::new(Int64Array::from(quantities))),
        ];
        let batch = RecordBatch::try_from_iter(columns)?;
        let writer = match &mut writer {
            Some(writer) => writer,
            None => writer.insert(SnapshotWriter::create(
                &folder.join("orders.parquet"),
                &batch.schema(),
                SnapshotKind::Source,
            )?),
        };
        writer.write(&batch)?;
    }
    if let Some(writer) = writer {
        writer.finish(&Unobserved)?;
    }
    let numbers: Vec<i64> = (0..CUSTOMERS).collect();
    let names: Vec<String> = numbers.iter().map(|number| format!("customer {number}")).collect();
    let columns: [(&str, ArrayRef); 2] = [
        ("customer", Arc::new(Int64Array::from(numbers))),
        ("name", Arc::new(StringArray::from(names))),
    ];
    let batch = RecordBatch::try_from_iter(columns)?;
    let mut writer = SnapshotWriter::create(&folder.join("customers.parquet"), &batch.schema(), SnapshotKind::Source)?;
    writer.write(&batch)?;
    writer.finish(&Unobserved)?;
    Ok(())
}
