//! What the commands do.

use std::fs;
use std::io::{self, BufWriter, Read as _, Write};
use std::path::Path;
use std::time::Duration;

use candor_catalog_facade as facade;
use candor_catalog_facade::{Call, Catalog, CatalogOptions};
use candor_contract::{CallScope, OwnRecords};
use serde::Serialize;
use serde_json::Value;

use crate::arguments::{
    Arguments, Command, ErrorsArguments, Format, ImportArguments, ListArguments, PeekArguments, RecalcArguments,
    RunArguments,
};
use crate::demo;
use crate::failure::Failure;
use crate::progress::Watch;
use crate::show;

/// How long verification may go on behind the last line. What is not verified then, its record says.
const VERIFICATION: Duration = Duration::from_secs(600);

/// How a command that did its work ends: its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Done.
    Done = 0,
    /// Done, but something failed or is stale.
    Attention = 1,
}

/// The catalog, and how it is spoken to.
pub(crate) struct Session {
    pub(crate) catalog: Catalog,
    scope: CallScope,
    watch: Watch,
    format: Format,
}

impl Session {
    pub(crate) fn call(&self) -> Call<'_> {
        Call::new(&self.scope, &self.watch)
    }

    /// Writes a result in the form that was asked for.
    pub(crate) fn write<T: Serialize>(
        &self,
        result: &T,
        human: impl FnOnce(&mut dyn Write, &T) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.watch.finish();
        let mut out = BufWriter::new(io::stdout());
        match self.format {
            Format::Json => {
                serde_json::to_writer_pretty(&mut out, result).map_err(io::Error::from)?;
                writeln!(out)?;
            }
            Format::Human => human(&mut out, result)?,
        }
        out.flush()?;
        Ok(())
    }
}

pub(crate) fn run(arguments: Arguments) -> Result<Outcome, Failure> {
    let options = CatalogOptions::from_environment().ok_or(Failure::NoHome)?;
    let home = options.home.clone();
    let catalog = Catalog::new(options);
    if let Command::Mcp(given) = &arguments.command {
        let options = candor_catalog_mcp::ServerOptions {
            project: arguments.project,
            text_only: given.text_only,
        };
        candor_catalog_mcp::run(catalog, &options).map_err(|error| Failure::Server(error.to_string()))?;
        return Ok(Outcome::Done);
    }
    if let Some(name) = &arguments.project {
        catalog.work_on(name)?;
    }
    let tool = match &arguments.command {
        Command::Import(_) => "cli_import",
        Command::Run(_) => "cli_run",
        Command::Recalc(_) => "cli_recalc",
        Command::Demo(_) => "cli_demo",
        _ => "cli",
    };
    let session = Session {
        catalog,
        scope: CallScope::new(tool, OwnRecords::default()),
        watch: Watch::start(),
        format: arguments.format,
    };
    let outcome = match arguments.command {
        Command::Init(given) => init(&session, given.name),
        Command::Import(given) => import(&session, &given),
        Command::Run(given) => build(&session, given),
        Command::List(given) => list(&session, &given),
        Command::Peek(given) => peek(&session, given),
        Command::Recalc(given) => recalc(&session, given),
        Command::Errors(given) => errors(&session, &given),
        Command::Demo(given) => demo::run(&session, &home, &given.name),
        Command::Mcp(_) => Ok(Outcome::Done),
    };
    session.watch.finish();
    session.catalog.wait_for_background(VERIFICATION);
    outcome
}

fn init(session: &Session, name: String) -> Result<Outcome, Failure> {
    let arguments = facade::ProjectArguments { name };
    let made = session.catalog.project_new(&session.call(), &arguments)?;
    session.write(&made, |out, made| {
        writeln!(
            out,
            "Made project `{}`, and work on it from now on.\nNext: candor-catalog import FILE",
            made.active
        )
    })?;
    Ok(Outcome::Done)
}

fn json(option: &str, text: Option<&String>) -> Result<Option<Value>, Failure> {
    text.map(|text| serde_json::from_str(text))
        .transpose()
        .map_err(|error| Failure::Usage(format!("{option} is no JSON: {error}")))
}

/// The name of a file as an alias: lower case, with underscores.
fn alias_of(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let name: String = stem
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' })
        .collect();
    let name = name.trim_matches('_');
    if name.starts_with(|letter: char| letter.is_ascii_lowercase()) {
        name.to_owned()
    } else {
        format!("data_{name}")
    }
}

fn import(session: &Session, given: &ImportArguments) -> Result<Outcome, Failure> {
    let options = match json("--options", given.options.as_ref())? {
        None => None,
        Some(Value::Object(options)) => Some(options),
        Some(_) => return Err(Failure::Usage("--options must be a JSON object".into())),
    };
    let arguments = facade::ImportArguments {
        outside_path: given.file.display().to_string(),
        alias: given.alias.clone().unwrap_or_else(|| alias_of(&given.file)),
        pinned_version: given.version,
        prompt: None,
        schema: json("--schema", given.schema.as_ref())?,
        reader_options: options,
    };
    let imported = session.catalog.import_source(&session.call(), &arguments)?;
    session.write(&imported, |out, imported| show::import(out, imported))?;
    Ok(outcome_of(imported.recalc.as_ref()))
}

