//! Servers that misbehave on purpose, for the tests of the checker and to see
//! what it says of them:
//!
//! ```text
//! cargo run -p candor -- check -- target/debug/examples/stand_in sloppy
//! ```
//!
//! It speaks just enough of MCP over standard input and output, by hand: no
//! library would send what these servers send.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use serde_json::{Value, json};

/// How the server misbehaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// Does everything as it should.
    Plain,
    /// As `Plain`, one property later: for differences.
    Changed,
    /// Everything that is careless but common.
    Sloppy,
    /// Says one thing and does another.
    Liar,
    /// Reads and never answers.
    Mute,
    /// Answers `initialize` and then nothing.
    MuteLater,
    /// Never answers a call.
    MuteInCalls,
    /// Ends before it says anything.
    EndsAtOnce,
    /// Ends at the first call.
    EndsInCalls,
    /// Writes without end and without a line end.
    FloodsOneLine,
    /// Writes notifications without end.
    FloodsLines,
    /// Has a list without end.
    FloodsPages,
    /// Writes standard error without end.
    FloodsErrors,
    /// Prints greetings to standard output.
    Noisy,
}

const MANNERS: &[(&str, Manner)] = &[
    ("plain", Manner::Plain),
    ("changed", Manner::Changed),
    ("sloppy", Manner::Sloppy),
    ("liar", Manner::Liar),
    ("mute", Manner::Mute),
    ("mute-later", Manner::MuteLater),
    ("mute-in-calls", Manner::MuteInCalls),
    ("ends-at-once", Manner::EndsAtOnce),
    ("ends-in-calls", Manner::EndsInCalls),
    ("floods-one-line", Manner::FloodsOneLine),
    ("floods-lines", Manner::FloodsLines),
    ("floods-pages", Manner::FloodsPages),
    ("floods-errors", Manner::FloodsErrors),
    ("noisy", Manner::Noisy),
];

fn main() -> io::Result<()> {
    let asked = std::env::args().nth(1).unwrap_or_default();
    let Some((_, manner)) = MANNERS.iter().find(|(name, _)| *name == asked) else {
        let names: Vec<_> = MANNERS.iter().map(|(name, _)| *name).collect();
        writeln!(io::stderr(), "stand_in: one of {} is wanted", names.join(", "))?;
        std::process::exit(2);
    };
    match manner {
        Manner::EndsAtOnce => {
            writeln!(io::stderr(), "no database at db.example, giving up")?;
            std::process::exit(3);
        }
        Manner::FloodsErrors => {
            std::thread::spawn(|| {
                let line = "e".repeat(1 << 16);
                while writeln!(io::stderr(), "{line}").is_ok() {}
            });
        }
        Manner::Noisy => writeln!(io::stdout(), "Welcome to the shop!")?,
        _ => {}
    }
    serve(*manner)
}

fn serve(manner: Manner) -> io::Result<()> {
    let mut listings = 0;
    for line in io::stdin().lock().lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line?) else {
            send(&json!({"jsonrpc": "2.0", "error": {"code": -32700, "message": "not JSON"}}))?;
            continue;
        };
        let (Some(id), Some(method)) = (message.get("id"), message["method"].as_str()) else {
            continue;
        };
        match (manner, method) {
            (Manner::Mute, _) | (Manner::MuteInCalls, "tools/call") => continue,
            (Manner::MuteLater, method) if method != "initialize" && method != "server/discover" => continue,
            (Manner::EndsInCalls, "tools/call") => std::process::exit(101),
            (Manner::FloodsOneLine, "tools/list") => loop {
                io::stdout().write_all(&vec![b'x'; 1 << 16])?;
            },
            (Manner::FloodsLines, "tools/list") => loop {
                send(
                    &json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}),
                )?;
            },
            _ => {}
        }
        let reply = match method {
            "initialize" => Ok(json!({
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "stand-in", "version": "1.0.0"},
            })),
            "ping" => Ok(json!({})),
            "tools/list" => {
                listings += 1;
                list(manner, &message["params"], listings)
            }
            "tools/call" => call(manner, &message["params"]),
            _ => Err((-32601, format!("no method `{method}`"))),
        };
        send(&match reply {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err((code, message)) => json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}),
        })?;
        if manner == Manner::Noisy {
            writeln!(io::stdout(), "served {method}")?;
        }
    }
    Ok(())
}

fn send(message: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{message}")?;
    out.flush()
}

