use super::{body, first, text};
use crate::ast::{
    AssertErrorStatement, AssignmentStatement, Block, CaseStatement, ExitStatement, Expression, ExpressionStatement,
    ForEachStatement, ForStatement, IfStatement, RepeatStatement, Statement, WhileStatement, WithStatement,
};
use crate::kind::NodeKind;

fn source(expression: Option<Expression<'_>>) -> Option<&str> {
    expression.map(|expression| expression.node().text())
}

fn statement(found: Option<Statement<'_>>) -> Option<&str> {
    found.map(|statement| statement.node().text())
}

#[test]
fn blocks_know_their_words_and_statements() {
    let tree = body("a; begin b; end;");
    let blocks: Vec<_> = tree.root().descendants().filter_map(Block::cast).collect();
    assert_eq!(
        blocks[0].statements().map(Statement::kind).collect::<Vec<_>>(),
        [NodeKind::ExpressionStatement, NodeKind::Block]
    );
    assert_eq!(
        (text(blocks[1].begin_token()), text(blocks[1].end_token())),
        (Some("begin"), Some("end"))
    );
    let inner = Statement::cast(blocks[1].node()).expect("a statement");
    assert_eq!(text(inner.semicolon_token()), Some(";"));
    let call = ExpressionStatement::cast(first(&tree, NodeKind::ExpressionStatement)).expect("a call");
    assert_eq!(source(call.expression()), Some("a"));
}

#[test]
fn assignments() {
    let tree = body("a.b += c;");
    let assignment = AssignmentStatement::cast(first(&tree, NodeKind::AssignmentStatement)).expect("it");
    assert_eq!(
        (
            source(assignment.target()),
            text(assignment.operator_token()),
            source(assignment.value())
        ),
        (Some("a.b"), Some("+="), Some("c"))
    );
}

#[test]
fn the_branches_of_an_if_are_not_mixed_up() {
    let table = [
        ("if a then b else c;", Some("b"), Some("c;")),
        ("if a then b;", Some("b;"), None),
        ("if a then else c;", None, Some("c;")),
        ("if a then;", Some(";"), None),
        ("if a then b else if c then d;", Some("b"), Some("if c then d;")),
    ];
    for (written, then_branch, else_branch) in table {
        let tree = body(written);
        let found = IfStatement::cast(first(&tree, NodeKind::IfStatement)).expect("an if");
        assert_eq!(source(found.condition()), Some("a"), "{written}");
        assert_eq!(text(found.then_token()), Some("then"), "{written}");
        assert_eq!(found.else_token().is_some(), else_branch.is_some(), "{written}");
        assert_eq!(
            (statement(found.then_branch()), statement(found.else_branch())),
            (then_branch, else_branch),
            "{written}"
        );
    }
}

#[test]
fn cases() {
    let tree = body("case a of 1, 2..3: b; else c; d; end;");
    let case = CaseStatement::cast(first(&tree, NodeKind::CaseStatement)).expect("a case");
    assert_eq!(source(case.subject()), Some("a"));
    assert_eq!(text(case.end_token()), Some("end"));
    let arms: Vec<_> = case.arms().collect();
    assert_eq!(
        arms[0].labels().map(|it| it.node().text()).collect::<Vec<_>>(),
        ["1", "2..3"]
    );
    assert_eq!(statement(arms[0].statement()), Some("b;"));
    let otherwise = case.else_part().expect("an else");
    assert_eq!(otherwise.statements().count(), 2);
    assert_eq!(text(otherwise.else_token()), Some("else"));
}

#[test]
fn loops() {
    let tree = body("for i := 1 downto 2 do a;");
    let found = ForStatement::cast(first(&tree, NodeKind::ForStatement)).expect("a loop");
    assert_eq!(
        (source(found.variable()), source(found.first()), source(found.last())),
        (Some("i"), Some("1"), Some("2"))
    );
    assert!(found.is_downwards());
    assert_eq!(statement(found.body()), Some("a;"));

    let tree = body("foreach i in b do a;");
    let found = ForEachStatement::cast(first(&tree, NodeKind::ForEachStatement)).expect("a loop");
    assert_eq!(
        (source(found.variable()), source(found.collection())),
        (Some("i"), Some("b"))
    );
    assert_eq!(statement(found.body()), Some("a;"));

    let tree = body("while b do a;");
    let found = WhileStatement::cast(first(&tree, NodeKind::WhileStatement)).expect("a loop");
    assert_eq!(
        (source(found.condition()), statement(found.body())),
        (Some("b"), Some("a;"))
    );

    let tree = body("repeat a; b until c;");
    let found = RepeatStatement::cast(first(&tree, NodeKind::RepeatStatement)).expect("a loop");
    assert_eq!(
        (source(found.condition()), text(found.until_token())),
        (Some("c"), Some("until"))
    );
    assert_eq!(found.statements().count(), 2);
}

#[test]
fn the_other_statements() {
    let tree = body("exit(a);");
    let found = ExitStatement::cast(first(&tree, NodeKind::ExitStatement)).expect("an exit");
    assert_eq!(source(found.value()), Some("a"));
    let tree = body("exit;");
    let found = ExitStatement::cast(first(&tree, NodeKind::ExitStatement)).expect("an exit");
    assert_eq!(source(found.value()), None);
    let tree = body("with a, b do c;");
    let found = WithStatement::cast(first(&tree, NodeKind::WithStatement)).expect("a with");
    assert_eq!((found.records().count(), statement(found.body())), (2, Some("c;")));
    let tree = body("asserterror a;");
    let found = AssertErrorStatement::cast(first(&tree, NodeKind::AssertErrorStatement)).expect("it");
    assert_eq!(statement(found.statement()), Some("a;"));
}
