//! Typed views over the nodes of a tree.
//!
//! A view is made from a node of the right kind and is as cheap to copy as the node. Accessors return `None` where the
//! text is broken, never panic, and never look at trivia.

/// Declares views: `view! { /// docs  Name = KindA | KindB; … }`.
macro_rules! view {
    ($($(#[$attribute:meta])* $name:ident = $($kind:ident)|+;)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name<'t>(crate::tree::Node<'t>);

        impl<'t> $name<'t> {
            /// The node as this view, if it is of the right kind.
            pub fn cast(node: crate::tree::Node<'t>) -> Option<Self> {
                matches!(node.kind(), $(crate::kind::NodeKind::$kind)|+).then_some(Self(node))
            }

            /// The node behind the view.
            pub fn node(self) -> crate::tree::Node<'t> {
                self.0
            }

            /// Where it stands.
            pub fn range(self) -> crate::TextRange {
                self.0.range()
            }
        }
    )*};
}

mod expression;
mod label;
mod member;
mod object;
mod property;
mod statement;
#[cfg(test)]
mod tests;
mod types;

pub use expression::*;
pub use label::*;
pub use member::*;
pub use object::*;
pub use property::*;
pub use statement::*;
pub use types::*;

/// A name as people mean it: without the quotes around it and with `""` inside read as `"`.
pub fn unquoted(text: &str) -> std::borrow::Cow<'_, str> {
    let inner = text
        .strip_prefix('"')
        .map(|rest| rest.strip_suffix('"').unwrap_or(rest));
    match inner {
        Some(inner) if inner.contains("\"\"") => inner.replace("\"\"", "\"").into(),
        Some(inner) => inner.into(),
        None => text.into(),
    }
}

/// Whether two names are the same name: quotes do not count, nor does case.
pub fn same_name(left: &str, right: &str) -> bool {
    let (left, right) = (unquoted(left), unquoted(right));
    if left.is_ascii() && right.is_ascii() {
        return left.eq_ignore_ascii_case(&right);
    }
    left.chars()
        .flat_map(char::to_lowercase)
        .eq(right.chars().flat_map(char::to_lowercase))
}
