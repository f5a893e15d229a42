//! What can go wrong with a recipe, as data: what, where, what now.

use std::fmt;

/// The result of everything the engine does.
pub type Result<T, E = EngineError> = std::result::Result<T, E>;

/// The kinds of failure, by who has to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The text is not exactly one `SELECT` or `WITH` query.
    NotOneQuery,
    /// The text is a query, but uses something recipes do not have.
    Unsupported,
    /// The text is not SQL.
    BadSyntax,
    /// The text is larger or more deeply nested than is allowed.
    TooLarge,
    /// A table name that is no alias; `candidates` holds the nearest ones.
    UnknownReference,
    /// A table name that cannot be an alias: a file, an address, a content hash, a table function.
    ForbiddenReference,
    /// The recipe reads the alias it is going to be stored under.
    SelfReference,
    /// A column that no relation in scope has; `candidates` holds the nearest ones.
    UnknownColumn,
    /// A function that does not exist; `candidates` holds the nearest ones.
    UnknownFunction,
    /// The query is well formed but cannot be planned: types that do not fit, a missing `GROUP BY`, and the like.
    BadPlan,
    /// The query failed on the data: a division by zero, a value that cannot be cast, an overflow.
    ExecutionFailed,
    /// Memory or disk ran out within the limits that were set.
    LimitExceeded,
    /// A snapshot is missing or unreadable.
    DataDamaged,
    /// A result could not be written.
    WriteFailed,
    /// The caller asked to stop.
    Cancelled,
    /// A fault of ours or of the query engine, such as a panic that was caught.
    Internal,
}

impl ErrorKind {
    /// True when the author of the recipe can mend it by writing something else.
    pub fn is_recipe_fault(self) -> bool {
        !matches!(
            self,
            Self::LimitExceeded | Self::DataDamaged | Self::WriteFailed | Self::Cancelled | Self::Internal
        )
    }
}

/// A place in the text of a recipe. Both numbers start at 1; the column counts characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Line, from 1.
    pub line: u64,
    /// Column in characters, from 1.
    pub column: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}, column {}", self.line, self.column)
    }
}

/// A failure: what went wrong, where, what is near, and what to do now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct EngineError {
    /// Who has to act.
    pub kind: ErrorKind,
    /// What went wrong, as one sentence without the hint and without the place.
    pub message: String,
    /// Where in the recipe, when that is known.
    pub place: Option<Place>,
    /// Existing names near the one that was not found, best first; or every valid one when there are few.
    pub candidates: Vec<String>,
    /// What to do now.
    pub hint: Option<String>,
}

impl EngineError {
    /// A failure with nothing but its message.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            place: None,
            candidates: Vec::new(),
            hint: None,
        }
    }

    /// Adds where.
    pub fn at(mut self, place: impl Into<Option<Place>>) -> Self {
        self.place = self.place.or(place.into());
        self
    }

    /// Adds what to do.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds near names.
    pub fn near(mut self, candidates: Vec<String>) -> Self {
        self.candidates = candidates;
        self
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        if let Some(place) = self.place {
            write!(formatter, " ({place})")?;
        }
        if !self.candidates.is_empty() {
            write!(formatter, ". Nearest: {}", self.candidates.join(", "))?;
        }
        if let Some(hint) = &self.hint {
            write!(formatter, ". {hint}")?;
        }
        Ok(())
    }
}
