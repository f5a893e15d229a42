//! Which projects a server works on.

use std::path::PathBuf;

use candor_al_workspace::discovery::{Depth, discover};
use candor_al_workspace::file_system::Disk;
use candor_al_workspace::normalize_path;

/// The projects that were found, and what was wrong on the way.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Discovered {
    /// The folders of the projects; the first is meant when a call names none.
    pub projects: Vec<PathBuf>,
    /// Folders that do not exist, hold no project or cannot be read.
    pub warnings: Vec<String>,
}

/// Finds the projects at and below `named`, however deep; if nothing is named, those up to four levels below the current
/// folder, which may be somebody's home. Named folders that turn out useless are not made up for by the current one.
pub fn discover_projects(named: &[String]) -> Discovered {
    let mut warnings = Vec::new();
    let (roots, depth) = if named.is_empty() {
        (normalize_path(".").into_iter().collect::<Vec<_>>(), Depth::FourLevels)
    } else {
        let normalize = |text: &String| {
            normalize_path(text)
                .map_err(|problem| warnings.push(problem.to_string()))
                .ok()
        };
        (named.iter().filter_map(normalize).collect(), Depth::Unbounded)
    };
    let found = discover(&Disk, &roots, depth);
    warnings.extend(found.warnings.iter().map(ToString::to_string));
    Discovered {
        projects: found.projects,
        warnings,
    }
}
