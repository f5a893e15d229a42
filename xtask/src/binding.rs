//! `binding`: every project below some folders, bound in the order of dependencies.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use candor_al_model::{
    AppId, AppIdentity, Cause, Coverage, FileDeclarations, FileId, Universe, arrange, bind, coverage_of,
    declarations_of,
};
use candor_al_syntax::text::LineIndex;
use candor_al_syntax::{Symbols, Tree, parse};
use candor_al_workspace::configuration::{Configuration, ConfigurationOptions, load_configuration};
use candor_al_workspace::discovery::{self, project_files};
use candor_al_workspace::file_system::Disk;
use cpu_time::{ProcessTime, ThreadTime};
use rayon::prelude::*;

use crate::files;
use crate::usage::{megabytes, peak_memory};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// A folder with projects; may be repeated.
    #[arg(long, required = true)]
    path: Vec<PathBuf>,
    /// Bind only projects whose name contains this; all are declared.
    #[arg(long)]
    only: Option<String>,
    /// Show this many names that are not known, those that occur most first.
    #[arg(long, default_value_t = 40)]
    list: usize,
    /// Show names that are not known for this cause only.
    #[arg(long)]
    cause: Option<String>,
    /// Show the coverage of each project.
    #[arg(long)]
    projects: bool,
}

/// What all projects gave.
#[derive(Default)]
struct Totals {
    coverage: Coverage,
    /// Name and cause, with the number of times and one place.
    unknown: HashMap<(String, Cause), (u64, String)>,
    parsing: Duration,
    lowering: Duration,
    joining: Duration,
    binding: Duration,
    files: usize,
}

struct Parsed {
    path: PathBuf,
    tree: Tree,
    declarations: Arc<FileDeclarations>,
    parsing: Duration,
    lowering: Duration,
}

/// Runs the task.
pub(crate) fn run(options: &Options) -> io::Result<bool> {
    let (begin, begin_cpu) = (Instant::now(), ProcessTime::now());
    let paths: Vec<PathBuf> = options
        .path
        .iter()
        .map(std::path::absolute)
        .collect::<io::Result<_>>()?;
    let selection = discovery::select(&Disk, &paths);
    let projects: Vec<(PathBuf, Configuration)> = selection
        .projects
        .into_par_iter()
        .map(|project| {
            let configuration = load_configuration(&Disk, &project.root, &ConfigurationOptions::default());
            (project.root, configuration)
        })
        .collect();
    let identities: Vec<AppIdentity> = projects
        .iter()
        .map(|(root, configuration)| configuration.manifest.identity(root))
        .collect();
    let mut universe = Universe::new();
    let mut totals = Totals::default();
    let mut app_of: HashMap<usize, AppId> = HashMap::new();
    for group in arrange(&identities) {
        let dependencies: Vec<AppId> = group
            .dependencies
            .iter()
            .filter_map(|it| app_of.get(it).copied())
            .collect();
        let first = universe.file_count() as u32;
        let mut all_parsed = Vec::new();
        let mut added = Vec::new();
        for &app in &group.apps {
            let (root, configuration) = &projects[app];
            let symbols = &configuration.manifest.preprocessor_symbols;
            let symbols: Symbols = symbols.iter().map(|it| it.value.as_str()).collect();
            let parsed: Vec<Parsed> = project_files(&Disk, root)
                .files
                .into_par_iter()
                .filter_map(|path| parse_file(path, &symbols))
                .collect();
            totals.files += parsed.len();
            totals.parsing += parsed.iter().map(|it| it.parsing).sum::<Duration>();
            totals.lowering += parsed.iter().map(|it| it.lowering).sum::<Duration>();
            let description = identities[app].description(&dependencies, group.has_missing_dependencies);
            let declarations: Vec<_> = parsed.iter().map(|it| Arc::clone(&it.declarations)).collect();
            added.push((description, declarations));
            all_parsed.push(parsed);
        }
        let joining = Instant::now();
        let ids = universe.add_apps(added);
        totals.joining += joining.elapsed();
        let mut next = first;
        for ((&app, id), parsed) in group.apps.iter().zip(ids).zip(all_parsed) {
            app_of.insert(app, id);
            let count = parsed.len() as u32;
            let name = &identities[app].name;
            if options.only.as_ref().is_none_or(|only| name.contains(only.as_str())) {
                bind_app(&universe, next, parsed, name, options, &mut totals);
            }
            next += count;
        }
    }
    show(&universe, &totals, options, begin.elapsed(), begin_cpu.elapsed());
    Ok(true)
}

