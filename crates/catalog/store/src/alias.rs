//! Aliases: names whose versions are entries.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::time::random_word;
use crate::{AliasName, EntryHash, Result, StoreError};

/// Where the versions of an alias come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AliasKind {
    /// From recipes.
    #[default]
    Catalog,
    /// From imported files.
    Source,
}

impl AliasKind {
    /// `catalog` or `source`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Catalog => "catalog",
            Self::Source => "source",
        }
    }
}

/// A name and its versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alias {
    /// The name.
    #[serde(rename = "alias")]
    pub name: AliasName,
    /// What stands for the alias in recipes and identities, whatever it is called.
    pub id: String,
    /// The newest version.
    pub latest: EntryHash,
    /// All versions, the first one first.
    pub history: Vec<EntryHash>,
    /// Where they come from.
    #[serde(default)]
    pub kind: AliasKind,
    /// What it was called before, the latest former name last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former_names: Vec<AliasName>,
}

impl Alias {
    /// The number of the newest version, from 1.
    pub fn version(&self) -> u64 {
        self.history.len() as u64
    }

    /// The entry of a version, counted from 1.
    ///
    /// # Errors
    /// [`StoreError::NoSuchVersion`].
    pub fn entry_of(&self, version: u64) -> Result<&EntryHash> {
        let index = version.checked_sub(1).and_then(|index| usize::try_from(index).ok());
        index
            .and_then(|index| self.history.get(index))
            .ok_or_else(|| StoreError::NoSuchVersion {
                alias: self.name.to_string(),
                version,
                count: self.version(),
            })
    }

    /// The newest version that is this entry, from 1.
    pub fn version_of(&self, hash: &EntryHash) -> Option<u64> {
        let index = self.history.iter().rposition(|known| known == hash)?;
        Some(index as u64 + 1)
    }
}

/// Which version of which alias an entry is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionOfHash {
    /// The alias.
    pub alias: AliasName,
    /// Its version, from 1.
    pub version: u64,
    /// Whether that is the newest one.
    pub is_head: bool,
}

/// All aliases of a project.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AliasBook {
    aliases: BTreeMap<AliasName, Alias>,
}

impl AliasBook {
    pub(crate) fn from_aliases(aliases: impl IntoIterator<Item = Alias>) -> Self {
        let aliases = aliases.into_iter().map(|alias| (alias.name.clone(), alias)).collect();
        Self { aliases }
    }

    /// The aliases by name.
    pub fn iter(&self) -> impl Iterator<Item = &Alias> {
        self.aliases.values()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.aliases.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.aliases.is_empty()
    }

    /// The alias of this name.
    ///
    /// # Errors
    /// [`StoreError::NoSuchAlias`], which says what an alias of this name is called now.
    pub fn get(&self, name: &AliasName) -> Result<&Alias> {
        self.aliases.get(name).ok_or_else(|| self.no_such_alias(name))
    }

    /// The alias of this name, if there is one.
    pub fn find(&self, name: &AliasName) -> Option<&Alias> {
        self.aliases.get(name)
    }

    /// The alias with this id, if there is one.
    pub fn by_id(&self, id: &str) -> Option<&Alias> {
        self.iter().find(|alias| alias.id == id)
    }

    fn no_such_alias(&self, name: &AliasName) -> StoreError {
        let renamed = self.iter().find(|alias| alias.former_names.contains(name));
        StoreError::NoSuchAlias {
            name: name.to_string(),
            now: renamed.map(|alias| alias.name.to_string()),
            known: self.aliases.keys().map(ToString::to_string).collect(),
        }
    }

    /// Which version of which alias an entry is: of the aliases that have it, one whose newest version it is, else
    /// the first by name.
    pub fn version_of(&self, hash: &EntryHash) -> Option<VersionOfHash> {
        let with_it = || self.iter().filter(|alias| alias.history.contains(hash));
        let alias = with_it()
            .find(|alias| alias.latest == *hash)
            .or_else(|| with_it().next())?;
        Some(VersionOfHash {
            alias: alias.name.clone(),
            version: alias.version_of(hash)?,
            is_head: alias.latest == *hash,
        })
    }

    /// The aliases whose newest version is this entry.
    pub fn heads_of<'a>(&'a self, hash: &'a EntryHash) -> impl Iterator<Item = &'a Alias> {
        self.iter().filter(move |alias| alias.latest == *hash)
    }

    /// Makes a new alias with one version.
    ///
    /// # Errors
    /// [`StoreError::NameTaken`].
    pub fn create(&mut self, name: AliasName, kind: AliasKind, hash: EntryHash) -> Result<&Alias> {
        self.refuse_taken(&name)?;
        let alias = Alias {
            name: name.clone(),
            id: random_word(),
            latest: hash.clone(),
            history: vec![hash],
            kind,
            former_names: Vec::new(),
        };
        Ok(self.aliases.entry(name).or_insert(alias))
    }

    /// Makes `hash` the newest version of an alias. The version it is already makes no new one.
    ///
    /// # Errors
    /// [`StoreError::NoSuchAlias`]; [`StoreError::WrongKind`] when the alias is of another kind;
    /// [`StoreError::VersionMoved`] when its newest version is not the `expected` one, if one is expected.
    pub fn advance(
        &mut self,
        name: &AliasName,
        kind: AliasKind,
        hash: EntryHash,
        expected: Option<&EntryHash>,
    ) -> Result<&Alias> {
        if !self.aliases.contains_key(name) {
            return Err(self.no_such_alias(name));
        }
        let alias = self.aliases.get_mut(name).expect("its key was found");
        if alias.kind != kind {
            return Err(StoreError::WrongKind {
                name: name.to_string(),
                kind: alias.kind,
            });
        }
        if let Some(expected) = expected.filter(|expected| **expected != alias.latest) {
            return Err(StoreError::VersionMoved {
                alias: name.to_string(),
                expected: expected.to_string(),
                found: alias.latest.to_string(),
            });
        }
        if alias.latest != hash {
            alias.latest = hash.clone();
            alias.history.push(hash);
        }
        Ok(alias)
    }

