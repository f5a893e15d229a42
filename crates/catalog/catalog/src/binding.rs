//! From the names in a recipe to entries, and from entries to what the engine reads.

use std::collections::BTreeMap;

use candor_catalog_engine::{
    Binding, Bindings, FrozenRecipe, Recipe, Reference, Resolution, RowsOf, Target, entry_hash,
};
use candor_catalog_store::{AliasBook, AliasName, EntryHash, Manifest, Parent, Project, StoreError};

use crate::catalog::{Call, Catalog};
use crate::failure::{Explain, Explained};
use crate::vocabulary::{CatalogError, CatalogFaulted, CatalogNotFound, Result};

/// Heads of aliases, by id, that are about to move.
pub(crate) type Moving = BTreeMap<String, EntryHash>;

/// A recipe with every reference resolved to an entry.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) recipe: Recipe,
    /// The entry that the recipe makes of them.
    pub(crate) hash: EntryHash,
    /// What each reference is bound to, in the order of the text.
    pub(crate) references: Vec<Parent>,
}

impl Bound {
    fn new(recipe: Recipe, references: Vec<Parent>) -> Result<Self> {
        let resolutions: BTreeMap<String, Resolution> = references
            .iter()
            .map(|parent| {
                let resolution = Resolution {
                    alias_id: parent.alias_id.clone(),
                    parent: parent.hash.to_string(),
                };
                (parent.reference.clone(), resolution)
            })
            .collect();
        let hash = entry_hash(&recipe, &resolutions).explained()?;
        Ok(Self {
            recipe,
            hash: EntryHash::new(&hash).explained()?,
            references,
        })
    }
}

/// Resolves a new recipe by the names in it.
pub(crate) fn bind_by_name(recipe: Recipe, book: &AliasBook) -> Result<Bound> {
    let references = recipe
        .references()
        .iter()
        .map(|reference| by_name(reference, book))
        .collect::<Result<_>>()?;
    Bound::new(recipe, references)
}

fn by_name(reference: &Reference, book: &AliasBook) -> Result<Parent> {
    let name = reference.target.alias();
    let alias = AliasName::new(name).ok().map(|name| book.get(&name));
    let alias = match alias {
        Some(Ok(alias)) => alias,
        // Renamed: there is nothing to guess.
        Some(Err(error @ StoreError::NoSuchAlias { now: Some(_), .. })) => return Err(error.explain()),
        _ => {
            let known = book.iter().map(|alias| alias.name.as_str());
            return Err(reference.unknown(known).explain());
        }
    };
    let (hash, version) = match &reference.target {
        Target::Follow { .. } => (&alias.latest, None),
        Target::Pin { version, .. } => (alias.entry_of(*version).explained()?, Some(*version)),
    };
    Ok(Parent {
        hash: hash.clone(),
        reference: reference.name.clone(),
        follow: version.is_none(),
        alias_id: alias.id.clone(),
        version,
    })
}

/// Resolves the recipe of an entry anew: what it follows by the ids of aliases, whatever they are called now; what it
/// pins as it is. Heads that are about to move count as moved.
pub(crate) fn bind_again(recipe: Recipe, manifest: &Manifest, book: &AliasBook, moving: &Moving) -> Result<Bound> {
    let references = recipe
        .references()
        .iter()
        .map(|reference| again(reference, manifest, book, moving))
        .collect::<Result<_>>()?;
    Bound::new(recipe, references)
}

fn again(reference: &Reference, manifest: &Manifest, book: &AliasBook, moving: &Moving) -> Result<Parent> {
    let Some(known) = manifest.bound().find(|parent| parent.reference == reference.name) else {
        return Err(unbound(reference, manifest));
    };
    if !known.follow {
        return Ok(known.clone());
    }
    let head = match moving.get(&known.alias_id) {
        Some(head) => head,
        None => match book.by_id(&known.alias_id) {
            Some(alias) => &alias.latest,
            None => {
                let message = format!(
                    "The alias that the recipe of {} reads as `{}` was taken away.",
                    manifest.content_hash, reference.name
                );
                return Err(CatalogError::not_found(CatalogNotFound::NoSuchAlias, message));
            }
        },
    };
    Ok(Parent {
        hash: head.clone(),
        ..known.clone()
    })
}

/// Binds the recipe of an entry to exactly what it was computed from.
pub(crate) fn bind_as_recorded(recipe: Recipe, manifest: &Manifest) -> Result<Bound> {
    let references = recipe
        .references()
        .iter()
        .map(|reference| {
            let known = manifest.bound().find(|parent| parent.reference == reference.name);
            known.cloned().ok_or_else(|| unbound(reference, manifest))
        })
        .collect::<Result<_>>()?;
    Bound::new(recipe, references)
}

fn unbound(reference: &Reference, manifest: &Manifest) -> CatalogError {
    let message = format!(
        "The record of entry {} does not say what `{}` was bound to.",
        manifest.content_hash, reference.name
    );
    CatalogError::faulted_because(CatalogFaulted::DataDamaged, message)
}

impl Catalog {
    /// What the engine reads for each reference. Snapshots that are missing are made first.
    pub(crate) fn bindings(&self, project: &Project, call: &Call<'_>, references: &[Parent]) -> Result<Bindings> {
        references
            .iter()
            .map(|parent| Ok((parent.reference.clone(), self.binding(project, call, &parent.hash)?)))
            .collect()
    }

    fn binding(&self, project: &Project, call: &Call<'_>, hash: &EntryHash) -> Result<Binding> {
        let manifest = project.manifest(hash).explained()?;
        let rows = if manifest.cache_worthy {
            RowsOf::Snapshot(self.ensure_snapshot(project, call, &manifest)?)
        } else {
            RowsOf::Recipe(Box::new(self.frozen(project, call, hash)?))
        };
        Ok(Binding {
            hash: hash.to_string(),
            rows,
            volatile: !manifest.volatile_functions.is_empty(),
        })
    }

    /// The recipe of an entry without a snapshot, bound to what it was built over.
    pub(crate) fn frozen(&self, project: &Project, call: &Call<'_>, hash: &EntryHash) -> Result<FrozenRecipe> {
        let entry = project.entry(hash).explained()?;
        let bound: Vec<Parent> = entry.manifest.bound().cloned().collect();
        Ok(FrozenRecipe {
            sql: entry.recipe.unwrap_or_default(),
            bindings: self.bindings(project, call, &bound)?,
        })
    }
}
