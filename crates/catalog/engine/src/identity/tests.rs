//! An identity survives reformatting and never merges two meanings.

use super::*;
use proptest::prelude::*;

/// The canonical text of a recipe, bindings left aside.
fn canonical(sql: &str) -> String {
    let recipe = Recipe::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let names: Vec<&str> = recipe
        .references()
        .iter()
        .map(|reference| reference.name.as_str())
        .collect();
    format!("{} {names:?}", recipe.canonical())
}

fn resolutions(entries: &[(&str, &str, &str)]) -> BTreeMap<String, Resolution> {
    entries
        .iter()
        .map(|(name, alias_id, parent)| {
            (
                (*name).to_owned(),
                Resolution {
                    alias_id: (*alias_id).to_owned(),
                    parent: (*parent).to_owned(),
                },
            )
        })
        .collect()
}

fn hash(sql: &str, entries: &[(&str, &str, &str)]) -> String {
    entry_hash(&Recipe::parse(sql).expect("a recipe"), &resolutions(entries)).expect("bound")
}

#[test]
fn reformatting_keeps_the_identity() {
    for group in [
        &[
            "SELECT city, count(*) AS n FROM orders WHERE price > 10 GROUP BY city",
            "select city, COUNT(*) as n from orders where price > 10 group by city",
            "SELECT city , count( * ) n\n\tFROM orders -- all of them\n WHERE (price > 10) /* cheap ones out */ GROUP BY (city);",
            "SELECT \"city\", Count(*) AS \"n\" FROM \"orders\" WHERE ((\"price\") > 10) GROUP BY city;;",
        ][..],
        &[
            "SELECT a + b * c FROM t",
            "SELECT a + (b * c) FROM t",
            "SELECT (a + ((b * c))) FROM t",
        ],
        &[
            "SELECT * FROM a JOIN b ON a.x = b.x",
            "SELECT * FROM a INNER JOIN b ON (a.x = b.x)",
        ],
        &[
            "SELECT * FROM a LEFT JOIN b USING (x)",
            "SELECT * FROM a LEFT OUTER JOIN b USING (x)",
        ],
        &["SELECT a AS x FROM t AS u", "SELECT a x FROM t u"],
        &[
            "SELECT * FROM t LIMIT 5 OFFSET 2",
            "select * from t offset 2 limit 5",
            "SELECT * FROM t LIMIT 2, 5",
        ],
        &["SELECT 'it''s' FROM t", "SELECT $$it's$$ FROM t"],
        &["SELECT current_date FROM t", "SELECT CURRENT_DATE FROM t"],
        &["SELECT a FROM t", "FROM t SELECT a"],
    ] {
        for other in &group[1..] {
            assert_eq!(canonical(group[0]), canonical(other), "{} / {other}", group[0]);
        }
    }
}

