//! Where Candor keeps what outlives a process.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// The folder in `CANDOR_HOME`, or `.candor` in the user's home folder.
/// `None` when neither is known; an empty variable counts as unset.
pub fn candor_home() -> Option<PathBuf> {
    home_of(env::var_os("CANDOR_HOME"), env::home_dir())
}

fn home_of(set: Option<OsString>, user: Option<PathBuf>) -> Option<PathBuf> {
    match set.filter(|value| !value.is_empty()) {
        Some(set) => Some(set.into()),
        None => user
            .filter(|home| !home.as_os_str().is_empty())
            .map(|home| home.join(".candor")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_wins_over_the_users_home() {
        let user = || Some(PathBuf::from("/home/ann"));
        assert_eq!(home_of(Some("/c".into()), user()), Some("/c".into()));
        assert_eq!(home_of(Some("".into()), user()), Some("/home/ann/.candor".into()));
        assert_eq!(home_of(None, user()), Some("/home/ann/.candor".into()));
        assert_eq!(home_of(None, Some("".into())), None);
        assert_eq!(home_of(None, None), None);
    }
}
