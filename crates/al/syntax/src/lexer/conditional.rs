//! Which text the conditions leave in, and whether directives pair up.

use super::condition;
use super::line::{DirectiveLine, DirectiveWord};
use crate::directive::{Directive, DirectiveKind, Symbols};
use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::range::TextRange;

/// An `#if` or `#region` that is not closed yet.
struct Open {
    kind: OpenKind,
    range: TextRange,
}

enum OpenKind {
    If {
        /// Whether the text around the `#if` is part of the program.
        outer: bool,
        /// Whether one of the branches so far was.
        taken: bool,
        /// Whether `#else` has been seen.
        last: bool,
    },
    Region,
}

/// The state of the conditions at one place of the text.
pub(super) struct Conditional {
    symbols: Symbols,
    open: Vec<Open>,
    active: bool,
    /// Regions that a branch left open; their `#endregion` may follow behind the `#endif`.
    abandoned_regions: u32,
    directives: Vec<Directive>,
    errors: Vec<SyntaxError>,
}

impl Conditional {
    pub(super) fn new(symbols: &Symbols) -> Self {
        Self {
            symbols: symbols.clone(),
            open: Vec::new(),
            active: true,
            abandoned_regions: 0,
            directives: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Whether the text here is part of the program.
    pub(super) fn is_active(&self) -> bool {
        self.active
    }

    /// Every directive met, and what is wrong with them once the text has ended.
    pub(super) fn finish(mut self) -> (Vec<Directive>, Vec<SyntaxError>) {
        for open in &self.open {
            self.errors.push(SyntaxError {
                range: open.range,
                kind: SyntaxErrorKind::UnterminatedDirective,
            });
        }
        (self.directives, self.errors)
    }

    /// Takes note of the directive that `line` holds; `index` is that of its token.
    pub(super) fn enter(&mut self, line: &DirectiveLine<'_>, index: u32) {
        let mut around = self.active;
        let kind = match line.word {
            DirectiveWord::If => {
                let taken = self.holds(line, around);
                self.open.push(Open {
                    kind: OpenKind::If {
                        outer: around,
                        taken,
                        last: false,
                    },
                    range: line.range(),
                });
                self.active = taken;
                DirectiveKind::If { taken }
            }
            DirectiveWord::ElseIf => {
                let (outer, taken) = self.branch(line, false);
                around = outer;
                DirectiveKind::ElseIf { taken }
            }
            DirectiveWord::Else => {
                let (outer, taken) = self.branch(line, true);
                around = outer;
                self.expect_nothing_more(line, around);
                DirectiveKind::Else { taken }
            }
            DirectiveWord::EndIf => {
                self.abandon_regions();
                if let Some(Open {
                    kind: OpenKind::If { outer, .. },
                    ..
                }) = self.open.last()
                {
                    self.active = *outer;
                    around = *outer;
                    self.open.pop();
                    self.expect_nothing_more(line, around);
                } else {
                    self.error(line, SyntaxErrorKind::UnmatchedDirective);
                }
                DirectiveKind::EndIf
            }
            DirectiveWord::Define => {
                self.define(line, Symbols::define);
                DirectiveKind::Define
            }
            DirectiveWord::Undefine => {
                self.define(line, Symbols::undefine);
                DirectiveKind::Undefine
            }
            DirectiveWord::Region => {
                self.open.push(Open {
                    kind: OpenKind::Region,
                    range: line.range(),
                });
                DirectiveKind::Region
            }
            DirectiveWord::EndRegion => {
                self.end_region(line);
                DirectiveKind::EndRegion
            }
            DirectiveWord::Pragma => {
                let (kind, well_formed) = line.pragma();
                if !well_formed && around {
                    self.error(line, SyntaxErrorKind::MalformedDirective);
                }
                kind
            }
            DirectiveWord::Unknown => {
                self.error(line, SyntaxErrorKind::MalformedDirective);
                DirectiveKind::Unknown
            }
        };
        self.directives.push(Directive {
            token: index,
            kind,
            active: around,
        });
    }

    fn error(&mut self, line: &DirectiveLine<'_>, kind: SyntaxErrorKind) {
        self.errors.push(SyntaxError {
            range: line.range(),
            kind,
        });
    }

    /// Whether the condition of `line` holds; where it decides nothing it is not looked at.
    fn holds(&mut self, line: &DirectiveLine<'_>, decides: bool) -> bool {
        if !decides {
            return false;
        }
        let value = condition::evaluate(line.rest, &self.symbols);
        if value.is_none() {
            self.error(line, SyntaxErrorKind::MalformedDirective);
        }
        value.unwrap_or(false)
    }

    /// Begins the branch of an `#elif`, or of an `#else` when `is_last`. Answers whether the text around the whole
    /// conditional is part of the program, and whether this branch is.
    fn branch(&mut self, line: &DirectiveLine<'_>, is_last: bool) -> (bool, bool) {
        self.abandon_regions();
        let Some(Open {
            kind: OpenKind::If { outer, taken, last },
            ..
        }) = self.open.last()
        else {
            self.error(line, SyntaxErrorKind::UnmatchedDirective);
            return (self.active, self.active);
        };
        let (outer, before, closed) = (*outer, *taken, *last);
        if closed {
            self.error(line, SyntaxErrorKind::UnmatchedDirective);
        }
        let decides = outer && !before && !closed;
        let taken = if is_last { decides } else { self.holds(line, decides) };
        if let Some(Open {
            kind: OpenKind::If { taken: any, last, .. },
            ..
        }) = self.open.last_mut()
        {
            *any |= taken;
            *last |= is_last;
        }
        self.active = taken;
        (outer, taken)
    }

    /// Closes the regions that the branch ending here left open, with one report each.
    fn abandon_regions(&mut self) {
        if !self.open.iter().any(|open| matches!(open.kind, OpenKind::If { .. })) {
            return;
        }
        while let Some(Open {
            kind: OpenKind::Region,
            range,
        }) = self.open.last()
        {
            self.errors.push(SyntaxError {
                range: *range,
                kind: SyntaxErrorKind::UnterminatedDirective,
            });
            self.abandoned_regions += 1;
            self.open.pop();
        }
    }

    fn end_region(&mut self, line: &DirectiveLine<'_>) {
        if matches!(
            self.open.last(),
            Some(Open {
                kind: OpenKind::Region,
                ..
            })
        ) {
            self.open.pop();
        } else if self.abandoned_regions > 0 {
            // Its beginning is reported already.
            self.abandoned_regions -= 1;
        } else {
            self.error(line, SyntaxErrorKind::UnmatchedDirective);
            // The region it means lies around the conditional; closing it here keeps this one fault one report.
            if let Some(region) = self.open.iter().rposition(|open| matches!(open.kind, OpenKind::Region)) {
                self.open.remove(region);
            }
        }
    }

    fn define(&mut self, line: &DirectiveLine<'_>, change: fn(&mut Symbols, &str)) {
        if !self.active {
            return;
        }
        match line.symbol() {
            Some(name) => change(&mut self.symbols, name),
            None => self.error(line, SyntaxErrorKind::MalformedDirective),
        }
    }

    fn expect_nothing_more(&mut self, line: &DirectiveLine<'_>, active: bool) {
        if active && !line.rest.is_empty() {
            self.error(line, SyntaxErrorKind::MalformedDirective);
        }
    }
}
