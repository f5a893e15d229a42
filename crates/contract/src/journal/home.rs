//! Where Candor keeps what outlives a process.

use std::env;
use std::path::PathBuf;

/// The folder in `CANDOR_HOME`, or `.candor` in the user's home folder.
/// `None` when neither is known; an empty variable counts as unset.
pub fn candor_home() -> Option<PathBuf> {
    let set = env::var_os("CANDOR_HOME").filter(|value| !value.is_empty());
    set.map(PathBuf::from).or_else(|| {
        Some(
            env::home_dir()
                .filter(|home| !home.as_os_str().is_empty())?
                .join(".candor"),
        )
    })
}
