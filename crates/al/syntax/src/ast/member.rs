//! Views: attributes, methods, parameters and variables.

use std::borrow::Cow;

use super::statement::Block;
use super::{Expression, TypeReference, same_name, unquoted};
use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::token::TokenKind;
use crate::tree::{Node, TokenRef};

view! {
    /// `[EventSubscriber(…)]` before a method or variable.
    Attribute = Attribute;
    /// A procedure, a trigger, or an event of a control add-in.
    Method = Procedure | Trigger | EventDeclaration;
    /// One parameter of a method.
    Parameter = Parameter;
    /// The result in the header of a method: `: Boolean` or `Found: Boolean`.
    ReturnValue = ReturnValue;
    /// `var` with the variables behind it, of an object or a method.
    VarSection = VarSection;
    /// One or several variables of one type: `A, B: Integer;`.
    VariableDeclaration = VariableDeclaration;
}

/// Who may call a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// Everybody: no word before `procedure`.
    Public,
    /// `internal`: the app and those it names.
    Internal,
    /// `protected`: the object and those that extend it.
    Protected,
    /// `local`: the object.
    Local,
}

impl<'t> Attribute<'t> {
    /// Its name as written.
    pub fn name_token(self) -> Option<TokenRef<'t>> {
        self.0.own_token(TokenKind::Identifier)
    }

    /// Its name; empty where it is missing.
    pub fn name(self) -> &'t str {
        self.name_token().map_or("", TokenRef::text)
    }

    /// Whether it has this name, ignoring case.
    pub fn is(self, name: &str) -> bool {
        self.name().eq_ignore_ascii_case(name)
    }

    /// The parentheses with the arguments, if there are any.
    pub fn argument_list(self) -> Option<Node<'t>> {
        self.0.child(NodeKind::ArgumentList)
    }

    /// Its arguments.
    pub fn arguments(self) -> impl Iterator<Item = Expression<'t>> {
        self.argument_list()
            .into_iter()
            .flat_map(Node::children)
            .filter_map(Expression::cast)
    }
}

/// The attributes among the children of a node.
fn attributes_of(node: Node<'_>) -> impl Iterator<Item = Attribute<'_>> {
    node.children_of(NodeKind::Attribute).map(Attribute)
}

/// The first token of the [`NodeKind::Name`] child.
fn name_of(node: Node<'_>) -> Option<TokenRef<'_>> {
    node.child(NodeKind::Name)?.first_token()
}

fn type_of(node: Node<'_>) -> Option<TypeReference<'_>> {
    node.children().find_map(TypeReference::cast)
}

impl<'t> Method<'t> {
    /// Whether it is a procedure.
    pub fn is_procedure(self) -> bool {
        self.0.kind() == NodeKind::Procedure
    }

    /// Whether it is a trigger.
    pub fn is_trigger(self) -> bool {
        self.0.kind() == NodeKind::Trigger
    }

    /// Whether it is an event of a control add-in.
    pub fn is_event(self) -> bool {
        self.0.kind() == NodeKind::EventDeclaration
    }

    /// The attributes before it.
    pub fn attributes(self) -> impl Iterator<Item = Attribute<'t>> {
        attributes_of(self.0)
    }

    /// Its first attribute of this name, ignoring case.
    pub fn attribute(self, name: &str) -> Option<Attribute<'t>> {
        self.attributes().find(|attribute| attribute.is(name))
    }

    /// `procedure`, `trigger` or `event`.
    pub fn keyword_token(self) -> Option<TokenRef<'t>> {
        self.0
            .own_tokens()
            .find(|token| matches!(token.keyword(), Keyword::Procedure | Keyword::Trigger | Keyword::Event))
    }

    /// `local`, `internal` or `protected`, if written.
    pub fn access_token(self) -> Option<TokenRef<'t>> {
        let first = self.0.own_tokens().next()?;
        matches!(first.keyword(), Keyword::Local | Keyword::Internal | Keyword::Protected).then_some(first)
    }

    /// Who may call it.
    pub fn access(self) -> Access {
        match self.access_token().map(TokenRef::keyword) {
            Some(Keyword::Local) => Access::Local,
            Some(Keyword::Internal) => Access::Internal,
            Some(Keyword::Protected) => Access::Protected,
            _ => Access::Public,
        }
    }

    /// Whether it is `local`.
    pub fn is_local(self) -> bool {
        self.access() == Access::Local
    }

    /// Whether it is `internal`.
    pub fn is_internal(self) -> bool {
        self.access() == Access::Internal
    }

    /// Whether it is `protected`.
    pub fn is_protected(self) -> bool {
        self.access() == Access::Protected
    }

    /// Its name as written; of a trigger such as `AddIn::Ready()` the event's.
    pub fn name_token(self) -> Option<TokenRef<'t>> {
        self.0.children_of(NodeKind::Name).last()?.first_token()
    }

    /// Its name without quotes.
    pub fn name(self) -> Option<Cow<'t, str>> {
        Some(unquoted(self.name_token()?.text()))
    }

    /// The control or variable whose event a trigger such as `AddIn::Ready()` handles.
    pub fn event_source_token(self) -> Option<TokenRef<'t>> {
        let mut names = self.0.children_of(NodeKind::Name);
        let first = names.next()?;
        names.next()?;
        first.first_token()
    }

    /// The parentheses with the parameters.
    pub fn parameter_list(self) -> Option<Node<'t>> {
        self.0.child(NodeKind::ParameterList)
    }

    /// Its parameters.
    pub fn parameters(self) -> impl Iterator<Item = Parameter<'t>> {
        self.parameter_list()
            .into_iter()
            .flat_map(|list| list.children_of(NodeKind::Parameter))
            .map(Parameter)
    }

    /// Its result.
    pub fn return_value(self) -> Option<ReturnValue<'t>> {
        self.0.child(NodeKind::ReturnValue).map(ReturnValue)
    }

    /// The `;` behind the header.
    pub fn header_semicolon(self) -> Option<TokenRef<'t>> {
        self.0.own_token(TokenKind::Semicolon)
    }

    /// From `procedure` (or the access modifier) to the result, without the `;` and what follows.
    pub fn header_range(self) -> crate::TextRange {
        let start = self
            .access_token()
            .or_else(|| self.keyword_token())
            .map(|token| token.range().start);
        let end = self
            .return_value()
            .map(ReturnValue::range)
            .or_else(|| self.parameter_list().map(Node::range))
            .or_else(|| self.name_token().map(TokenRef::range))
            .map(|range| range.end);
        match (start, end) {
            (Some(start), Some(end)) if start <= end => crate::TextRange::new(start, end),
            _ => self.range(),
        }
    }

    /// Its variables.
    pub fn var_section(self) -> Option<VarSection<'t>> {
        self.0.child(NodeKind::VarSection).map(VarSection)
    }

    /// The declarations of its variables.
    pub fn variables(self) -> impl Iterator<Item = VariableDeclaration<'t>> {
        self.var_section().into_iter().flat_map(VarSection::declarations)
    }

    /// Its block; none in an interface or control add-in.
    pub fn body(self) -> Option<Block<'t>> {
        self.0.child(NodeKind::Block).and_then(Block::cast)
    }
}

