//! Names near a name that was not found.

/// At most how many names are offered.
const OFFERED: usize = 5;

/// The names of `known` that `wanted` may have meant, best first.
///
/// Equal but for case, spaces and underscores comes first, then names that contain one another, then names within a
/// third of their length in edits. Names that are nothing alike are left out.
pub(crate) fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let folded = fold(wanted);
    let mut scored: Vec<(usize, &str)> = known
        .into_iter()
        .filter_map(|name| {
            let other = fold(name);
            let score = if other == folded {
                0
            } else if !folded.is_empty()
                && folded.len() > 2
                && (other.contains(&folded) || folded.contains(&other))
                && !other.is_empty()
            {
                1 + other.len().abs_diff(folded.len())
            } else {
                let edits = edit_distance(&folded, &other);
                let allowed = (folded.chars().count().max(other.chars().count()) / 3).max(1);
                if edits > allowed {
                    return None;
                }
                1 + edits
            };
            Some((score, name))
        })
        .collect();
    scored.sort_unstable();
    scored.dedup();
    scored
        .into_iter()
        .take(OFFERED)
        .map(|(_, name)| name.to_owned())
        .collect()
}

fn fold(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .take(200)
        .collect()
}

/// How many single characters have to be inserted, removed or replaced.
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, from) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, to) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_but_for_case_comes_first_and_strangers_stay_out() {
        assert_eq!(nearest("Amount", ["amount", "amounts", "city"]), ["amount", "amounts"]);
        assert_eq!(nearest("order_id", ["Order ID", "orders"]), ["Order ID", "orders"]);
        assert_eq!(nearest("oders", ["orders", "customers"]), ["orders"]);
        assert!(nearest("zzz", ["orders", "customers"]).is_empty());
        assert!(nearest("", ["orders"]).is_empty());
    }
}
