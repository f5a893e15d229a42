//! Tooltips: which of them rules judge.

use candor_al_syntax::ast::{LabelValue, Property, PropertyOwner};
use candor_al_syntax::{Node, NodeKind};

use super::{is_in_obsolete_object, is_obsolete};
use crate::context::Context;

/// The tooltip of a field of a table, or of a field, action or analysis view of a page. Rules leave those of groups,
/// parts, custom actions … alone, and texts by language too.
#[derive(Clone, Copy)]
pub(crate) struct ToolTip<'t> {
    /// What it explains.
    owner: PropertyOwner<'t>,
    label: LabelValue<'t>,
    /// Its string as written, with the quotes around it.
    literal: &'t str,
}

impl<'t> ToolTip<'t> {
    /// The property as such a tooltip.
    pub(crate) fn of(property: Node<'t>) -> Option<Self> {
        let property = Property::cast(property).filter(|property| property.is("ToolTip"))?;
        let owner = property.owner()?;
        let is_judged = matches!(
            owner.node().kind(),
            NodeKind::Field | NodeKind::PageField | NodeKind::Action | NodeKind::AnalysisView
        );
        let label = property.label().filter(|_| is_judged)?;
        Some(Self {
            owner,
            label,
            literal: label.text_token()?.text(),
        })
    }

    /// What it explains.
    pub(crate) fn owner(self) -> PropertyOwner<'t> {
        self.owner
    }

    /// The text and what stands behind it, such as a comment for translators.
    pub(crate) fn label(self) -> LabelValue<'t> {
        self.label
    }

    /// Its string as written, without the quotes around it: a quote inside is doubled.
    pub(crate) fn raw_text(self) -> &'t str {
        let inner = self.literal.trim_start_matches('@');
        let inner = inner.strip_prefix('\'').unwrap_or(inner);
        inner.strip_suffix('\'').unwrap_or(inner)
    }

    /// Whether what it explains is obsolete.
    pub(crate) fn is_obsolete(self, context: &Context<'t>) -> bool {
        is_obsolete(self.owner) || is_in_obsolete_object(self.owner.node(), context)
    }
}
