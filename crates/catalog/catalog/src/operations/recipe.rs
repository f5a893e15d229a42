//! `catalog_run`, `catalog_create`, `catalog_revise`: results from recipes.

use candor_catalog_engine::Recipe;
use candor_catalog_store::{Alias, AliasKind, AliasName, Event, Project, Published, StoreError};

use crate::binding::{Bound, Moving, bind_by_name};
use crate::build::{Built, parse};
use crate::catalog::{Call, Catalog, alias_name};
use crate::failure::{Explained, about};
use crate::lineage::Lineage;
use crate::replies::BuildResult;
use crate::requests::{NamedRecipeArguments, RunArguments};
use crate::vocabulary::{CatalogError, CatalogInvalid, Result};

impl Catalog {
    /// Builds a recipe as a scratch entry, without a name.
    ///
    /// # Errors
    /// Mistakes in the recipe (`Invalid`, `NotFound`) and failures to compute it (`Faulted`); each has a record in the
    /// journal, named by `error_id`.
    pub fn run(&self, call: &Call<'_>, arguments: &RunArguments) -> Result<BuildResult> {
        let project = self.project()?;
        let prompt = arguments.prompt.as_deref().unwrap_or_default();
        self.try_run(&project, call, &arguments.sql, prompt)
            .map_err(|error| self.build_failed(&project, call, error, &arguments.sql, prompt))
    }

    fn try_run(&self, project: &Project, call: &Call<'_>, sql: &str, prompt: &str) -> Result<BuildResult> {
        let book = project.aliases().explained()?;
        let mut built = self.build(project, call, bind_by_name(parse(sql)?, &book)?, prompt)?;
        let lock = self.lock(project, call.tool())?;
        let published = self.publish(&lock, &mut built, prompt)?;
        let mut warnings = std::mem::take(&mut built.warnings);
        let step = self.checkpoint(&lock, &format!("candor: {}", call.tool()), &mut warnings);
        drop(lock);
        log_build(project, call, &built, prompt);
        Ok(BuildResult {
            created: published == Published::Created,
            checkpoint_step: step,
            ..self.described(project, &built.hash, warnings)?
        })
    }

    /// Builds a recipe under a new name.
    ///
    /// # Errors
    /// `Invalid/BadName`, `NameTaken`, `WrongKind` before anything is built; then as [`run`](Self::run).
    pub fn create(&self, call: &Call<'_>, arguments: &NamedRecipeArguments) -> Result<BuildResult> {
        let project = self.project()?;
        let name = alias_name(&arguments.name)?;
        let refuse_taken = |project: &Project| match project.aliases().explained()?.find(&name) {
            None => Ok(()),
            Some(alias) => Err(StoreError::NameTaken {
                name: name.to_string(),
                kind: alias.kind,
            })
            .explained(),
        };
        refuse_taken(&project)?;
        let prompt = arguments.prompt.as_deref().unwrap_or_default();
        self.try_create(&project, call, &name, &arguments.sql, prompt)
            .map_err(|error| self.build_failed(&project, call, error, &arguments.sql, prompt))
    }

    fn try_create(
        &self,
        project: &Project,
        call: &Call<'_>,
        name: &AliasName,
        sql: &str,
        prompt: &str,
    ) -> Result<BuildResult> {
        let recipe = parse(sql)?;
        recipe.refuse_self_reference(name.as_str()).explained()?;
        let book = project.aliases().explained()?;
        let mut built = self.build(project, call, bind_by_name(recipe, &book)?, prompt)?;
        let lock = self.lock(project, call.tool())?;
        let published = self.publish(&lock, &mut built, prompt)?;
        let alias = lock
            .change_aliases(|book| {
                book.create(name.clone(), AliasKind::Catalog, built.hash.clone())
                    .cloned()
            })
            .explained()?;
        let mut warnings = std::mem::take(&mut built.warnings);
        let step = self.checkpoint(&lock, &format!("candor: {}", call.tool()), &mut warnings);
        drop(lock);
        log_build(project, call, &built, prompt);
        log_alias(project, call, &alias);
        self.settle(project, call, &alias.id, None);
        Ok(BuildResult {
            created: published == Published::Created,
            alias: Some(name.to_string()),
            version: Some(1),
            checkpoint_step: step,
            ..self.described(project, &built.hash, warnings)?
        })
    }

