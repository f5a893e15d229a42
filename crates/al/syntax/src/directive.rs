//! Directives: the lines that begin with `#`.
//!
//! Microsoft's documentation says nothing about case. Directive words, the verbs of pragmas and the operators of
//! conditions are compared ignoring case, as all of AL's words (`#Pragma` and `#Region` occur in Microsoft's own
//! code); symbols are compared with case, as in C#, whose directives AL's are modelled on.

use std::collections::BTreeSet;

use crate::lexer::{lex, mentioned_symbols};
use crate::range::TextRange;

/// The preprocessor symbols that are defined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols(BTreeSet<String>);

impl Symbols {
    /// No symbol at all.
    pub fn none() -> Self {
        Self::default()
    }

    /// Whether the symbol is defined.
    pub fn contains(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// Defines a symbol.
    pub fn define(&mut self, name: &str) {
        self.0.insert(name.to_owned());
    }

    /// The defined symbols in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Takes a definition back.
    pub fn undefine(&mut self, name: &str) {
        self.0.remove(name);
    }
}

impl<S: AsRef<str>> FromIterator<S> for Symbols {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Self {
        Self(names.into_iter().map(|name| name.as_ref().to_owned()).collect())
    }
}

/// The largest number of configurations that [`configurations`] lists.
const MAXIMUM_CONFIGURATIONS: usize = 64;

/// The configurations in which a text is worth parsing so that each of its branches is part of the program at least
/// once: no symbol defined, each symbol that a condition mentions defined alone, and all of them defined. At most 64;
/// of more symbols than that the first ones are taken, in text order. A branch that needs two of several symbols, or
/// one without another of two, may be in none of them.
pub fn configurations(text: &str) -> Vec<Symbols> {
    let mut names: Vec<&str> = Vec::new();
    for condition in lex(text, &Symbols::none()).conditions(text) {
        for name in mentioned_symbols(condition) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let mut configurations = vec![Symbols::none()];
    configurations.extend(
        names
            .iter()
            .take(MAXIMUM_CONFIGURATIONS - 2)
            .map(|name| Symbols::from_iter([name])),
    );
    if names.len() > 1 {
        configurations.push(names.iter().collect());
    }
    configurations
}

/// One directive line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// Index of its [`crate::TokenKind::Directive`] token.
    pub token: u32,
    /// What it says.
    pub kind: DirectiveKind,
    /// Whether it stands in text that the conditions around it leave in. A directive in disabled text has no effect.
    pub active: bool,
}

/// What a directive says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DirectiveKind {
    /// `#if condition`; `taken` tells whether the text behind it is part of the program.
    If {
        /// Whether this branch is part of the program.
        taken: bool,
    },
    /// `#elif condition`
    ElseIf {
        /// Whether this branch is part of the program.
        taken: bool,
    },
    /// `#else`
    Else {
        /// Whether this branch is part of the program.
        taken: bool,
    },
    /// `#endif`
    EndIf,
    /// `#define name`
    Define,
    /// `#undef name`
    Undefine,
    /// `#region text`
    Region,
    /// `#endregion text`
    EndRegion,
    /// `#pragma warning disable|restore|enable [id, …]`; no ids means all.
    PragmaWarning {
        /// What it does to the warnings named.
        action: PragmaAction,
        /// Where the ids stand.
        ids: Vec<TextRange>,
    },
    /// `#pragma implicitwith disable|restore|enable`
    PragmaImplicitWith {
        /// What it does to implicit `with`.
        action: PragmaAction,
    },
    /// Any other `#pragma`.
    OtherPragma,
    /// A directive AL does not know.
    Unknown,
}

/// The verb of a pragma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PragmaAction {
    /// Off from here on.
    Disable,
    /// Back to what it was.
    Restore,
    /// On from here on.
    Enable,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(text: &str) -> Vec<Vec<String>> {
        configurations(text)
            .into_iter()
            .map(|symbols| symbols.0.into_iter().collect())
            .collect()
    }

    #[test]
    fn a_text_without_conditions_has_one_configuration() {
        assert_eq!(listed("codeunit 1 A { }"), [[""; 0]]);
        assert_eq!(listed("#if true\n#endif"), [[""; 0]]);
    }

    #[test]
    fn each_symbol_is_on_alone_and_all_are_on_together() {
        let text = "#if not B // comment\n#if A and B\n#endif\n#elif C\n#endif";
        assert_eq!(
            listed(text),
            [vec![], vec!["B"], vec!["A"], vec!["C"], vec!["A", "B", "C"]]
        );
    }

    #[test]
    fn the_number_of_configurations_is_bounded() {
        let lines: Vec<String> = (0..1000).map(|number| format!("#if S{number}\n#endif\n")).collect();
        let text = lines.concat();
        let found = listed(&text);
        assert_eq!(found.len(), 64);
        assert_eq!(found[63].len(), 1000);
    }
}
