//! F: how calls fail that must fail.
//!
//! The entries of the table; [`crate::probe`] sends the calls and judges the
//! replies.

use super::{Check, Group};
use crate::Severity;

pub(super) static GROUP: Group = Group {
    letter: 'F',
    title: "Failures",
    checks: &[
        &FAILURE_UNFLAGGED,
        &FAILURE_UNANSWERED,
        &FAILURE_ENDS_SERVER,
        &FAILURE_EMPTY,
        &STRUCTURED_FAILURE,
        &FAILURE_PROSE,
        &ARGUMENT_UNNAMED,
        &FAILURE_AS_PROTOCOL_ERROR,
        &REQUIRED_IGNORED,
        &TYPE_IGNORED,
        &UNKNOWN_IGNORED,
        &NULL_TAKEN,
        &STACK_TRACE,
        &STRUCTURED_MISSING,
        &STRUCTURED_VIOLATES,
        &HALVES_DIFFER,
        &TEXT_NOT_JSON,
        &UNKNOWN_TOOL_TAKEN,
        &UNKNOWN_TOOL_MISREPORTED,
        &UNKNOWN_TOOL_UNNAMED,
        &MALFORMED_TAKEN,
        &MALFORMED_MISREPORTED,
        &MALFORMED_UNANSWERED,
        &UNKNOWN_METHOD_MISREPORTED,
        &NO_JSON_FATAL,
        &NO_JSON_UNANSWERED,
        &SERVER_BLOCKED,
        &SLOW_CALL_BLOCKS,
        &CANCELLED_ANSWERED,
        &CANCELLATION_FATAL,
    ],
};

macro_rules! check {
    ($constant:ident, $id:literal, $name:literal, $severity:ident, $title:literal, $reason:literal, $advice:literal, $documentation:literal, [$($evidence:literal),* $(,)?]) => {
        pub(crate) static $constant: Check = Check {
            id: $id,
            name: $name,
            severity: Severity::$severity,
            title: $title,
            reason: $reason,
            advice: $advice,
            documentation: $documentation,
            evidence: &[$($evidence),*],
        };
    };
}

check!(
    FAILURE_UNFLAGGED,
    "F001",
    "failure-unflagged",
    Error,
    "a failure is answered as a success",
    "without `isError` hosts show the model a success, and it builds on an answer that is none",
    "set `isError: true` on every result that is a failure",
    "\
Sends calls that the tool's own schema forbids. Reported when the reply has no `isError: true` and its text begins as a
failure does (Error, Failed, Exception, Traceback, Invalid, Missing, Cannot, …) or is a JSON object with a member
`error`.",
    [
        "kimai_mcp#18",
        "specification 2026-07-28, tools: error handling",
        "measured: mcp-server-duckdb 1.1.0"
    ]
);

check!(
    FAILURE_UNANSWERED,
    "F002",
    "failure-unanswered",
    Error,
    "a call that must fail is never answered",
    "the agent waits until its host gives up, and learns nothing; a panic in an rmcp tool does this",
    "catch what goes wrong in a tool and answer with `isError: true`",
    "\
Sends calls that the tool's own schema forbids, and waits for as long as `--timeout` says. The tool gets no further
calls then.",
    ["rust-sdk#106", "measured with rmcp 3.11.0"]
);

check!(
    FAILURE_ENDS_SERVER,
    "F003",
    "failure-ends-server",
    Error,
    "a call that must fail ends the server",
    "one bad call takes all tools away, and most clients do not start a server again by themselves",
    "catch what goes wrong in a tool and answer with `isError: true`",
    "\
Sends calls that the tool's own schema forbids. The server is started again for the other tools, at most five times.",
    ["agentgateway#962", "fastmcp#4227"]
);

check!(
    FAILURE_EMPTY,
    "F004",
    "failure-empty",
    Error,
    "a failure says nothing",
    "the model sees `undefined` or an empty text and cannot correct itself",
    "put what went wrong and what to do into a text block",
    "Reported for a result with `isError: true` whose text blocks are empty or missing.",
    ["claude-code#1067"]
);

