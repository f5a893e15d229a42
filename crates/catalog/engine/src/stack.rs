//! Work on a stack that is large enough, with panics caught.
//!
//! Planning a deep query recurses in code that is not ours. A thread with a large stack costs some tens of
//! microseconds (the memory is only reserved), an overflow would cost the process.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};

use crate::error::{EngineError, ErrorKind, Result};

/// 256 MiB of address space. Pages are only taken when they are touched.
const STACK_BYTES: usize = 256 << 20;

/// Runs `work` on its own thread and waits for it.
///
/// # Errors
/// What `work` returns; `Internal` when it panicked or no thread could be started.
pub(crate) fn run<T: Send>(work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("catalog-engine".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || panic::catch_unwind(AssertUnwindSafe(work)))
            .map_err(|error| EngineError::new(ErrorKind::Internal, format!("No thread could be started: {error}")))?;
        match thread.join() {
            Ok(Ok(result)) => result,
            Ok(Err(payload)) | Err(payload) => Err(panicked(payload.as_ref())),
        }
    })
}

fn panicked(payload: &(dyn Any + Send)) -> EngineError {
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    EngineError::new(
        ErrorKind::Internal,
        format!("The engine failed in a way it should not: {text}"),
    )
    .hint("This is a fault of the program, not of the recipe. Report it with the recipe")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error() {
        let error = run(|| -> Result<()> { panic!("lost {}", 7) }).expect_err("a panic is a failure");
        assert_eq!(error.kind, ErrorKind::Internal);
        assert!(error.message.contains("lost 7"), "{}", error.message);
        assert_eq!(run(|| Ok(3)), Ok(3));
    }
}
