//! V: Candor's own vocabulary, held to in full by those who speak it.
//!
//! The entries of the table; [`crate::probe`] judges what its probes met.

use super::{Check, Group};
use crate::Severity;

pub(super) static GROUP: Group = Group {
    letter: 'V',
    title: "Candor's vocabulary",
    checks: &[
        &ENVELOPE_MISSING,
        &CODE_UNKNOWN,
        &CODE_WRONG,
        &MESSAGE_BLANK,
        &REASON_MISSING,
        &REASON_FOREIGN,
        &CANDIDATES_WRONG,
        &DETAIL_MISSING,
        &KEY_ORDER,
        &NULL_SENT,
        &NOT_COMPACT,
        &SUCCESS_HALVES,
        &NEW_ERRORS_ILL_FORMED,
        &NEW_ERRORS_UNDECLARED,
        &PROTOCOL_FAILURE,
        &REPLY_LARGE,
    ],
};

macro_rules! check {
    ($constant:ident, $id:literal, $name:literal, $severity:ident, $title:literal, $reason:literal, $advice:literal, $documentation:literal) => {
        pub(crate) static $constant: Check = Check {
            id: $id,
            name: $name,
            severity: Severity::$severity,
            title: $title,
            reason: $reason,
            advice: $advice,
            documentation: $documentation,
            evidence: &["Candor's contract, section 3"],
        };
    };
}

check!(
    ENVELOPE_MISSING,
    "V001",
    "envelope-missing",
    Error,
    "a failure does not come in the envelope the server uses elsewhere",
    "an agent that has learnt to read the server's failures cannot read this one",
    "answer every failure with one text block that is one JSON object, and without structured content",
    "\
A server speaks Candor's vocabulary when one of its failures is a JSON object whose `error` is one of the six codes and
which has a `message`. Then every failure of a tool must be a result with `isError: true`, exactly one content block, of
type text, which is such an object, and no `structuredContent`."
);

check!(
    CODE_UNKNOWN,
    "V002",
    "code-unknown",
    Error,
    "`error` is none of the six codes",
    "an agent knows what to do by the code, and has no rule for this one",
    "use Invalid, NotFound, Ambiguous, Stale, Unavailable or Faulted",
    "Looks at `error` of every failure that is a JSON object with `error` and `message`."
);

check!(
    CODE_WRONG,
    "V003",
    "code-wrong",
    Warning,
    "a bad argument is not `Invalid`",
    "`Invalid` tells an agent to correct the call; any other code sends it elsewhere",
    "answer missing, unknown, null and wrongly typed arguments with `Invalid`",
    "Looks at the failures of calls that the tool's own schema forbids."
);

check!(
    MESSAGE_BLANK,
    "V004",
    "message-blank",
    Error,
    "`message` is no text, or a blank one",
    "the message is what people and models read",
    "say what went wrong and what to do",
    "Looks at `message` of every envelope."
);

check!(
    REASON_MISSING,
    "V005",
    "reason-missing",
    Warning,
    "`NotFound` or `Unavailable` comes without a reason",
    "what an agent does about them depends on the reason: look again, pick another, wait, or stop",
    "give a reason of the server's own table",
    "The other four codes may come without one."
);

check!(
    REASON_FOREIGN,
    "V006",
    "reason-foreign",
    Error,
    "a reason does not belong to its error",
    "an agent that goes by the reason does what another error wants",
    "give each reason to one error only, and list it in the descriptions under that one",
    "\
A reason is a word in PascalCase. It belongs to the error beside which descriptions name it (`NotFound/NoSuchFile`) and
beside which it was seen; a reason under two errors is reported."
);

check!(
    CANDIDATES_WRONG,
    "V007",
    "candidates-wrong",
    Warning,
    "`candidates` is missing, empty or no list",
    "`Ambiguous` tells an agent to pass one candidate on, and an empty list is a promise without content",
    "list the candidates of an `Ambiguous`; leave an empty list out",
    "`Ambiguous` needs candidates; every other error may have them, and then as a list with something in it."
);

check!(
    DETAIL_MISSING,
    "V008",
    "detail-missing",
    Warning,
    "a bad argument is not named in `detail`",
    "programs find the path of the argument to blame in `detail`, not in a sentence",
    "put the path of the argument into `detail`",
    "Looks at the failures of calls that the tool's own schema forbids. Where several are missing, one is enough."
);

check!(
    KEY_ORDER,
    "V009",
    "key-order",
    Warning,
    "the keys of an envelope stand in another order",
    "hosts cut long texts at the end, so what decides must come first",
    "write error, message, reason, candidates, the place, detail, then new_errors and new_errors_omitted",
    "\
The product's own fields stand between `candidates` and `detail`. A map that sorts its keys puts `detail` before
`error`."
);

check!(
    NULL_SENT,
    "V010",
    "null-sent",
    Warning,
    "a reply has null as a value",
    "what is not known is left out, so that no reader needs two ways to find nothing",
    "leave the member out, or send an empty list",
    "Looks at failures, and at the successes of calls that had to fail, at any depth. Elements of lists are not judged."
);

check!(
    NOT_COMPACT,
    "V011",
    "not-compact",
    Note,
    "the JSON of a text block is not compact",
    "white space costs tokens in every reply",
    "write JSON without spaces and line ends",
    "Compares the text with the compact form of the same value."
);

check!(
    SUCCESS_HALVES,
    "V012",
    "success-halves",
    Error,
    "a success's text is not the JSON of its structured content",
    "hosts show one half or the other, and a model must see the same in both",
    "send the compact JSON of `structuredContent` as the one text block",
    "Judged only for calls that had to fail and did not."
);

check!(
    NEW_ERRORS_ILL_FORMED,
    "V013",
    "new-errors-ill-formed",
    Warning,
    "`new_errors` is not formed as the contract says",
    "an agent cannot read what went wrong behind its back",
    "send at most ten objects, newest first, each with a message, and count the rest in `new_errors_omitted`",
    "\
`new_errors` is a list of one to ten objects without nulls, each with a `message` of at most 301 characters and, where
known, `id` (12 hexadecimal digits), `created_at` and a short `code`. `new_errors_omitted` is a whole number from 1
and comes only beside ten items. Both are the last members of the reply."
);

check!(
    NEW_ERRORS_UNDECLARED,
    "V014",
    "new-errors-undeclared",
    Warning,
    "an output schema does not leave room for `new_errors`",
    "a reply that carries them breaks clients that validate closed schemas, and others do not know what they are",
    "declare `new_errors` and `new_errors_omitted` as optional properties of an open root",
    "Looks at every published output schema of a server that speaks the vocabulary."
);

check!(
    PROTOCOL_FAILURE,
    "V015",
    "protocol-failure",
    Warning,
    "an unknown tool or a malformed call is not answered as the contract says",
    "a call that names no tool has no tool to answer it; the protocol's own error tells client and agent so",
    "answer with -32602, naming the tool that does not exist",
    "Looks at the replies to a tool that does not exist and to malformed calls."
);

check!(
    REPLY_LARGE,
    "V016",
    "reply-large",
    Warning,
    "a reply has more than 60,000 bytes",
    "hosts cut results at about 25,000 tokens, in the middle of the JSON",
    "bound replies, say `truncated`, and offer the rest with an offset",
    "Counts the bytes of the text block of every reply that a probe met."
);