    /// Gives an alias another name. Its id, history and kind stay.
    ///
    /// # Errors
    /// [`StoreError::NoSuchAlias`], [`StoreError::NameTaken`].
    pub fn rename(&mut self, old: &AliasName, new: AliasName) -> Result<&Alias> {
        self.get(old)?;
        self.refuse_taken(&new)?;
        let mut alias = self.aliases.remove(old).expect("its key was found");
        alias.former_names.retain(|former| *former != new && former != old);
        alias.former_names.push(old.clone());
        alias.name = new.clone();
        Ok(self.aliases.entry(new).or_insert(alias))
    }

    /// Takes a name away. Its entries stay.
    ///
    /// # Errors
    /// [`StoreError::NoSuchAlias`].
    pub fn remove(&mut self, name: &AliasName) -> Result<Alias> {
        match self.aliases.remove(name) {
            Some(alias) => Ok(alias),
            None => Err(self.no_such_alias(name)),
        }
    }

    fn refuse_taken(&self, name: &AliasName) -> Result<()> {
        match self.find(name) {
            None => Ok(()),
            Some(alias) => Err(StoreError::NameTaken {
                name: name.to_string(),
                kind: alias.kind,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> AliasName {
        AliasName::new(text).unwrap()
    }

    fn hash(digit: char) -> EntryHash {
        EntryHash::new(&digit.to_string().repeat(12)).unwrap()
    }

    fn book() -> AliasBook {
        let mut book = AliasBook::default();
        book.create(name("sales"), AliasKind::Catalog, hash('a')).unwrap();
        book
    }

    fn revise(book: &mut AliasBook, digit: char) -> u64 {
        book.advance(&name("sales"), AliasKind::Catalog, hash(digit), None)
            .unwrap()
            .version()
    }

    #[test]
    fn versions_count_from_one_and_the_same_entry_makes_no_new_one() {
        let mut book = book();
        assert_eq!(revise(&mut book, 'b'), 2);
        assert_eq!(revise(&mut book, 'b'), 2);
        assert_eq!(revise(&mut book, 'a'), 3, "going back is a version");
        let alias = book.get(&name("sales")).unwrap();
        assert_eq!(alias.history, [hash('a'), hash('b'), hash('a')]);
        assert_eq!(alias.entry_of(2).unwrap(), &hash('b'));
        for version in [0, 4, u64::MAX] {
            let error = alias.entry_of(version).unwrap_err().to_string();
            assert_eq!(error, format!("`sales` has no version {version}: it has v1..v3."));
        }
        let of = |digit| {
            book.version_of(&hash(digit))
                .map(|found| (found.version, found.is_head))
        };
        assert_eq!(of('a'), Some((3, true)));
        assert_eq!(of('b'), Some((2, false)));
        assert_eq!(of('c'), None);
    }

    #[test]
    fn a_rename_keeps_the_id_and_the_old_name_leads_to_the_new_one() {
        let mut book = book();
        let id = book.get(&name("sales")).unwrap().id.clone();
        book.rename(&name("sales"), name("turnover")).unwrap();
        book.rename(&name("turnover"), name("revenue")).unwrap();
        assert_eq!(book.by_id(&id).unwrap().name, name("revenue"));
        for old in ["sales", "turnover"] {
            let error = book.get(&name(old)).unwrap_err().to_string();
            assert_eq!(error, format!("There is no alias `{old}`: it is called `revenue` now."));
        }
        book.create(name("sales"), AliasKind::Catalog, hash('c')).unwrap();
        assert_ne!(
            book.get(&name("sales")).unwrap().id,
            id,
            "a new alias of an old name is another alias"
        );
        book.rename(&name("revenue"), name("turnover")).unwrap();
        assert_eq!(book.by_id(&id).unwrap().former_names, [name("sales"), name("revenue")]);
    }

    #[test]
    fn names_and_kinds_are_not_mixed_up() {
        let mut book = book();
        book.create(name("orders"), AliasKind::Source, hash('c')).unwrap();
        let refused = |result: Result<&Alias>| result.unwrap_err().to_string();
        assert_eq!(
            refused(book.create(name("orders"), AliasKind::Catalog, hash('d'))),
            "`orders` is taken: it is the name of a source alias."
        );
        assert_eq!(
            refused(book.rename(&name("sales"), name("orders"))),
            "`orders` is taken: it is the name of a source alias."
        );
        assert_eq!(
            refused(book.advance(&name("orders"), AliasKind::Catalog, hash('d'), None)),
            "`orders` is a source alias: its versions come from imported files only."
        );
        assert_eq!(
            refused(book.advance(&name("sales"), AliasKind::Catalog, hash('d'), Some(&hash('b')))),
            "`sales` has moved on from bbbbbbbbbbbb to aaaaaaaaaaaa in the meantime."
        );
        assert_eq!(book.remove(&name("orders")).unwrap().kind, AliasKind::Source);
        assert!(matches!(
            book.remove(&name("orders")),
            Err(StoreError::NoSuchAlias { .. })
        ));
    }
}
