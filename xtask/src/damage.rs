//! `damage`: how well the parser recovers from one fault.
//!
//! Clean files are chosen with a fixed seed. Each row of the table deletes one thing from each file, at a place that
//! depends on nothing but the seed, the file and the row, and counts what the parser makes of the rest. A procedure or
//! trigger is *kept* when the tree still has one in its place, and *whole* when it also has the same text and as many
//! nodes as before; the one that is edited cannot be whole and is not counted there.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use candor_al_syntax::text::LineIndex;
use candor_al_syntax::{Keyword, Node, NodeKind, Symbols, TextRange, TokenKind, TokenRef, Tree, parse};
use rayon::prelude::*;

use crate::files;
use crate::random::Random;

/// Sizes of the files that are damaged, in bytes.
const SIZES: std::ops::RangeInclusive<u64> = 6_000..=60_000;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// A folder to take files from; may be repeated.
    #[arg(long, required = true)]
    path: Vec<PathBuf>,
    /// Number of files.
    #[arg(long, default_value_t = 189)]
    files: usize,
    /// Chooses files and places; the same seed gives the same table. Another one shows whether tuning has overfitted.
    #[arg(long, default_value_t = 20_261_130)]
    seed: u64,
    /// Only this row, by its name in the table, without back quotes.
    #[arg(long)]
    row: Option<String>,
    /// For each row, show this many of the edits that lost most procedures or gave most errors.
    #[arg(long, default_value_t = 0)]
    worst: usize,
    /// Write the damaged texts that `--worst` shows into this folder.
    #[arg(long)]
    keep: Option<PathBuf>,
}

/// One row of the table.
#[derive(Clone, Copy)]
struct Row {
    name: &'static str,
    /// The text that the row deletes at this token, if it is one of those it deletes.
    delete: fn(TokenRef<'_>) -> Option<TextRange>,
}

const ROWS: [Row; 10] = [
    Row {
        name: ";",
        delete: |token| whole(token, TokenKind::Semicolon),
    },
    Row {
        name: "end",
        delete: |token| word(token, Keyword::End),
    },
    Row {
        name: "begin",
        delete: |token| word(token, Keyword::Begin),
    },
    Row {
        name: ")",
        delete: |token| whole(token, TokenKind::RightParenthesis),
    },
    Row {
        name: "}",
        delete: |token| whole(token, TokenKind::RightBrace),
    },
    Row {
        name: "then",
        delete: |token| word(token, Keyword::Then),
    },
    Row {
        name: ":",
        delete: |token| whole(token, TokenKind::Colon),
    },
    Row {
        name: "closing '",
        delete: |token| closing_quote(token, TokenKind::StringLiteral),
    },
    Row {
        name: "closing \"",
        delete: |token| closing_quote(token, TokenKind::QuotedIdentifier),
    },
    Row {
        name: "rest of line after .",
        delete: rest_of_line,
    },
];

fn whole(token: TokenRef<'_>, kind: TokenKind) -> Option<TextRange> {
    (token.kind() == kind).then(|| token.range())
}

/// The word where it is one of the language, not the name behind a `.` or `::`.
fn word(token: TokenRef<'_>, keyword: Keyword) -> Option<TextRange> {
    let is_name = || {
        token
            .previous_significant()
            .is_some_and(|before| matches!(before.kind(), TokenKind::Dot | TokenKind::ColonColon))
    };
    (token.keyword() == keyword && !is_name()).then(|| token.range())
}

fn closing_quote(token: TokenRef<'_>, kind: TokenKind) -> Option<TextRange> {
    let range = token.range();
    (token.kind() == kind).then(|| TextRange::new(range.end - 1, range.end))
}

/// What follows a `.` on its line, if anything does.
fn rest_of_line(token: TokenRef<'_>) -> Option<TextRange> {
    if token.kind() != TokenKind::Dot {
        return None;
    }
    let start = token.range().end;
    let rest = &token.tree().text()[start as usize..];
    let length = rest.find(['\r', '\n']).unwrap_or(rest.len());
    (!rest[..length].trim().is_empty()).then(|| TextRange::new(start, start + length as u32))
}

/// A file without syntax errors.
struct Clean {
    path: PathBuf,
    tree: Tree,
    methods: usize,
}

/// What one edit did.
struct Outcome<'f> {
    file: &'f Clean,
    deleted: TextRange,
    damaged: Tree,
    methods_kept: usize,
    /// Procedures and triggers that the edit does not touch.
    untouched: usize,
    /// Those of them that come out as they were.
    whole: usize,
}

