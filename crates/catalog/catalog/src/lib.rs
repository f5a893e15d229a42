//! The catalog: every operation once, over store, engine and tables.
//!
//! Protocols stand on this crate and know nothing below it. An operation is a method of [`Catalog`]; it takes plain
//! arguments, answers with plain data, and fails with a [`CatalogError`], whose vocabulary stands in one table.
//!
//! ```text
//! arguments ─► parse ─► bind ─► build (no lock) ─► publish ─► move heads ─► checkpoint
//!                        │                                        │
//!                        └── ensure_snapshot ─► heal              └── followers, built before, move in the same step
//! ```
//!
//! Failures of a call are recorded in the project's journal as its own; what is found out beside it (a heal that came out
//! differently, a result that is not reproducible) is recorded for everyone.

mod access;
mod background;
mod binding;
mod build;
mod cascade;
mod catalog;
mod failure;
mod heal;
mod lineage;
mod operations;
mod replies;
mod requests;
mod rows;
mod schemas;
mod verify;
mod vocabulary;

pub use candor_catalog_engine::EngineOptions;
pub use candor_catalog_store::Project;
pub use candor_catalog_tables::{Progress, Stage, Unobserved};
pub use catalog::{Call, Catalog, CatalogOptions};
pub use replies::{
    AliasResult, BuildResult, Column, ImportRemark, ImportResult, ListItem, ListResult, OrphanStale, ParentEdge,
    ProjectResult, ProjectsResult, RecalcEntry, RecalcReport, RowsResult, Schema, StaleEntry, StaleReason,
    StalenessResult, VerifyReport,
};
pub use requests::{
    AliasArguments, ImportArguments, ListArguments, NamedRecipeArguments, PeekArguments, ProjectArguments,
    QueryArguments, RecalcArguments, RenameArguments, RunArguments, StalenessArguments, UnaliasArguments,
};
pub use vocabulary::{
    CatalogError, CatalogFaulted, CatalogInvalid, CatalogNotFound, CatalogPlace, CatalogStale, CatalogUnavailable,
    CatalogVocabulary, Result,
};
