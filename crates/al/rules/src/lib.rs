//! The rules of Candor for AL: one file per rule.
//!
//! This crate is pure. It knows no files, no clock, no threads and no protocol: [`check`] turns a tree and a few facts
//! about its project into [`Finding`]s, a finding words itself ([`Finding::message`]) and builds its fixes
//! ([`Finding::fix`]) only when asked. What goes wrong inside a rule becomes an [`Incident`] and stops nothing else.
//!
//! **To find a rule**, open `src/<cop>/<id>_<name>.rs`; everything about it is there, in this order: its page, what is
//! known about it, what it remembers, how it finds, what it says, how it repairs, its tests.
//!
//! **To add a rule**, write such a file (copy the one that is most alike) and add its line to the table below.
//!
//! Two policies hold for all rules. Text that is not AL is no ground for an accusation: see `damage.rs`. And a fix
//! changes tokens through [`candor_al_syntax::edit`], never text, so that comments and directives survive.

mod check;
mod context;
mod damage;
mod finding;
mod fix_all;
mod incident;
mod metadata;
mod page;
mod registry;
mod rule;
mod selection;
mod suppression;
#[cfg(test)]
mod testing;

pub use check::{Checked, RuleObserver, RuleTimes, check, check_observed};
pub use context::{FileContext, RuntimeVersion};
pub use finding::Finding;
pub use fix_all::{ChosenFix, FixProblem, FixedText, fix_all};
pub use incident::{Incident, IncidentWork, install_panic_hook};
pub use metadata::{Category, Cop, FixProvider, Metadata, Needs, Origin, Safety, Severity};
pub use page::{index, page};
pub use selection::RuleSelection;
pub use suppression::Suppressions;

use candor_al_syntax::edit::EditSet;
use candor_al_syntax::{Node, Tree};
use context::Context;
use rule::{Report, Rule};
#[cfg(test)]
use testing::Tester;

registry::rules! {
    candor {
        CN0001 cn0001_syntax_error SyntaxError,
    }
}