impl Outcome<'_> {
    fn errors(&self) -> usize {
        self.damaged.errors().len()
    }

    /// What the edit cost: procedures and triggers lost, others changed, errors.
    fn cost(&self) -> (usize, usize, usize) {
        (
            self.file.methods - self.methods_kept,
            self.untouched - self.whole,
            self.errors(),
        )
    }
}

/// Runs the task.
pub(crate) fn run(options: &Options) -> io::Result<bool> {
    let files = choose(options)?;
    println!(
        "{} of {} files of {} to {} bytes are clean; one edit each in every row\n",
        files.len(),
        options.files,
        SIZES.start(),
        SIZES.end()
    );
    if files.is_empty() {
        return Ok(false);
    }
    println!("| deleted | edits | without error | errors median / p90 / max | procedures and triggers kept | whole |");
    println!("|---|---|---|---|---|---|");
    let mut shown = Vec::new();
    for (index, row) in ROWS.iter().enumerate() {
        if options.row.as_deref().is_some_and(|name| name != row.name) {
            continue;
        }
        let mut outcomes: Vec<Outcome<'_>> = files
            .par_iter()
            .enumerate()
            .filter_map(|(number, file)| damage(file, row, options.seed ^ place_seed(index, number)))
            .collect();
        show_row(row, &outcomes);
        outcomes.sort_by_key(|outcome| std::cmp::Reverse(outcome.cost()));
        outcomes.truncate(options.worst);
        shown.push((index, row, outcomes));
    }
    for (index, row, outcomes) in shown.iter().filter(|(_, _, outcomes)| !outcomes.is_empty()) {
        println!("\nworst for `{}`:", row.name);
        for (number, outcome) in outcomes.iter().enumerate() {
            show_outcome(outcome);
            if let Some(folder) = &options.keep {
                let path = folder.join(format!("row-{}-edit-{}.al", index + 1, number + 1));
                fs::create_dir_all(folder)?;
                fs::write(&path, outcome.damaged.text()).map_err(|error| files::named(&path, &error))?;
                println!("    written to {}", path.display());
            }
        }
    }
    Ok(true)
}

/// The same files in every run, whatever the parser makes of them: those with syntax errors are left out, not replaced.
fn choose(options: &Options) -> io::Result<Vec<Clean>> {
    let mut paths = files::find(&options.path)?;
    paths.retain(|path| fs::metadata(path).is_ok_and(|metadata| SIZES.contains(&metadata.len())));
    Random::new(options.seed).shuffle(&mut paths);
    let mut chosen = Vec::new();
    let mut rest = paths.as_slice();
    while chosen.len() < options.files && !rest.is_empty() {
        let (batch, behind) = rest.split_at(rest.len().min(64));
        let parsed: Vec<Clean> = batch.par_iter().filter_map(|path| with_code(path)).collect();
        chosen.extend(parsed);
        rest = behind;
    }
    chosen.truncate(options.files);
    chosen.retain(|file| file.tree.errors().is_empty());
    Ok(chosen)
}

/// The file, if it is readable and holds code. Only the lexer decides.
fn with_code(path: &Path) -> Option<Clean> {
    let source = files::read(path).ok()?;
    let tree = parse(source.into_text(), &Symbols::none());
    let has_code = tree
        .tokens()
        .any(|token| matches!(token.keyword(), Keyword::Procedure | Keyword::Trigger));
    has_code.then(|| Clean {
        path: path.to_owned(),
        methods: methods(&tree),
        tree,
    })
}

fn methods(tree: &Tree) -> usize {
    all_methods(tree).count()
}

