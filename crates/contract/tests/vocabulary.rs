//! Envelopes: their keys, their order, and the one table behind them.

use candor_contract::{
    Envelope, ErrorCode, NoReason, Place, Reason, ToolError, Vocabulary, vocabulary_json, vocabulary_markdown,
    vocabulary_rows,
};
use serde::Serialize;
use serde_json::{Value, json};

/// One fix to choose from.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fix {
    equivalence_key: String,
    title: Option<String>,
}

candor_contract::vocabulary! {
    /// A vocabulary in which only some codes have reasons.
    pub struct Fixes {
        candidate: Fix,
        place: FixPlace { file_path: "filePath", diagnostic_id: "diagnosticId" },
        Invalid => NoReason {},
        NotFound => FixNotFound {
            NoFixProvider("no fix exists for the rule", "stop"),
            NoSuchKey("no fix has the key", "pick one from `candidates`"),
        },
        Ambiguous => NoReason {},
        Stale => NoReason {},
        Unavailable => FixUnavailable { NoProxy("the proxy is off", "tell the user") },
        Faulted => FixFaulted { WriteFailed("the file could not be written", "tell the user") },
    }
}

candor_contract::vocabulary! {
    /// A vocabulary in which every code but one has reasons.
    pub struct Data {
        candidate: String,
        place: DataPlace { reference: "ref", error_id: "error_id" },
        Invalid => DataInvalid { NotOneQuery("not one query", "send one SELECT") },
        NotFound => DataNotFound { NoSuchAlias("no such alias", "look again") },
        Ambiguous => NoReason {},
        Stale => DataStale { VersionMoved("a newer version exists", "repeat") },
        Unavailable => DataUnavailable { ProjectBusy("another process holds it", "wait") },
        Faulted => DataFaulted { BuildFailed("the query failed", "report") },
    }
}

#[track_caller]
fn expect<V: Vocabulary>(error: ToolError<V>, json: &str) {
    assert_eq!(error.to_json(), json);
    assert_eq!(Envelope::from(error).to_json(), json);
}

fn fix(key: &str, title: Option<&str>) -> Fix {
    Fix {
        equivalence_key: key.into(),
        title: title.map(Into::into),
    }
}

#[test]
fn the_keys_of_an_envelope_stand_in_their_order_and_absent_ones_are_left_out() {
    expect(
        ToolError::<Fixes>::not_found(FixNotFound::NoSuchKey, "No such key.")
            .detail("why")
            .place(FixPlace {
                file_path: Some("a.al".into()),
                diagnostic_id: Some("LC0001".into()),
            })
            .candidates(vec![fix("k1", Some("One")), fix("k2", None)]),
        r#"{"error":"NotFound","message":"No such key.","reason":"NoSuchKey","candidates":[{"equivalenceKey":"k1","title":"One"},{"equivalenceKey":"k2"}],"filePath":"a.al","diagnosticId":"LC0001","detail":"why"}"#,
    );
    expect(
        ToolError::<Fixes>::invalid("Fix the call."),
        r#"{"error":"Invalid","message":"Fix the call."}"#,
    );
    expect(
        ToolError::<Fixes>::faulted("It broke.").detail("Kind"),
        r#"{"error":"Faulted","message":"It broke.","detail":"Kind"}"#,
    );
    expect(
        ToolError::<Fixes>::stale("Changed.").place(FixPlace {
            diagnostic_id: Some("X".into()),
            ..FixPlace::default()
        }),
        r#"{"error":"Stale","message":"Changed.","diagnosticId":"X"}"#,
    );
}

