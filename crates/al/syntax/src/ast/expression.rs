//! Views: expressions.

use std::borrow::Cow;

use super::{TypeReference, string_value, unquoted};
use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::token::TokenKind;
use crate::tree::{Node, TokenRef};

view! {
    /// Any expression.
    Expression = Literal | NameExpression | MemberAccess | ScopeAccess | CallExpression | IndexExpression
        | ParenthesizedExpression | UnaryExpression | BinaryExpression | RangeExpression | ConditionalExpression
        | ListExpression;
    /// A literal: a number, a string, a date, `true` …
    Literal = Literal;
    /// A name on its own.
    NameExpression = NameExpression;
    /// `receiver.Name`
    MemberAccess = MemberAccess;
    /// `Scope::Member`
    ScopeAccess = ScopeAccess;
    /// `callee(arguments)`
    CallExpression = CallExpression;
    /// `receiver[indices]`
    IndexExpression = IndexExpression;
    /// `(inner)`
    ParenthesizedExpression = ParenthesizedExpression;
    /// `not operand`, `-operand` or `+operand`
    UnaryExpression = UnaryExpression;
    /// `left operator right`
    BinaryExpression = BinaryExpression;
    /// `low .. high`, open at either end or not
    RangeExpression = RangeExpression;
    /// `condition ? first : second`
    ConditionalExpression = ConditionalExpression;
    /// `[1, 2..3]` right of `in`
    ListExpression = ListExpression;
}

/// The expressions among the children of a node.
pub(super) fn expressions_of(node: Node<'_>) -> impl Iterator<Item = Expression<'_>> {
    node.children().filter_map(Expression::cast)
}

impl<'t> Expression<'t> {
    /// Which kind of expression it is.
    pub fn kind(self) -> NodeKind {
        self.0.kind()
    }

    /// The expression inside any parentheses.
    pub fn without_parentheses(self) -> Self {
        let mut inner = self;
        while let Some(parenthesized) = ParenthesizedExpression::cast(inner.0) {
            let Some(next) = parenthesized.inner() else { break };
            inner = next;
        }
        inner
    }

    /// The last name of a name, member access, scope access or call of one of these: `Find` of `Rec.Find('-')`.
    pub fn name_token(self) -> Option<TokenRef<'t>> {
        match self.kind() {
            NodeKind::NameExpression => self.0.first_token(),
            NodeKind::MemberAccess => MemberAccess(self.0).name_token(),
            NodeKind::ScopeAccess => ScopeAccess(self.0).member_token(),
            NodeKind::CallExpression => CallExpression(self.0).callee()?.name_token(),
            _ => None,
        }
    }

    /// That name without quotes.
    pub fn name(self) -> Option<Cow<'t, str>> {
        Some(unquoted(self.name_token()?.text()))
    }

    /// What stands before the last `.` of a member access or of a call of one: `Rec` of `Rec.Find('-')`.
    pub fn receiver(self) -> Option<Expression<'t>> {
        match self.kind() {
            NodeKind::MemberAccess => MemberAccess(self.0).receiver(),
            NodeKind::CallExpression => CallExpression(self.0).callee()?.receiver(),
            _ => None,
        }
    }
}

impl<'t> Literal<'t> {
    /// Its token.
    pub fn token(self) -> Option<TokenRef<'t>> {
        self.0.first_token()
    }

    /// The value of `true` and `false`.
    pub fn boolean(self) -> Option<bool> {
        match self.token()?.keyword() {
            Keyword::True => Some(true),
            Keyword::False => Some(false),
            _ => None,
        }
    }

    /// What a string says, quotes resolved.
    pub fn string(self) -> Option<Cow<'t, str>> {
        let token = self.token()?;
        matches!(
            token.kind(),
            TokenKind::StringLiteral | TokenKind::VerbatimStringLiteral
        )
        .then(|| string_value(token.text()))
    }

    /// The value of an integer that fits.
    pub fn integer(self) -> Option<i64> {
        let token = self.token()?;
        match token.kind() {
            TokenKind::IntegerLiteral => token.text().parse().ok(),
            TokenKind::BigIntegerLiteral => token.text().trim_end_matches(['l', 'L']).parse().ok(),
            _ => None,
        }
    }
}

impl<'t> NameExpression<'t> {
    /// The name as written.
    pub fn name_token(self) -> Option<TokenRef<'t>> {
        self.0.first_token()
    }

    /// The name without quotes.
    pub fn name(self) -> Option<Cow<'t, str>> {
        Some(unquoted(self.name_token()?.text()))
    }

    /// Whether it is `this`.
    pub fn is_this(self) -> bool {
        self.name_token().is_some_and(|token| token.keyword() == Keyword::This)
    }
}

