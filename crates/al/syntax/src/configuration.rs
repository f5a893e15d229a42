//! Every program a text can be, by the preprocessor symbols that are defined.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::directive::{DirectiveKind, Symbols};
use crate::lexer::{lex, mentioned_symbols};

/// Of so many symbols all combinations are tried: 64.
const SYMBOLS_TRIED_IN_ALL_COMBINATIONS: usize = 6;

/// So many configurations are looked at, of texts that mention more symbols than that.
const MAXIMUM_CONFIGURATIONS: usize = 64;

/// The configurations of a text, each of them another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configurations {
    /// The symbols that conditions of the text mention, in text order.
    names: Vec<String>,
    /// For each configuration the symbols defined in it. The first is the one that was asked for.
    list: Vec<Symbols>,
    is_complete: bool,
}

impl Configurations {
    /// The configurations of a text: every combination of the symbols its conditions mention, each with another
    /// selection of branches than those before. The first is `own`. Of more than six symbols not every combination is
    /// tried, but: none, each alone, all but each, and all; never more than 64.
    pub fn of(text: &str, own: &Symbols) -> Self {
        // Most files have no condition at all; no token of theirs has to be looked at to know it.
        if !text.contains('#') {
            return Self::only(own);
        }
        let mut names: Vec<&str> = Vec::new();
        for condition in lex(text, own).conditions(text) {
            for name in mentioned_symbols(condition) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        if names.is_empty() {
            return Self::only(own);
        }
        let is_complete = names.len() <= SYMBOLS_TRIED_IN_ALL_COMBINATIONS;
        let own = names.iter().filter(|name| own.contains(name)).collect();
        let combinations = if is_complete { all(&names) } else { some(&names) };
        let mut known = HashSet::new();
        let mut list = Vec::new();
        for symbols in std::iter::once(own).chain(combinations) {
            if known.insert(branches(text, &symbols)) {
                list.push(symbols);
            }
            if list.len() == MAXIMUM_CONFIGURATIONS {
                break;
            }
        }
        Self {
            names: names.into_iter().map(str::to_owned).collect(),
            list,
            is_complete,
        }
    }

    fn only(own: &Symbols) -> Self {
        Self {
            names: Vec::new(),
            list: vec![own.clone()],
            is_complete: true,
        }
    }

    /// The symbols that are defined in each configuration; there is at least one. Symbols that the text does not mention
    /// are in none, unless it mentions no symbol at all.
    pub fn list(&self) -> &[Symbols] {
        &self.list
    }

    /// How many symbols the text mentions.
    pub fn symbol_count(&self) -> usize {
        self.names.len()
    }

    /// Whether each program that the text can be is among the configurations.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// A condition, as it would stand behind `#if`, that holds in just those of the configurations whose numbers are
    /// given. None when there is no short one.
    ///
    /// Configurations with the same branches count as one, so the condition speaks of those that were looked at.
    pub fn condition(&self, numbers: &[usize]) -> Option<String> {
        /// Longer ones are read by nobody.
        const ALTERNATIVES: usize = 3;
        let terms = |numbers: &[usize]| -> Vec<(&str, bool)> {
            let decided = |name: &str| {
                let first = self.list[numbers[0]].contains(name);
                let is_same = |&number: &usize| self.list[number].contains(name) == first;
                numbers.iter().all(is_same).then_some(first)
            };
            self.names
                .iter()
                .filter_map(|name| decided(name).map(|value| (name.as_str(), value)))
                .collect()
        };
        if numbers.is_empty() {
            return None;
        }
        let common = self.shortened(terms(numbers), numbers);
        if self.holds_in(&common).eq(numbers.iter().copied()) {
            return Some(conjunction(&common, false));
        }
        if numbers.len() > ALTERNATIVES {
            return None;
        }
        let alternatives: Vec<_> = numbers
            .iter()
            .map(|number| conjunction(&self.shortened(terms(&[*number]), &[*number]), true))
            .collect();
        Some(alternatives.join(" or "))
    }

    /// The terms without those that make no difference.
    fn shortened<'a>(&self, mut terms: Vec<(&'a str, bool)>, numbers: &[usize]) -> Vec<(&'a str, bool)> {
        let wanted = self.holds_in(&terms).count();
        if wanted != numbers.len() {
            return terms;
        }
        // What is not defined goes first: people think of symbols that are.
        for value in [false, true] {
            let mut index = 0;
            while index < terms.len() {
                let mut fewer = terms.clone();
                fewer.remove(index);
                if terms[index].1 == value && self.holds_in(&fewer).count() == wanted {
                    terms = fewer;
                } else {
                    index += 1;
                }
            }
        }
        terms
    }

    /// The numbers of the configurations in which all terms hold.
    fn holds_in(&self, terms: &[(&str, bool)]) -> impl Iterator<Item = usize> {
        (0..self.list.len()).filter(|&number| {
            terms
                .iter()
                .all(|(name, value)| self.list[number].contains(name) == *value)
        })
    }
}

