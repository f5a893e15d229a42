//! Running a plan: on its own thread with a large stack, batch by batch, stoppable, with panics caught.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use arrow::compute::cast;
use arrow::datatypes::{Field, Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use candor_catalog_tables::Progress;
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::execute_stream;
use futures::StreamExt;
use std::sync::Arc;

use crate::error::{EngineError, ErrorKind, Result};
use crate::facts::stored_type;
use crate::hints;
use crate::stack;

/// How long the engine computes before somebody looks whether it should stop.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Batches that may wait for the receiver. Computing and writing then overlap on two cores.
const WAITING: usize = 4;

/// What a receiver of batches says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    /// Give me more.
    Continue,
    /// That was enough; not a failure.
    Enough,
}

/// The schema a result is stored and handed out with.
pub(crate) fn stored_schema(plan: &LogicalPlan) -> SchemaRef {
    let fields: Vec<Field> = plan
        .schema()
        .fields()
        .iter()
        .map(|field| Field::new(field.name(), stored_type(field.data_type()), true))
        .collect();
    Arc::new(Schema::new(fields))
}

/// Runs `plan` and hands every batch to `receive` on the calling thread, with the types of [`stored_schema`].
///
/// # Errors
/// Failures of planning and running in our terms, `Cancelled`, and what `receive` returns.
pub(crate) fn run(
    state: &SessionState,
    plan: &LogicalPlan,
    sql: &str,
    progress: &(dyn Progress + Sync),
    receive: &mut dyn FnMut(RecordBatch) -> Result<Flow>,
) -> Result<()> {
    let schema = stored_schema(plan);
    let (sender, receiver) = sync_channel(WAITING);
    std::thread::scope(|scope| {
        let engine = scope.spawn(move || stack::run(|| execute(state, plan, sql, progress, &sender)));
        let received = receive_all(receiver, &schema, receive);
        let executed = engine
            .join()
            .unwrap_or_else(|_| Err(EngineError::new(ErrorKind::Internal, "The engine's thread was lost")));
        // A receiver that stopped explains why the engine could not send.
        received?;
        executed
    })
}

fn receive_all(
    receiver: Receiver<RecordBatch>,
    schema: &SchemaRef,
    receive: &mut dyn FnMut(RecordBatch) -> Result<Flow>,
) -> Result<()> {
    for batch in receiver {
        if receive(stored_batch(&batch, schema)?)? == Flow::Enough {
            break;
        }
    }
    Ok(())
}

/// The batch with the types of `schema`.
fn stored_batch(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    let internal = |error: arrow::error::ArrowError| {
        EngineError::new(ErrorKind::Internal, format!("A batch could not be converted: {error}"))
    };
    let mut columns = Vec::with_capacity(batch.num_columns());
    for (column, field) in batch.columns().iter().zip(schema.fields()) {
        columns.push(if column.data_type() == field.data_type() {
            Arc::clone(column)
        } else {
            cast(column, field.data_type()).map_err(internal)?
        });
    }
    RecordBatch::try_new(Arc::clone(schema), columns).map_err(internal)
}

fn execute(
    state: &SessionState,
    plan: &LogicalPlan,
    sql: &str,
    progress: &(dyn Progress + Sync),
    sender: &SyncSender<RecordBatch>,
) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(|error| {
            EngineError::new(
                ErrorKind::Internal,
                format!("The engine's runtime could not be started: {error}"),
            )
        })?;
    runtime.block_on(async {
        if progress.is_cancelled() {
            return Err(cancelled());
        }
        // What asks for the time is told the start of this run.
        let mut state = state.clone();
        state.mark_start_execution();
        let physical = state
            .create_physical_plan(plan)
            .await
            .map_err(|error| hints::explain(&error, sql, &[]))?;
        let mut stream =
            execute_stream(physical, state.task_ctx()).map_err(|error| hints::explain(&error, sql, &[]))?;
        loop {
            match tokio::time::timeout(LOOK_UP, stream.next()).await {
                Err(_) => {}
                Ok(None) => return Ok(()),
                Ok(Some(Err(error))) => return Err(hints::explain(&error, sql, &[])),
                Ok(Some(Ok(batch))) => {
                    // Nobody receives any more: they have enough, or they failed and say why themselves.
                    if batch.num_rows() > 0 && sender.send(batch).is_err() {
                        return Ok(());
                    }
                }
            }
            if progress.is_cancelled() {
                return Err(cancelled());
            }
        }
    })
}

fn cancelled() -> EngineError {
    EngineError::new(ErrorKind::Cancelled, "Stopped as asked")
}
