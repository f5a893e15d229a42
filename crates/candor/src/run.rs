//! One run of the checker from start to end.

use std::time::Instant;

use serde_json::{Map, Value};

use crate::checks::{self, protocol};
use crate::handshake::{self, Begun, HandshakeError};
use crate::limits::Limits;
use crate::report::{Probes, Report};
use crate::revision::Revision;
use crate::session::{Session, Silence};
use crate::transport::{Closing, ConnectError, Target};
use crate::{Finding, Published};
use crate::{probe, reading};

/// What to do.
#[derive(Debug, Clone)]
pub struct Options {
    /// Limits in time.
    pub limits: Limits,
    /// The revision to speak; `None` for the newest that both sides know.
    pub revision: Option<Revision>,
    /// Which tools get calls that must fail.
    pub probe: ProbeScope,
    /// A call that takes long, to see who is served meanwhile and whether it
    /// can be cancelled.
    pub slow_call: Option<SlowCall>,
}

/// A call that is known to take long.
#[derive(Debug, Clone)]
pub struct SlowCall {
    /// The tool.
    pub tool: String,
    /// Its arguments, valid ones: the call is carried out until it is
    /// cancelled.
    pub arguments: Map<String, Value>,
}

/// Which tools get calls that must fail.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ProbeScope {
    /// None, and nothing malformed is sent either.
    None,
    /// Those with `readOnlyHint: true`.
    #[default]
    ReadOnly,
    /// All.
    All,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The server cannot be reached or started.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The conversation could not begin.
    #[error(
        "the server could not be initialised: {source}{}",
        .noise.as_ref().map_or_else(String::new, |line| format!("; its standard output began with `{line}`"))
    )]
    Handshake {
        /// Why.
        source: HandshakeError,
        /// The first line on standard output that was no message, if any.
        noise: Option<String>,
        /// The end of the server's standard error.
        stderr: String,
    },
}

/// Starts the server, reads everything, checks it, probes it, ends it.
///
/// # Errors
/// When the server could not be started or initialised.
pub fn run(target: &Target, options: &Options) -> Result<Report, RunError> {
    let started = Instant::now();
    let opened = open(target, options)?;
    let mut session = opened.session;
    let mut findings: Vec<Finding> = opened.crash.into_iter().collect();
    let published = reading::read(&mut session, opened.begun, &options.limits, &mut findings);
    findings.extend(checks::check_published(&published));
    let ends = started + options.limits.total;
    let (probes, notes, observed, closing) = if let Some(end) = session.end() {
        findings.extend(protocol::ended(end, "the reading of the lists", &session.stderr_tail()));
        let mut probes = Probes::default();
        for tool in published.tools() {
            let why = "the server ended before it could be probed".to_owned();
            probes.left_alone.push((tool.name.to_owned(), why));
        }
        session.close();
        let observed = session.observed().clone();
        (probes, Vec::new(), observed, Closing::Gracefully)
    } else {
        let probed = probe::probe(session, target, options, &published, ends);
        findings.extend(probed.findings);
        (probed.probes, probed.notes, probed.observed, probed.closing)
    };
    protocol::check(&observed, &mut findings);
    protocol::check_closing(&closing, &mut findings);
    // The sort is stable: within a check the order of the list stays.
    findings.sort_by_key(|finding: &Finding| checks::rank(finding.check));
    Ok(Report {
        target: target.shown(),
        published,
        findings,
        probes,
        notes,
        elapsed: started.elapsed(),
    })
}

/// Starts the server, reads everything, ends it. Nothing is probed, and the
/// findings are only those about the reading itself.
///
/// # Errors
/// When the server could not be started or initialised.
pub fn read_only(target: &Target, options: &Options) -> Result<(Published, Vec<Finding>), RunError> {
    let opened = open(target, options)?;
    let mut session = opened.session;
    let mut findings: Vec<Finding> = opened.crash.into_iter().collect();
    let published = reading::read(&mut session, opened.begun, &options.limits, &mut findings);
    if let Some(end) = session.end() {
        findings.extend(protocol::ended(end, "the reading of the lists", &session.stderr_tail()));
    }
    session.close();
    protocol::check(session.observed(), &mut findings);
    Ok((published, findings))
}

/// A session that has begun.
pub(crate) struct Opened {
    pub(crate) session: Session,
    pub(crate) begun: Begun,
    /// What to say about how it began.
    pub(crate) crash: Option<Finding>,
}

/// Connects and begins a conversation.
pub(crate) fn open(target: &Target, options: &Options) -> Result<Opened, RunError> {
    let mut session = Session::new(target.connect()?);
    let error = match handshake::begin(&mut session, options.revision, options.limits.start) {
        Ok(begun) => {
            return Ok(Opened {
                session,
                begun,
                crash: None,
            });
        }
        Err(error) => error,
    };
    // A server that ends because it was asked what it does not know gets
    // another chance with what every older client says first.
    let HandshakeError::Silence(silence @ (Silence::Closed(_) | Silence::Refused { .. })) = &error else {
        return Err(failed(session, error));
    };
    if options.revision.is_some() {
        return Err(failed(session, error));
    }
    let why = protocol::with_last_words(&silence.to_string(), &session.stderr_tail());
    let crash = matches!(silence, Silence::Closed(_)).then(|| protocol::handshake_crash(&why));
    session.close();
    let mut session = Session::new(target.connect()?);
    match handshake::initialize(&mut session, Revision::NEWEST_WITH_INITIALIZE, options.limits.start) {
        Ok(begun) => Ok(Opened { session, begun, crash }),
        Err(error) => Err(failed(session, error)),
    }
}

fn failed(mut session: Session, source: HandshakeError) -> RunError {
    session.close();
    RunError::Handshake {
        source,
        noise: session.observed().noise.first.first().cloned(),
        stderr: session.stderr_tail(),
    }
}
