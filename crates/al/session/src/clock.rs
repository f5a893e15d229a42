//! The time that this program itself has spent.

use std::time::Duration;

/// The processor time that the current thread has used. Where the system does not tell, this is elapsed time, so that
/// differences still mean something.
pub(crate) fn thread_time() -> Duration {
    processor_time(Owner::Thread)
}

/// The processor time that the whole process has used, with the same reservation.
pub(crate) fn process_time() -> Duration {
    processor_time(Owner::Process)
}

#[derive(Clone, Copy)]
enum Owner {
    Thread,
    Process,
}

#[cfg(unix)]
fn processor_time(owner: Owner) -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(match owner {
        Owner::Thread => ClockId::ThreadCPUTime,
        Owner::Process => ClockId::ProcessCPUTime,
    });
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or_default();
    Duration::new(seconds, nanoseconds)
}

#[cfg(not(unix))]
fn processor_time(_: Owner) -> Duration {
    elapsed_time()
}

/// The time since this was first asked for.
pub(crate) fn elapsed_time() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    FIRST.elapsed()
}
