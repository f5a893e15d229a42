//! A rule that failed, as data.
//!
//! A panic in a rule must not take the other rules, the file or the program with it. It is caught where the rule is
//! called; what was learnt about it is an [`Incident`] that the caller reports and writes to its journal.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic;
use std::sync::Once;

use candor_al_syntax::TextRange;

use crate::RuleId;

/// A rule that failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Incident {
    /// The rule.
    pub rule: RuleId,
    /// The node the rule was looking at, or the finding it was repairing.
    pub range: TextRange,
    /// What it was doing.
    pub work: IncidentWork,
    /// What the panic said.
    pub message: String,
    /// Where in our source it happened, as `file:line:column`; known only after [`install_panic_hook`].
    pub location: Option<String>,
}

impl Incident {
    /// Describes the panic of a rule that was just caught on this thread.
    pub(crate) fn caught(rule: RuleId, range: TextRange, work: IncidentWork, payload: &(dyn Any + Send)) -> Self {
        let message = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "the panic carries no text".to_owned());
        Self {
            rule,
            range,
            work,
            message,
            location: LOCATION.take(),
        }
    }
}

/// What a rule was doing when it failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IncidentWork {
    /// Looking for findings. Its other findings in the file are dropped.
    Find,
    /// Building a fix. The finding stands, the fix is not offered.
    Fix,
}

thread_local! {
    /// How many guards are alive on this thread.
    static GUARDED: Cell<u32> = const { Cell::new(0) };
    static LOCATION: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Alive while a rule runs, so that the panic hook can tell a rule's panic from any other.
pub(crate) struct Guard(());

impl Guard {
    pub(crate) fn enter() -> Self {
        GUARDED.set(GUARDED.get() + 1);
        Self(())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        GUARDED.set(GUARDED.get() - 1);
    }
}

/// Makes panics of rules silent, since they come back as incidents, and lets incidents say where in our source they
/// happened. Panics of anything else go to the hook that was there before. To be called once, by a program, at its
/// start; calling it again does nothing.
pub fn install_panic_hook() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if GUARDED.get() == 0 {
                previous(info);
                return;
            }
            LOCATION.set(info.location().map(ToString::to_string));
        }));
    });
}
