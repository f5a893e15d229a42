//! One walk over the parsed query that does three things at once: it refuses whatever recipes do not have, collects the
//! references, and prints the query in the canonical form that identities are made of.
//!
//! The printer is our own, so that a new version of the parser moves no identity. Its text is a tree of
//! `(tag child …)`, `[item …]`, `+`/`-` for yes and no, `~` for absent, and `length:bytes` for every text that comes
//! from the recipe; so two different trees never print alike, whatever the texts hold.
//!
//! What does not take part: whitespace, comments, the case of keywords and of unquoted function names, whether a name
//! was quoted, and brackets around an expression that do nothing but group. Everything else takes part, even where the
//! query engine would plan both forms alike: an identity may split what is equal, it must never merge what differs.
//!
//! INVARIANT: every struct of the syntax tree is taken apart without `..` unless the rest is named in a comment, so
//! that a field that a new parser adds fails to compile instead of silently falling out of the identity. A field the
//! query engine ignores is refused here, because ignoring it would change the meaning without a word.

mod data_type;
mod expression;
mod function;
mod operator;
mod query;
mod relation;

use std::fmt::Write as _;

use sqlparser::ast::{Ident, ObjectName, Query};

use crate::error::{EngineError, ErrorKind, Place, Result};
use crate::recipe::{Reference, names, place};

/// The deepest syntax tree that is walked. Reached only by chains; brackets are limited far below.
const MAX_DEPTH: usize = 1_000;

/// The column the store adds to every snapshot. Recipes neither see nor make it.
pub(crate) const ROW_ORDER: &str = "__row_order";

/// Columns the engine adds while it runs start with this.
pub(crate) const HIDDEN_PREFIX: &str = "__candor_";

/// What the walk found.
#[derive(Debug)]
pub(crate) struct Canonical {
    /// The canonical text, in which a reference is its index in `references`.
    pub(crate) text: String,
    /// Every table name that is no common table expression, in order of first appearance.
    pub(crate) references: Vec<Reference>,
}

/// Walks a query.
///
/// # Errors
/// `Unsupported`, `ForbiddenReference`, `TooLarge`, `BadSyntax` for placeholders.
pub(crate) fn canonical(query: &Query) -> Result<Canonical> {
    let mut walk = Walk {
        out: String::new(),
        scopes: Vec::new(),
        references: Vec::new(),
        depth: 0,
        last_place: None,
    };
    walk.query(query)?;
    Ok(Canonical {
        text: walk.out,
        references: walk.references,
    })
}

/// The state of the walk.
struct Walk {
    out: String,
    /// Names of the common table expressions that are in scope, innermost last.
    scopes: Vec<Vec<String>>,
    references: Vec<Reference>,
    depth: usize,
    /// The last name that was met: the place of errors about syntax that carries none of its own.
    last_place: Option<Place>,
}

impl Walk {
    /// `(tag …)` with whatever `body` prints.
    fn node(&mut self, tag: &'static str, body: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        if self.depth >= MAX_DEPTH {
            return Err(EngineError::new(
                ErrorKind::TooLarge,
                format!("The query is nested more than {MAX_DEPTH} levels deep"),
            )
            .at(self.last_place)
            .hint("Split the recipe into entries that read one another"));
        }
        self.depth += 1;
        self.out.push('(');
        self.out.push_str(tag);
        body(self)?;
        self.out.push(')');
        self.depth -= 1;
        Ok(())
    }

    /// A node without children.
    fn leaf(&mut self, tag: &'static str) {
        self.out.push('(');
        self.out.push_str(tag);
        self.out.push(')');
    }

    /// A text of the recipe, with its length in bytes.
    fn text(&mut self, text: &str) {
        write!(self.out, " {}:{text}", text.len()).expect("writing to a string cannot fail");
    }

    fn number(&mut self, number: u64) {
        self.text(&number.to_string());
    }

    fn flag(&mut self, flag: bool) {
        self.out.push_str(if flag { " +" } else { " -" });
    }

    fn optional_flag(&mut self, flag: Option<bool>) {
        match flag {
            Some(flag) => self.flag(flag),
            None => self.absent(),
        }
    }

    fn absent(&mut self) {
        self.out.push_str(" ~");
    }

    /// What `print` prints, or `~`.
    fn optional<T>(&mut self, value: Option<&T>, print: impl FnOnce(&mut Self, &T) -> Result<()>) -> Result<()> {
        if let Some(value) = value {
            return print(self, value);
        }
        self.absent();
        Ok(())
    }

    /// `[…]` of what `print` prints for each.
    fn list<'a, T: 'a>(
        &mut self,
        items: impl IntoIterator<Item = &'a T>,
        mut print: impl FnMut(&mut Self, &T) -> Result<()>,
    ) -> Result<()> {
        self.out.push('[');
        for item in items {
            print(self, item)?;
        }
        self.out.push(']');
        Ok(())
    }

    /// A name as it counts: case-sensitive as written, quoted or not.
    fn ident(&mut self, ident: &Ident) -> Result<()> {
        let Ident {
            value,
            quote_style: _,
            span,
        } = ident;
        let at = place(span.start);
        self.last_place = at.or(self.last_place);
        if value == ROW_ORDER || value.starts_with(HIDDEN_PREFIX) {
            return Err(EngineError::new(ErrorKind::Unsupported, format!("`{value}` cannot be used in a recipe"))
                .at(at)
                .hint("The order of rows is kept outside of recipes: results keep the order of what they read, and ORDER BY leads. Use row_number() OVER (ORDER BY …) for a number of your own"));
        }
        self.text(value);
        Ok(())
    }

    fn optional_ident(&mut self, ident: Option<&Ident>) -> Result<()> {
        self.optional(ident, Self::ident)
    }

    fn idents(&mut self, idents: &[Ident]) -> Result<()> {
        self.list(idents, Self::ident)
    }

    /// A name of one or several parts, none of which is a call.
    fn object_name(&mut self, name: &ObjectName) -> Result<()> {
        let ObjectName(parts) = name;
        self.list(parts, |walk, part| match part.as_ident() {
            Some(ident) => walk.ident(ident),
            None => Err(walk.unsupported("a call inside a name", "Write the name itself")),
        })
    }

    /// A refusal of something recipes do not have.
    fn unsupported(&self, what: &str, hint: &str) -> EngineError {
        let error =
            EngineError::new(ErrorKind::Unsupported, format!("Recipes do not support {what}")).at(self.last_place);
        if hint.is_empty() { error } else { error.hint(hint) }
    }

    /// Refuses `what` when it is there.
    fn refuse_if(&self, there: bool, what: &str, hint: &str) -> Result<()> {
        if there {
            Err(self.unsupported(what, hint))
        } else {
            Ok(())
        }
    }

    /// Whether a common table expression of that name is in scope.
    fn is_in_scope(&self, name: &str) -> bool {
        self.scopes
            .iter()
            .rev()
            .any(|scope| scope.iter().any(|known| known == name))
    }

    /// The index of a reference, which is added when it is new.
    fn reference(&mut self, ident: &Ident) -> Result<usize> {
        let at = place(ident.span.start);
        if let Some(index) = self.references.iter().position(|known| known.name == ident.value) {
            return Ok(index);
        }
        let target = names::read_target(&ident.value, at)?;
        self.references.push(Reference {
            name: ident.value.clone(),
            target,
            place: at,
        });
        Ok(self.references.len() - 1)
    }
}
