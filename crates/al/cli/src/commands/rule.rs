//! `candor-al rule ID`: the page of a rule.

use std::io::{self, Write};

use candor_al_session::rules::{self, RuleFacts};
use serde::Serialize;

use super::{Outcome, Surroundings};
use crate::arguments::{Format, RuleArguments};
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
    match arguments.format {
        Format::Human => write_page(out, &page, &surroundings.terminal.output)?,
        Format::Json => {
            let id = arguments.id.trim();
            let facts = rules::all().into_iter().find(|rule| rule.id.eq_ignore_ascii_case(id));
            serde_json::to_writer_pretty(&mut *out, &RuleEntry { facts, page }).map_err(io::Error::from)?;
            writeln!(out)?;
        }
    }
    Ok(Outcome::Clean)
}

/// What is known about a rule, and its page in Markdown.
#[derive(Serialize)]
struct RuleEntry {
    #[serde(flatten)]
    facts: Option<RuleFacts>,
    page: String,
}
