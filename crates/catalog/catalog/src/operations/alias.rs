//! `catalog_alias`, `catalog_rename`, `catalog_unalias`: names.

use candor_catalog_store::{Alias, AliasKind, EntryHash, EntryKind, Event, Project};

use super::recipe::log_alias;
use crate::cascade::finish;
use crate::catalog::{Call, Catalog, alias_name};
use crate::failure::{Explained, about};
use crate::replies::{AliasResult, kind_word};
use crate::requests::{AliasArguments, RenameArguments, UnaliasArguments};
use crate::vocabulary::{CatalogError, CatalogInvalid, Result};

impl Catalog {
    /// Gives an entry a name.
    ///
    /// # Errors
    /// `Invalid/BadName`, `NameTaken`; `NotFound/NoSuchEntry`; `Invalid/WrongKind` for a version of a source, which has
    /// its name from the import.
    pub fn alias(&self, call: &Call<'_>, arguments: &AliasArguments) -> Result<AliasResult> {
        let project = self.project()?;
        let name = alias_name(&arguments.name)?;
        let hash = EntryHash::new(&arguments.hash).explained()?;
        let manifest = project.manifest(&hash).explained()?;
        if manifest.kind == EntryKind::Source {
            let known = project.aliases().explained()?.version_of(&hash);
            let source = known.map_or_else(|| "<source>".into(), |known| known.alias.to_string());
            let message = format!(
                "Entry {hash} is an imported file, whose name comes with the import. For a second name, build on it: \
                 catalog_create(name=\"{name}\", sql=\"SELECT * FROM {source}\")."
            );
            return Err(about(
                CatalogError::invalid_because(CatalogInvalid::WrongKind, message),
                hash.as_str(),
            ));
        }
        let lock = self.lock(&project, call.tool())?;
        let alias = lock
            .change_aliases(|book| book.create(name.clone(), AliasKind::Catalog, hash.clone()).cloned())
            .explained()?;
        let mut warnings = Vec::new();
        let step = finish(self, &lock, call, &mut warnings);
        drop(lock);
        log_alias(&project, call, &alias);
        Ok(reply(&project, &alias, None, step, warnings))
    }

    /// Gives an alias another name. Versions, kind, and what follows it stay.
    ///
    /// # Errors
    /// `NotFound/NoSuchAlias`, `Invalid/BadName`, `NameTaken`.
    pub fn rename(&self, call: &Call<'_>, arguments: &RenameArguments) -> Result<AliasResult> {
        let project = self.project()?;
        let new = alias_name(&arguments.new_name)?;
        let old = alias_name(&arguments.old_name)?;
        let lock = self.lock(&project, call.tool())?;
        let alias = lock
            .change_aliases(|book| book.rename(&old, new.clone()).cloned())
            .explained()?;
        let mut warnings = Vec::new();
        let step = finish(self, &lock, call, &mut warnings);
        drop(lock);
        project.log(
            &Event::new("alias_renamed")
                .with("tool", call.tool())
                .with("old", old.as_str())
                .with("new", alias.name.as_str()),
        );
        Ok(reply(&project, &alias, Some(old.to_string()), step, warnings))
    }

    /// Takes a name away. Its entries stay, and so does what was built on it.
    ///
    /// # Errors
    /// `NotFound/NoSuchAlias`.
    pub fn unalias(&self, call: &Call<'_>, arguments: &UnaliasArguments) -> Result<AliasResult> {
        let project = self.project()?;
        let name = alias_name(&arguments.name)?;
        let lock = self.lock(&project, call.tool())?;
        let alias = lock.change_aliases(|book| book.remove(&name)).explained()?;
        let mut warnings = Vec::new();
        let step = finish(self, &lock, call, &mut warnings);
        drop(lock);
        project.log(
            &Event::new("alias_removed")
                .with("tool", call.tool())
                .with("alias", name.as_str()),
        );
        Ok(reply(&project, &alias, None, step, warnings))
    }
}

fn reply(
    project: &Project,
    alias: &Alias,
    old_name: Option<String>,
    checkpoint_step: Option<u64>,
    warnings: Vec<String>,
) -> AliasResult {
    AliasResult {
        project: project.name().to_string(),
        alias: alias.name.to_string(),
        old_name,
        hash: alias.latest.to_string(),
        version: alias.version(),
        kind: kind_word(alias.kind),
        checkpoint_step,
        warnings,
    }
}
