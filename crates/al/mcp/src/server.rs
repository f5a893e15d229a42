//! The server: five tools over one session, their incidents in the journal.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use candor_al_session::tools::{AnalyzeArguments, AnalyzeResult};
use candor_al_session::{AlError, Answer, Cancellation, Session};
use candor_contract::{Journal, RecordFilter, Reporter, ReporterOptions, candor_home};
use candor_serve::{CallContext, Progress, ServeError, Server, ServerInfo};

use crate::description;
use crate::options::ServerOptions;

/// What an agent should know before it starts.
const INSTRUCTIONS: &str = "Analyses and fixes AL (Business Central) code. analyze finds diagnostics; get_fixes lists the \
fixes of one; apply_fix and apply_fix_all write them; then analyze again. Failures are one JSON object: error, message, \
reason.";

/// Serves the five tools on standard input and output until the input ends.
///
/// # Errors
/// When serving cannot start or breaks.
pub fn run(options: ServerOptions) -> Result<(), ServeError> {
    let started_at = SystemTime::now();
    candor_al_session::install_panic_hook();
    let ServerOptions {
        projects,
        text_only,
        warnings,
    } = options;
    let discovered = candor_al_session::discover_projects(&projects);
    for warning in warnings.iter().chain(&discovered.warnings) {
        log(warning);
    }
    match discovered.projects.len() {
        0 => log("no AL project was found; the fix tools take any project by its path"),
        number => log(&format!(
            "{number} AL projects, the first is {}",
            discovered.projects[0].display()
        )),
    }
    let session = Session::new(discovered.projects);
    let reporter = reporter(session.projects(), started_at);
    server(session, reporter).structured_content(!text_only).serve_stdio()
}

/// The server over a session; failures go to the journal of `reporter`, and what others write there to every reply.
pub fn server(session: Session, reporter: Option<Reporter>) -> Server {
    let info = ServerInfo {
        name: "candor-al".into(),
        title: Some("Candor for AL".into()),
        version: env!("CARGO_PKG_VERSION").into(),
        instructions: Some(INSTRUCTIONS.into()),
    };
    let session = Arc::new(session);
    let shared = || Arc::clone(&session);
    let server = Server::new(info)
        .tool(description::analyze(), answering(shared(), analyze))
        .tool(
            description::list_rules(),
            answering(shared(), quietly(Session::list_rules)),
        )
        .tool(
            description::get_fixes(),
            answering(shared(), quietly(Session::get_fixes)),
        )
        .tool(
            description::apply_fix(),
            answering(shared(), quietly(Session::apply_fix)),
        )
        .tool(
            description::apply_fix_all(),
            answering(shared(), quietly(Session::apply_fix_all)),
        );
    match reporter {
        Some(reporter) => server.reporter(Arc::new(reporter)),
        None => server,
    }
}

/// Reports what is recorded for these projects in the journal of all AL programs of this user. Without a home there is no
/// journal, and the server does without.
pub fn reporter(projects: &[PathBuf], started_at: SystemTime) -> Option<Reporter> {
    let journal = Journal::at(candor_home()?.join("al").join("errors.jsonl"));
    let mut names: Vec<_> = projects.iter().map(|project| project.display().to_string()).collect();
    names.sort();
    let options = ReporterOptions::new()
        .started_at(started_at)
        .audience(names.join("\n"))
        .filter(RecordFilter::for_projects(projects));
    Some(Reporter::start(journal, options))
}

/// Asks the session to analyse, and tells the client how far it is, if it wants to hear it.
fn analyze(
    session: &Session,
    arguments: &AnalyzeArguments,
    cancellation: &Cancellation,
    context: &CallContext,
) -> Answer<AnalyzeResult> {
    if !context.wants_progress() {
        return session.analyze(arguments, cancellation);
    }
    let context = context.clone();
    session.analyze_telling(arguments, cancellation, &move |done, total| {
        context.progress(Progress {
            done: count(done),
            total: Some(count(total)),
            message: Some(format!("{done} of {total} files analysed")),
        });
    })
}

/// A number of files, as the protocol has it.
fn count(files: usize) -> f64 {
    u32::try_from(files).unwrap_or(u32::MAX).into()
}

/// A tool that is done before anybody would want to hear how far it is.
fn quietly<Arguments, Output>(
    ask: impl Fn(&Session, &Arguments, &Cancellation) -> Answer<Output> + Send + Sync + 'static,
) -> impl Fn(&Session, &Arguments, &Cancellation, &CallContext) -> Answer<Output> + Send + Sync + 'static {
    move |session, arguments, cancellation, _| ask(session, arguments, cancellation)
}

/// A handler that asks the session, writes what went wrong beside the answer to the journal, and gives the answer.
fn answering<Arguments, Output>(
    session: Arc<Session>,
    ask: impl Fn(&Session, &Arguments, &Cancellation, &CallContext) -> Answer<Output> + Send + Sync + 'static,
) -> impl Fn(Arguments, &CallContext) -> Result<Output, AlError> + Send + Sync + 'static {
    move |arguments, context| {
        let answer = ask(
            &session,
            &arguments,
            &Cancellation::from_flag(context.cancellation().flag()),
            context,
        );
        for incident in &answer.incidents {
            if let Err(error) = context.record(incident.draft()) {
                log(&error.to_string());
            }
        }
        answer.result
    }
}

/// Standard output belongs to the protocol.
fn log(text: &str) {
    // Nobody is left to be told when standard error is gone.
    let _ = writeln!(std::io::stderr(), "candor-al mcp: {text}");
}
