//! The conditions of `#if` and `#elif`.
//!
//! `or` binds loosest, then `and`, then `not`; symbols, `true`, `false` and parentheses. The words are compared
//! without regard to case.

use crate::directive::Symbols;

/// More parentheses around one symbol than anyone writes; deeper ones make the condition malformed.
const MAXIMUM_DEPTH: u32 = 64;

/// Whether the condition holds; `None` when it is malformed.
pub(super) fn evaluate(condition: &str, symbols: &Symbols) -> Option<bool> {
    read(condition, &mut |name| symbols.contains(name))
}

/// Every symbol the condition asks for, in text order; those before the fault if it is malformed.
pub(crate) fn mentioned_symbols(condition: &str) -> Vec<&str> {
    let mut names = Vec::new();
    read(condition, &mut |name| {
        names.push(name);
        false
    });
    names
}

fn read<'a>(condition: &'a str, is_defined: &mut dyn FnMut(&'a str) -> bool) -> Option<bool> {
    let mut reader = Reader {
        rest: condition,
        is_defined,
        depth: 0,
    };
    let value = reader.alternatives()?;
    reader.rest.trim_start().is_empty().then_some(value)
}

struct Reader<'a, 'f> {
    rest: &'a str,
    is_defined: &'f mut dyn FnMut(&'a str) -> bool,
    depth: u32,
}

impl<'a> Reader<'a, '_> {
    fn alternatives(&mut self) -> Option<bool> {
        let mut value = self.conjunction()?;
        while self.eat_word("or") {
            value |= self.conjunction()?;
        }
        Some(value)
    }

    fn conjunction(&mut self) -> Option<bool> {
        let mut value = self.operand()?;
        while self.eat_word("and") {
            value &= self.operand()?;
        }
        Some(value)
    }

    fn operand(&mut self) -> Option<bool> {
        let mut negated = false;
        while self.eat_word("not") {
            negated = !negated;
        }
        let value = if self.eat('(') {
            self.depth += 1;
            if self.depth > MAXIMUM_DEPTH {
                return None;
            }
            let value = self.alternatives()?;
            self.depth -= 1;
            if !self.eat(')') {
                return None;
            }
            value
        } else {
            let word = self.word();
            self.rest = &self.rest[word.len()..];
            match word {
                "" => return None,
                _ if word.eq_ignore_ascii_case("true") => true,
                _ if word.eq_ignore_ascii_case("false") => false,
                _ if word.eq_ignore_ascii_case("and") || word.eq_ignore_ascii_case("or") => return None,
                name => (self.is_defined)(name),
            }
        };
        Some(value != negated)
    }

    /// The word that stands next, without consuming it; empty if there is none.
    fn word(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        let end = self
            .rest
            .find(|character: char| !character.is_alphanumeric() && character != '_');
        &self.rest[..end.unwrap_or(self.rest.len())]
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.word();
        let is_it = found.eq_ignore_ascii_case(word);
        if is_it {
            self.rest = &self.rest[found.len()..];
        }
        is_it
    }

    fn eat(&mut self, character: char) -> bool {
        self.rest = self.rest.trim_start();
        let behind = self.rest.strip_prefix(character);
        self.rest = behind.unwrap_or(self.rest);
        behind.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_evaluated_as_the_compiler_does() {
        let symbols: Symbols = ["A", "B"].into_iter().collect();
        for (condition, value) in [
            ("A", Some(true)),
            ("X", Some(false)),
            ("a", Some(false)),
            ("not A", Some(false)),
            ("not not A", Some(true)),
            ("NOT X AND A", Some(true)),
            ("A or X and X", Some(true)),
            ("(A or X) and X", Some(false)),
            ("not (A and B)", Some(false)),
            ("not X or not A", Some(true)),
            ("X or(B)", Some(true)),
            ("true", Some(true)),
            ("False or A", Some(true)),
            ("", None),
            ("A B", None),
            ("A and", None),
            ("and A", None),
            ("(A", None),
            ("A)", None),
            ("not", None),
            ("A && B", None),
            ("'A'", None),
        ] {
            assert_eq!(evaluate(condition, &symbols), value, "{condition:?}");
        }
    }

    #[test]
    fn a_condition_nested_too_deeply_is_malformed_and_harmless() {
        let nested = |depth: usize| format!("{}A{}", "(".repeat(depth), ")".repeat(depth));
        let symbols: Symbols = ["A"].into_iter().collect();
        assert_eq!(evaluate(&nested(64), &symbols), Some(true));
        assert_eq!(evaluate(&nested(65), &symbols), None);
        assert_eq!(evaluate(&nested(100_000), &symbols), None);
        assert_eq!(evaluate(&format!("{}A", "not ".repeat(100_000)), &symbols), Some(true));
    }

    #[test]
    fn every_symbol_is_mentioned_whatever_the_value() {
        assert_eq!(mentioned_symbols("A or not (B and true) or A"), ["A", "B", "A"]);
        assert_eq!(mentioned_symbols("A and ("), ["A"]);
    }
}
