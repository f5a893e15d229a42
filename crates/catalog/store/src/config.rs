//! `config.json`: the switches of a project.

use serde_json::{Map, Value, json};

/// The switches of a project. A file that cannot be read, or a value of the wrong kind, counts as not set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Whether moving an alias recomputes what follows it. On unless switched off.
    pub auto_recalc: bool,
    /// What else the file holds; kept as it is.
    more: Map<String, Value>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            auto_recalc: true,
            more: Map::new(),
        }
    }
}

impl Config {
    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        let Ok(Value::Object(mut more)) = serde_json::from_slice(bytes) else {
            return Self::default();
        };
        let auto_recalc = more
            .remove("auto_recalc")
            .and_then(|value| value.as_bool())
            .unwrap_or(true);
        Self { auto_recalc, more }
    }

    pub(crate) fn to_text(&self) -> String {
        let mut members: Vec<(String, Value)> = self.more.clone().into_iter().collect();
        members.push(("auto_recalc".into(), json!(self.auto_recalc)));
        members.sort_by(|left, right| left.0.cmp(&right.0));
        let sorted: Map<String, Value> = members.into_iter().collect();
        format!("{:#}\n", Value::Object(sorted))
    }

    /// Whether to recompute followers, when `word` is what the environment says: `1`, `true`, `yes`, `on`, `0`,
    /// `false`, `no` or `off` in any letter case. Anything else counts as not said.
    pub fn auto_recalc_unless(&self, word: Option<&str>) -> bool {
        match word.map(str::trim).map(str::to_ascii_lowercase).as_deref() {
            Some("1" | "true" | "yes" | "on") => true,
            Some("0" | "false" | "no" | "off") => false,
            _ => self.auto_recalc,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_makes_no_sense_counts_as_not_set() {
        for text in ["", "{", "[]", "null", "{}", r#"{"auto_recalc": "no"}"#] {
            assert!(Config::from_bytes(text.as_bytes()).auto_recalc, "{text}");
        }
        assert!(!Config::from_bytes(br#"{"auto_recalc": false}"#).auto_recalc);
    }

    #[test]
    fn unknown_switches_survive_and_keys_are_sorted() {
        let config = Config::from_bytes(br#"{"zeta": 1, "auto_recalc": false, "alpha": [2]}"#);
        let text = config.to_text();
        assert!(text.find("alpha") < text.find("auto_recalc") && text.find("auto_recalc") < text.find("zeta"));
        assert_eq!(Config::from_bytes(text.as_bytes()), config);
    }

    #[test]
    fn the_environment_wins_where_it_says_something() {
        let off = Config::from_bytes(br#"{"auto_recalc": false}"#);
        assert!(off.auto_recalc_unless(Some(" ON ")));
        assert!(!Config::default().auto_recalc_unless(Some("0")));
        assert!(!off.auto_recalc_unless(Some("perhaps")));
        assert!(!off.auto_recalc_unless(None));
    }
}
