//! One fault in a codeunit: the errors it leads to, and what stays whole.

use super::errors_of;
use crate::directive::Symbols;
use crate::kind::NodeKind;
use crate::parser::parse;
use crate::tree::{TokenRef, Tree};

const SOUND: &str = "\
codeunit 50100 \"Damage Me\"
{
    procedure First(A: Integer; var B: Record Item): Boolean
    var
        C: Text;
        \"D E\": Integer;
    begin
        if A = 1 then begin
            C := 'one';
            Foo(C, A);
        end else begin
            C := 'other';
            B.FindSet();
        end;
        case A of
            1:
                Foo('x', 1);
            2, 3:
                begin
                    Foo('y', 2);
                    Bar();
                end;
            else
                Bar();
        end;
        repeat
            if B.Count() > 1 then
                exit(true);
            B.\"No. Series\" := Bar(A,
                \"D E\");
        until B.Next() = 0;
        exit(false);
    end;

    [Test]
    local procedure Second()
    begin
        Foo('a', 1);
    end;

    procedure Third()
    begin
    end;
}
";

fn parse_damaged(damaged: &str) -> Tree {
    let tree = parse(damaged, &Symbols::none());
    let whole: String = tree.tokens().map(TokenRef::text).collect();
    assert_eq!(whole, damaged);
    tree
}

/// How many nodes of some kinds a tree has.
fn counts(tree: &Tree) -> [usize; 6] {
    [
        NodeKind::Procedure,
        NodeKind::IfStatement,
        NodeKind::CaseArm,
        NodeKind::RepeatStatement,
        NodeKind::CallExpression,
        NodeKind::ExitStatement,
    ]
    .map(|kind| tree.root().descendants_of(kind).count())
}

#[test]
fn the_sound_text_has_no_errors() {
    let tree = parse_damaged(SOUND);
    assert_eq!(tree.errors(), []);
    assert_eq!(counts(&tree), [3, 2, 2, 1, 10, 2]);
}

/// Deletes the `deleted` that stands right before `behind`, and expects this one error with all else kept.
#[track_caller]
fn one_error(deleted: &str, behind: &str, expected: &str) {
    let place = format!("{deleted}{behind}");
    assert_eq!(SOUND.matches(&place).count(), 1, "{place:?} stands in one place");
    let tree = parse_damaged(&SOUND.replace(&place, behind));
    assert_eq!(errors_of(&tree), [expected]);
    assert_eq!(
        counts(&tree),
        counts(&parse_damaged(SOUND)),
        "nothing is lost:\n{tree:?}"
    );
}

#[test]
fn a_missing_semicolon() {
    one_error(";", "\n            Foo(C, A);", "10:13 Expected `;`, found `Foo`");
    one_error(
        ";",
        "\n        \"D E\": Integer",
        "6:9 Expected `;` behind this variable, found `\"D E\"`",
    );
    one_error(";", " var B", "3:32 Expected `)` of these parameters, found `var`");
    one_error(";", "\n            2, 3:", "18:13 Expected `;`, found `2`");
    one_error(";", "\n        repeat", "26:9 Expected `;`, found `repeat`");
}

#[test]
fn a_missing_end_is_found_by_indentation() {
    one_error("end ", "else begin", "11:9 Expected `end` of this block, found `else`");
    one_error(
        "end;",
        "\n        case",
        "15:9 Expected `end` of this block, found `case`",
    );
    one_error(
        "end;",
        "\n            else",
        "23:13 Expected `end` of this block, found `else`",
    );
    one_error(
        "end;",
        "\n        repeat",
        "26:9 Expected `end` of this `case`, found `repeat`",
    );
    one_error("end;", "\n\n    [Test]", "35:5 Expected `end` of this block, found `[`");
    one_error("end;", "\n}", "44:1 Expected `end` of this block, found `}`");
}

#[test]
fn a_missing_begin_is_found_by_indentation() {
    one_error(
        " begin",
        "\n            C := 'one'",
        "11:9 Expected the `begin` or `case` that this `end` closes, found `end`",
    );
    one_error(
        " begin",
        "\n            C := 'other'",
        "14:9 Expected the `begin` or `case` that this `end` closes, found `end`",
    );
    one_error(
        "begin",
        "\n                    Foo('y'",
        "21:21 Expected the label of an arm, found `Bar`",
    );
    one_error("begin", "\n        if A", "8:9 Expected `begin`, found `if`");
    one_error("begin", "\n        Foo('a'", "38:9 Expected `begin`, found `Foo`");
    one_error("begin", "\n    end;\n}", "43:5 Expected `begin`, found `end`");
}

