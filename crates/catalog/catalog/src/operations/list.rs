//! `catalog_list`: what there is.

use candor_catalog_store::{AliasBook, EntryHash, EntryKind, Manifest, Project};
use candor_contract::ReplyBudget;

use crate::catalog::Catalog;
use crate::failure::Explained;
use crate::replies::{ListItem, ListResult};
use crate::requests::ListArguments;
use crate::vocabulary::Result;

/// How many bytes the entries of a reply may take.
const BYTES: usize = 50_000;

/// How many entries a page holds at most.
const ENTRIES: u64 = 500;

impl Catalog {
    /// A page of the entries, the newest first.
    ///
    /// # Errors
    /// When the project cannot be read.
    pub fn list(&self, arguments: &ListArguments) -> Result<ListResult> {
        let project = self.project()?;
        let offset = usize::try_from(arguments.offset.unwrap_or(0)).unwrap_or(usize::MAX);
        let limit = arguments.limit.unwrap_or(50).clamp(1, ENTRIES) as usize;
        let page = project.entries(offset, limit).explained()?;
        let book = project.aliases().explained()?;
        let mut damaged: Vec<String> = page.damaged.iter().map(ToString::to_string).collect();
        let mut budget = ReplyBudget::new(BYTES);
        let mut items = Vec::with_capacity(page.hashes.len());
        let mut passed = 0;
        for hash in &page.hashes {
            match self.item(&project, &book, hash) {
                Ok(item) if budget.take(&item) || items.is_empty() => items.push(item),
                Ok(_) => break,
                Err(_) => damaged.push(hash.to_string()),
            }
            passed += 1;
        }
        let next = offset.saturating_add(passed);
        let truncated = next < page.total;
        Ok(ListResult {
            project: project.name().to_string(),
            items,
            total: page.total,
            truncated,
            next_offset: truncated.then_some(next),
            damaged,
        })
    }

    fn item(&self, project: &Project, book: &AliasBook, hash: &EntryHash) -> Result<ListItem> {
        let manifest = project.manifest(hash).explained()?;
        let schema = project.schema(hash).explained()?;
        let columns: Vec<String> = schema
            .fields
            .iter()
            .map(|field| format!("{}:{}", field.name, field.data_type))
            .collect();
        let known = book.version_of(hash);
        Ok(ListItem {
            hash: hash.to_string(),
            is_head: known.as_ref().is_some_and(|known| known.is_head),
            version: known.as_ref().map(|known| known.version),
            alias: known.map(|known| known.alias.to_string()),
            kind: match manifest.kind {
                EntryKind::Computed => "computed",
                EntryKind::Source => "source",
            }
            .into(),
            created_at: manifest.created_at.clone(),
            prompt: manifest
                .prompt
                .as_deref()
                .map(|prompt| candor_contract::shortened(prompt, 300).into_owned()),
            row_count: manifest.row_count,
            columns: candor_contract::shortened(&columns.join(", "), 2_000).into_owned(),
            parents: manifest.parents.iter().map(Into::into).collect(),
            stored: manifest.cache_worthy,
            reproducible: manifest.reproducible,
            pinned: pinned(project, &manifest),
        })
    }
}

/// Why the stored rows of an entry cannot be made again as they are.
fn pinned(project: &Project, manifest: &Manifest) -> Option<String> {
    if manifest.unfaithful_heal_digest.is_some() {
        return Some("it was made again once and came out differently".into());
    }
    if manifest.reproducible == Some(false) {
        return Some("a second run gives other rows".into());
    }
    let provenance = manifest.provenance.as_ref()?;
    let clone = project.layout().clone_of(&provenance.digest, &provenance.suffix);
    (!clone.is_file()).then(|| "the copy of the imported file is gone".into())
}
