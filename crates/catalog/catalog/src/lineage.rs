//! Who follows whom among the newest versions, what is stale, and in which order to recompute.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use candor_catalog_store::{AliasBook, EntryHash, Manifest, Project};

use crate::binding::Moving;
use crate::replies::StaleReason;

/// An entry that is the newest version of at least one alias.
#[derive(Debug)]
pub(crate) struct LiveEntry {
    pub(crate) manifest: Arc<Manifest>,
    /// The ids and names of the aliases it heads.
    pub(crate) aliases: Vec<(String, String)>,
}

/// The newest versions of a project, as they are or as they will be.
#[derive(Debug)]
pub(crate) struct Lineage {
    pub(crate) entries: BTreeMap<EntryHash, LiveEntry>,
    /// The head of each alias, by id; those that are about to move count as moved.
    heads: BTreeMap<String, EntryHash>,
    /// Aliases whose newest version cannot be read; nothing is known of what they follow.
    pub(crate) unreadable: Vec<String>,
}

impl Lineage {
    /// The lineage of a project. An alias that is `moving` is no reason to compute again what it heads at the moment.
    pub(crate) fn of(project: &Project, book: &AliasBook, moving: &Moving) -> Self {
        let mut entries: BTreeMap<EntryHash, LiveEntry> = BTreeMap::new();
        let mut heads = moving.clone();
        let mut unreadable = Vec::new();
        for alias in book.iter() {
            if moving.contains_key(&alias.id) {
                continue;
            }
            heads.insert(alias.id.clone(), alias.latest.clone());
            let named = (alias.id.clone(), alias.name.to_string());
            if let Some(entry) = entries.get_mut(&alias.latest) {
                entry.aliases.push(named);
                continue;
            }
            let Ok(manifest) = project.manifest(&alias.latest) else {
                unreadable.push(alias.name.to_string());
                continue;
            };
            let entry = LiveEntry {
                manifest,
                aliases: vec![named],
            };
            entries.insert(alias.latest.clone(), entry);
        }
        Self {
            entries,
            heads,
            unreadable,
        }
    }

    /// What an entry follows that has moved.
    pub(crate) fn reasons(&self, manifest: &Manifest) -> Vec<StaleReason> {
        let followed = manifest.parents.iter().filter(|parent| parent.follow);
        followed
            .filter_map(|parent| {
                let now = self.heads.get(&parent.alias_id)?;
                (*now != parent.hash).then(|| StaleReason {
                    axis: "alias".into(),
                    reference: parent.reference.clone(),
                    was: parent.hash.to_string(),
                    now: now.to_string(),
                })
            })
            .collect()
    }

    /// References to aliases that do not exist any more.
    pub(crate) fn unknown(&self, manifest: &Manifest) -> Vec<String> {
        let followed = manifest.parents.iter().filter(|parent| parent.follow);
        followed
            .filter(|parent| !self.heads.contains_key(&parent.alias_id))
            .map(|parent| parent.reference.clone())
            .collect()
    }

    /// The entries whose alias moved.
    pub(crate) fn stale(&self) -> BTreeSet<EntryHash> {
        let stale = self
            .entries
            .iter()
            .filter(|(_, entry)| !self.reasons(&entry.manifest).is_empty());
        stale.map(|(hash, _)| hash.clone()).collect()
    }

    /// The entries that are stale because this alias moved.
    pub(crate) fn stale_through(&self, alias_id: &str) -> BTreeSet<EntryHash> {
        let Some(now) = self.heads.get(alias_id) else {
            return BTreeSet::new();
        };
        let moved = |manifest: &Manifest| {
            manifest
                .parents
                .iter()
                .any(|parent| parent.follow && parent.alias_id == alias_id && parent.hash != *now)
        };
        let stale = self.entries.iter().filter(|(_, entry)| moved(&entry.manifest));
        stale.map(|(hash, _)| hash.clone()).collect()
    }

    /// The entries that an entry follows, as they are now.
    fn followed<'a>(&'a self, manifest: &'a Manifest) -> impl Iterator<Item = &'a EntryHash> {
        let followed = manifest.parents.iter().filter(|parent| parent.follow);
        followed.filter_map(|parent| self.heads.get(&parent.alias_id))
    }

    /// The roots and everything that follows them, in an order in which each comes after what it follows; then those that
    /// follow one another in a circle, and what follows those.
    pub(crate) fn cone(&self, roots: &BTreeSet<EntryHash>) -> (Vec<EntryHash>, Vec<EntryHash>) {
        let mut followers: BTreeMap<&EntryHash, Vec<&EntryHash>> = BTreeMap::new();
        for (hash, entry) in &self.entries {
            for followed in self.followed(&entry.manifest) {
                followers.entry(followed).or_default().push(hash);
            }
        }
        let mut members: BTreeSet<&EntryHash> = BTreeSet::new();
        let mut to_visit: Vec<&EntryHash> = roots.iter().filter(|root| self.entries.contains_key(*root)).collect();
        while let Some(hash) = to_visit.pop() {
            if members.insert(hash) {
                to_visit.extend(followers.get(hash).into_iter().flatten().copied());
            }
        }
        let mut waiting: BTreeMap<&EntryHash, BTreeSet<&EntryHash>> = members
            .iter()
            .map(|hash| {
                let followed = self.followed(&self.entries[*hash].manifest);
                (*hash, followed.filter(|followed| members.contains(followed)).collect())
            })
            .collect();
        let mut order = Vec::with_capacity(members.len());
        let mut ready: BTreeSet<&EntryHash> = waiting
            .iter()
            .filter(|(_, followed)| followed.is_empty())
            .map(|(hash, _)| *hash)
            .collect();
        while let Some(hash) = ready.pop_first() {
            waiting.remove(hash);
            order.push(hash.clone());
            for follower in followers.get(hash).into_iter().flatten().copied() {
                if let Some(followed) = waiting.get_mut(follower) {
                    followed.remove(hash);
                    if followed.is_empty() {
                        ready.insert(follower);
                    }
                }
            }
        }
        (order, waiting.into_keys().cloned().collect())
    }

    /// The way by which following leads from a recipe's references back to an alias, as names; none if it does not.
    pub(crate) fn circle(&self, start: &[String], target: &str) -> Option<Vec<String>> {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut to_visit: Vec<(&str, Vec<String>)> = start.iter().map(|id| (id.as_str(), Vec::new())).collect();
        while let Some((id, way)) = to_visit.pop() {
            let entry = self.heads.get(id).and_then(|head| self.entries.get(head));
            let name = entry
                .and_then(|entry| entry.aliases.iter().find(|(known, _)| known == id))
                .map(|(_, name)| name.clone());
            let mut way = way;
            way.extend(name);
            if id == target {
                return Some(way);
            }
            if !seen.insert(id) {
                continue;
            }
            for parent in entry.iter().flat_map(|entry| &entry.manifest.parents) {
                if parent.follow {
                    to_visit.push((&parent.alias_id, way.clone()));
                }
            }
        }
        None
    }
}
