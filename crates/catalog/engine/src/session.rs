//! The session every recipe is planned and run in: always the same settings, whatever the machine.

use std::path::PathBuf;
use std::sync::Arc;

use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::execution::session_state::{SessionState, SessionStateBuilder};
use datafusion::prelude::SessionConfig;

use crate::error::{EngineError, ErrorKind, Result};

/// Rows in a batch. Fixed: results of sums of floating-point numbers may depend on it.
pub const BATCH_ROWS: usize = 8_192;

/// What may be chosen about an engine. Nothing here changes a result, except that several partitions may.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// How much memory sorts, joins and aggregates may take together before they spill, in bytes. What the engine does
    /// not count comes on top, so half of what may be used in all is a good choice.
    pub memory_limit: usize,
    /// Where they spill to; the system's folder for temporary files when absent.
    pub spill_folder: Option<PathBuf>,
    /// How much they may spill in all, in bytes.
    pub spill_limit: u64,
    /// Always 1 for what is stored. More is only for tests that show why.
    pub partitions: usize,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            memory_limit: 2 << 30,
            spill_folder: None,
            spill_limit: 100 << 30,
            partitions: 1,
        }
    }
}

/// The settings of a session.
fn config(partitions: usize) -> SessionConfig {
    let mut config = SessionConfig::new()
        .with_target_partitions(partitions)
        .with_batch_size(BATCH_ROWS)
        .with_information_schema(false);
    let options = config.options_mut();
    options.execution.time_zone = Some("UTC".to_owned());
    options.execution.collect_statistics = true;
    options.sql_parser.enable_ident_normalization = false;
    // A sort in a subquery is the order of the result when nothing above it changes the order.
    options.sql_parser.enable_subquery_sort_elimination = false;
    options.optimizer.repartition_file_scans = partitions > 1;
    // Names in errors lead to places in the text.
    options.sql_parser.collect_spans = true;
    config
}

/// Builds the state that all sessions of an engine share.
pub(crate) fn state(options: &EngineOptions) -> Result<SessionState> {
    let runtime = runtime(options)?;
    Ok(SessionStateBuilder::new()
        .with_config(config(options.partitions))
        .with_runtime_env(runtime)
        .with_default_features()
        .build())
}

fn runtime(options: &EngineOptions) -> Result<Arc<RuntimeEnv>> {
    let mode = match &options.spill_folder {
        Some(folder) => DiskManagerMode::Directories(vec![folder.clone()]),
        None => DiskManagerMode::OsTmpDirectory,
    };
    RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(FairSpillPool::new(options.memory_limit)))
        .with_disk_manager_builder(
            DiskManagerBuilder::default()
                .with_mode(mode)
                .with_max_temp_directory_size(options.spill_limit),
        )
        // A snapshot that was healed has the same path and other bytes.
        .with_object_list_cache_limit(0)
        .build_arc()
        .map_err(|error| {
            EngineError::new(
                ErrorKind::Internal,
                format!("The query engine could not be set up: {error}"),
            )
        })
}

/// The same state with joins that can spill: sort-merge joins instead of hash joins.
pub(crate) fn with_spilling_joins(state: &SessionState) -> SessionState {
    let mut state = state.clone();
    state.config_mut().options_mut().optimizer.prefer_hash_join = false;
    state
}