fn conjunction(terms: &[(&str, bool)], is_part: bool) -> String {
    let mut text = String::new();
    // What is defined is told first.
    let (defined, others): (Vec<_>, Vec<_>) = terms.iter().partition(|term| term.1);
    for (number, &(name, value)) in defined.into_iter().chain(others).enumerate() {
        let and = if number == 0 { "" } else { " and " };
        let not = if value { "" } else { "not " };
        let _ = write!(text, "{and}{not}{name}");
    }
    if is_part && terms.len() > 1 {
        text = format!("({text})");
    }
    text
}

/// Every combination of the symbols, those with few symbols first.
fn all(names: &[&str]) -> Vec<Symbols> {
    let mut numbers: Vec<u32> = (0..1 << names.len()).collect();
    numbers.sort_by_key(|number| number.count_ones());
    let of_number = |number: u32| {
        let is_defined = |index: &usize| number >> index & 1 == 1;
        (0..names.len()).filter(is_defined).map(|index| names[index]).collect()
    };
    numbers.into_iter().map(of_number).collect()
}

/// The combinations that show most branches at least once.
fn some(names: &[&str]) -> Vec<Symbols> {
    let mut combinations = vec![Symbols::none(), names.iter().collect()];
    for &name in names {
        combinations.push(Symbols::from_iter([name]));
        combinations.push(names.iter().filter(|other| **other != name).collect());
    }
    combinations
}

/// Which branches are part of the program.
fn branches(text: &str, symbols: &Symbols) -> Vec<bool> {
    lex(text, symbols)
        .directives
        .iter()
        .filter_map(|directive| match directive.kind {
            DirectiveKind::If { taken } | DirectiveKind::ElseIf { taken } | DirectiveKind::Else { taken } => {
                Some(taken && directive.active)
            }
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(text: &str, own: &[&str]) -> Vec<String> {
        Configurations::of(text, &own.iter().collect())
            .list()
            .iter()
            .map(|symbols| symbols.iter().collect::<Vec<_>>().join("+"))
            .collect()
    }

    #[test]
    fn a_text_without_conditions_is_one_program() {
        assert_eq!(listed("codeunit 1 A { }", &["X"]), ["X"]);
        assert_eq!(listed("#pragma warning disable\n#if true\n#endif\n", &["X"]), ["X"]);
    }

    #[test]
    fn the_own_configuration_comes_first_and_symbols_that_mean_nothing_are_left_out() {
        assert_eq!(listed("#if A\n#endif\n", &["A", "X"]), ["A", ""]);
        assert_eq!(listed("#if A\n#endif\n", &[]), ["", "A"]);
    }

    #[test]
    fn combinations_that_need_two_symbols_are_tried() {
        assert_eq!(listed("#if A and not B\n#else\n#endif\n", &[]), ["", "A"]);
        assert_eq!(listed("#if A\n#endif\n#if B\n#endif\n", &[]), ["", "A", "B", "A+B"]);
    }

    #[test]
    fn combinations_with_the_same_branches_are_one_program() {
        // Without A nobody sees B.
        assert_eq!(listed("#if A\n#if B\n#endif\n#endif\n", &[]), ["", "A", "A+B"]);
        assert_eq!(listed("#define A\n#if A\n#endif\n", &[]), [""]);
    }

    #[test]
    fn many_symbols_are_tried_alone_and_left_out_one_by_one() {
        let text = (0..10)
            .map(|number| format!("#if S{number}\n#endif\n"))
            .collect::<Vec<_>>()
            .concat();
        let few = Configurations::of(&text, &Symbols::none());
        assert_eq!(
            (few.list().len(), few.symbol_count(), few.is_complete()),
            (22, 10, false)
        );
        let text = (0..1000)
            .map(|number| format!("#if S{number}\n#endif\n"))
            .collect::<Vec<_>>()
            .concat();
        assert_eq!(Configurations::of(&text, &Symbols::none()).list().len(), 64);
    }

    #[test]
    fn a_condition_says_in_which_configurations_something_is() {
        let two = Configurations::of("#if A\n#endif\n#if B\n#endif\n", &Symbols::none());
        // Numbers are those of "", A, B, A+B.
        let condition = |numbers: &[usize]| two.condition(numbers).unwrap();
        assert_eq!(condition(&[1, 3]), "A");
        assert_eq!(condition(&[0, 2]), "not A");
        assert_eq!(condition(&[1]), "A and not B");
        assert_eq!(condition(&[0]), "not A and not B");
        assert_eq!(condition(&[1, 2]), "(A and not B) or (B and not A)");
        let nested = Configurations::of("#if A\n#if B\n#endif\n#endif\n", &Symbols::none());
        assert_eq!(nested.condition(&[2]).unwrap(), "B");
        assert_eq!(nested.condition(&[1]).unwrap(), "A and not B");
    }

    #[test]
    fn a_condition_nobody_would_read_is_left_out() {
        let text = "#if A\n#endif\n#if B\n#endif\n#if C\n#endif\n";
        let three = Configurations::of(text, &Symbols::none());
        assert_eq!(three.list().len(), 8);
        assert_eq!(three.condition(&[0, 1, 2, 3]), None);
        assert_eq!(three.condition(&[]), None);
    }
}
