use super::super::expression;
use super::{errors_of, parse_with};
use crate::kind::NodeKind;
use crate::tree::{Node, TokenRef, Tree};

fn parse(text: &str) -> Tree {
    parse_with(text, |p| {
        expression::expression(p);
    })
}

/// The expression with parentheses around every operation, so that the grouping can be read.
fn grouped(node: Node<'_>) -> String {
    let operators = || node.own_tokens().map(TokenRef::text).collect::<Vec<_>>().join(" ");
    let parts: Vec<String> = node.children().map(grouped).collect();
    match node.kind() {
        NodeKind::UnaryExpression => format!("({} {})", operators(), parts[0]),
        NodeKind::BinaryExpression => format!("({} {} {})", parts[0], operators(), parts[1]),
        NodeKind::ConditionalExpression => format!("({} ? {} : {})", parts[0], parts[1], parts[2]),
        NodeKind::MemberAccess => format!("({}.{})", parts[0], operators().trim_start_matches(". ")),
        NodeKind::ScopeAccess => format!("({}::{})", parts[0], operators().trim_start_matches(":: ")),
        NodeKind::CallExpression | NodeKind::IndexExpression if parts.len() > 1 => {
            format!("({}[{}])", parts[0], parts[1..].join(", "))
                .replace("[(", "(")
                .replace(")]", ")")
        }
        NodeKind::ArgumentList => format!("({})", parts.join(", ")),
        NodeKind::ListExpression => format!("[{}]", parts.join(", ")),
        NodeKind::ParenthesizedExpression => format!("<{}>", parts[0]),
        NodeKind::RangeExpression => format!("({})", node.text()),
        _ => node.text().to_owned(),
    }
}

fn group(text: &str) -> String {
    let tree = parse(text);
    assert_eq!(tree.errors(), [], "{text}");
    let node = tree.root().children().next().expect("an expression");
    assert_eq!(node.text(), text, "the whole text is one expression");
    grouped(node)
}

#[test]
fn operators_bind_as_the_compiler_has_them() {
    let table = [
        ("a + b * c", "(a + (b * c))"),
        ("a * b + c", "((a * b) + c)"),
        ("a - b - c", "((a - b) - c)"),
        ("a / b * c", "((a / b) * c)"),
        ("a div b mod c", "((a div b) mod c)"),
        ("-a * b", "((- a) * b)"),
        ("not a = b", "((not a) = b)"),
        ("not a and b", "((not a) and b)"),
        ("not not -a", "(not (not (- a)))"),
        ("a + b in [c]", "((a + b) in [c])"),
        ("a in [b] and c", "((a in [b]) and c)"),
        ("a and b or c", "((a and b) or c)"),
        ("a or b and c", "(a or (b and c))"),
        ("a or b xor c", "((a or b) xor c)"),
        // Comparisons bind loosest, which surprises whoever comes from other languages.
        ("a = b and c = d", "((a = (b and c)) = d)"),
        ("a < b or c", "(a < (b or c))"),
        ("a <> b + c", "(a <> (b + c))"),
        ("a >= b <= c > d", "(((a >= b) <= c) > d)"),
        ("(a = b) and (c = d)", "(<(a = b)> and <(c = d)>)"),
        ("x is IFoo and y", "((x is IFoo) and y)"),
        ("x + y as IFoo", "((x + y) as IFoo)"),
        ("a ? b : c", "(a ? b : c)"),
        ("a = b ? c + d : e", "((a = b) ? (c + d) : e)"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a ? b ? c : d : e", "(a ? (b ? c : d) : e)"),
        ("a MOD b AND c", "((a MOD b) AND c)"),
    ];
    for (text, expected) in table {
        assert_eq!(group(text), expected, "{text}");
    }
}

#[test]
fn members_scopes_calls_and_indices_bind_tightest() {
    let table = [
        ("a.b.c", "((a.b).c)"),
        ("-a.b", "(- (a.b))"),
        ("\"My Rec\".\"No.\"", "(\"My Rec\".\"No.\")"),
        ("Status::Open", "(Status::Open)"),
        ("Rec.Status::\"On Hold\"", "((Rec.Status)::\"On Hold\")"),
        ("Enum::Color::Red", "((Enum::Color)::Red)"),
        ("Database::18", "(Database::18)"),
        ("x::''", "(x::'')"),
        ("Foo.End.Begin", "((Foo.End).Begin)"),
        ("this.Name", "(this.Name)"),
        ("(x as IFoo).Run", "(<(x as IFoo)>.Run)"),
    ];
    for (text, expected) in table {
        assert_eq!(group(text), expected, "{text}");
    }
}

#[test]
fn calls_and_indices_are_nodes_of_their_own() {
    let tree = parse("Foo.Bar(1, 'x')[2, 3]()");
    insta::assert_snapshot!(format!("{tree:?}"), @r"
    CompilationUnit
      CallExpression
        IndexExpression
          CallExpression
            MemberAccess
              NameExpression
                Foo
              .
              Bar
            ArgumentList
              (
              Literal
                1
              ,
              Literal
                'x'
              )
          [
          Literal
            2
          ,
          Literal
            3
          ]
        ArgumentList
          (
          )
    ");
}

#[test]
fn lists_hold_values_and_ranges_open_at_either_end() {
    assert_eq!(
        group("x in [1, 2 .. 3, ..5, 7.., 'a']"),
        "(x in [1, (2 .. 3), (..5), (7..), 'a'])"
    );
    assert_eq!(group("x in y"), "(x in y)");
    assert_eq!(
        errors_of(&parse("x = [1]")),
        ["1:5 Expected an expression (a list in brackets stands right of `in` only), found `[`"]
    );
}

#[test]
fn operator_words_are_names_where_an_operand_has_to_stand() {
    for text in [
        "Div",
        "mod",
        "And",
        "iS",
        "as + Is",
        "Label[2]",
        "Table.Field",
        "Continue",
        "Not",
        "Div + mod",
    ] {
        let tree = parse(text);
        assert_eq!(tree.errors(), [], "{text}");
        assert_eq!(tree.root().children().next().map(Node::text), Some(text));
    }
}

#[test]
fn a_missing_operand_is_reported_once() {
    let table = [
        ("a +", "1:4 Expected an expression, found the end of the file"),
        ("a + and b", "1:5 Expected an expression, found `and`"),
        ("Foo(a, , b)", "1:8 Expected an expression, found `,`"),
        (
            "Foo(a",
            "1:6 Expected `)` of these arguments, found the end of the file",
        ),
        ("Foo(a b)", "1:7 Expected `)` of these arguments, found `b`"),
        (
            "a ? b",
            "1:6 Expected `:` of this conditional expression, found the end of the file",
        ),
        ("a.", "1:3 Expected the name of a member, found the end of the file"),
        ("(a", "1:3 Expected `)`, found the end of the file"),
    ];
    for (text, expected) in table {
        assert_eq!(errors_of(&parse(text)), [expected], "{text}");
    }
}
