//! The home of the catalog: its projects, and which of them is active.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::disk::{Disk, names_in, read_optional};
use crate::layout::{IGNORE, IGNORED};
use crate::lock::FileLock;
use crate::time::random_word;
use crate::{Config, Layout, Project, ProjectName, Result, StepHook, StoreError};

/// The folder that holds all projects.
#[derive(Debug, Clone)]
pub struct Home {
    root: PathBuf,
    disk: Disk,
}

impl Home {
    /// The home in this folder; the folder is made when the first project is.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            disk: Disk::default(),
        }
    }

    /// As [`at`](Self::at), for tests: each step of a change is shown to `hook` first.
    pub fn with_hook(root: impl Into<PathBuf>, hook: Arc<dyn StepHook>) -> Self {
        Self {
            root: root.into(),
            disk: Disk::with_hook(hook),
        }
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn projects_folder(&self) -> PathBuf {
        self.root.join("projects")
    }

    fn layout(&self, name: &ProjectName) -> Layout {
        Layout::new(self.projects_folder().join(name.as_str()))
    }

    fn lock(&self, tool: &str, wait: Duration) -> Result<FileLock> {
        self.disk.make_folder(&self.root)?;
        FileLock::take(&self.root.join("projects.lock"), "The list of projects", tool, wait)
    }

    /// The projects, by name.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn projects(&self) -> Result<Vec<ProjectName>> {
        let names = names_in(&self.projects_folder())?;
        Ok(names
            .iter()
            .filter_map(|name| ProjectName::new(name).ok())
            .filter(|name| self.layout(name).catalog().is_dir())
            .collect())
    }

    /// A project.
    ///
    /// # Errors
    /// [`StoreError::NoSuchProject`].
    pub fn project(&self, name: &ProjectName) -> Result<Project> {
        let layout = self.layout(name);
        if layout.catalog().is_dir() {
            Ok(Project::open(name.clone(), layout, self.disk.clone()))
        } else {
            Err(self.no_such_project(name.as_str()))
        }
    }

    fn no_such_project(&self, name: &str) -> StoreError {
        StoreError::NoSuchProject {
            name: name.into(),
            known: self
                .projects()
                .unwrap_or_default()
                .iter()
                .map(ToString::to_string)
                .collect(),
        }
    }

    /// Makes a project with its first checkpoint, `genesis`. It appears complete or not at all.
    ///
    /// # Errors
    /// [`StoreError::ProjectExists`], [`StoreError::Busy`], failures to write.
    pub fn create(&self, name: &ProjectName, tool: &str, wait: Duration) -> Result<Project> {
        let _lock = self.lock(tool, wait)?;
        let layout = self.layout(name);
        if layout.root().exists() {
            return Err(StoreError::ProjectExists { name: name.to_string() });
        }
        // No project has a name that begins with a point, so nobody lists it.
        let staging = self.projects_folder().join(format!(".{name}.{}", random_word()));
        let made = self
            .fill(name, &staging, tool, wait)
            .and_then(|()| self.disk.rename(&staging, layout.root()));
        if let Err(error) = made {
            let _ = std::fs::remove_dir_all(&staging);
            return Err(error);
        }
        Ok(Project::open(name.clone(), layout, self.disk.clone()))
    }

    fn fill(&self, name: &ProjectName, folder: &Path, tool: &str, wait: Duration) -> Result<()> {
        let layout = Layout::new(folder.into());
        let disk = &self.disk;
        for folder in [layout.entries(), layout.snapshots(), layout.clones()] {
            disk.make_folder(&folder)?;
        }
        disk.replace(&layout.catalog().join(IGNORE), IGNORED.as_bytes())?;
        disk.replace(&layout.config(), Config::default().to_text().as_bytes())?;
        let project = Project::new(name.clone(), layout, disk.clone());
        project.init_repository()?;
        project.lock(tool, wait)?.checkpoint("genesis")?;
        Ok(())
    }

    /// The active project: what the file says, or, when nobody has chosen yet, `seed` if it names a project, which is
    /// then chosen. `None` when there is nothing to go by.
    ///
    /// # Errors
    /// [`StoreError::NoSuchProject`] when the active one is gone; [`StoreError::Damaged`] when the file says no name.
    pub fn active(&self, seed: Option<&str>) -> Result<Option<ProjectName>> {
        let path = self.root.join("active_project");
        let Some(bytes) = read_optional(&path)? else {
            let seed = seed.and_then(|name| ProjectName::new(name).ok());
            let Some(name) = seed.filter(|name| self.layout(name).catalog().is_dir()) else {
                return Ok(None);
            };
            self.write_active(&name)?;
            return Ok(Some(name));
        };
        let text = String::from_utf8_lossy(&bytes);
        let name = ProjectName::new(text.trim()).map_err(|error| {
            StoreError::damaged(&path, error.to_string(), "Choose a project with `project_switch`.")
        })?;
        if self.layout(&name).catalog().is_dir() {
            Ok(Some(name))
        } else {
            Err(self.no_such_project(name.as_str()))
        }
    }

    /// Makes a project the active one.
    ///
    /// # Errors
    /// [`StoreError::NoSuchProject`], [`StoreError::Busy`], failures to write.
    pub fn set_active(&self, name: &ProjectName, tool: &str, wait: Duration) -> Result<()> {
        if !self.layout(name).catalog().is_dir() {
            return Err(self.no_such_project(name.as_str()));
        }
        let _lock = self.lock(tool, wait)?;
        self.write_active(name)
    }

    fn write_active(&self, name: &ProjectName) -> Result<()> {
        self.disk
            .replace(&self.root.join("active_project"), format!("{name}\n").as_bytes())
    }
}
