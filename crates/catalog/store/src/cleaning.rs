//! Removing what processes left that were killed: files and folders of temporary names.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::Layout;
use crate::disk::names_in;

/// What is younger may belong to a process that is still at work: a build can take hours.
const AGE: Duration = Duration::from_hours(48);

/// Removes temporary files and folders of dead processes. Best effort: litter harms nobody.
pub(crate) fn clean(layout: &Layout) {
    let old = |path: &Path| {
        let modified = fs::symlink_metadata(path).and_then(|metadata| metadata.modified());
        // A clock that was set back makes them look younger, and so live longer.
        modified.is_ok_and(|modified| SystemTime::now().duration_since(modified).is_ok_and(|age| age > AGE))
    };
    for folder in [
        layout.catalog(),
        layout.snapshots(),
        layout.cache(),
        layout.prompts(),
        layout.clones(),
    ] {
        for name in names_in(&folder).unwrap_or_default() {
            let path = folder.join(&name);
            if name.starts_with('.') && name.ends_with(".tmp") && old(&path) {
                let _ = fs::remove_file(path);
            }
        }
    }
    for name in names_in(&layout.staging()).unwrap_or_default() {
        let path = layout.staging().join(name);
        if old(&path) {
            let _ = if path.is_dir() {
                fs::remove_dir_all(path)
            } else {
                fs::remove_file(path)
            };
        }
    }
}
