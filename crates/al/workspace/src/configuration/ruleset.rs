//! Rulesets: which rules are off and how severe the others are.

mod load;

pub(crate) use load::{RulesetOptions, cached_file, is_web_address, load_ruleset, locate_external};

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// What a ruleset does with a diagnostic, the strictest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// It is switched off.
    None,
    /// It is reported as hidden.
    Hidden,
    /// It is reported as information.
    Info,
    /// It is reported as a warning.
    Warning,
    /// It is reported as an error.
    Error,
}

impl Action {
    /// The word for the action in a ruleset.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Hidden => "Hidden",
            Self::Info => "Info",
            Self::Warning => "Warning",
            Self::Error => "Error",
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A ruleset with everything it includes.
///
/// A rule's own entry counts before those of included rulesets, among these the strictest.
/// `generalAction` is for diagnostics without entry, or with the entry `Default`; the
/// strictest of all rulesets counts. The case of ids is free.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ruleset {
    /// The file it comes from; absent when the project has none.
    pub path: Option<PathBuf>,
    general: Option<Action>,
    /// Entries by id in upper case; `None` stands for `Default`.
    rules: BTreeMap<String, Option<Action>>,
}

impl Ruleset {
    /// What happens to diagnostics of this id; `None` when the ruleset does not say.
    pub fn action(&self, id: &str) -> Option<Action> {
        self.entry(id).or(self.general)
    }

    /// Whether diagnostics of this id are switched off.
    pub fn is_suppressed(&self, id: &str) -> bool {
        self.action(id) == Some(Action::None)
    }

    /// The severity that diagnostics of this id have instead of their own.
    pub fn severity(&self, id: &str) -> Option<Action> {
        self.action(id).filter(|action| *action != Action::None)
    }

    /// Whether the ruleset names this id with the action `None`. A general action does not.
    pub fn switches_off(&self, id: &str) -> bool {
        self.entry(id) == Some(Action::None)
    }

    /// Whether the ruleset names this id with an active action, which also switches on a
    /// rule that is off by default. A general action does not.
    pub fn switches_on(&self, id: &str) -> bool {
        self.entry(id).is_some_and(|action| action != Action::None)
    }

    /// The general action, if there is one.
    pub const fn general_action(&self) -> Option<Action> {
        self.general
    }

    /// The ids that have an entry of their own, in upper case, with their action (none for
    /// `Default`).
    pub fn entries(&self) -> impl Iterator<Item = (&str, Option<Action>)> {
        self.rules.iter().map(|(id, action)| (id.as_str(), *action))
    }

    fn entry(&self, id: &str) -> Option<Action> {
        *self.rules.get(&id.trim().to_ascii_uppercase())?
    }

    /// Takes over what an included ruleset says, as far as that is stricter.
    fn include(&mut self, included: &Self) {
        self.general = self.general.max(included.general);
        for (id, action) in &included.rules {
            let known = self.rules.entry(id.clone()).or_insert(*action);
            *known = (*known).max(*action);
        }
    }

    /// The same with the action of an include put on everything that is active.
    fn mapped(mut self, action: Option<Action>) -> Self {
        let Some(action) = action else {
            return self;
        };
        let is_active = |known: Action| known != Action::None && known != Action::Hidden;
        // A None here ignores the general action, it does not switch everything off.
        self.general = self
            .general
            .map(|general| if is_active(general) { action } else { general })
            .filter(|_| action != Action::None);
        for known in self.rules.values_mut() {
            if known.is_none_or(is_active) {
                *known = Some(action);
            }
        }
        self
    }
}