fn hints(read_only: bool) -> Value {
    json!({"readOnlyHint": read_only, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false})
}

/// A tool that nothing is wrong with.
fn price(properties: &Value) -> Value {
    json!({
        "name": "price",
        "title": "Price of an item",
        "description": "Returns the price of one item in cents; an unknown item is an error.",
        "inputSchema": {
            "type": "object",
            "properties": properties,
            "required": ["item"],
            "additionalProperties": false,
        },
        "annotations": hints(true),
    })
}

fn list(manner: Manner, params: &Value, listings: usize) -> Result<Value, (i64, String)> {
    if manner != Manner::FloodsPages && !params["cursor"].is_null() {
        return Err((-32602, "there is one page, and no cursor leads to another".to_owned()));
    }
    let item = json!({"type": "string", "description": "The name of the item."});
    Ok(match manner {
        Manner::Changed => json!({"tools": [
            price(&json!({"item": item, "currency": {"type": "string", "description": "As ISO 4217."}})),
        ]}),
        Manner::FloodsPages => {
            let page = params["cursor"]
                .as_str()
                .and_then(|cursor| cursor.parse::<u64>().ok())
                .unwrap_or(0);
            json!({"tools": [price(&json!({"item": item}))], "nextCursor": (page + 1).to_string()})
        }
        Manner::Sloppy => json!({"tools": [
            {
                "name": "do stuff!",
                "inputSchema": {
                    "$schema": "http://json-schema.org/draft-07/schema#",
                    "type": "object",
                    "properties": {
                        "query": {"type": ["string", "null"], "default": null},
                        "limit": {"type": "integer", "format": "uint32", "default": 25, "description": "How many."},
                        "tags": {"type": "array"},
                        "shape": {"$ref": "#/$defs/Shape"},
                    },
                    "$defs": {"Shape": {"type": "object"}},
                },
                "outputSchema": {"type": "object", "properties": {"rows": {"type": "array"}}, "additionalProperties": false},
                "annotations": {"readOnlyHint": true},
            },
            {"name": "delete", "description": "x", "inputSchema": {"type": "object"}},
        ]}),
        Manner::Liar => {
            let mut tools = vec![
                price(&json!({"item": item})),
                json!({
                    "name": "purge",
                    "title": "Purge",
                    "description": "Deletes everything.",
                    "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
                    "annotations": {"readOnlyHint": true, "destructiveHint": true, "idempotentHint": false, "openWorldHint": false},
                }),
            ];
            if listings > 1 {
                tools.reverse();
            }
            json!({"tools": tools})
        }
        _ => json!({"tools": [price(&json!({"item": item}))]}),
    })
}

fn call(manner: Manner, params: &Value) -> Result<Value, (i64, String)> {
    let name = params["name"].as_str().unwrap_or_default();
    let arguments = match &params["arguments"] {
        Value::Null => json!({}),
        arguments if arguments.is_object() => arguments.clone(),
        _ => return Err((-32602, "`arguments` is no object".to_owned())),
    };
    if manner == Manner::Sloppy {
        // Whatever is wrong, it reads like an answer.
        return Ok(json!({"content": [{"type": "text", "text": "Error: something went wrong"}]}));
    }
    if manner == Manner::Liar {
        // A slow tool that never heard of cancelling.
        std::thread::sleep(Duration::from_millis(50));
    }
    if name != "price" && !(manner == Manner::Liar && name == "purge") {
        return Err((-32602, format!("no tool `{name}`")));
    }
    let unknown = arguments
        .as_object()
        .and_then(|arguments| arguments.keys().find(|key| *key != "item"));
    let (detail, problem) = match (unknown, &arguments["item"]) {
        (Some(unknown), _) => (
            unknown.as_str(),
            format!("`{unknown}` is no argument of `price`; `item` is"),
        ),
        (None, Value::String(item)) if item == "apple" => {
            return Ok(json!({"content": [{"type": "text", "text": "{\"cents\":30}"}]}));
        }
        (None, Value::String(item)) => ("item", format!("`item`: there is no `{item}`")),
        (None, Value::Null) => ("item", "`item` is missing".to_owned()),
        (None, _) => ("item", "`item` is no string".to_owned()),
    };
    let envelope = json!({"error": "Invalid", "message": problem, "reason": "BadArgument", "detail": detail});
    Ok(json!({"content": [{"type": "text", "text": envelope.to_string()}], "isError": true}))
}
