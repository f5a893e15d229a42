//! The facade of candor-al: analyse, look up, fix, over an immutable snapshot per call.
