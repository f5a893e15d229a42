//! Views: statements.

use super::Expression;
use super::expression::expressions_of;
use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::token::TokenKind;
use crate::tree::{Node, TokenRef};

view! {
    /// Any statement.
    Statement = Block | AssignmentStatement | ExpressionStatement | IfStatement | CaseStatement | ForStatement
        | ForEachStatement | WhileStatement | RepeatStatement | WithStatement | ExitStatement | BreakStatement
        | ContinueStatement | AssertErrorStatement | EmptyStatement;
    /// `begin … end`
    Block = Block;
    /// `target := value`, `target += value` …
    AssignmentStatement = AssignmentStatement;
    /// A call, with or without parentheses.
    ExpressionStatement = ExpressionStatement;
    /// `if condition then … else …`
    IfStatement = IfStatement;
    /// `case subject of … end`
    CaseStatement = CaseStatement;
    /// `labels: statement` in a `case`
    CaseArm = CaseArm;
    /// `else …` in a `case`
    CaseElse = CaseElse;
    /// `for variable := first to last do …`
    ForStatement = ForStatement;
    /// `foreach variable in collection do …`
    ForEachStatement = ForEachStatement;
    /// `while condition do …`
    WhileStatement = WhileStatement;
    /// `repeat … until condition`
    RepeatStatement = RepeatStatement;
    /// `with record do …`
    WithStatement = WithStatement;
    /// `exit` or `exit(value)`
    ExitStatement = ExitStatement;
    /// `asserterror statement`
    AssertErrorStatement = AssertErrorStatement;
}

fn statements_of(node: Node<'_>) -> impl Iterator<Item = Statement<'_>> {
    node.children().filter_map(Statement::cast)
}

/// The statement that is a child behind the word `keyword`.
fn statement_behind(node: Node<'_>, keyword: Keyword) -> Option<Statement<'_>> {
    let from = node.own_keyword(keyword)?.range().start;
    statements_of(node).find(|statement| statement.range().start > from)
}

impl<'t> Statement<'t> {
    /// Which kind of statement it is.
    pub fn kind(self) -> NodeKind {
        self.0.kind()
    }

    /// The `;` at its end. That of an `if` or a loop is part of the statement inside.
    pub fn semicolon_token(self) -> Option<TokenRef<'t>> {
        self.0.last_token().filter(|token| token.kind() == TokenKind::Semicolon)
    }
}

impl<'t> Block<'t> {
    /// The word `begin`; none where it is missing.
    pub fn begin_token(self) -> Option<TokenRef<'t>> {
        self.0.own_keyword(Keyword::Begin)
    }

    /// The word `end`; none where it is missing.
    pub fn end_token(self) -> Option<TokenRef<'t>> {
        self.0.own_keyword(Keyword::End)
    }

    /// The statements between them.
    pub fn statements(self) -> impl Iterator<Item = Statement<'t>> {
        statements_of(self.0)
    }
}

impl<'t> AssignmentStatement<'t> {
    /// What is assigned to.
    pub fn target(self) -> Option<Expression<'t>> {
        expressions_of(self.0).next()
    }

    /// `:=`, `+=`, `-=`, `*=` or `/=`.
    pub fn operator_token(self) -> Option<TokenRef<'t>> {
        self.0.own_tokens().next()
    }

    /// What is assigned.
    pub fn value(self) -> Option<Expression<'t>> {
        expressions_of(self.0).nth(1)
    }
}

impl<'t> ExpressionStatement<'t> {
    /// The call.
    pub fn expression(self) -> Option<Expression<'t>> {
        expressions_of(self.0).next()
    }
}

impl<'t> IfStatement<'t> {
    /// What stands between `if` and `then`.
    pub fn condition(self) -> Option<Expression<'t>> {
        expressions_of(self.0).next()
    }

    /// The word `then`.
    pub fn then_token(self) -> Option<TokenRef<'t>> {
        self.0.own_keyword(Keyword::Then)
    }

    /// The statement behind `then`; none in `if a then else b`.
    pub fn then_branch(self) -> Option<Statement<'t>> {
        let first = statements_of(self.0).next()?;
        match self.else_token() {
            Some(word) if first.range().start > word.range().start => None,
            _ => Some(first),
        }
    }

    /// The word `else`.
    pub fn else_token(self) -> Option<TokenRef<'t>> {
        self.0.own_keyword(Keyword::Else)
    }

    /// The statement behind `else`, in an `else if` an [`IfStatement`].
    pub fn else_branch(self) -> Option<Statement<'t>> {
        statement_behind(self.0, Keyword::Else)
    }
}