    /// Builds a recipe as the next version of a name, and recomputes what follows it. The recipe and data of the newest
    /// version make no new one.
    ///
    /// # Errors
    /// `NotFound/NoSuchAlias`, `Invalid/WrongKind` before anything is built; `Invalid/SelfReference`; then as
    /// [`run`](Self::run). Failures among the followers are told in `recalc`.
    pub fn revise(&self, call: &Call<'_>, arguments: &NamedRecipeArguments) -> Result<BuildResult> {
        let project = self.project()?;
        let name = alias_name(&arguments.name)?;
        let book = project.aliases().explained()?;
        let alias = book.get(&name).explained()?.clone();
        if alias.kind == AliasKind::Source {
            return Err(StoreError::WrongKind {
                name: name.to_string(),
                kind: alias.kind,
            })
            .explained();
        }
        let prompt = arguments.prompt.as_deref().unwrap_or_default();
        self.try_revise(&project, call, &alias, &arguments.sql, prompt)
            .map_err(|error| self.build_failed(&project, call, error, &arguments.sql, prompt))
    }

    fn try_revise(
        &self,
        project: &Project,
        call: &Call<'_>,
        alias: &Alias,
        sql: &str,
        prompt: &str,
    ) -> Result<BuildResult> {
        let recipe = parse(sql)?;
        let name = &alias.name;
        recipe.refuse_self_reference(name.as_str()).explained()?;
        let bound = self.bind_without_circle(project, recipe, alias)?;
        let mut built = self.build(project, call, bound, prompt)?;
        let lock = self.lock(project, call.tool())?;
        let published = self.publish(&lock, &mut built, prompt)?;
        drop(lock);
        let mut warnings = std::mem::take(&mut built.warnings);
        let hash = built.hash.clone();
        let is_new = project
            .aliases()
            .explained()?
            .by_id(&alias.id)
            .map(|alias| &alias.latest)
            != Some(&hash);
        let (alias, recalc, step) = self.advance_with_followers(
            project,
            call,
            is_new.then_some((alias.id.as_str(), &hash)),
            |book| book.advance(name, AliasKind::Catalog, hash.clone(), None).cloned(),
            &format!("Recomputed: `{name}` was revised"),
            &mut warnings,
        )?;
        log_build(project, call, &built, prompt);
        log_alias(project, call, &alias);
        self.settle(project, call, &alias.id, recalc.as_ref());
        Ok(BuildResult {
            created: published == Published::Created,
            alias: Some(name.to_string()),
            version: Some(alias.version()),
            recalc,
            checkpoint_step: step,
            ..self.described(project, &built.hash, warnings)?
        })
    }

    /// Binds a recipe for a new version of an alias, which must not follow itself through others either: each version
    /// would make the next one stale, for ever.
    fn bind_without_circle(&self, project: &Project, recipe: Recipe, alias: &Alias) -> Result<Bound> {
        let book = project.aliases().explained()?;
        let bound = bind_by_name(recipe, &book)?;
        let followed: Vec<String> = bound
            .references
            .iter()
            .filter(|parent| parent.follow)
            .map(|parent| parent.alias_id.clone())
            .collect();
        let Some(way) = Lineage::of(project, &book, &Moving::new()).circle(&followed, &alias.id) else {
            return Ok(bound);
        };
        let message = format!(
            "The recipe of `{}` would follow itself: it reads `{}`. Pin a version on the way, as in FROM \"{}-v1\".",
            alias.name,
            way.join("`, which reads `"),
            way.first().map_or(alias.name.as_str(), String::as_str),
        );
        Err(about(
            CatalogError::invalid_because(CatalogInvalid::SelfReference, message),
            alias.name.as_str(),
        ))
    }
}

fn log_build(project: &Project, call: &Call<'_>, built: &Built, prompt: &str) {
    project.log(
        &Event::new("build_ok")
            .with("tool", call.tool())
            .with("hash", built.hash.as_str())
            .with("prompt", prompt),
    );
}

pub(super) fn log_alias(project: &Project, call: &Call<'_>, alias: &Alias) {
    project.log(
        &Event::new("alias_set")
            .with("tool", call.tool())
            .with("alias", alias.name.as_str())
            .with("version", alias.version())
            .with("hash", alias.latest.as_str()),
    );
}
