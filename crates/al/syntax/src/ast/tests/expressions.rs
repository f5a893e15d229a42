use super::{body, first, text};
use crate::ast::{
    BinaryExpression, CallExpression, ConditionalExpression, Expression, IndexExpression, ListExpression, Literal,
    MemberAccess, NameExpression, ParenthesizedExpression, RangeExpression, ScopeAccess, UnaryExpression,
};
use crate::kind::NodeKind;
use crate::tree::Node;

fn source(expression: Option<Expression<'_>>) -> Option<&str> {
    expression.map(|expression| expression.node().text())
}

#[test]
fn calls_tell_callee_receiver_name_and_arguments() {
    let tree = body("Rec.Item.\"Set Range\"(A, 'b', 1 + 2);");
    let call = CallExpression::cast(first(&tree, NodeKind::CallExpression)).expect("a call");
    assert_eq!(source(call.callee()), Some("Rec.Item.\"Set Range\""));
    assert_eq!(source(call.receiver()), Some("Rec.Item"));
    assert_eq!(call.name().as_deref(), Some("Set Range"));
    assert_eq!(text(call.name_token()), Some("\"Set Range\""));
    assert_eq!(
        call.arguments().map(|it| it.node().text()).collect::<Vec<_>>(),
        ["A", "'b'", "1 + 2"]
    );
    assert_eq!(call.argument_list().map(Node::text), Some("(A, 'b', 1 + 2)"));

    let tree = body("Message('x');");
    let call = CallExpression::cast(first(&tree, NodeKind::CallExpression)).expect("a call");
    assert_eq!((call.name().as_deref(), call.receiver()), (Some("Message"), None));
}

#[test]
fn a_name_is_found_in_whatever_ends_with_one() {
    let table = [
        ("Find", Some("Find"), None),
        ("Rec.Find", Some("Find"), Some("Rec")),
        ("Rec.Find('-')", Some("Find"), Some("Rec")),
        ("Codeunit::\"A B\"", Some("A B"), None),
        ("Rec[1]", None, None),
        ("1", None, None),
    ];
    for (written, name, receiver) in table {
        let tree = body(&format!("x := {written};"));
        let assignment = first(&tree, NodeKind::AssignmentStatement);
        let value = assignment
            .children()
            .nth(1)
            .and_then(Expression::cast)
            .expect("a value");
        assert_eq!(value.name().as_deref(), name, "{written}");
        assert_eq!(source(value.receiver()), receiver, "{written}");
    }
}

#[test]
fn operations_tell_operands_and_operator() {
    let tree = body("x := a + b;");
    let sum = BinaryExpression::cast(first(&tree, NodeKind::BinaryExpression)).expect("a sum");
    assert_eq!(
        (source(sum.left()), text(sum.operator_token()), source(sum.right())),
        (Some("a"), Some("+"), Some("b"))
    );
    assert!(sum.type_reference().is_none());

    let tree = body("x := a is IFoo;");
    let test = BinaryExpression::cast(first(&tree, NodeKind::BinaryExpression)).expect("a test");
    assert_eq!(
        (source(test.left()), text(test.operator_token()), test.right()),
        (Some("a"), Some("is"), None)
    );
    assert!(test.type_reference().is_some_and(|it| it.is("ifoo")));

    // What is missing on the left is not taken from the right.
    let tree = body("x := not a;");
    let not = UnaryExpression::cast(first(&tree, NodeKind::UnaryExpression)).expect("a negation");
    assert_eq!(
        (text(not.operator_token()), source(not.operand())),
        (Some("not"), Some("a"))
    );

    let tree = body("x := a ? b : c;");
    let choice = ConditionalExpression::cast(first(&tree, NodeKind::ConditionalExpression)).expect("a choice");
    assert_eq!(
        (
            source(choice.condition()),
            source(choice.when_true()),
            source(choice.when_false())
        ),
        (Some("a"), Some("b"), Some("c"))
    );
}

#[test]
fn accesses_indices_and_parentheses() {
    let tree = body("x := (Rec).\"No.\";");
    let access = MemberAccess::cast(first(&tree, NodeKind::MemberAccess)).expect("an access");
    assert_eq!(
        (source(access.receiver()), access.name().as_deref()),
        (Some("(Rec)"), Some("No."))
    );
    assert_eq!(
        (text(access.dot_token()), text(access.name_token())),
        (Some("."), Some("\"No.\""))
    );
    let parenthesized = ParenthesizedExpression::cast(first(&tree, NodeKind::ParenthesizedExpression)).expect("it");
    assert_eq!(source(parenthesized.inner()), Some("Rec"));

    let tree = body("x := Enum::Color::18;");
    let access = ScopeAccess::cast(first(&tree, NodeKind::ScopeAccess)).expect("an access");
    assert_eq!(
        (source(access.scope()), text(access.member_token())),
        (Some("Enum::Color"), Some("18"))
    );
    assert_eq!(access.member().as_deref(), Some("18"));

    let tree = body("x := a[1, 2];");
    let index = IndexExpression::cast(first(&tree, NodeKind::IndexExpression)).expect("an index");
    assert_eq!(source(index.receiver()), Some("a"));
    assert_eq!(
        index.indices().map(|it| it.node().text()).collect::<Vec<_>>(),
        ["1", "2"]
    );

    let tree = body("x := ((a));");
    let outer = Expression::cast(first(&tree, NodeKind::ParenthesizedExpression)).expect("parentheses");
    assert_eq!(outer.without_parentheses().node().text(), "a");
}

#[test]
fn lists_and_ranges() {
    let tree = body("x := a in [1, 2..3, ..4, 5..];");
    let list = ListExpression::cast(first(&tree, NodeKind::ListExpression)).expect("a list");
    assert_eq!(list.elements().count(), 4);
    let ranges: Vec<_> = tree.root().descendants().filter_map(RangeExpression::cast).collect();
    let bounds: Vec<_> = ranges
        .iter()
        .map(|range| (source(range.low()), source(range.high())))
        .collect();
    assert_eq!(bounds, [(Some("2"), Some("3")), (None, Some("4")), (Some("5"), None)]);
}

#[test]
fn literals_and_names_tell_their_values() {
    let value = |written: &str| {
        let tree = body(&format!("x := {written};"));
        let literal = Literal::cast(first(&tree, NodeKind::Literal)).expect("a literal");
        (
            literal.boolean(),
            literal.integer(),
            literal.string().map(std::borrow::Cow::into_owned),
        )
    };
    assert_eq!(value("TRUE"), (Some(true), None, None));
    assert_eq!(value("false"), (Some(false), None, None));
    assert_eq!(value("12"), (None, Some(12), None));
    assert_eq!(value("123L"), (None, Some(123), None));
    assert_eq!(value("99999999999999999999"), (None, None, None));
    assert_eq!(value("'it''s'"), (None, None, Some("it's".to_owned())));

    let tree = body("this.Run(\"A B\");");
    let names: Vec<_> = tree.root().descendants().filter_map(NameExpression::cast).collect();
    assert!(names[0].is_this() && !names[1].is_this());
    assert_eq!(names[1].name().as_deref(), Some("A B"));
}
