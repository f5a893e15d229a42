//! Which diagnostic a position means.

use candor_al_syntax::text::Position;

/// A place at which a rule reports something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Occurrence {
    /// Where it starts.
    pub(crate) position: Position,
    /// Whether a pragma suppresses it.
    pub(crate) suppressed: bool,
}

/// What a position means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Match {
    /// This one, by its index.
    Live(usize),
    /// One that is suppressed.
    Suppressed,
    /// Nothing.
    Nothing,
}

/// Finds what `wanted` means among `occurrences`, which stand in the order of the text.
///
/// The exact place counts first, suppressed or not: a request at a suppressed place is never answered with its live
/// neighbour. Then the line counts, so that a column that is off still finds what was meant.
pub(crate) fn match_position(occurrences: &[Occurrence], wanted: Position) -> Match {
    let is_exact = |occurrence: &Occurrence| occurrence.position == wanted;
    let is_on_line = |occurrence: &Occurrence| occurrence.position.line == wanted.line;
    let first = |suppressed: bool, fits: &dyn Fn(&Occurrence) -> bool| {
        occurrences
            .iter()
            .position(|occurrence| occurrence.suppressed == suppressed && fits(occurrence))
    };
    if let Some(index) = first(false, &is_exact) {
        return Match::Live(index);
    }
    if first(true, &is_exact).is_some() {
        return Match::Suppressed;
    }
    if let Some(index) = first(false, &is_on_line) {
        return Match::Live(index);
    }
    if first(true, &is_on_line).is_some() {
        Match::Suppressed
    } else {
        Match::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Live occurrences are given as `(line, column)`, suppressed ones with a third `"off"`.
    fn occurrences(places: &[(u32, u32, &str)]) -> Vec<Occurrence> {
        let occurrence = |&(line, column, mark): &(u32, u32, &str)| Occurrence {
            position: Position { line, column },
            suppressed: mark == "off",
        };
        places.iter().map(occurrence).collect()
    }

    #[track_caller]
    fn expect(places: &[(u32, u32, &str)], wanted: (u32, u32), found: Match) {
        let wanted = Position {
            line: wanted.0,
            column: wanted.1,
        };
        assert_eq!(match_position(&occurrences(places), wanted), found);
    }

    #[test]
    fn the_exact_place_is_preferred_to_an_earlier_one_on_the_line() {
        expect(&[(3, 1, ""), (3, 9, "")], (3, 9), Match::Live(1));
        expect(&[(3, 1, "off"), (3, 9, "")], (3, 9), Match::Live(1));
    }

    #[test]
    fn a_suppressed_place_is_never_answered_with_its_live_neighbour() {
        expect(&[(3, 1, ""), (3, 9, "off")], (3, 9), Match::Suppressed);
    }

    #[test]
    fn live_and_suppressed_at_one_place_is_live() {
        expect(&[(3, 9, "off"), (3, 9, "")], (3, 9), Match::Live(1));
    }

    #[test]
    fn a_column_that_is_off_finds_the_first_live_one_on_the_line() {
        expect(
            &[(2, 5, ""), (3, 5, "off"), (3, 7, ""), (3, 9, "")],
            (3, 1),
            Match::Live(2),
        );
    }

    #[test]
    fn a_line_with_nothing_but_suppressed_ones_is_suppressed() {
        expect(&[(2, 5, ""), (3, 5, "off")], (3, 1), Match::Suppressed);
    }

    #[test]
    fn another_line_is_nothing() {
        expect(&[(2, 5, ""), (4, 5, "off")], (3, 5), Match::Nothing);
        expect(&[], (1, 1), Match::Nothing);
    }
}