impl<'t> MemberAccess<'t> {
    /// What stands before the `.`.
    pub fn receiver(self) -> Option<Expression<'t>> {
        expressions_of(self.0).next()
    }

    /// The `.`.
    pub fn dot_token(self) -> Option<TokenRef<'t>> {
        self.0.own_token(TokenKind::Dot)
    }

    /// The member's name as written.
    pub fn name_token(self) -> Option<TokenRef<'t>> {
        self.0.own_tokens().find(|token| token.kind().is_name())
    }

    /// The member's name without quotes.
    pub fn name(self) -> Option<Cow<'t, str>> {
        Some(unquoted(self.name_token()?.text()))
    }
}

impl<'t> ScopeAccess<'t> {
    /// What stands before the `::`.
    pub fn scope(self) -> Option<Expression<'t>> {
        expressions_of(self.0).next()
    }

    /// The name or literal behind the `::`.
    pub fn member_token(self) -> Option<TokenRef<'t>> {
        self.0.own_tokens().find(|token| token.kind() != TokenKind::ColonColon)
    }

    /// The name behind the `::` without quotes.
    pub fn member(self) -> Option<Cow<'t, str>> {
        Some(unquoted(self.member_token()?.text()))
    }
}

impl<'t> CallExpression<'t> {
    /// What is called.
    pub fn callee(self) -> Option<Expression<'t>> {
        expressions_of(self.0).next()
    }

    /// The parentheses with the arguments.
    pub fn argument_list(self) -> Option<Node<'t>> {
        self.0.child(NodeKind::ArgumentList)
    }

    /// The arguments.
    pub fn arguments(self) -> impl Iterator<Item = Expression<'t>> {
        self.argument_list().into_iter().flat_map(expressions_of)
    }

    /// The name of the procedure as written: `Find` of `Rec.Find('-')`.
    pub fn name_token(self) -> Option<TokenRef<'t>> {
        self.callee()?.name_token()
    }

    /// The name of the procedure without quotes.
    pub fn name(self) -> Option<Cow<'t, str>> {
        self.callee()?.name()
    }

    /// What stands before the name and its `.`.
    pub fn receiver(self) -> Option<Expression<'t>> {
        self.callee()?.receiver()
    }
}

impl<'t> IndexExpression<'t> {
    /// What is indexed.
    pub fn receiver(self) -> Option<Expression<'t>> {
        expressions_of(self.0).next()
    }

    /// What stands in the brackets.
    pub fn indices(self) -> impl Iterator<Item = Expression<'t>> {
        expressions_of(self.0).skip(1)
    }
}

impl<'t> ParenthesizedExpression<'t> {
    /// What stands in the parentheses.
    pub fn inner(self) -> Option<Expression<'t>> {
        expressions_of(self.0).next()
    }
}

impl<'t> UnaryExpression<'t> {
    /// `not`, `-` or `+`.
    pub fn operator_token(self) -> Option<TokenRef<'t>> {
        self.0.own_tokens().next()
    }

    /// What stands behind it.
    pub fn operand(self) -> Option<Expression<'t>> {
        expressions_of(self.0).next()
    }
}

impl<'t> BinaryExpression<'t> {
    /// What stands left of the operator.
    pub fn left(self) -> Option<Expression<'t>> {
        expressions_of(self.0).next()
    }

    /// The operator.
    pub fn operator_token(self) -> Option<TokenRef<'t>> {
        self.0.own_tokens().next()
    }

    /// What stands right of the operator; none behind `is` and `as`, see [`Self::type_reference`].
    pub fn right(self) -> Option<Expression<'t>> {
        let operator = self.operator_token()?.range().start;
        expressions_of(self.0).find(|operand| operand.range().start > operator)
    }

    /// The type right of `is` and `as`.
    pub fn type_reference(self) -> Option<TypeReference<'t>> {
        self.0.children().find_map(TypeReference::cast)
    }
}

impl<'t> RangeExpression<'t> {
    fn bound(self, behind: bool) -> Option<Expression<'t>> {
        let dots = self.0.own_token(TokenKind::DotDot)?.range().start;
        expressions_of(self.0).find(|bound| (bound.range().start > dots) == behind)
    }

    /// What stands left of the `..`, if anything does.
    pub fn low(self) -> Option<Expression<'t>> {
        self.bound(false)
    }

    /// What stands right of the `..`, if anything does.
    pub fn high(self) -> Option<Expression<'t>> {
        self.bound(true)
    }
}

impl<'t> ConditionalExpression<'t> {
    /// What stands before the `?`.
    pub fn condition(self) -> Option<Expression<'t>> {
        expressions_of(self.0).next()
    }

    /// What stands between `?` and `:`.
    pub fn when_true(self) -> Option<Expression<'t>> {
        expressions_of(self.0).nth(1)
    }

    /// What stands behind the `:`.
    pub fn when_false(self) -> Option<Expression<'t>> {
        expressions_of(self.0).nth(2)
    }
}

impl<'t> ListExpression<'t> {
    /// Its elements, ranges among them.
    pub fn elements(self) -> impl Iterator<Item = Expression<'t>> {
        expressions_of(self.0)
    }
}
