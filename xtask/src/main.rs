//! Tasks of the workspace that need all of it.
fn main() {}
