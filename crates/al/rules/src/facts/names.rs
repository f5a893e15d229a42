//! Names, as messages show them.

use std::borrow::Cow;

use candor_al_syntax::ast::{PropertyOwner, unquoted};
use candor_al_syntax::{NodeId, Tree};

/// The name of an element with properties, without quotes.
pub(crate) fn owner_name(owner: NodeId, tree: &Tree) -> Cow<'_, str> {
    PropertyOwner::cast(tree.node(owner))
        .and_then(PropertyOwner::name_token)
        .map_or(Cow::Borrowed(""), |name| unquoted(name.text()))
}
