//! The five tools over projects on the disk: the behaviour that agents rely on.

mod analyze;
mod apply_fix;
mod apply_fix_all;
mod broken_disk;
mod fixture;
mod get_fixes;
mod list_rules;