fn recipe(given: &RunArguments) -> Result<String, Failure> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |source| Failure::File { path, source }
    };
    match (&given.sql, &given.file) {
        (_, Some(file)) => fs::read_to_string(file).map_err(unreadable(file)),
        (Some(sql), None) if sql == "-" => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text)?;
            Ok(text)
        }
        (sql, None) => Ok(sql.clone().unwrap_or_default()),
    }
}

fn build(session: &Session, given: RunArguments) -> Result<Outcome, Failure> {
    let sql = recipe(&given)?;
    let (catalog, call) = (&session.catalog, session.call());
    if given.query {
        let arguments = facade::QueryArguments {
            sql,
            limit: Some(given.limit),
        };
        let rows = catalog.query(&call, &arguments)?;
        session.write(&rows, |out, rows| show::rows(out, rows))?;
        return Ok(Outcome::Done);
    }
    let prompt = given.prompt;
    let built = match given.name {
        None => catalog.run(&call, &facade::RunArguments { sql, prompt })?,
        Some(name) => named(session, &facade::NamedRecipeArguments { name, sql, prompt })?,
    };
    let limit = Some(given.limit);
    session.write(&built, |out, built| {
        show::build(out, built)?;
        let arguments = facade::PeekArguments {
            reference: built.hash.clone(),
            limit,
            ..facade::PeekArguments::default()
        };
        match catalog.peek(&call, &arguments) {
            Ok(rows) => show::rows(out, &rows),
            Err(error) => writeln!(out, "Its rows cannot be shown: {}", error.message()),
        }
    })?;
    Ok(outcome_of(built.recalc.as_ref()))
}

/// A new name, or a new version of one.
pub(crate) fn named(
    session: &Session,
    arguments: &facade::NamedRecipeArguments,
) -> Result<facade::BuildResult, Failure> {
    match session.catalog.create(&session.call(), arguments) {
        // Names are looked at before anything is built, so nothing was done yet.
        Err(error) if error.reason() == Some("NameTaken") => Ok(session.catalog.revise(&session.call(), arguments)?),
        built => Ok(built?),
    }
}

fn outcome_of(recalc: Option<&facade::RecalcReport>) -> Outcome {
    match recalc {
        Some(report) if report.status != "ok" => Outcome::Attention,
        _ => Outcome::Done,
    }
}

fn list(session: &Session, given: &ListArguments) -> Result<Outcome, Failure> {
    let arguments = facade::ListArguments {
        limit: Some(given.limit),
        offset: Some(given.offset),
    };
    let page = session.catalog.list(&arguments)?;
    session.write(&page, |out, page| show::list(out, page))?;
    Ok(Outcome::Done)
}

fn peek(session: &Session, given: PeekArguments) -> Result<Outcome, Failure> {
    let arguments = facade::PeekArguments {
        reference: given.reference,
        limit: Some(given.limit),
        offset: Some(given.offset),
        columns: given.columns,
    };
    let rows = session.catalog.peek(&session.call(), &arguments)?;
    session.write(&rows, |out, rows| show::rows(out, rows))?;
    Ok(Outcome::Done)
}

fn recalc(session: &Session, given: RecalcArguments) -> Result<Outcome, Failure> {
    let arguments = facade::RecalcArguments {
        roots: (!given.roots.is_empty()).then_some(given.roots),
        dry_run: Some(given.dry_run),
    };
    let report = session.catalog.recalc(&session.call(), &arguments)?;
    session.write(&report, |out, report| show::recalc(out, report))?;
    let stale = given.dry_run && report.entries.iter().any(|entry| entry.stale);
    Ok(if stale {
        Outcome::Attention
    } else {
        outcome_of(Some(&report))
    })
}

fn errors(session: &Session, given: &ErrorsArguments) -> Result<Outcome, Failure> {
    let project = session.catalog.project()?;
    let journal = session.catalog.journal(&project);
    if given.clear {
        let number = journal.clear()?;
        session.write(&serde_json::json!({"cleared": number}), |out, _| {
            writeln!(out, "Removed {number} records")
        })?;
        return Ok(Outcome::Done);
    }
    let records = journal.list(given.limit)?;
    let lines: Vec<_> = records.iter().map(|record| Value::Object(record.to_map())).collect();
    session.write(&lines, |out, _| show::errors(out, &records))?;
    Ok(Outcome::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_lends_its_name() {
        for (file, alias) in [
            ("/data/orders.csv", "orders"),
            ("Monthly Sales (2026).parquet", "monthly_sales__2026"),
            ("2026.csv", "data_2026"),
            ("größe.csv", "gr__e"),
        ] {
            assert_eq!(alias_of(Path::new(file)), alias);
        }
    }
}
