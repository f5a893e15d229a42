//! The values of `alcops.json`: one that does not fit makes all of them unusable.

use candor_al_syntax::text::Position;

use super::{AlcopsSettings, NamingPattern, Punctuation, ScopeLeaving, SequentialGuidScope, StatementBlockSpacing};
use crate::json::{Json, Node};

/// Every key that means something at the top.
pub(super) const KNOWN_KEYS: [&str; 13] = [
    "$schema",
    "Extends",
    "CognitiveComplexityThreshold",
    "CyclomaticComplexityThreshold",
    "MaintainabilityIndexThreshold",
    "LanguagesToTranslate",
    "NamingPatterns",
    "UseSequentialGuidScope",
    "SubscriberNamingPattern",
    "SubscriberNameTemplate",
    "KnownAcronyms",
    "ToolTipAllowedPunctuations",
    "StatementBlockSpacing",
];

/// A value that is not what its setting expects.
pub(super) struct BadValue {
    pub(super) position: Position,
    pub(super) end: Position,
    setting: String,
    expected: &'static str,
}

impl BadValue {
    pub(super) fn in_words(&self) -> String {
        format!("{} must be {}", self.setting, self.expected)
    }
}

/// Reads values strictly.
#[derive(Clone, Copy)]
pub(super) struct Values<'a>(pub(super) &'a Node);

