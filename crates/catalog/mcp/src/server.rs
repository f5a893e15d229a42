//! The server: the tools over one catalog, and what is added to every reply.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use candor_catalog_facade::{Call, Catalog, CatalogError};
use candor_contract::{JournalRecord, Reporter, ReporterOptions};
use candor_serve::{CallContext, ServeError, Server, ServerInfo};
use serde_json::{Map, Value};

use crate::description::{self, NoArguments};
use crate::progress::Watched;
use crate::prompt;
use crate::reply::Reply;

/// What an agent should know before it starts.
const INSTRUCTIONS: &str = "A catalog of data sets and of results computed from them by SQL recipes, versioned and \
reproducible. project_new if there is no project; catalog_import_source brings files in; catalog_query and catalog_peek \
look; catalog_create and catalog_revise keep results. The description of catalog_run says what a recipe is; small steps as \
named entries are easier to check than one long query. Failures are one JSON object: error, message, reason. new_errors in \
a reply are failures met elsewhere.";

/// How a server is set up.
#[derive(Debug, Clone, Default)]
pub struct ServerOptions {
    /// The project to work on; without one, the active one.
    pub project: Option<String>,
    /// Whether successes are sent as text only, without `structuredContent` and output schemas.
    pub text_only: bool,
}

/// Serves the tools on standard input and output until the input ends.
///
/// # Errors
/// When serving cannot start or breaks. A project that does not exist is no reason not to start: the agent is told, and
/// can choose or make one.
pub fn run(catalog: Catalog, options: &ServerOptions) -> Result<(), ServeError> {
    let started_at = SystemTime::now();
    if let Some(name) = &options.project
        && let Err(error) = catalog.work_on(name)
    {
        log(error.message());
    }
    match catalog.project() {
        Ok(project) => log(&format!("working on project `{}`", project.name())),
        Err(error) => log(error.message()),
    }
    server(catalog, started_at)
        .structured_content(!options.text_only)
        .serve_stdio()
}

/// The server over a catalog. What others recorded since `started_at` in the journal of the project goes to the next
/// reply.
pub fn server(catalog: Catalog, started_at: SystemTime) -> Server {
    let info = ServerInfo {
        name: "candor-catalog".into(),
        title: Some("Candor data catalog".into()),
        version: env!("CARGO_PKG_VERSION").into(),
        instructions: Some(INSTRUCTIONS.into()),
    };
    let shared = Arc::new(Shared {
        catalog,
        started_at,
        reporters: Mutex::default(),
        last_project: Mutex::default(),
    });
    // Positions are taken over from dead servers now and not at the first call, before which much may be recorded.
    let _ = shared.reporter();
    let (reporting, tagging) = (Arc::clone(&shared), Arc::clone(&shared));
    Server::new(info)
        .tool(description::run(), answering(&shared, Catalog::run))
        .tool(description::create(), answering(&shared, Catalog::create))
        .tool(description::revise(), answering(&shared, Catalog::revise))
        .tool(description::import_source(), answering(&shared, Catalog::import_source))
        .tool(description::query(), answering(&shared, Catalog::query))
        .tool(description::peek(), answering(&shared, Catalog::peek))
        .tool(
            description::list(),
            answering(&shared, |catalog, _, arguments| catalog.list(arguments)),
        )
        .tool(description::alias(), answering(&shared, Catalog::alias))
        .tool(description::rename(), answering(&shared, Catalog::rename))
        .tool(description::unalias(), answering(&shared, Catalog::unalias))
        .tool(
            description::scan_staleness(),
            answering(&shared, Catalog::scan_staleness),
        )
        .tool(description::recalc(), answering(&shared, Catalog::recalc))
        .tool(
            description::project_list(),
            answering(&shared, |catalog, _, _: &NoArguments| catalog.project_list()),
        )
        .tool(
            description::project_switch(),
            answering(&shared, Catalog::project_switch),
        )
        .tool(description::project_new(), answering(&shared, Catalog::project_new))
        .prompt(prompt::explore_data())
        .reporter_from(move || reporting.reporter())
        .tags(move |members| tagging.tag(members))
}

/// What all calls share.
struct Shared {
    catalog: Catalog,
    started_at: SystemTime,
    /// One for each project that was worked on, so that coming back repeats nothing.
    reporters: Mutex<HashMap<String, Arc<Reporter>>>,
    last_project: Mutex<Option<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// Who tells of the journal of the project that is worked on.
    fn reporter(&self) -> Option<Arc<Reporter>> {
        let project = self.catalog.project().ok()?;
        let mut reporters = lock(&self.reporters);
        if let Some(reporter) = reporters.get(project.name().as_str()) {
            return Some(Arc::clone(reporter));
        }
        let name = project.name().to_string();
        let journal = self.catalog.journal(&project);
        let catalog = self.catalog.clone();
        let named = move |record: &JournalRecord| {
            let mut fields = Map::new();
            let known = record
                .hash
                .as_deref()
                .and_then(|hash| catalog.version_of(&project, hash));
            if let Some((alias, version)) = known {
                fields.insert("alias".into(), alias.into());
                fields.insert("version".into(), version.into());
            }
            fields
        };
        let options = ReporterOptions::new()
            .started_at(self.started_at)
            .audience("catalog")
            .decoration(named);
        let reporter = Arc::new(Reporter::start(journal, options));
        reporters.insert(name, Arc::clone(&reporter));
        Some(reporter)
    }

    /// Says in every reply which project it is about, and warns when that is another than in the reply before.
    fn tag(&self, members: &mut Map<String, Value>) {
        let project = match members.get("project").and_then(Value::as_str) {
            Some(project) => project.to_owned(),
            None => match self.catalog.project() {
                Ok(project) => project.name().to_string(),
                Err(_) => return,
            },
        };
        let detail = members.shift_remove("detail");
        members.entry("project").or_insert_with(|| project.as_str().into());
        let before = lock(&self.last_project).replace(project.clone());
        if let Some(before) = before
            && before != project
        {
            let warning = format!(
                "The project is `{project}` now; the reply before was about `{before}`. This and later calls use `{project}`."
            );
            members.insert("warning".into(), warning.into());
        }
        if let Some(detail) = detail {
            members.insert("detail".into(), detail);
        }
    }
}

/// A handler that asks the catalog on behalf of a call: what fails is recorded as the call's own, and the client can
/// watch and stop it.
fn answering<Arguments, Output>(
    shared: &Arc<Shared>,
    ask: impl Fn(&Catalog, &Call<'_>, &Arguments) -> Result<Output, CatalogError> + Send + Sync + 'static,
) -> impl Fn(Arguments, &CallContext) -> Result<Reply<Output>, CatalogError> + Send + Sync + 'static {
    let shared = Arc::clone(shared);
    move |arguments, context| {
        let watched = Watched::new(context);
        let call = Call::new(context.scope(), &watched);
        ask(&shared.catalog, &call, &arguments).map(Reply)
    }
}

/// Standard output belongs to the protocol.
fn log(text: &str) {
    // Nobody is left to be told when standard error is gone.
    let _ = writeln!(std::io::stderr(), "candor-catalog mcp: {text}");
}
