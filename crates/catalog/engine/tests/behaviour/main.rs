//! What the engine promises, on real snapshots.

mod cheap;
mod determinism;
mod errors;
mod facts;
mod limits;
mod order;
mod parents;
mod support;
