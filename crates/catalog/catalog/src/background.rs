//! Work that goes on after the reply: one thread, one job after the other, so that verification never takes more than
//! one core from whoever waits for an answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

type Job = Box<dyn FnOnce() + Send>;

/// The jobs of one catalog. When it goes, the job at work is asked to stop and the rest is given up.
#[derive(Default)]
pub(crate) struct Background {
    sender: Mutex<Option<Sender<Job>>>,
    waiting: Arc<Waiting>,
    stop: Arc<AtomicBool>,
}

#[derive(Default)]
struct Waiting {
    jobs: Mutex<usize>,
    done: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Background {
    /// Says when the jobs are to stop.
    pub(crate) fn stop_flag(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// Adds a job.
    pub(crate) fn submit(&self, job: impl FnOnce() + Send + 'static) {
        let mut sender = lock(&self.sender);
        if sender.is_none() {
            *sender = self.start();
        }
        *lock(&self.waiting.jobs) += 1;
        let sent = sender.as_ref().is_some_and(|sender| sender.send(Box::new(job)).is_ok());
        if !sent {
            // Without a thread the entry stays unverified, which its record says.
            self.waiting.finish_one();
        }
    }

    fn start(&self) -> Option<Sender<Job>> {
        let (sender, receiver) = channel::<Job>();
        let (waiting, stop) = (self.waiting.clone(), self.stop.clone());
        std::thread::Builder::new()
            .name("verification".into())
            .spawn(move || {
                for job in receiver {
                    if !stop.load(Ordering::Relaxed) {
                        // A job that panics has recorded nothing; the others go on.
                        let _ = catch_unwind(AssertUnwindSafe(job));
                    }
                    waiting.finish_one();
                }
            })
            .ok()
            .map(|_| sender)
    }

    /// Waits until nothing is left to do, at most so long. Says whether that is so.
    pub(crate) fn wait(&self, limit: Duration) -> bool {
        let end = Instant::now() + limit;
        let mut jobs = lock(&self.waiting.jobs);
        while *jobs > 0 {
            let Some(left) = end.checked_duration_since(Instant::now()) else {
                return false;
            };
            jobs = self
                .waiting
                .done
                .wait_timeout(jobs, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        true
    }
}

impl Waiting {
    fn finish_one(&self) {
        *lock(&self.jobs) -= 1;
        self.done.notify_all();
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_panics_does_not_stop_the_others() {
        let background = Background::default();
        let ran = Arc::new(AtomicBool::new(false));
        let flag = ran.clone();
        background.submit(|| panic!("as planned"));
        background.submit(move || flag.store(true, Ordering::Relaxed));
        assert!(background.wait(Duration::from_secs(60)));
        assert!(ran.load(Ordering::Relaxed));
    }
}
