//! A call that takes its time: who else is served meanwhile, and does it stop?

use std::time::{Duration, Instant};

use serde_json::json;

use super::Prober;
use crate::checks::failure;
use crate::run::SlowCall;
use crate::session::Silence;

/// How long the call runs before anything else is asked.
const HEAD_START: Duration = Duration::from_millis(300);

/// How soon after its cancellation a reply may still come.
const CROSSING: Duration = Duration::from_secs(1);

impl Prober<'_> {
    pub(super) fn slow_call(&mut self, slow: &SlowCall) {
        let place = "probe/slow-call";
        if self.session.is_none() && !self.restart() {
            return;
        }
        let time = self.time();
        let Some(session) = &mut self.session else { return };
        self.probes.sent += 1;
        let id = session.send_request("tools/call", json!({"name": slow.tool, "arguments": slow.arguments}));
        match session.wait(id, HEAD_START) {
            Err(Silence::TimedOut(_)) => {}
            Ok(_) => {
                self.notes.push(format!(
                    "the call of `{}` was no slow one: it was answered within {} ms",
                    slow.tool,
                    HEAD_START.as_millis()
                ));
                return;
            }
            Err(silence) => {
                return self.silent(&silence, Some(&slow.tool), place, &failure::FAILURE_UNANSWERED);
            }
        }
        if let Err(silence) = self.sign_of_life() {
            self.findings.push(
                crate::Finding::new(&failure::SLOW_CALL_BLOCKS, format!("a request beside it: {silence}"))
                    .tool(&slow.tool)
                    .at(place),
            );
        }
        let Some(session) = &mut self.session else { return };
        session.cancel(id);
        let cancelled = Instant::now();
        session.listen_for(id, time);
        let answered = session.take_late(id);
        if answered && cancelled.elapsed() > CROSSING {
            self.findings.push(
                crate::Finding::new(
                    &failure::CANCELLED_ANSWERED,
                    format!(
                        "the reply came {:.1} s after the cancellation",
                        cancelled.elapsed().as_secs_f64()
                    ),
                )
                .tool(&slow.tool)
                .at(place),
            );
        }
        if let Err(silence) = self.sign_of_life() {
            self.findings.push(
                crate::Finding::new(
                    &failure::CANCELLATION_FATAL,
                    format!("after the cancellation of a running call: {silence}"),
                )
                .tool(&slow.tool)
                .at(place),
            );
            self.drop_session();
        }
    }
}
