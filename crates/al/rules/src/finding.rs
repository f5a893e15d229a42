//! What a rule found, as plain data.

use std::panic::{AssertUnwindSafe, catch_unwind};

use candor_al_syntax::edit::EditSet;
use candor_al_syntax::{TextRange, Tree};

use crate::incident::{Guard, IncidentWork};
use crate::{FixProvider, Incident, RuleId, Severity, State};

/// Something a rule has to say about a place in a text.
///
/// It is plain data and knows no text: wording it and repairing it need the tree it was found in (or another tree of
/// the same text under the same symbols) and happen only when asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The rule that found it.
    pub rule: RuleId,
    /// Where.
    pub range: TextRange,
    /// The severity the selection gives to the rule.
    pub severity: Severity,
    /// Whether a `#pragma warning disable` covers the place. Such a finding is kept so that callers can tell "nothing
    /// here" from "suppressed here"; it counts for nothing else.
    pub suppressed: bool,
    state: State,
}

impl Finding {
    pub(crate) fn new(rule: RuleId, range: TextRange, state: State) -> Self {
        Self {
            rule,
            range,
            severity: rule.metadata().severity,
            suppressed: false,
            state,
        }
    }

    /// What, why, and what to do, in a few sentences. `tree` is the tree it was found in.
    ///
    /// Should the rule fail at wording its finding, the title of the rule stands in.
    pub fn message(&self, tree: &Tree) -> String {
        let _guard = Guard::enter();
        catch_unwind(AssertUnwindSafe(|| self.state.message(tree)))
            .unwrap_or_else(|_| self.rule.metadata().title.to_owned())
    }

    /// The fixes that would change something here, in the order the rule offers them.
    ///
    /// # Errors
    /// An incident when building one of the fixes panics.
    pub fn fixes(&self, tree: &Tree) -> Result<Vec<&'static FixProvider>, Incident> {
        let mut offered = Vec::new();
        for fix in self.rule.metadata().fixes {
            if self.fix(fix.equivalence_key, tree)?.is_some() {
                offered.push(fix);
            }
        }
        Ok(offered)
    }

    /// The edits of the fix with this key: nothing when the rule has no such fix, or when it has nothing to offer for
    /// this finding (because a directive stands in the way, say).
    ///
    /// # Errors
    /// An incident when building the fix panics.
    pub fn fix(&self, equivalence_key: &str, tree: &Tree) -> Result<Option<EditSet>, Incident> {
        let Some(fix) = self.rule.metadata().fix(equivalence_key) else {
            return Ok(None);
        };
        let _guard = Guard::enter();
        let edits = catch_unwind(AssertUnwindSafe(|| self.state.fix(fix, tree)))
            .map_err(|payload| Incident::caught(self.rule, self.range, IncidentWork::Fix, payload.as_ref()))?;
        Ok(edits.filter(|edits| !edits.is_empty()))
    }
}
