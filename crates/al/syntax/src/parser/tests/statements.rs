use super::super::statement;
use super::{errors_of, parse_with, shape};
use crate::kind::NodeKind;
use crate::tree::Tree;

/// Parses the statements of a text, one behind the other.
fn parse(text: &str) -> Tree {
    parse_with(text, |p| {
        while !p.at_end() {
            statement::statement(p);
        }
    })
}

/// The shapes of the statements of a sound text.
fn shapes(text: &str) -> Vec<String> {
    let tree = parse(text);
    assert_eq!(tree.errors(), [], "{text}");
    tree.root().children().map(shape).collect()
}

fn outline(text: &str) -> String {
    let tree = parse(text);
    assert_eq!(tree.errors(), [], "{text}");
    format!("{tree:?}")
}

#[test]
fn assignments_and_calls() {
    let table = [
        ("a := 1;", "AssignmentStatement(NameExpression `a`, Literal `1`)"),
        (
            "a.b += c",
            "AssignmentStatement(MemberAccess(NameExpression `a`), NameExpression `c`)",
        ),
        ("a -= 1;", "AssignmentStatement(NameExpression `a`, Literal `1`)"),
        ("a *= 1;", "AssignmentStatement(NameExpression `a`, Literal `1`)"),
        ("a /= 1;", "AssignmentStatement(NameExpression `a`, Literal `1`)"),
        (
            "a[1] := b = c;",
            "AssignmentStatement(IndexExpression(NameExpression `a`, Literal `1`), BinaryExpression(NameExpression `b`, NameExpression `c`))",
        ),
        ("Foo;", "ExpressionStatement(NameExpression `Foo`)"),
        (
            "\"Foo Bar\"();",
            "ExpressionStatement(CallExpression(NameExpression `\"Foo Bar\"`, ArgumentList `()`))",
        ),
        (
            "(a as IFoo).Run();",
            "ExpressionStatement(CallExpression(MemberAccess(ParenthesizedExpression(BinaryExpression(NameExpression `a`, Type `IFoo`))), ArgumentList `()`))",
        ),
        (";", "EmptyStatement `;`"),
    ];
    for (text, expected) in table {
        assert_eq!(shapes(text), [expected], "{text}");
    }
}