#[test]
fn a_missing_repeat_or_until() {
    let tree = parse_damaged(&SOUND.replace("repeat", ""));
    assert_eq!(
        errors_of(&tree),
        ["31:9 Expected the `repeat` that this `until` closes, found `until`"]
    );
    assert_eq!(tree.root().descendants_of(NodeKind::Procedure).count(), 3);
    let tree = parse_damaged(&SOUND.replace("until B.Next() = 0;", ""));
    assert_eq!(
        errors_of(&tree),
        ["32:9 Expected `until` of this `repeat`, found `exit`"]
    );
    assert_eq!(tree.root().descendants_of(NodeKind::Procedure).count(), 3);
}

#[test]
fn a_missing_bracket_or_word() {
    one_error(
        ")",
        ";\n        end else",
        "10:21 Expected `)` of these arguments, found `;`",
    );
    one_error(")", " > 1 then", "27:25 Expected `)` of these arguments, found `>`");
    one_error(
        ")",
        ";\n        until",
        "30:22 Expected `)` of these arguments, found `;`",
    );
    one_error(")", ": Boolean", "3:51 Expected `)` of these parameters, found `:`");
    one_error("}", "\n", "45:1 Expected `}`, found the end of the file");
    one_error(
        "then ",
        "begin\n            C := 'one'",
        "8:18 Expected `then`, found `begin`",
    );
    one_error("then", "\n                exit", "28:17 Expected `then`, found `exit`");
    one_error("of", "\n            1:", "16:13 Expected `of`, found `1`");
}

#[test]
fn a_missing_colon() {
    one_error(
        ":",
        "\n                Foo('x'",
        "17:17 Expected `:` behind the labels of this arm, found `Foo`",
    );
    one_error(
        ":",
        "\n                begin",
        "19:17 Expected `:` behind the labels of this arm, found `begin`",
    );
    one_error(":", " Text;", "5:11 Expected `:` and a type, found `Text`");
    one_error(":", " Boolean", "3:53 Expected `:` and a type, found `Boolean`");
}

#[test]
fn a_missing_quote_spoils_its_line_only() {
    one_error(
        "'",
        ";\n            Foo(C",
        "9:18 The closing `'` of this string is missing",
    );
    one_error("\"", ": Integer", "6:9 The closing `\"` of this name is missing");
    let tree = parse_damaged(&SOUND.replace("\"No. Series\" := Bar(A,", "\"No. Series := Bar(A,"));
    assert_eq!(errors_of(&tree), ["29:15 The closing `\"` of this name is missing"]);
    assert_eq!(tree.root().descendants_of(NodeKind::Procedure).count(), 3);
    assert_eq!(tree.root().descendants_of(NodeKind::RepeatStatement).count(), 1);
}

#[test]
fn a_line_cut_off_behind_a_dot() {
    let cut = |rest: &str, errors: &[&str]| {
        assert_eq!(SOUND.matches(rest).count(), 1, "{rest:?} stands in one place");
        let tree = parse_damaged(&SOUND.replace(rest, ""));
        assert_eq!(errors_of(&tree), errors);
        assert_eq!(tree.root().descendants_of(NodeKind::Procedure).count(), 3);
        assert_eq!(tree.root().descendants_of(NodeKind::RepeatStatement).count(), 1);
    };
    cut("FindSet();", &["14:9 Expected the name of a member, found `end`"]);
    cut(
        "Count() > 1 then",
        &["28:17 Expected the name of a member, found `exit`"],
    );
    // What is left is `until B.exit(false);`, which only a look at the meaning could object to.
    cut("Next() = 0;", &[]);
}

#[test]
fn the_layout_of_sound_code_does_not_matter() {
    let text = "codeunit 1 A { procedure B() begin
            if a then begin
        b; end
                else
    begin c;
  end;
case d of 1: e;
    2: begin f;
            end; end; repeat
    g;
            until h; end; }";
    assert_eq!(parse_damaged(text).errors(), []);
}
