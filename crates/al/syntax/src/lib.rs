//! AL text, lexer, directives, lossless tree, typed nodes and edits.

pub mod text;