fn all_methods(tree: &Tree) -> impl Iterator<Item = Node<'_>> {
    tree.nodes()
        .filter(|node| matches!(node.kind(), NodeKind::Procedure | NodeKind::Trigger))
}

/// Makes the place of each edit independent of all others.
fn place_seed(row: usize, file: usize) -> u64 {
    ((row as u64) << 32) ^ ((file as u64) << 40)
}

fn damage<'f>(file: &'f Clean, row: &Row, seed: u64) -> Option<Outcome<'f>> {
    let places: Vec<TextRange> = file.tree.tokens().filter_map(row.delete).collect();
    if places.is_empty() {
        return None;
    }
    let mut random = Random::new(seed);
    let deleted = places[random.below(places.len())];
    let mut text = file.tree.text().to_owned();
    text.replace_range(deleted.as_usize(), "");
    let damaged = parse(text, &Symbols::none());
    let (untouched, whole) = compare_untouched(&file.tree, &damaged, deleted);
    let methods_kept = methods(&damaged).min(file.methods);
    Some(Outcome {
        file,
        deleted,
        damaged,
        methods_kept,
        untouched,
        whole,
    })
}

/// How many procedures and triggers the edit does not touch, and how many of them the damaged tree has unchanged: at
/// the place where they have to be now, with the same text, and of as many nodes.
fn compare_untouched(before: &Tree, damaged: &Tree, deleted: TextRange) -> (usize, usize) {
    let found: HashMap<u32, (&str, usize)> = all_methods(damaged)
        .map(|method| (method.range().start, (method.text(), method.descendants().count())))
        .collect();
    let (mut untouched, mut whole) = (0, 0);
    for method in all_methods(before) {
        let range = method.range();
        let start = if range.end <= deleted.start {
            range.start
        } else if range.start >= deleted.end {
            range.start - deleted.len()
        } else {
            continue;
        };
        untouched += 1;
        whole += usize::from(found.get(&start) == Some(&(method.text(), method.descendants().count())));
    }
    (untouched, whole)
}

#[expect(clippy::cast_precision_loss, reason = "a share shown with two decimals")]
fn show_row(row: &Row, outcomes: &[Outcome<'_>]) {
    if outcomes.is_empty() {
        return println!("| `{}` | 0 | | | | |", row.name);
    }
    let mut errors: Vec<usize> = outcomes.iter().map(Outcome::errors).collect();
    errors.sort_unstable();
    let harmless = errors.partition_point(|&count| count == 0);
    let (median, p90) = (errors[errors.len() / 2], errors[errors.len() * 9 / 10]);
    let before: usize = outcomes.iter().map(|outcome| outcome.file.methods).sum();
    let kept: usize = outcomes.iter().map(|outcome| outcome.methods_kept).sum();
    let untouched: usize = outcomes.iter().map(|outcome| outcome.untouched).sum();
    let whole: usize = outcomes.iter().map(|outcome| outcome.whole).sum();
    println!(
        "| `{}` | {} | {harmless} | {median} / {p90} / {} | {:.2} % | {:.2} % |",
        row.name,
        outcomes.len(),
        errors[errors.len() - 1],
        kept as f64 * 100.0 / before as f64,
        whole as f64 * 100.0 / untouched.max(1) as f64
    );
}

fn show_outcome(outcome: &Outcome<'_>) {
    let place = LineIndex::new(outcome.file.tree.text()).position(outcome.deleted.start);
    println!(
        "  {}:{place}: {} errors, {} of {} procedures and triggers kept, {} of {} others whole",
        outcome.file.path.display(),
        outcome.errors(),
        outcome.methods_kept,
        outcome.file.methods,
        outcome.whole,
        outcome.untouched
    );
    let lines = LineIndex::new(outcome.damaged.text());
    for error in outcome.damaged.errors().iter().take(4) {
        let found = outcome.damaged.token_at(error.range.start).text();
        println!(
            "    {}: {}",
            lines.position(error.range.start),
            error.kind.message(found)
        );
    }
}
