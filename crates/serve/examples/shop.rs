//! A tiny server over standard input and output: what a tool that keeps the
//! contract looks like, and what the black-box tests talk to.
//!
//! `shop JOURNAL [--no-structured-content | --with-warehouse]`

use std::env;
use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use candor_contract::{
    Envelope, Hints, Journal, JournalDraft, Reporter, ReporterOptions, Tool, ToolError, nearest_names,
};
use candor_serve::{CallContext, Forward, ForwardedCall, Progress, Server, ServerInfo};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

candor_contract::vocabulary! {
    /// The errors of a shop.
    struct Shop {
        candidate: String,
        place: ShopPlace { item: "item" },
        Invalid => NoReason {},
        NotFound => ShopNotFound { NoSuchItem("no item has this name", "pick one from `candidates`") },
        Ambiguous => NoReason {},
        Stale => NoReason {},
        Unavailable => NoReason {},
        Faulted => NoReason {},
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Order {
    /// The name of the item.
    item: String,
    /// How many; default 1.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    count: u32,
}

fn one() -> u32 {
    1
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Price {
    /// In cents.
    total_cents: u64,
    note: Option<String>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Wait {
    /// For how many milliseconds.
    milliseconds: u64,
}

#[derive(Serialize, JsonSchema)]
struct Waited {
    steps: u64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Complaint {
    /// What went wrong.
    message: String,
    /// Which surface met it.
    surface: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Size {
    /// How many bytes the answer has at least.
    bytes: usize,
}

#[derive(Serialize, JsonSchema)]
struct Text {
    text: String,
}

const READS: Hints = Hints {
    read_only: true,
    destructive: false,
    idempotent: true,
    open_world: false,
};

const WRITES: Hints = Hints {
    read_only: false,
    idempotent: false,
    ..READS
};

const PRICES: [(&str, u64); 2] = [("apple", 30), ("pear", 40)];

fn price(order: Order, _: &CallContext) -> Result<Price, ToolError<Shop>> {
    let Some((_, cents)) = PRICES.iter().find(|(item, _)| *item == order.item) else {
        let near = nearest_names(&order.item, PRICES.iter().map(|(item, _)| *item));
        let message = format!("There is no item `{}`.", order.item);
        return Err(ToolError::not_found(ShopNotFound::NoSuchItem, message)
            .candidates(near.into_iter().map(String::from).collect())
            .place(ShopPlace { item: Some(order.item) }));
    };
    Ok(Price {
        total_cents: cents * u64::from(order.count),
        note: None,
    })
}

fn wait(wait: Wait, context: &CallContext) -> Result<Waited, ToolError<Shop>> {
    const STEP: u64 = 5;
    let mut steps = 0;
    while steps * STEP < wait.milliseconds && !context.is_cancelled() {
        std::thread::sleep(Duration::from_millis(STEP));
        steps += 1;
        #[expect(clippy::cast_precision_loss, reason = "a few thousand steps are exact in any float")]
        context.progress(Progress {
            done: steps as f64,
            total: None,
            message: Some("waiting".into()),
        });
    }
    if context.is_cancelled() {
        // Tells the tests that the handler noticed.
        let draft = JournalDraft::new("stopped waiting").tool("clock");
        context
            .record(draft)
            .map_err(|error| ToolError::faulted(error.to_string()))?;
    }
    Ok(Waited { steps })
}

/// Stands for another server whose tools are passed on.
struct Warehouse;

impl Forward for Warehouse {
    fn tools(&self) -> Vec<Value> {
        let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
        vec![tool("stock"), tool("price")]
    }

    fn call(&self, call: &ForwardedCall, _: &CallContext) -> Result<Value, Envelope> {
        if call.arguments.contains_key("closed") {
            return Err(Envelope::faulted("The warehouse is closed.", None));
        }
        let text = format!("asked for {}", Value::Object(call.arguments.clone()));
        Ok(json!({"content": [{"type": "text", "text": text}], "isError": true}))
    }
}

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let Some(journal) = arguments.next() else {
        return complain("the path of a journal is missing");
    };
    let (structured, has_warehouse) = match arguments.next().as_deref() {
        None => (true, false),
        Some("--no-structured-content") => (false, false),
        Some("--with-warehouse") => (true, true),
        Some(other) => return complain(&format!("unknown argument {other}")),
    };
    let reporter = Reporter::start(Journal::at(journal), ReporterOptions::new());
    let info = ServerInfo {
        name: "shop".into(),
        title: Some("Shop".into()),
        version: "1.2.3".into(),
        instructions: Some("Ask for prices.".into()),
    };
    let server = Server::new(info)
        .reporter(Arc::new(reporter))
        .structured_content(structured)
        .hard_limit(20_000)
        .tool(
            Tool::new("wait", "Wait", "Waits and says in how many steps.", READS),
            wait,
        )
        .tool(
            Tool::new(
                "price",
                "Price",
                "Returns what some items cost. `NotFound`/`NoSuchItem`: pick a candidate.",
                READS,
            ),
            price,
        )
        .tool(
            Tool::new("break", "Break", "Fails unexpectedly.", READS),
            |_: Nothing, _: &CallContext| -> Result<Text, ToolError<Shop>> { panic!("the shelf fell") },
        )
        .tool(
            Tool::new("complain", "Complain", "Records a failure.", WRITES),
            |complaint: Complaint, context: &CallContext| -> Result<Text, ToolError<Shop>> {
                let mut draft = JournalDraft::new(complaint.message);
                if let Some(surface) = complaint.surface {
                    draft = draft.tool(surface);
                }
                let record = context
                    .record(draft)
                    .map_err(|error| ToolError::faulted(error.to_string()))?;
                Ok(Text {
                    text: record.map(|record| record.id).unwrap_or_default(),
                })
            },
        )
        .tool(
            Tool::new("text", "Text", "Returns a long text.", READS),
            |size: Size, _: &CallContext| -> Result<Text, ToolError<Shop>> {
                Ok(Text {
                    text: "x".repeat(size.bytes),
                })
            },
        );
    let server = if has_warehouse {
        server.forward(Arc::new(Warehouse))
    } else {
        server
    };
    match server.serve_stdio() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => complain(&error.to_string()),
    }
}

fn complain(problem: &str) -> ExitCode {
    use io::Write;
    // Nobody is left to tell when this fails.
    let _ = writeln!(io::stderr(), "shop: {problem}");
    ExitCode::FAILURE
}
