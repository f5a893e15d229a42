//! One file for each group of operations.

mod alias;
mod import;
mod list;
mod projects;
mod recalc;
mod recipe;
mod rows;