impl Values<'_> {
    pub(super) fn settings(self) -> Result<AlcopsSettings, BadValue> {
        self.require_object("the file")?;
        let defaults = AlcopsSettings::default();
        let number = |name, default| Ok(self.number(name)?.unwrap_or(default));
        // An earlier build called the pattern a template.
        let pattern = match self.text("SubscriberNamingPattern")? {
            Some(pattern) => Some(pattern),
            None => self.text("SubscriberNameTemplate")?,
        };
        Ok(AlcopsSettings {
            path: None,
            cognitive_complexity_threshold: number(
                "CognitiveComplexityThreshold",
                defaults.cognitive_complexity_threshold,
            )?,
            cyclomatic_complexity_threshold: number(
                "CyclomaticComplexityThreshold",
                defaults.cyclomatic_complexity_threshold,
            )?,
            maintainability_index_threshold: number(
                "MaintainabilityIndexThreshold",
                defaults.maintainability_index_threshold,
            )?,
            languages_to_translate: self.texts("LanguagesToTranslate")?,
            naming_patterns: self.naming_patterns()?,
            sequential_guid_scope: self.sequential_guid_scope()?,
            subscriber_naming_pattern: pattern.filter(|pattern| !pattern.trim().is_empty()),
            known_acronyms: self.texts("KnownAcronyms")?.unwrap_or_default(),
            tool_tip_punctuations: self.punctuations()?.unwrap_or(defaults.tool_tip_punctuations),
            statement_block_spacing: self.statement_block_spacing()?,
        })
    }

    fn naming_patterns(self) -> Result<Vec<(String, NamingPattern)>, BadValue> {
        let Some(patterns) = self.0.get("NamingPatterns") else {
            return Ok(Vec::new());
        };
        Values(patterns).require_object("NamingPatterns")?;
        let mut known = Vec::new();
        for member in patterns.members() {
            let values = Values(&member.node);
            if member.node.value == Json::Null {
                continue;
            }
            values.require_object(&member.name)?;
            let pattern = NamingPattern {
                allow_pattern: values.text("AllowPattern")?,
                disallow_pattern: values.text("DisallowPattern")?,
                allow_description: values.text("AllowDescription")?,
                disallow_description: values.text("DisallowDescription")?,
            };
            known.push((member.name.clone(), pattern));
        }
        Ok(known)
    }

    fn sequential_guid_scope(self) -> Result<SequentialGuidScope, BadValue> {
        let choices = [("AllGuidFields", SequentialGuidScope::AllGuidFields)];
        let choice = self.choice("UseSequentialGuidScope", &choices, "AllGuidFields or null")?;
        Ok(choice.unwrap_or_default())
    }

    fn punctuations(self) -> Result<Option<Vec<Punctuation>>, BadValue> {
        const NAME: &str = "ToolTipAllowedPunctuations";
        const EXPECTED: &str = "a list of objects with the texts Character and Name";
        let Some(list) = self.list(NAME, EXPECTED)? else {
            return Ok(None);
        };
        let mut known = Vec::new();
        for element in list {
            let values = Values(element);
            values.require_object(NAME)?;
            let is_filled = |text: &String| !text.trim().is_empty();
            if let Some(character) = values.text("Character")?.filter(is_filled) {
                let name = values.text("Name")?.filter(is_filled);
                let name = name.unwrap_or_else(|| character.clone());
                known.push(Punctuation { character, name });
            }
        }
        Ok((!known.is_empty()).then_some(known))
    }

    fn statement_block_spacing(self) -> Result<StatementBlockSpacing, BadValue> {
        let mut spacing = StatementBlockSpacing::default();
        let Some(node) = self.0.get("StatementBlockSpacing") else {
            return Ok(spacing);
        };
        let values = Values(node);
        values.require_object("StatementBlockSpacing")?;
        if let Some(value) = values.boolean("ControlFlowBefore")? {
            spacing.control_flow_before = value;
        }
        if let Some(value) = values.boolean("ControlFlowAfter")? {
            spacing.control_flow_after = value;
        }
        let choices = [
            ("Off", ScopeLeaving::Off),
            ("ExitOnly", ScopeLeaving::ExitOnly),
            ("ErrorOnly", ScopeLeaving::ErrorOnly),
            ("ExitAndError", ScopeLeaving::ExitAndError),
        ];
        let expected = "Off, ExitOnly, ErrorOnly or ExitAndError";
        if let Some(value) = values.choice("ScopeLeavingMode", &choices, expected)? {
            spacing.scope_leaving = value;
        }
        let choices = [("Off", false), ("RequireBlank", true)];
        if let Some(value) = values.choice("ElseChainBeforeMode", &choices, "Off or RequireBlank")? {
            spacing.else_chain_before = value;
        }
        // `Off` is what the value was called while the setting was new.
        let choices = [("None", false), ("Off", false), ("All", true)];
        if let Some(value) = values.choice("OneLinerMode", &choices, "None or All")? {
            spacing.one_liners = value;
        }
        Ok(spacing)
    }

    fn require_object(self, setting: &str) -> Result<(), BadValue> {
        match self.0.value {
            Json::Object(_) => Ok(()),
            _ => Err(bad(self.0, setting, "an object")),
        }
    }

    fn number(self, name: &str) -> Result<Option<u32>, BadValue> {
        let Some(node) = self.0.get(name) else {
            return Ok(None);
        };
        let number = match &node.value {
            Json::Number(number) => number.parse().ok(),
            _ => None,
        };
        let expected = "a whole number that is not negative";
        number.map(Some).ok_or_else(|| bad(node, name, expected))
    }

    fn text(self, name: &str) -> Result<Option<String>, BadValue> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Node {
                value: Json::Text(text),
                ..
            }) => Ok(Some(text.clone())),
            Some(node) => Err(bad(node, name, "a text")),
        }
    }

    fn boolean(self, name: &str) -> Result<Option<bool>, BadValue> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Node {
                value: Json::Boolean(value),
                ..
            }) => Ok(Some(*value)),
            Some(node) => Err(bad(node, name, "true or false")),
        }
    }

    fn list(&self, name: &str, expected: &'static str) -> Result<Option<&[Node]>, BadValue> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Node {
                value: Json::List(elements),
                ..
            }) => Ok(Some(elements)),
            Some(node) => Err(bad(node, name, expected)),
        }
    }

    fn texts(self, name: &str) -> Result<Option<Vec<String>>, BadValue> {
        const EXPECTED: &str = "a list of texts";
        let Some(list) = self.list(name, EXPECTED)? else {
            return Ok(None);
        };
        let texts = list.iter().map(|element| match &element.value {
            Json::Text(text) => Ok(text.clone()),
            _ => Err(bad(element, name, EXPECTED)),
        });
        texts.collect::<Result<_, _>>().map(Some)
    }

    fn choice<T: Copy>(self, name: &str, choices: &[(&str, T)], expected: &'static str) -> Result<Option<T>, BadValue> {
        let Some(node) = self.0.get(name) else {
            return Ok(None);
        };
        let Some(word) = self.text(name)? else {
            return Ok(None);
        };
        let chosen = choices.iter().find(|(choice, _)| choice.eq_ignore_ascii_case(&word));
        chosen
            .map(|(_, value)| Some(*value))
            .ok_or_else(|| bad(node, name, expected))
    }
}

fn bad(node: &Node, setting: &str, expected: &'static str) -> BadValue {
    BadValue {
        position: node.position,
        end: node.end,
        setting: setting.to_owned(),
        expected,
    }
}