#[test]
fn what_may_differ_is_kept_apart() {
    for (left, right) in [
        // Case of names, of text, of bare words that may be columns.
        ("SELECT City FROM t", "SELECT city FROM t"),
        ("SELECT * FROM T", "SELECT * FROM t"),
        ("SELECT 'A' FROM t", "SELECT 'a' FROM t"),
        ("SELECT User FROM t", "SELECT user FROM t"),
        ("SELECT \"SUM\"(x) FROM t", "SELECT sum(x) FROM t"),
        // Brackets that count.
        ("SELECT (a + b) * c FROM t", "SELECT a + b * c FROM t"),
        ("SELECT a - (b - c) FROM t", "SELECT a - b - c FROM t"),
        ("SELECT a FROM t ORDER BY 1", "SELECT a FROM t ORDER BY (1)"),
        ("SELECT a FROM t GROUP BY a, b", "SELECT a FROM t GROUP BY (a, b)"),
        ("SELECT NOT (a AND b) FROM t", "SELECT NOT a AND b FROM t"),
        (
            "SELECT a FROM t UNION (SELECT a FROM u EXCEPT SELECT a FROM v)",
            "SELECT a FROM t UNION SELECT a FROM u EXCEPT SELECT a FROM v",
        ),
        // Numbers and types.
        ("SELECT 1 FROM t", "SELECT 1.0 FROM t"),
        ("SELECT 1 FROM t", "SELECT '1' FROM t"),
        ("SELECT NULL FROM t", "SELECT 'NULL' FROM t"),
        ("SELECT true FROM t", "SELECT 'true' FROM t"),
        ("SELECT CAST(a AS INT) FROM t", "SELECT CAST(a AS BIGINT) FROM t"),
        ("SELECT CAST(a AS INT) FROM t", "SELECT TRY_CAST(a AS INT) FROM t"),
        (
            "SELECT CAST(a AS DECIMAL(10, 2)) FROM t",
            "SELECT CAST(a AS DECIMAL(10, 3)) FROM t",
        ),
        (
            "SELECT CAST(a AS TIMESTAMP(3)) FROM t",
            "SELECT CAST(a AS TIMESTAMP(6)) FROM t",
        ),
        ("SELECT INTERVAL '1' DAY FROM t", "SELECT INTERVAL '1' MONTH FROM t"),
        (
            "SELECT EXTRACT(YEAR FROM a) FROM t",
            "SELECT EXTRACT(MONTH FROM a) FROM t",
        ),
        // Order, names, quantifiers, negations.
        ("SELECT a, b FROM t", "SELECT b, a FROM t"),
        ("SELECT a AS x FROM t", "SELECT a AS y FROM t"),
        ("SELECT a FROM t", "SELECT DISTINCT a FROM t"),
        ("SELECT DISTINCT ON (a) a FROM t", "SELECT DISTINCT a FROM t"),
        (
            "SELECT a FROM t UNION SELECT a FROM u",
            "SELECT a FROM t UNION ALL SELECT a FROM u",
        ),
        ("SELECT a FROM t ORDER BY a", "SELECT a FROM t ORDER BY a DESC"),
        (
            "SELECT a FROM t ORDER BY a NULLS FIRST",
            "SELECT a FROM t ORDER BY a NULLS LAST",
        ),
        ("SELECT a FROM t LIMIT 5", "SELECT a FROM t OFFSET 5"),
        ("SELECT a FROM t LIMIT 5 OFFSET 2", "SELECT a FROM t LIMIT 2 OFFSET 5"),
        (
            "SELECT a FROM t WHERE a IN (1, 2)",
            "SELECT a FROM t WHERE a NOT IN (1, 2)",
        ),
        (
            "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u)",
            "SELECT a FROM t WHERE NOT EXISTS (SELECT 1 FROM u)",
        ),
        (
            "SELECT a FROM t WHERE a LIKE 'x%'",
            "SELECT a FROM t WHERE a ILIKE 'x%'",
        ),
        (
            "SELECT a FROM t WHERE a LIKE 'x%' ESCAPE '!'",
            "SELECT a FROM t WHERE a LIKE 'x%'",
        ),
        ("SELECT count(a) FROM t", "SELECT count(DISTINCT a) FROM t"),
        ("SELECT count(*) FROM t", "SELECT count(*) FILTER (WHERE a) FROM t"),
        ("SELECT sum(a) FROM t", "SELECT sum(a) OVER () FROM t"),
        (
            "SELECT sum(a) OVER (ORDER BY b) FROM t",
            "SELECT sum(a) OVER (PARTITION BY b) FROM t",
        ),
        (
            "SELECT sum(a) OVER (ORDER BY b ROWS 2 PRECEDING) FROM t",
            "SELECT sum(a) OVER (ORDER BY b ROWS 3 PRECEDING) FROM t",
        ),
        (
            "SELECT sum(a) OVER (ORDER BY b ROWS 2 PRECEDING) FROM t",
            "SELECT sum(a) OVER (ORDER BY b RANGE 2 PRECEDING) FROM t",
        ),
        (
            "SELECT lag(a) IGNORE NULLS OVER (ORDER BY b) FROM t",
            "SELECT lag(a) OVER (ORDER BY b) FROM t",
        ),
        ("SELECT array_agg(a ORDER BY b) FROM t", "SELECT array_agg(a) FROM t"),
        ("SELECT * EXCLUDE (a) FROM t", "SELECT * FROM t"),
        ("SELECT * EXCLUDE (a) FROM t", "SELECT * EXCLUDE (b) FROM t"),
        ("SELECT * REPLACE (1 AS a) FROM t", "SELECT * REPLACE (2 AS a) FROM t"),
        ("SELECT t.* FROM t, u", "SELECT u.* FROM t, u"),
        (
            "SELECT a FROM t GROUP BY ROLLUP (a)",
            "SELECT a FROM t GROUP BY CUBE (a)",
        ),
        (
            "SELECT * FROM t LEFT JOIN u USING (x)",
            "SELECT * FROM t RIGHT JOIN u USING (x)",
        ),
        (
            "SELECT * FROM t LEFT JOIN u USING (x)",
            "SELECT * FROM t LEFT JOIN u ON t.x = u.x",
        ),
        ("SELECT * FROM t JOIN u USING (x)", "SELECT * FROM t NATURAL JOIN u"),
        (
            "SELECT * FROM t JOIN u ON true JOIN v ON false",
            "SELECT * FROM t JOIN (u JOIN v ON false) ON true",
        ),
        ("SELECT a['b'] FROM t", "SELECT a['c'] FROM t"),
        ("SELECT a[1] FROM t", "SELECT a[1:1] FROM t"),
        (
            "SELECT CASE a WHEN 1 THEN 2 END FROM t",
            "SELECT CASE WHEN a THEN 2 ELSE 1 END FROM t",
        ),
        (
            "SELECT trim(LEADING 'x' FROM a) FROM t",
            "SELECT trim(TRAILING 'x' FROM a) FROM t",
        ),
        ("WITH t AS (SELECT 1 AS x) SELECT * FROM t", "SELECT * FROM t"),
        ("WITH c AS (SELECT 1 AS x) SELECT * FROM t", "SELECT * FROM t"),
        (
            "WITH c AS (SELECT * FROM u) SELECT * FROM t",
            "WITH c AS (SELECT * FROM v) SELECT * FROM t",
        ),
        (
            "WITH c(x) AS (SELECT 1) SELECT * FROM c",
            "WITH c(y) AS (SELECT 1) SELECT * FROM c",
        ),
        ("SELECT a FROM t AS u", "SELECT a FROM t AS v"),
        // Texts that try to look like the canonical form.
        ("SELECT 'a) (text 1:b' FROM t", "SELECT 'a', 'b' FROM t"),
        ("SELECT \"a\", \"b\" FROM t", "SELECT \"a 1:b\" FROM t"),
        ("SELECT \"x) (name 1:y\" FROM t", "SELECT x, y FROM t"),
        ("SELECT 'ab', 'c' FROM t", "SELECT 'a', 'bc' FROM t"),
        ("SELECT '+' FROM t", "SELECT '-' FROM t"),
    ] {
        assert_ne!(canonical(left), canonical(right), "{left} / {right}");
    }
}

