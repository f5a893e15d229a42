//! Recipes in SQL: parsing, identity, planning, materialising; the only crate that knows DataFusion.
//!
//! Plain data goes in and out. The engine knows no store, no alias and no project: whoever calls it resolves names and
//! hands over [`Bindings`] from the references of a recipe to snapshots or to frozen recipes.
//!
//! ```text
//! text ──Recipe::parse──► Recipe ──entry_hash(resolutions)──► content hash
//!                           │
//!                           └─Engine::facts(bindings)──► parents, worth, volatility, proof
//!                           └─Engine::materialise──► snapshot + digest ──Engine::verify──► verdict
//!                           └─Engine::query / page / stream──► rows, nothing stored
//! ```
//!
//! Results do not depend on the machine: one partition, batches of a fixed size, UTC, and a canonical order of rows
//! (module `order`).

mod bindings;
mod canon;
mod engine;
mod error;
mod facts;
mod hints;
pub mod identity;
mod nearest;
mod order;
mod planner;
pub mod recipe;
mod run;
mod session;
mod stack;

pub use bindings::{Binding, Bindings, FrozenRecipe, RowsOf};
pub use engine::{Engine, Materialised, Rows, Verdict};
pub use error::{EngineError, ErrorKind, Place, Result};
pub use facts::{Column, Facts, VolatileFunction, Worth};
pub use identity::{Resolution, entry_hash};
pub use recipe::{Recipe, Reference, Target};
pub use session::{BATCH_ROWS, EngineOptions};
