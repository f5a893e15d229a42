//! Edits that change the order of things.

use crate::directive::DirectiveKind;
use crate::token::TokenKind;
use crate::tree::Node;

use super::{EditSet, TextEdit, set_of};

/// Puts the text of each of `nodes` where the one with the same index in `places` stands. What is between them stays:
/// separators, blanks, comments, line ends. A comment inside a node goes along with it.
///
/// `places` are in text order, `nodes` are the same ones in the order they shall have. None when a directive stands
/// between the first and the last of them; only the lines of a `#region` mean nothing.
pub fn rearrange(places: &[Node<'_>], nodes: &[Node<'_>]) -> Option<EditSet> {
    debug_assert_eq!(places.len(), nodes.len());
    let (first, last) = (places.first()?.first_token()?, places.last()?.last_token()?);
    let tree = first.tree();
    let mut between = (first.index()..last.index()).map(|index| tree.token(index));
    let decides = between.any(|token| match token.kind() {
        TokenKind::DisabledText => true,
        TokenKind::Directive => {
            let kind = token.directive().map(|directive| &directive.kind);
            !matches!(kind, Some(DirectiveKind::Region | DirectiveKind::EndRegion))
        }
        _ => false,
    });
    if decides {
        return None;
    }
    let moved = places.iter().zip(nodes).filter(|(place, node)| place != node);
    set_of(moved.map(|(place, node)| TextEdit::replace(place.range(), node.text())))
}

#[cfg(test)]
mod tests {
    use super::super::testing::edited;
    use super::*;
    use crate::kind::NodeKind;

    /// The text with the members of its first list in the opposite order.
    fn reversed(text: &str) -> Option<String> {
        edited(text, NodeKind::PermissionList, |list| {
            let places: Vec<_> = list.children_of(NodeKind::PermissionEntry).collect();
            let nodes: Vec<_> = places.iter().rev().copied().collect();
            rearrange(&places, &nodes)
        })
    }

    #[test]
    fn only_the_nodes_move() {
        let before = "codeunit 1 A
{
    Permissions = tabledata B = r, // first
#region C
                  /* second */ tabledata C /* C */ = r,
#endregion
        tabledata D = rimd;
}";
        let after = "codeunit 1 A
{
    Permissions = tabledata D = rimd, // first
#region C
                  /* second */ tabledata C /* C */ = r,
#endregion
        tabledata B = r;
}";
        assert_eq!(reversed(before).as_deref(), Some(after));
    }

    #[test]
    fn nothing_moves_across_a_directive_that_means_something() {
        for directive in ["#pragma warning disable AL0432", "#if B\n#endif", "#if B\n,\n#endif"] {
            let text = format!("codeunit 1 A {{ Permissions = tabledata B = r,\n{directive}\ntabledata C = r; }}");
            assert_eq!(reversed(&text), None, "{directive}");
        }
    }

    #[test]
    fn what_is_in_order_stays_as_it_is() {
        let text = "codeunit 1 A { Permissions = tabledata B = r; }";
        assert_eq!(reversed(text).as_deref(), Some(text));
    }
}