#[test]
fn edge_kind_alias_version_and_parent_are_in_the_key() {
    let base = hash("SELECT * FROM t", &[("t", "id1", "aaaaaaaaaaaa")]);
    assert_ne!(
        base,
        hash("SELECT * FROM t", &[("t", "id1", "bbbbbbbbbbbb")]),
        "another parent"
    );
    assert_ne!(
        base,
        hash("SELECT * FROM t", &[("t", "id2", "aaaaaaaaaaaa")]),
        "another alias"
    );
    assert_ne!(
        base,
        hash("SELECT * FROM \"t-v1\"", &[("t-v1", "id1", "aaaaaaaaaaaa")]),
        "pinned"
    );
    assert_ne!(
        hash("SELECT * FROM \"t-v1\" AS t", &[("t-v1", "id1", "aaaaaaaaaaaa")]),
        hash("SELECT * FROM \"t-v2\" AS t", &[("t-v2", "id1", "aaaaaaaaaaaa")]),
        "another version of equal rows"
    );
    // Which table is which counts, not only the set of parents.
    assert_ne!(
        hash(
            "SELECT * FROM a JOIN b USING (x)",
            &[("a", "1", "aaaaaaaaaaaa"), ("b", "2", "bbbbbbbbbbbb")]
        ),
        hash(
            "SELECT * FROM a JOIN b USING (x)",
            &[("a", "1", "bbbbbbbbbbbb"), ("b", "2", "aaaaaaaaaaaa")]
        ),
    );
    // A reference that is not read still counts: it is part of the text.
    assert_ne!(
        hash(
            "WITH c AS (SELECT * FROM b) SELECT * FROM a",
            &[("a", "1", "aaaaaaaaaaaa"), ("b", "2", "bbbbbbbbbbbb")]
        ),
        hash(
            "WITH c AS (SELECT * FROM b) SELECT * FROM a",
            &[("a", "1", "aaaaaaaaaaaa"), ("b", "2", "cccccccccccc")]
        ),
    );
    // Bindings the text does not name do not count.
    assert_eq!(
        base,
        hash(
            "SELECT * FROM t",
            &[("t", "id1", "aaaaaaaaaaaa"), ("u", "id9", "cccccccccccc")]
        )
    );
}

