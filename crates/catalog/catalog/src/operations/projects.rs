//! `project_list`, `project_switch`, `project_new`.

use candor_catalog_store::ProjectName;

use crate::catalog::{Call, Catalog};
use crate::failure::Explained;
use crate::replies::{ProjectResult, ProjectsResult};
use crate::requests::ProjectArguments;
use crate::vocabulary::Result;

impl Catalog {
    /// The projects, and the one that this process works on.
    ///
    /// # Errors
    /// When the home cannot be read.
    pub fn project_list(&self) -> Result<ProjectsResult> {
        let available = self.inner.home.projects().explained()?;
        Ok(ProjectsResult {
            // An active project that is gone is a reason to look at this list, not to refuse it.
            active: self.project().ok().map(|project| project.name().to_string()),
            available: available.iter().map(ToString::to_string).collect(),
        })
    }

    /// Works on another project from now on, and makes it the active one for processes that start later.
    ///
    /// # Errors
    /// `NotFound/NoSuchProject`, `Invalid/BadName`, `Unavailable/ProjectBusy`.
    pub fn project_switch(&self, call: &Call<'_>, arguments: &ProjectArguments) -> Result<ProjectResult> {
        let name = ProjectName::new(&arguments.name).explained()?;
        self.choose(call, name, false)
    }

    /// Makes a project, and works on it from now on.
    ///
    /// # Errors
    /// `Invalid/BadName`, `NameTaken`; `Unavailable/ProjectBusy`; `Faulted/WriteFailed`.
    pub fn project_new(&self, call: &Call<'_>, arguments: &ProjectArguments) -> Result<ProjectResult> {
        let name = ProjectName::new(&arguments.name).explained()?;
        self.inner
            .home
            .create(&name, call.tool(), self.inner.options.lock_wait)
            .explained()?;
        self.choose(call, name, true)
    }

    fn choose(&self, call: &Call<'_>, name: ProjectName, created: bool) -> Result<ProjectResult> {
        let before = self.project().ok().map(|project| project.name().to_string());
        self.inner
            .home
            .set_active(&name, call.tool(), self.inner.options.lock_wait)
            .explained()?;
        self.stick_to(name.clone());
        Ok(ProjectResult {
            previous: before,
            active: name.to_string(),
            created,
        })
    }
}
