//! Projects, entries, aliases, clones, checkpoints and locks, in plain files.
