//! The rules of Candor for AL: one file per rule.
