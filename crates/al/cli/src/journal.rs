//! The journal of the AL programs.

use std::collections::HashSet;

use candor_al_session::Incident;
use candor_contract::{Journal, candor_home};

use crate::failure::Failure;
use crate::messages::Messages;

/// `CANDOR_HOME/al/errors.jsonl`.
pub(crate) fn journal() -> Result<Journal, Failure> {
    let home = candor_home().ok_or(Failure::NoJournal)?;
    Ok(Journal::at(home.join("al").join("errors.jsonl")))
}

/// Records what went wrong on the way. The result stands even when that does
/// not succeed; then it is only said.
pub(crate) fn record(incidents: &[Incident], tool: &str, messages: Messages) {
    // The same trouble may be met on several ways.
    let mut known = HashSet::new();
    let incidents: Vec<&Incident> = incidents
        .iter()
        .filter(|incident| {
            known.insert((
                &incident.code,
                &incident.message,
                &incident.file_path,
                incident.position,
            ))
        })
        .collect();
    if incidents.is_empty() {
        return;
    }
    let number = incidents.len();
    let written = journal().and_then(|journal| {
        for incident in incidents {
            journal.record(incident.draft().tool(tool))?;
        }
        Ok(())
    });
    match written {
        Ok(()) if number == 1 => messages.hint("1 incident was recorded: `candor-al errors` shows it"),
        Ok(()) => messages.hint(&format!(
            "{number} incidents were recorded: `candor-al errors` shows them"
        )),
        Err(failure) => messages.failure(&failure),
    }
}
