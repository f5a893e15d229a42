//! One number for a server, and what it is made of.
//!
//! A server starts with 100 points. Each check that found something takes
//! points off: [`most`] by its severity when it concerns the server or all of
//! its tools, and in proportion when it concerns only some of them. Nothing
//! else enters, so the number can be worked out by hand from the report.

use std::collections::BTreeSet;

use crate::checks::{self, Check};
use crate::{Report, Severity};

/// What a check can take off at most.
pub const fn most(severity: Severity) -> f64 {
    match severity {
        Severity::Error => 20.0,
        Severity::Warning => 8.0,
        Severity::Note => 2.0,
    }
}

/// The points of a server.
#[derive(Debug, Clone)]
pub struct Score {
    /// 0 to 100, rounded down, so that 100 means that nothing was found.
    pub points: u32,
    /// What took points off, the most expensive first.
    pub costs: Vec<Cost>,
}

/// What one check took off.
#[derive(Debug, Clone)]
pub struct Cost {
    /// The check.
    pub check: &'static Check,
    /// How many points.
    pub points: f64,
    /// How many tools it concerns; `None` when it is about the server itself.
    pub tools: Option<usize>,
}

/// Works the score out of the findings.
pub fn score(report: &Report) -> Score {
    let published = report.published.tools().count().max(1);
    let mut costs: Vec<Cost> = checks::all()
        .filter_map(|check| {
            let found: Vec<_> = report
                .findings
                .iter()
                .filter(|finding| finding.check == check)
                .collect();
            if found.is_empty() {
                return None;
            }
            let tools: Option<BTreeSet<&str>> = found.iter().map(|finding| finding.tool.as_deref()).collect();
            #[expect(clippy::cast_precision_loss, reason = "a number of tools is far below 2^52")]
            let share = tools
                .as_ref()
                .map_or(1.0, |tools| (tools.len() as f64 / published as f64).min(1.0));
            Some(Cost {
                check,
                points: most(check.severity) * share,
                tools: tools.map(|tools| tools.len()),
            })
        })
        .collect();
    costs.sort_by(|one, other| other.points.total_cmp(&one.points));
    let lost: f64 = costs.iter().map(|cost| cost.points).sum();
    #[expect(
        clippy::cast_sign_loss,
        reason = "the number was brought between 0 and 100 just before"
    )]
    let points = (100.0 - lost).clamp(0.0, 100.0).floor() as u32;
    Score { points, costs }
}