check!(
    STRUCTURED_FAILURE,
    "F005",
    "structured-failure",
    Error,
    "a failure's structured content violates the output schema",
    "TypeScript SDK v1 clients and the Inspector validate failures too and throw (`data must have required property`), so the failure never reaches the model",
    "leave `structuredContent` out of failures, or let the output schema allow both",
    "\
Reported when a result with `isError: true` carries `structuredContent` that violates the tool's `outputSchema`. rmcp's
`CallToolResult::structured_error` makes such results.",
    [
        "cyanheads/git-mcp-server#40",
        "typescript-sdk#2748",
        "repomix#833",
        "measured with six clients, November 2026"
    ]
);

check!(
    FAILURE_PROSE,
    "F006",
    "failure-prose",
    Warning,
    "a tool's failures are prose",
    "a program cannot tell a call to correct from one to repeat or to give up but by reading English, and agents loop",
    "answer failures with one JSON object that has a code, a message and what to do",
    "\
Sends calls that the tool's own schema forbids. A failure counts as machine-readable when its text, or its structured
content, is a JSON object with a code of some kind (`error`, `code`, `reason`, `type`, `kind`, `status`). JSON inside a
sentence does not count. Reported once for a tool, with the first failure.",
    [
        "quilombo#173",
        "flameox#512",
        "cxpak#19",
        "139 of 139 failures of 13 public servers were prose"
    ]
);

check!(
    ARGUMENT_UNNAMED,
    "F007",
    "argument-unnamed",
    Warning,
    "a failure does not name the argument to blame",
    "a model that is not told which argument is wrong changes the others",
    "name the argument in the failure",
    "\
Sends calls with one thing wrong. Reported when neither the text nor the structured content of the failure has the name
of the argument that is missing, null, of the wrong type or unknown. Where several are missing, one is enough.",
    [
        "supermodeltools/mcp#71",
        "121 of 139 failures of 13 public servers name it"
    ]
);

check!(
    FAILURE_AS_PROTOCOL_ERROR,
    "F008",
    "failure-as-protocol-error",
    Warning,
    "a bad argument is answered with a protocol error",
    "clients show models the failures of tools and may keep protocol errors to themselves; their `data` is dropped",
    "answer with a result that has `isError: true`",
    "\
Since 2025-11-25 a bad argument is a failure of the tool (SEP-1303); only a message that does not fit the protocol's own
schema is a protocol error. Not reported in conversations of older revisions.",
    ["specification 2025-11-25, SEP-1303", "claude-code#85833"]
);

check!(
    REQUIRED_IGNORED,
    "F009",
    "required-ignored",
    Warning,
    "a call without a required argument succeeds",
    "the schema tells the model what is needed, and the server does something else without it",
    "refuse the call, or take the name out of `required`",
    "Sends `{}` to tools with required arguments.",
    ["specification 2026-07-28, tools: servers MUST validate inputs"]
);

check!(
    TYPE_IGNORED,
    "F010",
    "type-ignored",
    Warning,
    "a call with an argument of the wrong type succeeds",
    "a slip of the model is taken for something it did not mean",
    "refuse the call, or widen the type in the schema",
    "\
Sends an object where the schema wants a scalar, or a text where it wants a list or an object. A number written as a
text is not tried, since taking it is a kindness.",
    ["specification 2026-07-28, tools: servers MUST validate inputs"]
);

check!(
    UNKNOWN_IGNORED,
    "F011",
    "unknown-ignored",
    Warning,
    "an unknown argument is dropped without a word",
    "a misspelt argument changes nothing, and the agent takes the answer for the one it asked for",
    "refuse unknown arguments and name the nearest known one",
    "\
Sends an argument named `candor_unknown_argument` beside plausible ones to tools that only read: to those whose schema
is closed, and to those that are not and say `openWorldHint: false`. Reported when the call succeeds. A failure that
does not name the argument is not judged, since something else may have been wrong.",
    ["measured with rmcp 3.11.0: unknown arguments are ignored by default"]
);

check!(
    NULL_TAKEN,
    "F012",
    "null-taken",
    Warning,
    "null is taken for a required argument that may not be null",
    "a model that does not know a value sends null, and the server makes something of it",
    "refuse the call, or allow null in the schema",
    "Sends null for a required argument whose schema certainly does not allow it.",
    ["specification 2026-07-28, tools: servers MUST validate inputs"]
);

