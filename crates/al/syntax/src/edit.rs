//! Changes to a text.
