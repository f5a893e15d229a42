//! The order in which people look for names in a list.

use std::cmp::Ordering;

/// The signs of names in the order that dictionaries have agreed on: punctuation, symbols, then digits, then letters.
const SIGNS: &[u8] = b"_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// The accents that letters carry, in the order in which dictionaries put them when nothing else decides: the letters
/// with the accent, and below each the letter without it.
const ACCENTS: &[(&str, &str)] = &[
    ("áćéíĺńóŕśúýź", "aceilnorsuyz"),
    ("àèìòù", "aeiou"),
    ("ăĕğĭŏŭ", "aegiou"),
    ("âĉêĝĥîĵôŝûŵŷ", "aceghijosuwy"),
    ("čďěľňřšťž", "cdelnrstz"),
    ("åů", "au"),
    ("äëïöüÿ", "aeiouy"),
    ("őű", "ou"),
    ("ãĩñõũ", "ainou"),
    ("ċėġż", "cegz"),
    ("ø", "o"),
    ("çģķļņŗşţ", "cgklnrst"),
    ("ąęįų", "aeiu"),
    ("āēīōū", "aeiou"),
];

/// Letters that stand for two, and whether that is more than another way to write the two.
const LIGATURES: &[(char, [u8; 2], bool)] = &[('æ', *b"ae", true), ('œ', *b"oe", true), ('ß', *b"ss", false)];

/// Whether [`natural_order`] knows the place of every character of the name.
pub(crate) fn has_natural_order(name: &str) -> bool {
    name.is_ascii() || name.chars().all(|character| folded(character).is_some())
}

/// Compares two names naturally: digits by their value, everything else without regard to case and spaces, accents only
/// where the letters are the same, the shorter one first when nothing else decides. An empty name comes last.
///
/// Both names are ones that [`has_natural_order`].
pub(crate) fn natural_order(left: &str, right: &str) -> Ordering {
    let by_emptiness = left.is_empty().cmp(&right.is_empty());
    let by_runs = || order_of_runs(runs(left), runs(right));
    let by_length = || left.encode_utf16().count().cmp(&right.encode_utf16().count());
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
        (Run::Words(left), Run::Words(right)) => {
            let by_accents = || accents(left).cmp(accents(right));
            weights(left).cmp(weights(right)).then_with(by_accents)
        }
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

/// What each character weighs, spaces and accents aside.
fn weights(words: &str) -> impl Iterator<Item = usize> {
    bytes(words).map(|(byte, _)| {
        let sign = SIGNS.iter().position(|sign| *sign == byte);
        sign.unwrap_or(LETTERS + usize::from(byte))
    })
}

/// The accent of each character, spaces aside.
fn accents(words: &str) -> impl Iterator<Item = usize> {
    bytes(words).map(|(_, accent)| accent)
}

/// Each character without its accent and in lower case, with the number of the accent.
fn bytes(words: &str) -> impl Iterator<Item = (u8, usize)> {
    let characters = words.chars().filter(|character| *character != ' ');
    let folded = characters.map(|character| folded(character).unwrap_or(Folded::One(b'?', 0)));
    folded
        .flat_map(|folded| match folded {
            Folded::One(byte, accent) => [Some((byte, accent)), None],
            Folded::Two(letters, accent) => [Some((letters[0], accent)), Some((letters[1], 0))],
        })
        .flatten()
}

/// A character in lower case and without its accent.
#[derive(Clone, Copy)]
enum Folded {
    /// One letter or sign, with the number of its accent, 0 for none.
    One(u8, usize),
    /// The two letters that it stands for, with the number of the accent of the first one.
    Two([u8; 2], usize),
}

fn folded(character: char) -> Option<Folded> {
    if character.is_ascii() {
        return Some(Folded::One(character.to_ascii_lowercase() as u8, 0));
    }
    let mut lower_case = character.to_lowercase();
    let (character, None) = (lower_case.next()?, lower_case.next()) else {
        return None;
    };
    if let Some((_, letters, differs)) = LIGATURES.iter().find(|(ligature, ..)| *ligature == character) {
        return Some(Folded::Two(*letters, if *differs { ACCENTS.len() + 1 } else { 0 }));
    }
    let mut accents = ACCENTS.iter().zip(1..);
    accents.find_map(|((with, without), accent)| {
        let index = with.chars().position(|other| other == character)?;
        Some(Folded::One(*without.as_bytes().get(index)?, accent))
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
    fn an_accent_decides_only_between_names_of_the_same_letters() {
        let names = [
            "Aal",
            "Ärger",
            "Ast",
            "Øl",
            "OM",
            "Straße 2",
            "Strasse 10",
            "Zahl",
            "Záhl",
            "Zähl",
        ];
        assert!(
            names.is_sorted_by(|left, right| natural_order(left, right).is_lt()),
            "{names:?}"
        );
        assert_eq!(natural_order("ÄPFEL", "äpfel"), Ordering::Equal);
        assert!(has_natural_order("Čeština Œuvre ñ"));
        assert!(!has_natural_order("Þing") && !has_natural_order("表") && !has_natural_order("A\u{a0}B"));
    }

    #[test]
    fn every_accent_is_on_a_letter() {
        for (with, without) in ACCENTS {
            assert_eq!(with.chars().count(), without.len(), "{with}");
            assert!(without.is_ascii(), "{without}");
        }
    }

    #[test]
    fn the_order_is_an_order() {
        let parts = [
            "", " ", "a", "B", "1", "02", "-", "|", "a1", "1 2", " 1", "x ", "ä", "æ",
        ];
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
