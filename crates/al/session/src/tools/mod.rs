//! What goes into the five tools and what comes out of them, as plain data.

mod arguments;
mod results;
pub(crate) mod schema;
mod words;

pub use arguments::{AnalyzeArguments, ApplyFixAllArguments, ApplyFixArguments, GetFixesArguments, ListRulesArguments};
pub use results::{
    AnalyzeResult, ApplyFixAllResult, ApplyFixResult, Conflict, ConflictKind, Counts, Diagnostic, FileChange,
    GetFixesResult, ListRulesResult, RuleEntry, Summary, UnfixedDiagnostic,
};
pub use words::{Scope, Severity, Source};
