//! Catching what a handler did not expect.

use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

/// What is known about a panic.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Panic {
    /// What it said.
    pub(crate) message: String,
    /// File, line and column in this program's source.
    pub(crate) place: Option<String>,
    /// The calls that led there, when `RUST_BACKTRACE` asks for them.
    pub(crate) backtrace: Option<String>,
}

/// What the hook does with a panic of a thread.
#[derive(Default)]
enum Watch {
    /// Leaves it to the hook that was there before.
    #[default]
    Off,
    /// Notes it, because the thread runs a handler.
    On,
    /// Has noted it.
    Noted(Panic),
}

thread_local! {
    static WATCH: RefCell<Watch> = const { RefCell::new(Watch::Off) };
}

/// Runs `action` and turns a panic into a value. Nothing is printed then: the
/// journal and the reply say what happened.
pub(crate) fn catch<T>(action: impl FnOnce() -> T) -> Result<T, Panic> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !note(info) {
                previous(info);
            }
        }));
    });
    WATCH.set(Watch::On);
    let result = panic::catch_unwind(AssertUnwindSafe(action));
    let noted = WATCH.take();
    result.map_err(|payload| match noted {
        Watch::Noted(panic) => panic,
        // A panic that was passed on from another thread met no hook here.
        Watch::Off | Watch::On => Panic {
            message: said(payload.as_ref()),
            ..Panic::default()
        },
    })
}

fn note(info: &PanicHookInfo<'_>) -> bool {
    WATCH.with(|watch| {
        let Ok(mut watch) = watch.try_borrow_mut() else {
            return false;
        };
        if matches!(*watch, Watch::Off) {
            return false;
        }
        let backtrace = Backtrace::capture();
        *watch = Watch::Noted(Panic {
            message: said(info.payload()),
            place: info.location().map(ToString::to_string),
            backtrace: (backtrace.status() == BacktraceStatus::Captured).then(|| backtrace.to_string()),
        });
        true
    })
}

fn said(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "it gave no message".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_value_with_its_place() {
        let caught = catch(|| panic!("no {}", "luck")).unwrap_err();
        assert_eq!(caught.message, "no luck");
        assert!(caught.place.unwrap().contains("panic.rs:"));
        assert_eq!(catch(|| 7), Ok(7));
    }

    #[test]
    fn a_panic_of_another_thread_keeps_its_message() {
        let caught: Result<(), Panic> = catch(|| {
            let thread = std::thread::spawn(|| panic::resume_unwind(Box::new("far away")));
            let Err(payload) = thread.join();
            panic::resume_unwind(payload);
        });
        assert_eq!(caught.unwrap_err().message, "far away");
    }
}
