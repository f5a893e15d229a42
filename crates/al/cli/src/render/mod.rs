//! What the commands print. Pure functions from plain data to a writer: they
//! know no terminal, no file and no clock.

pub(crate) mod changes;
pub(crate) mod excerpt;
pub(crate) mod findings;
pub(crate) mod page;
pub(crate) mod palette;
pub(crate) mod printable;
pub(crate) mod quantities;
pub(crate) mod statistics;
pub(crate) mod summary;
pub(crate) mod table;
pub(crate) mod uri;
