//! `candor-catalog demo`: a project to look at.

use std::fs;
use std::path::Path;

use candor_catalog_facade as facade;
use serde_json::json;

use crate::commands::{Outcome, Session, named};
use crate::failure::Failure;

/// Orders of a small shop. The first order has leading zeros and the last no amount: both are kept as they are.
const ORDERS: &str = "\
order_id,day,region,product,quantity,amount
0001,2026-01-05,north,boots,2,180.50
0002,2026-01-06,south,sandals,1,39.90
0003,2026-01-06,north,laces,10,25.00
0004,2026-01-09,west,boots,1,90.25
0005,2026-01-12,south,boots,3,270.75
0006,2026-01-13,east,sandals,4,159.60
0007,2026-01-20,north,sandals,2,79.80
0008,2026-01-27,west,laces,5,
";

const LATER: &str = "\
0009,2026-02-02,east,boots,2,180.50
0010,2026-02-03,south,laces,20,50.00
";

const BY_REGION: &str = "\
SELECT region, COUNT(*) AS orders, SUM(amount) AS revenue
FROM orders
GROUP BY region
ORDER BY revenue DESC";

const BEST: &str = "SELECT region, revenue FROM by_region ORDER BY revenue DESC LIMIT 2";

const BY_REGION_REVISED: &str = "\
SELECT region, COUNT(*) AS orders, SUM(quantity) AS pieces, SUM(amount) AS revenue
FROM orders
WHERE amount IS NOT NULL
GROUP BY region
ORDER BY revenue DESC";

pub(crate) fn run(session: &Session, home: &Path, name: &str) -> Result<Outcome, Failure> {
    let arguments = facade::ProjectArguments { name: name.into() };
    session.catalog.project_new(&session.call(), &arguments)?;
    let folder = home.join("demo-data");
    let file = folder.join("orders.csv");
    let unwritten = |source| Failure::File {
        path: file.clone(),
        source,
    };
    fs::create_dir_all(&folder).map_err(unwritten)?;
    let import = |text: String| -> Result<(), Failure> {
        fs::write(&file, text).map_err(unwritten)?;
        let arguments = facade::ImportArguments {
            outside_path: file.display().to_string(),
            alias: "orders".into(),
            prompt: Some("The orders of the shop".into()),
            ..facade::ImportArguments::default()
        };
        session.catalog.import_source(&session.call(), &arguments)?;
        Ok(())
    };
    let keep = |name: &str, sql: &str, prompt: &str| {
        let arguments = facade::NamedRecipeArguments {
            name: name.into(),
            sql: sql.into(),
            prompt: Some(prompt.into()),
        };
        named(session, &arguments)
    };
    import(ORDERS.to_owned())?;
    keep("by_region", BY_REGION, "How much did each region bring in?")?;
    keep("best_regions", BEST, "Which two are the best?")?;
    keep(
        "by_region",
        BY_REGION_REVISED,
        "Without orders that have no amount, and with pieces",
    )?;
    import(format!("{ORDERS}{LATER}"))?;
    let made = json!({"project": name, "file": file.display().to_string()});
    session.write(&made, |out, _| {
        writeln!(
            out,
            "\
Made project `{name}` from {}:
  orders        two versions of a file
  by_region     a recipe over orders, revised once, recomputed when orders changed
  best_regions  a recipe over by_region, recomputed with it

Try:
  candor-catalog list
  candor-catalog peek by_region
  candor-catalog peek by_region-v1
  candor-catalog run 'SELECT * FROM \"orders-v1\" WHERE region = '\\''north'\\''' --query
  candor-catalog run 'SELECT region, revenue FROM by_region WHERE orders > 1' --name best_regions
  candor-catalog recalc orders --dry-run
  candor-catalog mcp      (in your agent's configuration)",
            file.display()
        )
    })?;
    Ok(Outcome::Done)
}
