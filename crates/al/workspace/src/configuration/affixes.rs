//! `AppSourceCop.json`: the affixes that names of an app must have.

use std::path::Path;

use super::reader::Reader;
use crate::json::Fields;

/// The affixes of `AppSourceCop.json`; all empty when there is no such file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AffixSettings {
    /// What names must start with.
    pub prefix: Option<String>,
    /// What names must end with.
    pub suffix: Option<String>,
    /// What names must start or end with, any one of them.
    pub either: Vec<String>,
}

impl AffixSettings {
    /// Every affix given, prefix and suffix among them, without blank ones.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        let single = self.prefix.iter().chain(&self.suffix);
        single
            .chain(&self.either)
            .map(|affix| affix.trim())
            .filter(|affix| !affix.is_empty())
    }
}

pub(crate) fn load_affixes(reader: &mut Reader<'_>, root: &Path) -> AffixSettings {
    let path = root.join("AppSourceCop.json");
    let Some(node) = reader.json_if_usable(&path) else {
        return AffixSettings::default();
    };
    let mut fields = Fields::new(&path, &node, &mut reader.warnings);
    let affixes = fields.texts("mandatoryAffixes").unwrap_or_default();
    AffixSettings {
        prefix: fields.text("mandatoryPrefix").map(|text| text.value),
        suffix: fields.text("mandatorySuffix").map(|text| text.value),
        either: affixes.into_iter().map(|text| text.value).collect(),
    }
}
