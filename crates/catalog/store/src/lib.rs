//! Projects, entries, aliases, clones, checkpoints and locks, in plain files.
//!
//! The store keeps what the catalog must never lose, and knows nothing of what a recipe means or how a table is
//! computed: hashes, digests and reader options are words and JSON to it.
//!
//! * A [`Home`] holds projects and says which one is active. A [`Project`] is read without any lock.
//! * Whatever changes a project is a method of [`ProjectLock`], so that nothing can be changed without holding it.
//!   The lock is taken for moments (publishing, moving heads, checkpoints), never while something is built.
//! * A file is written under a temporary name, synced and renamed; an entry is a folder that appears by one rename,
//!   complete. A process killed between any two steps leaves a project that opens, with nothing half-made in sight.
//! * Every operation ends in a [checkpoint](ProjectLock::checkpoint), a commit in the project's own repository, and
//!   [`ProjectLock::reset`] goes back and forth between them.
//!
//! ```text
//! <home>/
//!   active_project                         one line
//!   projects/<name>/
//!     artifacts/
//!       errors.jsonl  events.jsonl         logs, outside the history
//!       catalog/                           a git repository
//!         config.json  aliases.jsonl
//!         entries/<hash>/                  recipe.sql  schema.json  manifest.json
//!         prompts/<hash>.jsonl
//!         compute_cache/                   outside the history; may be deleted at any time
//!           result_cache/<hash>.parquet    snapshots
//!           entries.index                  the order in which entries appeared
//!         bullpen/entries/<hash>/  bullpen/cas/<digest><suffix>   what resets retired
//!     data/.cas/<digest><suffix>           copies of imported files; never deleted
//! ```

mod alias;
mod aliases_file;
mod checkpoint;
mod cleaning;
mod clone;
mod config;
mod disk;
mod entry;
mod error;
mod events;
mod home;
mod index;
mod layout;
mod lock;
mod manifest;
mod name;
mod project;
mod prompts;
mod publish;
mod reset;
mod snapshot;
mod time;

pub use alias::{Alias, AliasBook, AliasKind, VersionOfHash};
pub use checkpoint::{Checkpoint, Revision};
pub use clone::{CloneFile, CloneState};
pub use config::Config;
pub use disk::{Interference, Operation, StepHook};
pub use entry::Entry;
pub use error::{Result, StoreError};
pub use events::Event;
pub use home::Home;
pub use index::EntryPage;
pub use layout::Layout;
pub use lock::{Holder, LOCK_WAIT};
pub use manifest::{EntryKind, EntrySchema, Field, Manifest, Parent, Provenance};
pub use name::{AliasName, EntryHash, ProjectName, Reference, StepReference};
pub use project::Project;
pub use prompts::Prompt;
pub use publish::{NewEntry, ProjectLock, Published, StagedEntry};
pub use reset::ResetReport;
pub use snapshot::StagedFile;
