//! What protocols need beside the operations: a project for one process, and the name of an entry.

use candor_catalog_store::{EntryHash, Project, ProjectName};

use crate::catalog::Catalog;
use crate::failure::Explained;
use crate::vocabulary::Result;

impl Catalog {
    /// Works on a project in this process alone; which one is active for others stays.
    ///
    /// # Errors
    /// `NotFound/NoSuchProject`, `Invalid/BadName`.
    pub fn work_on(&self, name: &str) -> Result<()> {
        let name = ProjectName::new(name).explained()?;
        self.open(&name)?;
        self.stick_to(name);
        Ok(())
    }

    /// The alias and version of an entry, if it has or had a name.
    pub fn version_of(&self, project: &Project, hash: &str) -> Option<(String, u64)> {
        let hash = EntryHash::new(hash).ok()?;
        let known = project.aliases().ok()?.version_of(&hash)?;
        Some((known.alias.to_string(), known.version))
    }
}
