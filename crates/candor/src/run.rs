//! One run of the checker from start to end.

use std::time::Instant;

use crate::checks::{self, protocol};
use crate::handshake::{self, Begun, HandshakeError};
use crate::limits::Limits;
use crate::reading;
use crate::report::{Probes, Report};
use crate::revision::Revision;
use crate::session::{Session, Silence};
use crate::transport::{ConnectError, Target};
use crate::{Finding, Published};

/// What to do.
#[derive(Debug, Clone)]
pub struct Options {
    /// Limits in time.
    pub limits: Limits,
    /// The revision to speak; `None` for the newest that both sides know.
    pub revision: Option<Revision>,
    /// Which tools get calls that must fail.
    pub probe: ProbeScope,
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
    #[error("the server could not be initialised: {source}")]
    Handshake {
        /// Why.
        source: HandshakeError,
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
    let (mut session, begun) = open(target, options)?;
    let mut findings = Vec::new();
    let published = reading::read(&mut session, begun, &options.limits, &mut findings);
    findings.extend(checks::check_published(&published));
    let probes = Probes::default();
    let notes = Vec::new();
    session.close();
    protocol::check(session.observed(), &mut findings);
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
    let (mut session, begun) = open(target, options)?;
    let mut findings = Vec::new();
    let published = reading::read(&mut session, begun, &options.limits, &mut findings);
    session.close();
    protocol::check(session.observed(), &mut findings);
    Ok((published, findings))
}

/// Connects and begins a conversation.
pub(crate) fn open(target: &Target, options: &Options) -> Result<(Session, Begun), RunError> {
    let mut session = Session::new(target.connect()?);
    let first = handshake::begin(&mut session, options.revision, options.limits.start);
    let error = match first {
        Ok(begun) => return Ok((session, begun)),
        Err(error) => error,
    };
    // A server that ends because it was asked what it does not know gets
    // another chance with what every older client says first.
    let is_worth_another = options.revision.is_none()
        && matches!(
            &error,
            HandshakeError::Silence(Silence::Closed(_) | Silence::Refused { .. })
        );
    if is_worth_another {
        session.close();
        session = Session::new(target.connect()?);
        match handshake::initialize(&mut session, Revision::NEWEST_WITH_INITIALIZE, options.limits.start) {
            Ok(begun) => return Ok((session, begun)),
            Err(error) => return Err(failed(session, error)),
        }
    }
    Err(failed(session, error))
}

fn failed(mut session: Session, source: HandshakeError) -> RunError {
    session.close();
    RunError::Handshake {
        source,
        stderr: session.stderr_tail(),
    }
}
