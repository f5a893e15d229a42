//! Directives: the lines that begin with `#`.

use std::collections::BTreeSet;

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
