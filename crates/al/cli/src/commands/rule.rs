//! `candor-al rule ID`: the page of a rule.

use std::io::Write;

use candor_al_session::rules;

use super::{Outcome, Surroundings};
use crate::arguments::RuleArguments;
use crate::failure::Failure;
use crate::render::page::write_page;

pub(crate) fn run(
    arguments: &RuleArguments,
    surroundings: &Surroundings,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let Some(page) = rules::page(&arguments.id) else {
        return Err(Failure::NoSuchRule {
            id: arguments.id.clone(),
            nearest: rules::nearest(&arguments.id),
        });
    };
    write_page(out, &page, &surroundings.terminal.output)?;
    Ok(Outcome::Clean)
}
