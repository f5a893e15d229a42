//! The store, driven as its callers do.

mod checkpoints;
mod clones;
mod concurrency;
mod damage;
mod entries;
mod fixture;
mod killed;
mod projects;
