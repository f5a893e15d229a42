//! The five tools over projects on the disk: the behaviour that agents rely on.

#![expect(clippy::unwrap_used, reason = "a test that cannot set up its files has to stop")]

mod analyze;
mod apply_fix;
mod apply_fix_all;
mod broken_disk;
mod fixture;
mod get_fixes;
mod list_rules;
mod project_checks;
mod rulesets;
mod threads;
