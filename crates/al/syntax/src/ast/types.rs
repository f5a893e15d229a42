//! Views: types.

use std::borrow::Cow;

use super::{LabelValue, MultiLanguageValue, QualifiedName, unquoted};
use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::token::TokenKind;
use crate::tree::{Node, TokenRef};

view! {
    /// A type in a declaration, or right of `is` and `as`.
    TypeReference = Type | ArrayType | OptionType | GenericType | DotNetTypeReference | LabelType | TextConstType;
}

impl<'t> TypeReference<'t> {
    /// Which shape it has.
    pub fn kind(self) -> NodeKind {
        self.0.kind()
    }

    /// Its first word: `Integer`, `Record`, `array`, `List` …
    pub fn name_token(self) -> Option<TokenRef<'t>> {
        self.0.own_tokens().next()
    }

    /// Its first word without quotes; empty where it is missing.
    pub fn name(self) -> Cow<'t, str> {
        self.name_token()
            .map_or(Cow::Borrowed(""), |token| unquoted(token.text()))
    }

    /// The word of the language its first word is; [`Keyword::None`] for types such as `Integer`.
    pub fn keyword(self) -> Keyword {
        self.name_token().map_or(Keyword::None, TokenRef::keyword)
    }

    /// Whether its first word is this one, ignoring case: `is("Code")` holds for `Code[20]`.
    pub fn is(self, name: &str) -> bool {
        self.name().eq_ignore_ascii_case(name)
    }

    /// Whether it is a record, temporary or not.
    pub fn is_record(self) -> bool {
        self.keyword() == Keyword::Record
    }

    /// The object it names: `Customer` of `Record Customer`, `80` of `Codeunit 80`, the type of a `DotNet` variable.
    pub fn subject(self) -> Option<QualifiedName<'t>> {
        self.0.child(NodeKind::QualifiedName).and_then(QualifiedName::cast)
    }

    /// The word `temporary`, if written.
    pub fn temporary_token(self) -> Option<TokenRef<'t>> {
        self.0
            .own_tokens()
            .skip(1)
            .find(|token| token.keyword() == Keyword::Temporary)
    }

    /// Whether it is `temporary`.
    pub fn is_temporary(self) -> bool {
        self.temporary_token().is_some()
    }

    /// The length of `Code[20]` and `Text[100]`, in characters.
    pub fn length(self) -> Option<u32> {
        self.length_token()?.text().parse().ok()
    }

    /// The number in `Code[20]` and `Text[100]`.
    pub fn length_token(self) -> Option<TokenRef<'t>> {
        self.0.child(NodeKind::TypeLength)?.own_token(TokenKind::IntegerLiteral)
    }

    /// The numbers of elements of an array, one a dimension; empty for any other type.
    pub fn dimensions(self) -> impl Iterator<Item = u32> {
        let is_array = self.kind() == NodeKind::ArrayType;
        self.0
            .own_tokens()
            .filter(move |token| is_array && token.kind() == TokenKind::IntegerLiteral)
            .filter_map(|token| token.text().parse().ok())
    }

    /// The types it is made of: the element of an array or `List`, key and value of a `Dictionary`.
    pub fn arguments(self) -> impl Iterator<Item = TypeReference<'t>> {
        self.0.children().filter_map(TypeReference::cast)
    }

    /// The type itself, or what the arrays around it hold.
    pub fn element(self) -> TypeReference<'t> {
        let mut inner = self;
        while inner.kind() == NodeKind::ArrayType {
            let Some(element) = inner.arguments().next() else { break };
            inner = element;
        }
        inner
    }

    /// The members of an `Option`, as nodes; empty members are left out.
    pub fn option_members(self) -> impl Iterator<Item = Node<'t>> {
        self.0
            .child(NodeKind::IdentifierList)
            .into_iter()
            .flat_map(Node::children)
    }

    /// The text of a `Label`.
    pub fn label(self) -> Option<LabelValue<'t>> {
        self.0.child(NodeKind::LabelValue).and_then(LabelValue::cast)
    }

    /// The texts of a `TextConst`.
    pub fn text_constant(self) -> Option<MultiLanguageValue<'t>> {
        self.0
            .child(NodeKind::MultiLanguageValue)
            .and_then(MultiLanguageValue::cast)
    }
}