impl<'t> Parameter<'t> {
    /// The `var` that makes it a reference.
    pub fn var_token(self) -> Option<TokenRef<'t>> {
        self.0.own_keyword(Keyword::Var)
    }

    /// Whether it is passed by reference.
    pub fn is_var(self) -> bool {
        self.var_token().is_some()
    }

    /// Its name as written.
    pub fn name_token(self) -> Option<TokenRef<'t>> {
        name_of(self.0)
    }

    /// Its name without quotes.
    pub fn name(self) -> Option<Cow<'t, str>> {
        Some(unquoted(self.name_token()?.text()))
    }

    /// Its type.
    pub fn type_reference(self) -> Option<TypeReference<'t>> {
        type_of(self.0)
    }
}

impl<'t> ReturnValue<'t> {
    /// Its name as written, if it has one.
    pub fn name_token(self) -> Option<TokenRef<'t>> {
        name_of(self.0)
    }

    /// Its name without quotes, if it has one.
    pub fn name(self) -> Option<Cow<'t, str>> {
        Some(unquoted(self.name_token()?.text()))
    }

    /// Its type.
    pub fn type_reference(self) -> Option<TypeReference<'t>> {
        type_of(self.0)
    }
}

impl<'t> VarSection<'t> {
    /// The word `var`.
    pub fn var_token(self) -> Option<TokenRef<'t>> {
        self.0.own_keyword(Keyword::Var)
    }

    /// Whether it is `protected var`.
    pub fn is_protected(self) -> bool {
        self.0.own_keyword(Keyword::Protected).is_some()
    }

    /// The declarations.
    pub fn declarations(self) -> impl Iterator<Item = VariableDeclaration<'t>> {
        self.0
            .children_of(NodeKind::VariableDeclaration)
            .map(VariableDeclaration)
    }

    /// The names of all variables, as written.
    pub fn name_tokens(self) -> impl Iterator<Item = TokenRef<'t>> {
        self.declarations().flat_map(VariableDeclaration::name_tokens)
    }
}

impl<'t> VariableDeclaration<'t> {
    /// The attributes before it.
    pub fn attributes(self) -> impl Iterator<Item = Attribute<'t>> {
        attributes_of(self.0)
    }

    /// The names, as written.
    pub fn name_tokens(self) -> impl Iterator<Item = TokenRef<'t>> {
        self.0.children_of(NodeKind::Name).filter_map(Node::first_token)
    }

    /// The names without quotes.
    pub fn names(self) -> impl Iterator<Item = Cow<'t, str>> {
        self.name_tokens().map(|token| unquoted(token.text()))
    }

    /// Whether it declares a variable of this name.
    pub fn declares(self, name: &str) -> bool {
        self.name_tokens().any(|token| same_name(token.text(), name))
    }

    /// The type of all its variables.
    pub fn type_reference(self) -> Option<TypeReference<'t>> {
        type_of(self.0)
    }
}
