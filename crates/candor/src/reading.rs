//! Reads everything a server publishes.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use crate::Finding;
use crate::checks::protocol;
use crate::handshake::Begun;
use crate::limits::{ENTRIES, Limits, PAGES};
use crate::published::{Listing, Published};
use crate::session::{Answer, Session, Silence};

/// How long the announcement of a change is waited for.
const SETTLING_TIME: Duration = Duration::from_millis(300);

/// One kind of thing that is listed.
struct Kind {
    method: &'static str,
    member: &'static str,
    capability: &'static str,
}

const TOOLS: Kind = Kind {
    method: "tools/list",
    member: "tools",
    capability: "tools",
};
const PROMPTS: Kind = Kind {
    method: "prompts/list",
    member: "prompts",
    capability: "prompts",
};
const RESOURCES: Kind = Kind {
    method: "resources/list",
    member: "resources",
    capability: "resources",
};
const TEMPLATES: Kind = Kind {
    method: "resources/templates/list",
    member: "resourceTemplates",
    capability: "resources",
};

/// Reads all lists. What goes wrong is a finding; what could be read is
/// returned in any case.
pub fn read(session: &mut Session, begun: Begun, limits: &Limits, findings: &mut Vec<Finding>) -> Published {
    let mut published = Published {
        revision: begun.revision,
        handshake: begun.handshake,
        introduction: begun.introduction,
        ..Published::default()
    };
    let mut reader = Reader {
        session,
        time: limits.reply,
        findings,
    };
    let has_tools = published.capability(TOOLS.capability).is_some();
    // Asked for in any case: a server may have forgotten to say so.
    if let Some(tools) = reader.list(&TOOLS, has_tools) {
        published.tools = tools;
        published.tools_again = reader.list_quietly(&TOOLS);
        reader.settle(&mut published);
    }
    for (kind, place) in [
        (&PROMPTS, &mut published.prompts as &mut Option<Listing>),
        (&RESOURCES, &mut published.resources),
        (&TEMPLATES, &mut published.resource_templates),
    ] {
        let is_offered = published
            .introduction
            .get("capabilities")
            .is_some_and(|capabilities| capabilities.get(kind.capability).is_some());
        if is_offered {
            *place = reader.list(kind, true);
        }
    }
    published
        .notifications
        .clone_from(&reader.session.observed().notifications);
    published
}

struct Reader<'a> {
    session: &'a mut Session,
    time: Duration,
    findings: &'a mut Vec<Finding>,
}

impl Reader<'_> {
    fn list(&mut self, kind: &Kind, is_offered: bool) -> Option<Listing> {
        let (listing, trouble) = self.pages(kind);
        match trouble {
            None => {}
            Some(Trouble::Refused { .. }) if !is_offered => return None,
            Some(Trouble::Refused { code, .. }) if kind.method == TEMPLATES.method && code == -32601 => {
                // Templates have no capability of their own.
                return None;
            }
            Some(trouble) => self.findings.push(protocol::list_trouble(kind.method, &trouble)),
        }
        if !is_offered && !listing.entries.is_empty() {
            self.findings.push(protocol::undeclared(kind.capability, kind.method));
        }
        Some(listing)
    }

    /// A list that changes while it is read is looked at once more. When the
    /// server says that it changes its list, and the announcement came or cannot
    /// be heard, the newest list is the one that counts.
    fn settle(&mut self, published: &mut Published) {
        let is_settled = published
            .tools_again
            .as_ref()
            .is_none_or(|again| again.entries == published.tools.entries);
        if is_settled {
            return;
        }
        self.session.listen(SETTLING_TIME);
        let may_change = published.capability("tools").and_then(|tools| tools.get("listChanged")) == Some(&true.into());
        let is_announced = self
            .session
            .observed()
            .notifications
            .contains_key("notifications/tools/list_changed");
        if may_change
            && (is_announced || !self.session.hears_notifications())
            && let Some(newest) = self.list_quietly(&TOOLS)
        {
            published.tools = newest.clone();
            published.tools_again = Some(newest);
        }
    }

    fn list_quietly(&mut self, kind: &Kind) -> Option<Listing> {
        let (listing, trouble) = self.pages(kind);
        trouble.is_none().then_some(listing)
    }

    fn pages(&mut self, kind: &Kind) -> (Listing, Option<Trouble>) {
        let mut listing = Listing::default();
        let mut seen = BTreeSet::new();
        let mut params = json!({});
        let trouble = loop {
            let page = match self.session.request(kind.method, params, self.time) {
                Ok(Answer::Result(page)) => page,
                Ok(Answer::Error(error)) => {
                    break Some(Trouble::Refused {
                        code: error.code,
                        message: error.message,
                    });
                }
                Err(silence) => break Some(Trouble::Silent(silence)),
            };
            let Some(entries) = page.get(kind.member).and_then(Value::as_array) else {
                break Some(Trouble::NoList(kind.member));
            };
            listing.pages += 1;
            if listing.first_result.is_none() {
                listing.first_result = page.as_object().cloned().map(|mut members| {
                    members.shift_remove(kind.member);
                    members
                });
            }
            listing.entries.extend(entries.iter().cloned());
            match page.get("nextCursor") {
                None => break None,
                Some(Value::String(cursor)) => {
                    if !seen.insert(cursor.clone()) {
                        break Some(Trouble::Circle(cursor.clone()));
                    }
                    params = json!({"cursor": cursor});
                }
                Some(other) => break Some(Trouble::BadCursor(other.to_string())),
            }
            if listing.pages >= PAGES || listing.entries.len() >= ENTRIES {
                break Some(Trouble::Endless {
                    pages: listing.pages,
                    entries: listing.entries.len(),
                });
            }
        };
        listing.cut = trouble.as_ref().map(ToString::to_string);
        (listing, trouble)
    }
}

/// Why a list could not be read to its end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// No reply.
    #[error("{0}")]
    Silent(Silence),
    /// An error.
    #[error("{message} ({code})")]
    Refused {
        /// Its code.
        code: i64,
        /// Its message.
        message: String,
    },
    /// The result has no such list.
    #[error("the result has no list `{0}`")]
    NoList(&'static str),
    /// A cursor that came before.
    #[error("the cursor `{0}` came before")]
    Circle(String),
    /// A cursor that is no text.
    #[error("`nextCursor` is {0}, which is no text")]
    BadCursor(String),
    /// Too many pages or entries.
    #[error("no end after {pages} pages and {entries} entries")]
    Endless {
        /// Pages that were read.
        pages: usize,
        /// Entries that were read.
        entries: usize,
    },
}