fn parse_file(path: PathBuf, symbols: &Symbols) -> Option<Parsed> {
    let source = files::read(&path).ok()?;
    let begin = ThreadTime::now();
    let tree = parse(source.into_text(), symbols);
    let parsing = begin.elapsed();
    let begin = ThreadTime::now();
    let declarations = Arc::new(declarations_of(&tree).0);
    Some(Parsed {
        path,
        tree,
        declarations,
        parsing,
        lowering: begin.elapsed(),
    })
}

fn bind_app(universe: &Universe, first: u32, parsed: Vec<Parsed>, name: &str, options: &Options, totals: &mut Totals) {
    let shared = Mutex::new((Coverage::default(), Duration::ZERO, HashMap::new()));
    parsed.into_par_iter().enumerate().for_each(|(index, file)| {
        let begin = ThreadTime::now();
        let binding = bind(universe, FileId(first + index as u32), &file.tree);
        let time = begin.elapsed();
        let mut unknown = Vec::new();
        let coverage = coverage_of(&file.tree, &binding, &mut |it| {
            let node = file.tree.node(it.node);
            let token = node.last_token().map_or("", |token| token.text());
            unknown.push((token.to_owned(), it.cause, node.range().start));
        });
        let lines = LineIndex::new(file.tree.text());
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.0.add(&coverage);
        shared.1 += time;
        for (token, cause, offset) in unknown {
            let entry = shared
                .2
                .entry((token, cause))
                .or_insert_with(|| (0, format!("{}:{}", file.path.display(), lines.position(offset))));
            entry.0 += 1;
        }
    });
    let (coverage, time, unknown) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    if options.projects {
        println!(
            "{name}: {} names, {} unknown",
            coverage.total(),
            coverage.total() - coverage.bound
        );
    }
    totals.coverage.add(&coverage);
    totals.binding += time;
    for (key, (count, place)) in unknown {
        totals.unknown.entry(key).or_insert((0, place)).0 += count;
    }
}

#[expect(clippy::cast_precision_loss, reason = "shares are shown with few digits")]
fn show(universe: &Universe, totals: &Totals, options: &Options, wall: Duration, cpu: Duration) {
    let mut unknown: Vec<_> = totals
        .unknown
        .iter()
        .filter(|((_, cause), _)| {
            options
                .cause
                .as_ref()
                .is_none_or(|wanted| cause.name().contains(wanted.as_str()))
        })
        .collect();
    unknown.sort_by(|left, right| right.1.0.cmp(&left.1.0).then_with(|| left.0.cmp(right.0)));
    for ((name, cause), (count, place)) in unknown.into_iter().take(options.list) {
        println!("{count:>8}  {name}  ({})  {place}", cause.name());
    }
    let coverage = &totals.coverage;
    let share = |count: u64| count as f64 * 100.0 / coverage.total().max(1) as f64;
    println!("projects         {:>12}", universe.app_count());
    println!("files            {:>12}", totals.files);
    println!("objects          {:>12}", universe.object_count());
    println!("names in bodies  {:>12}", coverage.total());
    println!(
        "  bound          {:>12}  {:.3} %",
        coverage.bound,
        share(coverage.bound)
    );
    for &cause in Cause::ALL {
        let count = coverage.unbound_by(cause);
        println!("  {count:>25}  {:.3} %  {}", share(count), cause.name());
    }
    let excused = [Cause::DotNet, Cause::PlatformObject, Cause::MissingDependency];
    let excused: u64 = excused.iter().map(|&cause| coverage.unbound_by(cause)).sum();
    let rest = (coverage.total() - excused).max(1);
    println!(
        "  bound of those that are not .NET, platform or missing  {:.3} %",
        coverage.bound as f64 * 100.0 / rest as f64
    );
    println!("parsing          {:>12.2}  CPU s", totals.parsing.as_secs_f64());
    println!("declarations     {:>12.2}  CPU s", totals.lowering.as_secs_f64());
    println!("joining          {:>12.2}  s", totals.joining.as_secs_f64());
    println!("binding          {:>12.2}  CPU s", totals.binding.as_secs_f64());
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
