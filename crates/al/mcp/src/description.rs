//! What the five tools say about themselves.

use candor_al_session::tools::{
    AnalyzeArguments, AnalyzeResult, ApplyFixAllArguments, ApplyFixAllResult, ApplyFixArguments, ApplyFixResult,
    GetFixesArguments, GetFixesResult, ListRulesArguments, ListRulesResult,
};
use candor_contract::{Hints, Tool, ToolDescription};

const READS: Hints = Hints {
    read_only: true,
    destructive: false,
    idempotent: true,
    open_world: false,
};

// Not destructive: what a fix replaces is what its rule is about, and a write that meets somebody else's change is
// refused. Not idempotent: a second call finds the diagnostic gone.
const WRITES: Hints = Hints {
    read_only: false,
    destructive: false,
    idempotent: false,
    open_world: false,
};

const ANALYZE: &str = "\
Analyses a project's AL files with Candor's rules; needs no compiler. Returns diagnostics (positions from 1), totals and \
contentVersion; when truncated, go on with offset = nextOffset. Prefer it to al_compile, which hides warnings unless \
onlyErrors is false, and to al_getdiagnostics, which does not run analyzers. Errors: Invalid; NotFound/FileNotInProject: \
scope outside every project; Unavailable/NoProxy: source compiler or all. Next: get_fixes where hasFix.";

const LIST_RULES: &str = "\
Lists the rules of the cops that run in a project. Returns id, title and cop of each; verbose: severity, description, \
fixes too. Errors: Invalid. Next: analyze with ruleIds.";

const GET_FIXES: &str = "\
Lists the fixes for one diagnostic. A column that is off still finds the line's diagnostic (matchedLine, matchedColumn). \
Errors: Invalid; NotFound: NoFixProvider, FileNotInProject, SuppressedByRuleset, NoAnalyzerForRule, NoDiagnosticAtPosition \
(re-run analyze), SuppressedByPragma, NoFixForDiagnostic. Next: apply_fix with an equivalenceKey.";

const APPLY_FIX: &str = "\
Applies one fix and writes the file, keeping encoding and line ends. Returns diffs. Errors: as get_fixes; \
NotFound/NoFixForEquivalenceKey and Ambiguous: pick from candidates; Stale: file changed, nothing written, repeat; \
Faulted: UnsupportedEncoding, ReadFailed, WriteFailed. Next: verify with analyze, or with al_compile and \
options.onlyErrors: false.";

const APPLY_FIX_ALL: &str = "\
Applies one fix to every occurrence of a rule; files are written all or none. Returns diffs, what stayed unfixed, and \
conflicts (files left alone, with why). No occurrence is a success. Errors: Invalid; NotFound: NoFixProvider, \
SuppressedByRuleset, NoAnalyzerForRule, FileNotInProject, NoFixForDiagnostic, NoFixForEquivalenceKey; Ambiguous: pick from \
candidates; Stale. Next: verify with analyze, or with al_compile and options.onlyErrors: false.";

/// `analyze`.
pub(crate) fn analyze() -> Tool<AnalyzeArguments, AnalyzeResult> {
    Tool::new("analyze", "Analyze AL project", ANALYZE, READS)
}

/// `list_rules`.
pub(crate) fn list_rules() -> Tool<ListRulesArguments, ListRulesResult> {
    Tool::new("list_rules", "List analyzer rules", LIST_RULES, READS)
}

/// `get_fixes`.
pub(crate) fn get_fixes() -> Tool<GetFixesArguments, GetFixesResult> {
    Tool::new("get_fixes", "Get code fixes", GET_FIXES, READS)
}

/// `apply_fix`.
pub(crate) fn apply_fix() -> Tool<ApplyFixArguments, ApplyFixResult> {
    Tool::new("apply_fix", "Apply code fix", APPLY_FIX, WRITES)
}

/// `apply_fix_all`.
pub(crate) fn apply_fix_all() -> Tool<ApplyFixAllArguments, ApplyFixAllResult> {
    Tool::new("apply_fix_all", "Apply fix to all occurrences", APPLY_FIX_ALL, WRITES)
}

/// All five, sorted by name.
pub fn descriptions() -> Vec<ToolDescription> {
    vec![
        analyze().into_description(),
        apply_fix().into_description(),
        apply_fix_all().into_description(),
        get_fixes().into_description(),
        list_rules().into_description(),
    ]
}
