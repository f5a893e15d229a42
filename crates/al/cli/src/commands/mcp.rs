//! `candor-al mcp`: the tools for an agent.

use super::Outcome;
use crate::arguments::McpArguments;
use crate::failure::Failure;

pub(crate) fn run(arguments: McpArguments) -> Result<Outcome, Failure> {
    let options = candor_al_mcp::ServerOptions::from_arguments(arguments.options);
    candor_al_mcp::run(options).map_err(|error| Failure::Server(error.to_string()))?;
    Ok(Outcome::Clean)
}
