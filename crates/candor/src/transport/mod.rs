//! How messages reach a server and come back: a child process, or HTTP.
//!
//! Nothing here blocks for ever: sending hands over to a thread, receiving has
//! a deadline, and what a server sends is counted before it is kept.

mod http;
mod processes;
mod stdio;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

pub use processes::end_all_processes;

use crate::revision::Revision;

/// Where a server is.
#[derive(Debug, Clone)]
pub enum Target {
    /// A program that speaks over its standard input and output.
    Command {
        /// The program.
        program: OsString,
        /// Its arguments.
        arguments: Vec<OsString>,
        /// Where it runs; `None` for the current folder.
        folder: Option<PathBuf>,
    },
    /// An address that speaks streamable HTTP.
    Url {
        /// The address.
        url: String,
        /// Headers to send with every request, such as an authorization.
        headers: Vec<(String, String)>,
    },
}

impl Target {
    /// The command line or the address, for people.
    pub fn shown(&self) -> String {
        match self {
            Self::Command { program, arguments, .. } => std::iter::once(program)
                .chain(arguments)
                .map(|part| quoted(&part.to_string_lossy()))
                .collect::<Vec<_>>()
                .join(" "),
            Self::Url { url, .. } => url.clone(),
        }
    }

    /// Whether it is a program of our own making, with a process of its own.
    pub fn is_process(&self) -> bool {
        matches!(self, Self::Command { .. })
    }

    /// Starts the program, or gets ready to speak HTTP.
    ///
    /// # Errors
    /// When the program cannot be started or the address is none.
    pub fn connect(&self) -> Result<Box<dyn Transport>, ConnectError> {
        match self {
            Self::Command {
                program,
                arguments,
                folder,
            } => Ok(Box::new(stdio::Stdio::start(program, arguments, folder.as_deref())?)),
            Self::Url { url, headers } => Ok(Box::new(http::Http::new(url, headers)?)),
        }
    }
}

fn quoted(part: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./:=@,+%".contains(letter);
    if !part.is_empty() && part.chars().all(is_plain) {
        part.to_owned()
    } else {
        format!("'{}'", part.replace('\'', r"'\''"))
    }
}

/// Why there is nobody to talk to.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The program cannot be started.
    #[error("cannot start `{program}`: {source}")]
    Start {
        /// The program.
        program: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// The address is none.
    #[error("`{url}` is no address of a server: {why}")]
    Address {
        /// The address.
        url: String,
        /// What is wrong with it.
        why: String,
    },
}

/// One message for a server, or a text that is none.
#[derive(Debug, Clone, Default)]
pub struct Outgoing {
    /// The text, without a line end.
    pub text: String,
    /// The id in it, if a reply is expected.
    pub id: Option<u64>,
    /// Its method, for HTTP headers.
    pub method: Option<String>,
    /// The tool, prompt or resource it names, for HTTP headers.
    pub name: Option<String>,
    /// The revision that is spoken, for HTTP headers; `None` before it is known.
    pub revision: Option<Revision>,
}

/// What a server sent, or did.
#[derive(Debug)]
pub enum Incoming {
    /// The text of one message, if it is one.
    Message {
        /// The text.
        text: Vec<u8>,
        /// The id of the request it came back to, where the transport knows
        /// (HTTP): an error may come without an id of its own then.
        to: Option<u64>,
    },
    /// A message of more than [`MESSAGE_BYTES`](crate::limits::MESSAGE_BYTES),
    /// which was not kept.
    Oversized,
    /// More than [`FLOOD_BYTES`](crate::limits::FLOOD_BYTES) without a reply;
    /// nothing more is read.
    Flooded,
    /// An HTTP reply that holds no message.
    Refused {
        /// The id of the message it answers.
        id: Option<u64>,
        /// The HTTP status.
        status: u16,
        /// The beginning of the body.
        body: String,
    },
    /// The stream of events that answers a request has ended.
    StreamEnded {
        /// The id of the request.
        id: u64,
    },
    /// Nothing more will come, and why.
    Closed(String),
}

/// A connection to a server.
pub trait Transport {
    /// Hands a message over. Never waits; what goes wrong is received.
    fn send(&mut self, message: &Outgoing);

    /// The next thing that comes, unless the deadline is first.
    fn receive(&mut self, deadline: Instant) -> Option<Incoming>;

    /// Whether what a server says unasked is heard. Over HTTP it is not: it has
    /// a stream of its own.
    fn hears_notifications(&self) -> bool;

    /// Says that a reply came, so that what a server may send is counted anew.
    fn replied(&mut self);

    /// The end of what the server wrote to its standard error.
    fn stderr_tail(&self) -> String;

    /// Ends the connection and every process that belongs to it, after the
    /// server had the chance to end by itself.
    fn close(&mut self) -> Closing;

    /// Ends a connection that is of no use any more, at once.
    fn abort(&mut self);
}

/// How a connection ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Closing {
    /// The server ended when its input ended, or needs no ending.
    Gracefully,
    /// The server had gone already, with what the system says.
    Before(String),
    /// The server had to be ended by a signal after so long a wait.
    ByForce(Duration),
}