impl<'t> CaseStatement<'t> {
    /// What stands between `case` and `of`.
    pub fn subject(self) -> Option<Expression<'t>> {
        expressions_of(self.0).next()
    }

    /// The arms before `else`.
    pub fn arms(self) -> impl Iterator<Item = CaseArm<'t>> {
        self.0.children_of(NodeKind::CaseArm).map(CaseArm)
    }

    /// The `else` with its statements.
    pub fn else_part(self) -> Option<CaseElse<'t>> {
        self.0.child(NodeKind::CaseElse).map(CaseElse)
    }

    /// The word `end`; none where it is missing.
    pub fn end_token(self) -> Option<TokenRef<'t>> {
        self.0.own_keyword(Keyword::End)
    }
}

impl<'t> CaseArm<'t> {
    /// The values before the `:`, ranges among them.
    pub fn labels(self) -> impl Iterator<Item = Expression<'t>> {
        expressions_of(self.0)
    }

    /// The statement behind the `:`.
    pub fn statement(self) -> Option<Statement<'t>> {
        statements_of(self.0).next()
    }
}

impl<'t> CaseElse<'t> {
    /// The word `else`.
    pub fn else_token(self) -> Option<TokenRef<'t>> {
        self.0.own_keyword(Keyword::Else)
    }

    /// Its statements.
    pub fn statements(self) -> impl Iterator<Item = Statement<'t>> {
        statements_of(self.0)
    }
}

impl<'t> ForStatement<'t> {
    /// The variable that counts.
    pub fn variable(self) -> Option<Expression<'t>> {
        expressions_of(self.0).next()
    }

    /// Where it starts.
    pub fn first(self) -> Option<Expression<'t>> {
        expressions_of(self.0).nth(1)
    }

    /// Where it stops.
    pub fn last(self) -> Option<Expression<'t>> {
        expressions_of(self.0).nth(2)
    }

    /// Whether it counts down.
    pub fn is_downwards(self) -> bool {
        self.0.own_keyword(Keyword::DownTo).is_some()
    }

    /// What is repeated.
    pub fn body(self) -> Option<Statement<'t>> {
        statements_of(self.0).next()
    }
}

impl<'t> ForEachStatement<'t> {
    /// The variable that takes each element.
    pub fn variable(self) -> Option<Expression<'t>> {
        expressions_of(self.0).next()
    }

    /// What is walked through.
    pub fn collection(self) -> Option<Expression<'t>> {
        expressions_of(self.0).nth(1)
    }

    /// What is repeated.
    pub fn body(self) -> Option<Statement<'t>> {
        statements_of(self.0).next()
    }
}

impl<'t> WhileStatement<'t> {
    /// What stands between `while` and `do`.
    pub fn condition(self) -> Option<Expression<'t>> {
        expressions_of(self.0).next()
    }

    /// What is repeated.
    pub fn body(self) -> Option<Statement<'t>> {
        statements_of(self.0).next()
    }
}

impl<'t> RepeatStatement<'t> {
    /// The statements between `repeat` and `until`.
    pub fn statements(self) -> impl Iterator<Item = Statement<'t>> {
        statements_of(self.0)
    }

    /// The word `until`; none where it is missing.
    pub fn until_token(self) -> Option<TokenRef<'t>> {
        self.0.own_keyword(Keyword::Until)
    }

    /// What stands behind `until`.
    pub fn condition(self) -> Option<Expression<'t>> {
        expressions_of(self.0).next()
    }
}

impl<'t> WithStatement<'t> {
    /// The records whose members need no receiver inside.
    pub fn records(self) -> impl Iterator<Item = Expression<'t>> {
        expressions_of(self.0)
    }

    /// The statement that `with` is about.
    pub fn body(self) -> Option<Statement<'t>> {
        statements_of(self.0).next()
    }
}

impl<'t> ExitStatement<'t> {
    /// What is returned.
    pub fn value(self) -> Option<Expression<'t>> {
        expressions_of(self.0).next()
    }
}

impl<'t> AssertErrorStatement<'t> {
    /// The statement that has to fail.
    pub fn statement(self) -> Option<Statement<'t>> {
        statements_of(self.0).next()
    }
}