#[test]
fn fields_of_the_key_do_not_run_into_one_another() {
    assert_ne!(
        hash("SELECT * FROM t", &[("t", "id", "1aaaaaaaaaaa")]),
        hash("SELECT * FROM t", &[("t", "id1", "aaaaaaaaaaa")]),
    );
    assert_ne!(
        hash("SELECT * FROM t", &[("t", "a\",\"b", "c")]),
        hash("SELECT * FROM t", &[("t", "a", "b\",\"c")]),
    );
}

#[test]
fn an_unbound_reference_is_an_error() {
    let recipe = Recipe::parse("SELECT * FROM t, u").expect("a recipe");
    let error = entry_hash(&recipe, &resolutions(&[("t", "1", "aaaaaaaaaaaa")])).expect_err("u is not bound");
    assert_eq!(error.kind, ErrorKind::UnknownReference);
}

/// A tree of expressions small enough to compare, large enough to nest everything in everything.
#[derive(Debug, Clone, PartialEq)]
enum Tree {
    Name(&'static str),
    Number(u16),
    Text(String),
    Binary(Box<Tree>, &'static str, Box<Tree>),
    Not(Box<Tree>),
    Negative(Box<Tree>),
    IsNull(Box<Tree>, bool),
    In(Box<Tree>, Vec<Tree>),
    Between(Box<Tree>, Box<Tree>, Box<Tree>),
    Call(&'static str, Vec<Tree>),
    Case(Box<Tree>, Box<Tree>, Option<Box<Tree>>),
    Query(&'static str, Box<Tree>),
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        prop::sample::select(vec!["a", "b", "A", "a b", "(", "1:a"]).prop_map(Tree::Name),
        any::<u16>().prop_map(Tree::Number),
        "[a-c()' :1-2]{0,6}".prop_map(Tree::Text),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let one = || inner.clone().prop_map(Box::new);
        prop_oneof![
            (
                one(),
                prop::sample::select(vec!["+", "-", "*", "AND", "OR", "=", "<", "||"]),
                one()
            )
                .prop_map(|(l, o, r)| Tree::Binary(l, o, r)),
            one().prop_map(Tree::Not),
            one().prop_map(Tree::Negative),
            (one(), any::<bool>()).prop_map(|(e, n)| Tree::IsNull(e, n)),
            (one(), prop::collection::vec(inner.clone(), 1..4)).prop_map(|(e, l)| Tree::In(e, l)),
            (one(), one(), one()).prop_map(|(e, l, h)| Tree::Between(e, l, h)),
            (
                prop::sample::select(vec!["coalesce", "concat"]),
                prop::collection::vec(inner.clone(), 0..4)
            )
                .prop_map(|(f, l)| Tree::Call(f, l)),
            (one(), one(), prop::option::of(one())).prop_map(|(w, t, e)| Tree::Case(w, t, e)),
            (prop::sample::select(vec!["t", "u"]), one()).prop_map(|(t, e)| Tree::Query(t, e)),
        ]
    })
}

/// SQL for a tree; `loud` writes it with capitals, comments, line ends and quotes that must not matter.
fn write_tree(tree: &Tree, loud: bool) -> String {
    let write = |tree: &Tree| write_tree(tree, loud);
    let word = |word: &str| if loud { word.to_uppercase() } else { word.to_lowercase() };
    // Brackets around an operand are always needed, since the operators here have every precedence.
    let inside = |tree: &Tree| match tree {
        Tree::Name(_) | Tree::Number(_) | Tree::Text(_) | Tree::Call(..) | Tree::Query(..) => write(tree),
        other
            if loud
                && matches!(
                    other,
                    Tree::Binary(..) | Tree::Between(..) | Tree::In(..) | Tree::Case(..)
                ) =>
        {
            format!("(( {} /* ) */))", write(other))
        }
        other => format!("({})", write(other)),
    };
    let gap = if loud { " -- x\n\t" } else { " " };
    let list = |trees: &[Tree]| {
        trees
            .iter()
            .map(write)
            .collect::<Vec<_>>()
            .join(if loud { " ,\n" } else { "," })
    };
    match tree {
        Tree::Name(name) if !loud && name.chars().all(char::is_alphabetic) => (*name).to_owned(),
        Tree::Name(name) => format!("\"{name}\""),
        Tree::Number(number) => number.to_string(),
        Tree::Text(text) => format!("'{}'", text.replace('\'', "''")),
        Tree::Binary(left, operator, right) => format!("{}{gap}{}{gap}{}", inside(left), word(operator), inside(right)),
        Tree::Not(inner) => format!("{} {}", word("not"), inside(inner)),
        Tree::Negative(inner) => format!("- {}", inside(inner)),
        Tree::IsNull(inner, negated) => format!(
            "{}{gap}{}",
            inside(inner),
            word(if *negated { "is not null" } else { "is null" })
        ),
        // A subquery that stands first would make it IN (query).
        Tree::In(inner, items) => format!("{} {} (0, {})", inside(inner), word("in"), list(items)),
        Tree::Between(inner, low, high) => format!(
            "{} {} {} {} {}",
            inside(inner),
            word("between"),
            inside(low),
            word("and"),
            inside(high)
        ),
        Tree::Call(function, items) => format!("{}({})", word(function), list(items)),
        Tree::Case(when, then, otherwise) => {
            let tail = otherwise
                .as_ref()
                .map(|tree| format!(" {} {}", word("else"), write(tree)))
                .unwrap_or_default();
            format!(
                "{} {} {} {}{tail} {}",
                word("case when"),
                write(when),
                word("then"),
                write(then),
                word("end")
            )
        }
        Tree::Query(table, inner) => format!("({}{gap}{} {} {table})", word("select"), write(inner), word("from")),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn any_tree_keeps_its_identity_when_it_is_reformatted(tree in trees()) {
        let quiet = format!("select {} from t", write_tree(&tree, false));
        let loud = format!("SELECT\n{}\nFROM t;", write_tree(&tree, true));
        prop_assert_eq!(canonical(&quiet), canonical(&loud), "{} / {}", quiet, loud);
    }

    #[test]
    fn two_trees_never_share_an_identity(left in trees(), right in trees()) {
        let left_sql = format!("select {} from t", write_tree(&left, false));
        let right_sql = format!("select {} from t", write_tree(&right, false));
        prop_assert_eq!(left == right, canonical(&left_sql) == canonical(&right_sql), "{} / {}", left_sql, right_sql);
    }

    #[test]
    fn a_changed_leaf_changes_the_identity(tree in trees(), text in "[a-z]{1,4}") {
        let with = |leaf: &str| canonical(&format!("select {}, {leaf} from t", write_tree(&tree, false)));
        prop_assert_ne!(with("1"), with("2"));
        prop_assert_ne!(with(&format!("'{text}'")), with(&format!("'{text} '")));
    }

    #[test]
    fn any_text_is_a_recipe_or_an_error(text in "\\PC{0,60}") {
        // No panic, no overflow; whatever it is, it has a message.
        if let Err(error) = Recipe::parse(&text) {
            prop_assert!(!error.message.is_empty());
        }
    }
}

/// Hashes that must never change: entries of existing projects are named by them.
#[test]
fn golden_hashes() {
    let vectors = [
        ("SELECT 1 AS one", &[][..]),
        ("SELECT * FROM orders", &[("orders", "01", "0123456789ab")]),
        ("SELECT * FROM \"orders-v2\"", &[("orders-v2", "01", "0123456789ab")]),
        (
            "WITH big AS (SELECT city, sum(price * qty) AS revenue FROM orders WHERE price > 1.5 GROUP BY city) \
             SELECT c.name, b.revenue, rank() OVER (ORDER BY b.revenue DESC NULLS LAST) AS place \
             FROM big b LEFT JOIN cities c ON c.id = b.city WHERE c.name LIKE 'A%' ORDER BY 3, 1 LIMIT 10",
            &[("orders", "01", "0123456789ab"), ("cities", "02", "ba9876543210")],
        ),
        (
            "SELECT CAST(a AS DECIMAL(10, 2)), CASE WHEN b IS NULL THEN INTERVAL '1' DAY END, count(DISTINCT c) FILTER (WHERE d IN (1, 2)) FROM t GROUP BY ROLLUP (a, b)",
            &[("t", "7", "ffffffffffff")],
        ),
    ];
    let hashes: Vec<String> = vectors.iter().map(|(sql, entries)| hash(sql, entries)).collect();
    assert_eq!(
        hashes,
        [
            "2963a3b4198b",
            "c0d39f993675",
            "96466792c700",
            "893a408a4299",
            "ba60455e34c0"
        ]
    );
    assert_eq!(
        identity_key(
            &Recipe::parse(vectors[1].0).expect("a recipe"),
            &resolutions(vectors[1].1)
        )
        .expect("bound"),
        "{\"format\":1,\"references\":[[\"follow\",\"orders\",\"01\",\"0123456789ab\"]],\"statement\":\"(query ~(select - ~[(all ~ ~ ~)][(from(reference 1:0 ~)[])] ~(group[]) ~[] ~) ~ ~)\"}"
    );
}