#[test]
fn the_semicolon_belongs_to_the_innermost_statement() {
    insta::assert_snapshot!(outline("if a then begin b; end else while c do d();"), @r"
    CompilationUnit
      IfStatement
        if
        NameExpression
          a
        then
        Block
          begin
          ExpressionStatement
            NameExpression
              b
            ;
          end
        else
        WhileStatement
          while
          NameExpression
            c
          do
          ExpressionStatement
            CallExpression
              NameExpression
                d
              ArgumentList
                (
                )
            ;
    ");
}

#[test]
fn branches_may_be_empty() {
    let table = [
        ("if a then;", "IfStatement(NameExpression `a`, EmptyStatement `;`)"),
        (
            "if a then else b;",
            "IfStatement(NameExpression `a`, ExpressionStatement(NameExpression `b`))",
        ),
        (
            "if a then b else;",
            "IfStatement(NameExpression `a`, ExpressionStatement(NameExpression `b`), EmptyStatement `;`)",
        ),
        ("begin end", "Block `begin end`"),
        ("begin ; end;", "Block(EmptyStatement `;`)"),
        ("begin if a then end;", "Block(IfStatement(NameExpression `a`))"),
        ("while a do;", "WhileStatement(NameExpression `a`, EmptyStatement `;`)"),
        ("repeat until a", "RepeatStatement(NameExpression `a`)"),
        ("case a of end;", "CaseStatement(NameExpression `a`)"),
    ];
    for (text, expected) in table {
        assert_eq!(shapes(text), [expected], "{text}");
    }
}

#[test]
fn else_if_chains_nest_to_the_right() {
    assert_eq!(
        shapes("if a then b else if c then d else e;"),
        [
            "IfStatement(NameExpression `a`, ExpressionStatement(NameExpression `b`), IfStatement(NameExpression `c`, \
          ExpressionStatement(NameExpression `d`), ExpressionStatement(NameExpression `e`)))"
        ]
    );
    // An inner `if` takes the `else`.
    assert_eq!(
        shapes("if a then if b then c else d;"),
        [
            "IfStatement(NameExpression `a`, IfStatement(NameExpression `b`, ExpressionStatement(NameExpression `c`), \
          ExpressionStatement(NameExpression `d`)))"
        ]
    );
}

#[test]
fn cases_have_arms_with_lists_and_ranges_and_an_else_with_statements() {
    insta::assert_snapshot!(outline("case a of 1, 2..3: b; X::Y, 'c': begin end; ..5: ; else d; e end;"), @r"
    CompilationUnit
      CaseStatement
        case
        NameExpression
          a
        of
        CaseArm
          Literal
            1
          ,
          RangeExpression
            Literal
              2
            ..
            Literal
              3
          :
          ExpressionStatement
            NameExpression
              b
            ;
        CaseArm
          ScopeAccess
            NameExpression
              X
            ::
            Y
          ,
          Literal
            'c'
          :
          Block
            begin
            end
            ;
        CaseArm
          RangeExpression
            ..
            Literal
              5
          :
          EmptyStatement
            ;
        CaseElse
          else
          ExpressionStatement
            NameExpression
              d
            ;
          ExpressionStatement
            NameExpression
              e
        end
        ;
    ");
}

#[test]
fn the_else_behind_an_arm_that_ends_with_an_if_belongs_to_the_case() {
    assert_eq!(
        shapes("case a of 1: if b then c; else d; end"),
        [
            "CaseStatement(NameExpression `a`, CaseArm(Literal `1`, IfStatement(NameExpression `b`, \
          ExpressionStatement(NameExpression `c`))), CaseElse(ExpressionStatement(NameExpression `d`)))"
        ]
    );
}

#[test]
fn loops() {
    let table = [
        (
            "for i := 1 to 10 do a;",
            "ForStatement(NameExpression `i`, Literal `1`, Literal `10`, ExpressionStatement(NameExpression `a`))",
        ),
        (
            "for Rec.X := 1 downto 10 do;",
            "ForStatement(MemberAccess(NameExpression `Rec`), Literal `1`, Literal `10`, EmptyStatement `;`)",
        ),
        (
            "foreach a in b do c;",
            "ForEachStatement(NameExpression `a`, NameExpression `b`, ExpressionStatement(NameExpression `c`))",
        ),
        (
            "while not a do b;",
            "WhileStatement(UnaryExpression(NameExpression `a`), ExpressionStatement(NameExpression `b`))",
        ),
        (
            "repeat a; b until c;",
            "RepeatStatement(ExpressionStatement(NameExpression `a`), ExpressionStatement(NameExpression `b`), NameExpression `c`)",
        ),
        (
            "with a do b;",
            "WithStatement(NameExpression `a`, ExpressionStatement(NameExpression `b`))",
        ),
        (
            "with a, b do c;",
            "WithStatement(NameExpression `a`, NameExpression `b`, ExpressionStatement(NameExpression `c`))",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(shapes(text), [expected], "{text}");
    }
}

#[test]
fn exit_takes_a_value_or_none() {
    let table = [
        ("exit;", "ExitStatement `exit;`"),
        ("exit();", "ExitStatement `exit();`"),
        ("exit(a);", "ExitStatement(NameExpression `a`)"),
        (
            "asserterror Foo();",
            "AssertErrorStatement(ExpressionStatement(CallExpression(NameExpression `Foo`, ArgumentList `()`)))",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(shapes(text), [expected], "{text}");
    }
}

#[test]
fn newer_words_are_statements_only_where_no_name_can_stand() {
    let table = [
        ("break;", NodeKind::BreakStatement),
        ("continue;", NodeKind::ContinueStatement),
        ("Continue();", NodeKind::ExpressionStatement),
        ("Continue := true;", NodeKind::AssignmentStatement),
        ("Break.Run();", NodeKind::ExpressionStatement),
        ("ForEach := 1;", NodeKind::AssignmentStatement),
        ("AssertError := 1;", NodeKind::AssignmentStatement),
        ("Table := 1;", NodeKind::AssignmentStatement),
        ("Field(1);", NodeKind::ExpressionStatement),
        ("Label[2] := Key;", NodeKind::AssignmentStatement),
        ("Local := 1;", NodeKind::AssignmentStatement),
        ("Event.Insert();", NodeKind::ExpressionStatement),
        ("Trigger := 1;", NodeKind::AssignmentStatement),
        ("Is := As;", NodeKind::AssignmentStatement),
        ("Div := MOD;", NodeKind::AssignmentStatement),
    ];
    for (text, expected) in table {
        let tree = parse(text);
        assert_eq!(tree.errors(), [], "{text}");
        let found: Vec<_> = tree.root().children().map(|node| (node.kind(), node.text())).collect();
        assert_eq!(found, [(expected, text)]);
    }
}

#[test]
fn what_is_missing_is_named() {
    let table = [
        ("if a b;", vec!["1:6 Expected `then`, found `b`"]),
        ("while a b;", vec!["1:9 Expected `do`, found `b`"]),
        ("case a 1: b; end;", vec!["1:8 Expected `of`, found `1`"]),
        (
            "case a of 1 b; end;",
            vec!["1:13 Expected `:` behind the labels of this arm, found `b`"],
        ),
        ("for i = 1 to 2 do;", vec!["1:7 Expected `:=`, found `=`"]),
        ("for i := 1 2 do;", vec!["1:12 Expected `to` or `downto`, found `2`"]),
        (
            "repeat a;",
            vec!["1:10 Expected `until` of this `repeat`, found the end of the file"],
        ),
        (
            "begin a;",
            vec!["1:9 Expected `end` of this block, found the end of the file"],
        ),
        (
            "case a of 1: b;",
            vec!["1:16 Expected `end` of this `case`, found the end of the file"],
        ),
        ("begin a b end", vec!["1:9 Expected `;`, found `b`"]),
        ("a = 1;", vec!["1:3 Expected `:=`, found `=`"]),
        ("a := ;", vec!["1:6 Expected an expression, found `;`"]),
        ("exit(a;", vec!["1:7 Expected `)`, found `;`"]),
        (
            ") a;",
            vec!["1:1 `)` does not fit here: the parser was reading a statement"],
        ),
        (
            "begin\n  if a then b;\n  else c;\nend",
            vec!["3:3 Expected the `if` of this `else` without a `;` between them, found `else`"],
        ),
    ];
    for (text, expected) in table {
        assert_eq!(errors_of(&parse(text)), expected, "{text}");
    }
}