check!(
    STACK_TRACE,
    "F013",
    "stack-trace",
    Note,
    "a failure carries a stack trace",
    "it tells an attacker about the server and costs the model tokens it can do nothing with",
    "write the trace to standard error and answer with the message",
    "Looks for the forms of Python, JavaScript, Java, .NET, Go and Rust. Reported once for a tool.",
    ["specification 2026-07-28, tools: security considerations"]
);

check!(
    STRUCTURED_MISSING,
    "F014",
    "structured-missing",
    Error,
    "a success lacks the structured content its output schema promises",
    "TypeScript v1 and v2, fastmcp and mcp throw (`has an output schema but did not return structured content`)",
    "send `structuredContent` with every success, or publish no `outputSchema`",
    "\
Judged only for calls that had to fail and did not, since the checker sends no others. A failure needs no structured
content.",
    [
        "specification 2026-07-28, tools: outputSchema",
        "measured with five clients, November 2026"
    ]
);

check!(
    STRUCTURED_VIOLATES,
    "F015",
    "structured-violates",
    Error,
    "a success's structured content violates the output schema",
    "TypeScript v1 and v2, fastmcp and mcp validate it and throw",
    "correct the schema or the result",
    "Judged only for calls that had to fail and did not. Only what certainly violates the schema is reported.",
    ["specification 2026-07-28, tools: outputSchema"]
);

check!(
    HALVES_DIFFER,
    "F016",
    "halves-differ",
    Warning,
    "text and structured content of a result say different things",
    "Claude Code shows a model only the structured content, Open WebUI and LibreChat only the text: each knows half",
    "send the same JSON in both",
    "Judged only for calls that had to fail and did not. Reported when the text is JSON and not the same value.",
    [
        "anthropics/claude-code#79944",
        "open-webui#28926",
        "LibreChat-AI/agents#26"
    ]
);

check!(
    TEXT_NOT_JSON,
    "F017",
    "text-not-json",
    Note,
    "the text of a structured result is another rendering",
    "clients that show only the text leave the model without the values, and those that show only the structure without the words",
    "send the compact JSON of `structuredContent` as the text block",
    "Judged only for calls that had to fail and did not. Reported when there is structured content and no text block is JSON.",
    [
        "specification 2026-07-28, tools: structured content",
        "anthropics/claude-code#55677"
    ]
);

check!(
    UNKNOWN_TOOL_TAKEN,
    "F018",
    "unknown-tool-taken",
    Error,
    "a call of a tool that does not exist is answered as a success",
    "the model takes the answer for that of a tool it invented",
    "answer with -32602 and the name",
    "Calls `candor_no_such_tool`.",
    [
        "specification 2026-07-28, tools: error handling",
        "measured: mcp-server-duckdb 1.1.0"
    ]
);

check!(
    UNKNOWN_TOOL_MISREPORTED,
    "F019",
    "unknown-tool-misreported",
    Warning,
    "a tool that does not exist is reported as something else",
    "-32601 says that the server has no tools at all, -32603 that it is broken: hosts give up instead of correcting the name",
    "answer with -32602 and the name",
    "\
Calls `candor_no_such_tool`. Accepted are -32602, as in the specification's example, and a result with `isError: true`,
which the TypeScript SDK v1 sends. Every other code is reported.",
    ["php-sdk#423", "x402-facilitator#196", "ai-memory-mcp#349"]
);

check!(
    UNKNOWN_TOOL_UNNAMED,
    "F020",
    "unknown-tool-unnamed",
    Note,
    "the failure of a tool that does not exist does not name it",
    "with several calls under way a model cannot tell which name was wrong",
    "say the name in the message",
    "Calls `candor_no_such_tool` and looks for that name in the reply.",
    ["measured with rmcp 3.11.0: `tool not found`"]
);

check!(
    MALFORMED_TAKEN,
    "F021",
    "malformed-taken",
    Error,
    "a malformed call is answered as a success",
    "what the caller meant is lost, and it is told that all went well",
    "answer with -32602",
    "\
Sends `tools/call` with arguments that are a text, with arguments that are a list, without a name, and with a number as
the name. Arguments that are malformed are sent to a tool that only reads.",
    ["specification 2026-07-28, schema: CallToolRequest"]
);

