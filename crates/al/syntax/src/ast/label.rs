//! Views: labels and texts in several languages.

use std::borrow::Cow;

use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::token::TokenKind;
use crate::tree::{Node, TokenRef};

view! {
    /// A text that is translated: the value of `Caption`, `ToolTip` … and of `Label` variables.
    LabelValue = LabelValue;
    /// `Comment = '…'`, `Locked = true` or `MaxLength = 30` behind such a text.
    LabelAttribute = LabelAttribute;
    /// Texts by language: the value of `CaptionML` … and of `TextConst` variables.
    MultiLanguageValue = MultiLanguageValue;
    /// One of those texts.
    MultiLanguageText = MultiLanguageText;
}

/// What a string literal says: without the quotes (and `@`) around it and with `''` inside read as `'`.
pub fn string_value(literal: &str) -> Cow<'_, str> {
    let text = literal.strip_prefix('@').unwrap_or(literal);
    let Some(inner) = text.strip_prefix('\'') else {
        return text.into();
    };
    let inner = inner.strip_suffix('\'').unwrap_or(inner);
    if inner.contains("''") {
        inner.replace("''", "'").into()
    } else {
        inner.into()
    }
}

fn string_token(node: Node<'_>) -> Option<TokenRef<'_>> {
    node.own_tokens().find(|token| {
        matches!(
            token.kind(),
            TokenKind::StringLiteral | TokenKind::VerbatimStringLiteral
        )
    })
}

impl<'t> LabelValue<'t> {
    /// The string literal.
    pub fn text_token(self) -> Option<TokenRef<'t>> {
        string_token(self.0)
    }

    /// What the string says, quotes resolved; empty where it is missing.
    pub fn text(self) -> Cow<'t, str> {
        self.text_token()
            .map_or(Cow::Borrowed(""), |token| string_value(token.text()))
    }

    /// What stands behind the string.
    pub fn attributes(self) -> impl Iterator<Item = LabelAttribute<'t>> {
        self.0.children_of(NodeKind::LabelAttribute).map(LabelAttribute)
    }

    /// The attribute of this name, ignoring case.
    pub fn attribute(self, name: &str) -> Option<LabelAttribute<'t>> {
        self.attributes()
            .find(|attribute| attribute.name().eq_ignore_ascii_case(name))
    }

    /// What `Locked` says; none where it is not written.
    pub fn locked(self) -> Option<bool> {
        match self.attribute("Locked")?.value_token()?.keyword() {
            Keyword::True => Some(true),
            Keyword::False => Some(false),
            _ => None,
        }
    }

    /// What `MaxLength` says, in characters.
    pub fn max_length(self) -> Option<u32> {
        self.attribute("MaxLength")?.value_token()?.text().parse().ok()
    }

    /// What `Comment` says, quotes resolved.
    pub fn comment(self) -> Option<Cow<'t, str>> {
        Some(string_value(self.attribute("Comment")?.value_token()?.text()))
    }
}

impl<'t> LabelAttribute<'t> {
    /// Its name as written.
    pub fn name_token(self) -> Option<TokenRef<'t>> {
        self.0.own_tokens().next()
    }

    /// Its name.
    pub fn name(self) -> &'t str {
        self.name_token().map_or("", TokenRef::text)
    }

    /// The literal behind `=`.
    pub fn value_token(self) -> Option<TokenRef<'t>> {
        self.0.own_tokens().nth(2)
    }
}

impl<'t> MultiLanguageValue<'t> {
    /// The texts, one a language; attributes such as `Comment` are among them.
    pub fn texts(self) -> impl Iterator<Item = MultiLanguageText<'t>> {
        self.0.children_of(NodeKind::MultiLanguageText).map(MultiLanguageText)
    }
}

impl<'t> MultiLanguageText<'t> {
    /// The language, such as `ENU`.
    pub fn language_token(self) -> Option<TokenRef<'t>> {
        self.0.own_tokens().next()
    }

    /// The string literal.
    pub fn text_token(self) -> Option<TokenRef<'t>> {
        string_token(self.0)
    }

    /// What the string says, quotes resolved; empty where it is missing.
    pub fn text(self) -> Cow<'t, str> {
        self.text_token()
            .map_or(Cow::Borrowed(""), |token| string_value(token.text()))
    }
}