#[test]
fn a_reason_is_optional_where_a_code_stands_for_itself() {
    expect(
        ToolError::<Data>::invalid("No."),
        r#"{"error":"Invalid","message":"No."}"#,
    );
    expect(
        ToolError::<Data>::invalid_because(DataInvalid::NotOneQuery, "Two."),
        r#"{"error":"Invalid","message":"Two.","reason":"NotOneQuery"}"#,
    );
    expect(
        ToolError::<Data>::stale_because(DataStale::VersionMoved, "Moved.").place(DataPlace {
            reference: Some("orders".into()),
            error_id: Some("0123456789ab".into()),
        }),
        r#"{"error":"Stale","message":"Moved.","reason":"VersionMoved","ref":"orders","error_id":"0123456789ab"}"#,
    );
    expect(
        ToolError::<Data>::unavailable(DataUnavailable::ProjectBusy, "Busy."),
        r#"{"error":"Unavailable","message":"Busy.","reason":"ProjectBusy"}"#,
    );
    expect(
        ToolError::<Data>::faulted_because(DataFaulted::BuildFailed, "Failed."),
        r#"{"error":"Faulted","message":"Failed.","reason":"BuildFailed"}"#,
    );
    expect(
        ToolError::<Data>::ambiguous(vec!["a".into(), "b".into()], "Which?"),
        r#"{"error":"Ambiguous","message":"Which?","candidates":["a","b"]}"#,
    );
}

#[test]
fn an_error_reads_well_in_a_log() {
    let error = ToolError::<Fixes>::unavailable(FixUnavailable::NoProxy, "Off.");
    assert_eq!(error.to_string(), "Unavailable/NoProxy: Off.");
    assert_eq!(
        (error.code(), error.reason()),
        (ErrorCode::Unavailable, Some("NoProxy"))
    );
    assert_eq!(ToolError::<Fixes>::stale("Old.").to_string(), "Stale: Old.");
}

#[test]
fn the_table_lists_every_code_once_and_every_reason_under_its_code() {
    let rows = vocabulary_rows::<Fixes>();
    let names: Vec<(&str, Option<&str>)> = rows.iter().map(|row| (row.error.as_str(), row.reason)).collect();
    assert_eq!(
        names,
        [
            ("Invalid", None),
            ("NotFound", None),
            ("NotFound", Some("NoFixProvider")),
            ("NotFound", Some("NoSuchKey")),
            ("Ambiguous", None),
            ("Stale", None),
            ("Unavailable", None),
            ("Unavailable", Some("NoProxy")),
            ("Faulted", None),
            ("Faulted", Some("WriteFailed")),
        ]
    );
    assert!(
        rows.iter()
            .all(|row| !row.meaning.is_empty() && !row.reaction.is_empty())
    );
    assert_eq!(FixNotFound::ALL.len(), 2);
    assert!(NoReason::ALL.is_empty());
    assert_eq!(FixPlace::FIELDS, ["filePath", "diagnosticId"]);
}

#[test]
fn documentation_comes_from_the_table() {
    let markdown = vocabulary_markdown::<Fixes>();
    assert!(markdown.starts_with("| `error` | `reason` | meaning | what an agent does |\n"));
    assert!(markdown.contains("| `NotFound` | `NoSuchKey` | no fix has the key | pick one from `candidates` |\n"));
    assert!(markdown.contains("| `Stale` |  | "));
    let table = vocabulary_json::<Fixes>();
    assert_eq!(
        table["errors"]["Faulted"]["reasons"],
        json!({"WriteFailed": {"meaning": "the file could not be written", "reaction": "tell the user"}})
    );
    assert_eq!(table["errors"]["Invalid"]["reasons"], json!({}));
    assert_eq!(table["place"], json!(["filePath", "diagnosticId"]));
    let codes: Vec<&String> = table["errors"].as_object().unwrap().keys().collect();
    assert_eq!(codes, ErrorCode::ALL.map(ErrorCode::as_str).iter().collect::<Vec<_>>());
}

#[test]
fn a_candidate_that_cannot_be_written_does_not_hide_the_failure() {
    #[derive(Debug, Clone)]
    struct Broken;
    impl Serialize for Broken {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("never"))
        }
    }
    candor_contract::vocabulary! {
        /// A vocabulary whose candidates cannot be written.
        struct Broke {
            candidate: Broken,
            place: BrokePlace {},
            Invalid => NoReason {},
            NotFound => NoReason {},
            Ambiguous => NoReason {},
            Stale => NoReason {},
            Unavailable => NoReason {},
            Faulted => NoReason {},
        }
    }
    let envelope = ToolError::<Broke>::ambiguous(vec![Broken], "Which?").to_envelope();
    assert_eq!(envelope.fields()["candidates"], Value::from(vec!["Broken"]));
}
