//! The order in which people look for names in a list.

use std::cmp::Ordering;

/// The signs of names in the order that dictionaries have agreed on: punctuation, symbols, then digits, then letters.
const SIGNS: &[u8] = b"_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// Compares two names of ASCII characters naturally: digits by their value, everything else without regard to case and
/// spaces, the shorter one first when nothing else decides. An empty name comes last.
pub(crate) fn natural_order(left: &str, right: &str) -> Ordering {
    let by_emptiness = left.is_empty().cmp(&right.is_empty());
    let by_runs = || order_of_runs(runs(left), runs(right));
    let by_length = || left.len().cmp(&right.len());
    by_emptiness.then_with(by_runs).then_with(by_length)
}

/// A part of a name.
enum Run<'t> {
    /// Digits, without zeros in front.
    Number(&'t str),
    /// Anything else.
    Words(&'t str),
}

/// Splits a name before and behind its digits.
fn runs(name: &str) -> impl Iterator<Item = Run<'_>> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let is_number = rest.as_bytes().first()?.is_ascii_digit();
        let end = rest.find(|next: char| next.is_ascii_digit() != is_number);
        let (run, behind) = rest.split_at(end.unwrap_or(rest.len()));
        rest = behind;
        Some(if is_number {
            Run::Number(run.trim_start_matches('0'))
        } else {
            Run::Words(run)
        })
    })
}

fn order_of_runs<'t>(mut left: impl Iterator<Item = Run<'t>>, mut right: impl Iterator<Item = Run<'t>>) -> Ordering {
    loop {
        let order = match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(left), Some(right)) => order_of_run(&left, &right),
        };
        if order.is_ne() {
            return order;
        }
    }
}

fn order_of_run(left: &Run<'_>, right: &Run<'_>) -> Ordering {
    match (left, right) {
        (Run::Number(left), Run::Number(right)) => left.len().cmp(&right.len()).then_with(|| left.cmp(right)),
        (Run::Words(left), Run::Words(right)) => weights(left).cmp(weights(right)),
        (Run::Number(_), Run::Words(words)) => order_of_number_and(words),
        (Run::Words(words), Run::Number(_)) => order_of_number_and(words).reverse(),
    }
}

/// Digits stand between signs and letters.
fn order_of_number_and(words: &str) -> Ordering {
    match weights(words).next() {
        Some(weight) if weight >= LETTERS => Ordering::Less,
        _ => Ordering::Greater,
    }
}

/// The weight from which on letters begin.
const LETTERS: usize = SIGNS.len();

/// What each character weighs, spaces aside.
fn weights(words: &str) -> impl Iterator<Item = usize> {
    let bytes = words.bytes().filter(|byte| *byte != b' ');
    bytes.map(|byte| {
        let sign = SIGNS.iter().position(|sign| *sign == byte);
        sign.unwrap_or(LETTERS + usize::from(byte.to_ascii_lowercase()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ordered_as_people_look_for_them() {
        let names = [
            "_A",
            "7 A",
            "12 A",
            "A",
            "A 2",
            "A 10",
            "A 10 B",
            "A-B",
            "A.B",
            "AB",
            "A C",
            "ad",
            "AE",
            "Cust. Ledger Entry",
            "Customer",
            "",
        ];
        for (index, left) in names.iter().enumerate() {
            for (other_index, right) in names.iter().enumerate() {
                let expected = index.cmp(&other_index);
                assert_eq!(natural_order(left, right), expected, "`{left}` and `{right}`");
            }
        }
    }

    #[test]
    fn spaces_case_and_zeros_decide_nothing_but_the_shorter_is_first() {
        assert_eq!(natural_order("Sales Line", "SALES LINE"), Ordering::Equal);
        assert_eq!(natural_order("SalesLine", "Sales Line"), Ordering::Less);
        assert_eq!(natural_order("A 007", "A 7"), Ordering::Greater);
        assert_eq!(
            natural_order("A 99999999999999999999999", "A 100000000000000000000000"),
            Ordering::Less
        );
    }

    #[test]
    fn the_order_is_an_order() {
        let parts = ["", " ", "a", "B", "1", "02", "-", "|", "a1", "1 2", " 1", "x "];
        let names: Vec<String> = parts
            .iter()
            .flat_map(|left| parts.iter().map(move |right| format!("{left}{right}")))
            .collect();
        for first in &names {
            for second in &names {
                let forth = natural_order(first, second);
                assert_eq!(natural_order(second, first), forth.reverse(), "`{first}` `{second}`");
                for third in &names {
                    if forth.is_le() && natural_order(second, third).is_le() {
                        assert!(natural_order(first, third).is_le(), "`{first}` `{second}` `{third}`");
                    }
                }
            }
        }
    }
}
