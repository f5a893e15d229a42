//! `candor-al`: analyse and fix AL code.
fn main() {}
