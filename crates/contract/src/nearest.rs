//! Which known names a mistaken name was probably meant to be.

/// How many names are offered at most.
const OFFERED: usize = 3;

/// The names of `known` that `given` was probably meant to be, nearest first,
/// at most three. Letter case, `_`, `-` and spaces do not count. When no name
/// is a slip of the pen away, those are offered that contain what was given or
/// are contained in it.
///
/// ```
/// use candor_contract::nearest_names;
/// let known = ["filePath", "folderPath", "limit"];
/// assert_eq!(nearest_names("file_path", known), ["filePath"]);
/// assert_eq!(nearest_names("limt", known), ["limit"]);
/// assert!(nearest_names("colour", known).is_empty());
/// ```
pub fn nearest_names<'a, I>(given: &str, known: I) -> Vec<&'a str>
where
    I: IntoIterator<Item = &'a str>,
{
    let wanted = folded(given);
    if wanted.is_empty() {
        return Vec::new();
    }
    let names: Vec<(&str, Vec<char>)> = known.into_iter().map(|name| (name, folded(name))).collect();
    let mut found = measured(&names, |name| slip(&wanted, name));
    if let Some(best) = found.first().map(|(distance, _)| *distance) {
        // Beside a near certain guess, a far one only distracts.
        found.retain(|(distance, _)| *distance <= 2 * best);
    } else {
        found = measured(&names, |name| part(&wanted, name));
    }
    found.truncate(OFFERED);
    found.into_iter().map(|(_, name)| name).collect()
}

fn measured<'a>(names: &[(&'a str, Vec<char>)], distance: impl Fn(&[char]) -> Option<usize>) -> Vec<(usize, &'a str)> {
    let mut found: Vec<(usize, &str)> = names
        .iter()
        .filter_map(|(name, folded)| Some((distance(folded)?, *name)))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn folded(name: &str) -> Vec<char> {
    name.chars()
        .filter(|letter| !matches!(letter, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

/// The edit distance when one name is a slip of the pen away from the other.
fn slip(wanted: &[char], name: &[char]) -> Option<usize> {
    // A third of the letters may differ: enough for slips and plurals, too
    // little for unrelated short words.
    let allowed = wanted.len().max(name.len()) / 3;
    if wanted.len().abs_diff(name.len()) > allowed {
        return None;
    }
    Some(edit_distance(wanted, name)).filter(|distance| *distance <= allowed)
}

/// How many letters are over when one name is a part of the other.
fn part(wanted: &[char], name: &[char]) -> Option<usize> {
    let (short, long) = if wanted.len() <= name.len() {
        (wanted, name)
    } else {
        (name, wanted)
    };
    let contained = short.len() >= 3 && long.windows(short.len()).any(|window| window == short);
    contained.then(|| long.len() - short.len())
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one
/// name into the other.
fn edit_distance(left: &[char], right: &[char]) -> usize {
    let width = right.len() + 1;
    let mut before_last = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    for (row, letter) in left.iter().enumerate() {
        let mut current = vec![row + 1; width];
        for (column, other) in right.iter().enumerate() {
            let replaced = last[column] + usize::from(letter != other);
            let mut best = replaced.min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && *letter == right[column - 1] && left[row - 1] == *other {
                best = best.min(before_last[column - 1] + 1);
            }
            current[column + 1] = best;
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn expect(given: &str, known: &[&str], nearest: &[&str]) {
        assert_eq!(nearest_names(given, known.iter().copied()), nearest, "{given}");
    }

    #[test]
    fn slips_are_recognised() {
        let known = ["filePath", "folderPath", "projectPath", "ruleIds", "limit"];
        expect("filepath", &known, &["filePath"]);
        expect("file_path", &known, &["filePath"]);
        expect("flePath", &known, &["filePath"]);
        expect("limti", &known, &["limit"]);
        expect("ruleId", &known, &["ruleIds"]);
    }

    #[test]
    fn a_part_of_a_name_is_recognised_when_there_is_no_slip() {
        expect(
            "path",
            &["filePath", "folderPath", "limit"],
            &["filePath", "folderPath"],
        );
        expect("path", &["filePath", "folderPath", "pathe"], &["pathe"]);
        expect("orders", &["orders_2026", "customers"], &["orders_2026"]);
    }

    #[test]
    fn unrelated_names_are_not_offered() {
        expect("colour", &["filePath", "limit"], &[]);
        expect("", &["a"], &[]);
        expect("ab", &["xy"], &[]);
        expect("x", &[], &[]);
    }

    #[test]
    fn at_most_three_names_are_offered_nearest_first() {
        expect(
            "orders1",
            &["orders5", "orders4", "orders3", "orders2"],
            &["orders2", "orders3", "orders4"],
        );
    }
}
