//! The syntax of AL: text in, lossless tree out.
//!
//! This crate is pure. It knows no files, no clock, no threads, no rules and no protocol.
//!
//! * [`text`] turns bytes into text and back, and offsets into lines and columns.
//! * [`parse`] turns text into a [`Tree`]. It never fails and never overflows the stack: what it does not understand
//!   becomes an [`NodeKind::Error`] node and a [`SyntaxError`]; the concatenation of all tokens is always the text.
//! * [`ast`] gives typed views over the nodes of a tree; a view is a copyable handle and costs nothing.
//! * [`edit`] describes changes to a text and builds those that rules need without doing text arithmetic themselves.

pub mod ast;
mod configuration;
pub mod directive;
pub mod edit;
mod error;
mod keyword;
mod kind;
mod lexer;
mod parser;
mod range;
pub mod text;
mod token;
mod tree;

pub use configuration::Configurations;
pub use directive::{Directive, DirectiveKind, PragmaAction, Symbols, configurations};
pub use error::{SyntaxError, SyntaxErrorKind};
pub use keyword::Keyword;
pub use kind::{KindSet, NodeKind};
pub use parser::parse;
pub use range::TextRange;
pub use token::{Token, TokenKind};
pub use tree::{Node, NodeId, TokenRef, Tree};
