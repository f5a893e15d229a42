//! Recipes in SQL: parsing, identity, planning, materialising; the only crate that knows DataFusion.
//!
//! Plain data goes in and out. The engine knows no store, no alias and no project: whoever calls it resolves names and
//! hands over bindings from the references of a recipe to snapshots or to frozen recipes.

mod canon;
mod error;
pub mod identity;
mod nearest;
pub mod recipe;
mod stack;

pub use error::{EngineError, ErrorKind, Place, Result};
pub use identity::{Resolution, entry_hash};
pub use recipe::{Recipe, Reference, Target};
