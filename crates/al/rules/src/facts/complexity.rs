//! How much there is to understand in the body of a method: what LC0007 to LC0010 measure.

use candor_al_syntax::ast::{Block, Method};
use candor_al_syntax::{Keyword, Node, NodeKind, TokenRef};

use super::is_obsolete_method;
use crate::context::Context;

/// The body of a procedure or trigger, where it is worth measuring: it has a statement, and nobody has marked the method
/// or its object obsolete.
pub(crate) fn measured_body<'t>(method: Method<'t>, context: &Context<'t>) -> Option<Node<'t>> {
    let body = method.body()?;
    Block::statements(body).next()?;
    (!is_obsolete_method(method, context)).then(|| body.node())
}

/// The number of ways through a body, as far as conditions alone decide: one, and one more for each decision.
pub(crate) fn cyclomatic_complexity(body: Node<'_>) -> u32 {
    1 + body.descendants().filter(|node| is_decision(*node)).count() as u32
}

fn is_decision(node: Node<'_>) -> bool {
    match node.kind() {
        NodeKind::IfStatement
        | NodeKind::CaseArm
        | NodeKind::ForStatement
        | NodeKind::ForEachStatement
        | NodeKind::WhileStatement
        | NodeKind::RepeatStatement
        | NodeKind::ConditionalExpression => true,
        NodeKind::BinaryExpression => node
            .own_tokens()
            .next()
            .is_some_and(|operator| matches!(operator.keyword(), Keyword::And | Keyword::Or)),
        _ => false,
    }
}

/// The maintainability index of a body, from 0 (hopeless) to 100. None for a body without a line of its own between
/// `begin` and `end`, for which the formula has no value.
///
/// The formula is the one of Visual Studio: 171 minus 5.2 times the logarithm of the volume, minus 0.23 times the
/// cyclomatic complexity, minus 16.2 times the logarithm of the number of lines, brought to the scale of 100. As the
/// volume stands the number of tokens times its binary logarithm.
pub(crate) fn maintainability_index(body: Node<'_>) -> Option<u32> {
    let (mut tokens, mut lines) = (0_u32, 0_u32);
    for token in body.tokens().filter(|token| !token.kind().is_trivia()) {
        tokens += 1;
        // `true` and `false` weigh double: as a word and as a value.
        tokens += u32::from(matches!(token.keyword(), Keyword::True | Keyword::False));
        lines += u32::from(token.next_significant().is_some_and(TokenRef::first_on_line));
    }
    // The lines of `begin` and `end` do not count.
    let lines = lines.checked_sub(2).filter(|&lines| lines > 0)?;
    let tokens = f64::from(tokens);
    let volume = tokens * tokens.log2();
    let complexity = f64::from(cyclomatic_complexity(body));
    let index = 171.0 - 5.2 * volume.ln() - 0.23 * complexity - 16.2 * f64::from(lines).ln();
    #[expect(clippy::cast_sign_loss, reason = "nothing below zero is left")]
    Some((index * 100.0 / 171.0).max(0.0).round_ties_even() as u32)
}

#[cfg(test)]
mod tests {
    use candor_al_syntax::{Symbols, parse};

    use super::*;

    fn measure<R>(statements: &str, measure: impl Fn(Node<'_>) -> R) -> R {
        let text = format!("codeunit 1 A\n{{\n    procedure B()\n    begin\n{statements}\n    end;\n}}\n");
        let tree = parse(text, &Symbols::none());
        assert_eq!(tree.errors(), [], "{tree:?}");
        let body = tree.nodes().find(|node| node.kind() == NodeKind::Block);
        measure(body.expect("the procedure has a body"))
    }

    #[test]
    fn every_decision_counts_one() {
        for (statements, complexity) in [
            ("x := 1;", 1),
            ("if a then b else c;", 2),
            ("if a then b else if c then d;", 3),
            ("case a of 1, 2: b; 3: c; else d; end;", 3),
            ("for a := 1 to 2 do b;", 2),
            ("foreach a in b do c;", 2),
            ("while a do b;", 2),
            ("repeat a; until b;", 2),
            ("x := a ? b : c;", 2),
            ("x := a and b or c;", 3),
            ("x := a xor not b;", 1),
            ("exit(1 + 2 * 3);", 1),
        ] {
            assert_eq!(measure(statements, cyclomatic_complexity), complexity, "{statements}");
        }
    }

    /// So many lines of one empty decision.
    fn decisions(number: usize) -> String {
        vec!["if true then;"; number].join("\n")
    }

    #[test]
    fn the_index_falls_with_every_line() {
        assert_eq!(measure(&decisions(87), maintainability_index), Some(21));
        assert_eq!(measure(&decisions(88), maintainability_index), Some(20));
        assert_eq!(measure(&decisions(3000), maintainability_index), Some(0));
    }

    #[test]
    fn comments_and_empty_lines_change_nothing() {
        let plain = measure(&decisions(88), maintainability_index);
        let commented = decisions(88).replace('\n', " // why\n\n/* and\nhow */\n");
        assert_eq!(measure(&commented, maintainability_index), plain);
    }

    #[test]
    fn a_body_without_a_line_of_its_own_has_no_index() {
        for body in ["begin x := 1; end;", "begin x := 1;\n end;"] {
            let text = format!("codeunit 1 A {{ procedure B() {body} }}");
            let tree = parse(text, &Symbols::none());
            let block = tree.nodes().find(|node| node.kind() == NodeKind::Block).unwrap();
            assert_eq!(maintainability_index(block), None, "{body}");
        }
        assert!(measure("x := 1;", maintainability_index).is_some());
    }
}