check!(
    MALFORMED_MISREPORTED,
    "F022",
    "malformed-misreported",
    Warning,
    "a malformed call is reported as something else",
    "-32601 says that the server cannot call tools, -32603 that it is broken; neither says what to correct",
    "answer with -32602 and say what is wrong with the parameters",
    "\
Sends malformed calls as described for `malformed-taken`. Accepted are -32602, -32600, a result with `isError: true`, and over
HTTP -32020 (the header and the body name different tools).
rmcp answers -32601 unless `on_custom_request` is written, the TypeScript SDK v1 -32603.",
    [
        "JSON-RPC 2.0, error codes",
        "measured with rmcp 3.11.0 and 13 public servers"
    ]
);

check!(
    MALFORMED_UNANSWERED,
    "F023",
    "malformed-unanswered",
    Error,
    "a malformed request is never answered",
    "the caller waits until it gives up",
    "answer every request that has an id",
    "\
Sends malformed calls as described for `malformed-taken`, and a request with a method that does not exist. All have an
id. Also reported when the server ends.",
    ["JSON-RPC 2.0, response object"]
);

check!(
    UNKNOWN_METHOD_MISREPORTED,
    "F024",
    "unknown-method-misreported",
    Warning,
    "a method that does not exist is reported as something else",
    "clients find out by -32601 what an older server does not know, and take anything else for a fault",
    "answer with -32601",
    "Sends a request with the method `candor/no_such_method`.",
    ["JSON-RPC 2.0, error codes"]
);

check!(
    NO_JSON_FATAL,
    "F025",
    "no-json-fatal",
    Error,
    "a line that is no JSON ends or blocks the server",
    "one bad line takes all tools away",
    "answer with -32700 and go on",
    "Sends one line that is no JSON (over HTTP: such a body), then a request that must be answered.",
    ["JSON-RPC 2.0, parse error"]
);

check!(
    NO_JSON_UNANSWERED,
    "F026",
    "no-json-unanswered",
    Note,
    "a line that is no JSON is not answered",
    "a caller whose request was damaged waits for a reply that never comes",
    "answer with -32700 and the id null",
    "\
Sends one line that is no JSON (over HTTP: such a body), then a request. When half a second after the reply to that no
error without an id has come, it is reported.",
    ["JSON-RPC 2.0, parse error", "measured with rmcp 3.11.0"]
);

check!(
    SERVER_BLOCKED,
    "F027",
    "server-blocked",
    Error,
    "after a call the server answers nothing any more",
    "one bad call takes all tools away until the server is started again",
    "run every call apart from the loop that reads messages",
    "\
After a call without a reply, a `ping` (`server/discover` since 2026-07-28) must be answered. If it is not, the server
is started again for the other tools.",
    ["JSON-RPC 2.0, response object"]
);

check!(
    SLOW_CALL_BLOCKS,
    "F028",
    "slow-call-blocks",
    Warning,
    "while one call runs the server answers nothing else",
    "an agent that calls several tools at once waits for the slowest, and a cancellation is not even read",
    "run every call apart from the loop that reads messages",
    "\
Only with `--slow-call`: starts the call and sends a `ping` (`server/discover` since 2026-07-28) while it runs.",
    ["specification 2026-07-28, cancellation"]
);

check!(
    CANCELLED_ANSWERED,
    "F029",
    "cancelled-answered",
    Note,
    "a cancelled call goes on to its end",
    "the work is done for nobody, and its reply may be taken for an error of the connection",
    "stop when `notifications/cancelled` comes, and send no reply",
    "\
Only with `--slow-call`: cancels the call while it runs and waits for as long as `--timeout` says. A reply that crosses
the cancellation is allowed; one that comes more than a second later is reported.",
    ["specification 2026-07-28, cancellation"]
);

check!(
    CANCELLATION_FATAL,
    "F030",
    "cancellation-fatal",
    Error,
    "a cancellation ends or blocks the server",
    "clients cancel whatever takes too long, and lose all tools by it",
    "ignore cancellations of requests that are unknown or done",
    "\
Cancels a request that was answered already, and with `--slow-call` one that runs; then a request must be answered.",
    ["specification 2026-07-28, cancellation: race conditions"]
);
