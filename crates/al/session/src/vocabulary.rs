//! The errors of the AL tools: one table for code, replies, documentation and tests.

use candor_contract::ToolError;
use schemars::JsonSchema;
use serde::Serialize;

use crate::safety::FixSafety;
use crate::tools::schema;

candor_contract::vocabulary! {
    /// The vocabulary of the AL tools.
    pub struct AlVocabulary {
        candidate: FixCandidate,
        place: AlPlace { file_path: "filePath", diagnostic_id: "diagnosticId" },
        Invalid => NoReason {},
        NotFound => AlNotFound {
            NoFixProvider("no rule that Candor has under this id offers a fix", "stop; repair the code by hand"),
            FileNotInProject("the file or folder belongs to no project that was asked about", "check the path and the project"),
            NoAnalyzerForRule("the rule exists, but the cop it belongs to does not run here", "name its cop in `analyzers` or in the setting al.codeAnalyzers"),
            SuppressedByRuleset("the ruleset or app.json switches the rule off", "stop; the project does not want the rule"),
            SuppressedByPragma("a pragma suppresses the diagnostic at this place", "stop; the author does not want it reported here"),
            NoDiagnosticAtPosition("the rule reports nothing at this place", "run analyze again"),
            NoFixForDiagnostic("the rule offers no fix for this occurrence", "stop; repair the code by hand"),
            NoFixForEquivalenceKey("no fix on offer has this key", "pass the key of one of `candidates` verbatim"),
        },
        Ambiguous => NoReason {},
        Stale => NoReason {},
        Unavailable => AlUnavailable {
            NoProxy("the server runs without Microsoft's AL server", "use source native"),
            AlmcpNotFound("Microsoft's AL server is not installed", "tell the user; use source native"),
            AlmcpNotReady("Microsoft's AL server did not start", "tell the user; use source native"),
            AlmcpCallFailed("Microsoft's AL server failed the call", "tell the user, quoting `message`"),
        },
        Faulted => AlFaulted {
            UnsupportedEncoding("the file's bytes are not valid in its encoding, or the new text does not fit it", "tell the user to convert the file to UTF-8"),
            ReadFailed("the file could not be read", "tell the user, quoting `message`"),
            WriteFailed("the file could not be written; it is as it was", "tell the user, quoting `message`"),
        },
    }
}

/// Why a call of an AL tool failed.
pub type AlError = ToolError<AlVocabulary>;

/// One fix to choose from, for a diagnostic or for all of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = schema::entry)]
pub struct FixCandidate {
    /// Pass it verbatim as equivalenceKey.
    pub equivalence_key: String,
    /// What the fix does.
    pub title: String,
    /// Who offers it.
    pub provider_name: String,
    /// Whether it may change behaviour.
    pub safety: FixSafety,
}
