//! Names outside of bodies: in attributes, properties, and the parts that objects are made of.

use candor_al_syntax::{Node, NodeKind};

use super::{Binder, Symbol};
use crate::declaration::MemberKind;
use crate::name::NameKey;
use crate::types::Type;

impl<'t> Binder<'_, 't> {
    /// What stands in the head of an object.
    pub(super) fn head(&mut self, object: Node<'t>) {
        let Some(own) = self.scope.object else { return };
        let extended = self.universe.base_of(own);
        if let (Some(base), Some(clause)) = (
            extended,
            object
                .children()
                .find(|it| matches!(it.kind(), NodeKind::ExtendsClause | NodeKind::CustomizesClause)),
        ) && let Some(name) = clause.children().next()
        {
            self.set(name, Symbol::Object(base), Type::None);
        }
    }

    /// A part of an object that is neither property nor method.
    pub(super) fn structure(&mut self, _node: Node<'t>) {}

    /// The expression that a control or column shows.
    pub(super) fn control_expression(&mut self, node: Node<'t>) {
        let before = self.implicit;
        if let Some(record) = self.data_item_record(node) {
            self.implicit = Some(record);
        }
        self.bind_range(node.subtree());
        self.implicit = before;
    }

    pub(super) fn attribute(&mut self, node: Node<'t>) {
        let Some(list) = node.child(NodeKind::ArgumentList) else {
            return;
        };
        self.bind_range(list.subtree());
        let is_subscriber = node
            .own_tokens()
            .any(|token| token.text().eq_ignore_ascii_case("EventSubscriber"));
        if !is_subscriber {
            return;
        }
        let arguments: Vec<Node<'t>> = list.children().filter(|it| it.kind().is_expression()).collect();
        let Some(&[_, publisher, event, ..]) = arguments.get(..arguments.len().min(4)).filter(|it| it.len() >= 3)
        else {
            return;
        };
        let Symbol::Object(object) = self.symbol_at(publisher) else {
            return;
        };
        for (&argument, is_event) in std::iter::once((&event, true)).chain(arguments.get(3).map(|it| (it, false))) {
            let Some(token) = argument
                .first_token()
                .filter(|_| argument.kind() == NodeKind::NameExpression)
            else {
                continue;
            };
            let name = NameKey::of(token.text());
            let found = self.universe.members(self.app, object, name).find(|&it| {
                let kind = self.universe.member(it).kind;
                if is_event {
                    kind == MemberKind::Procedure
                } else {
                    matches!(kind, MemberKind::Field | MemberKind::Action | MemberKind::Control)
                }
            });
            // Trigger events such as `OnAfterInsertEvent` are no members; nobody declares them.
            let symbol = found.map_or(Symbol::None, Symbol::Member);
            self.set(argument, symbol, Type::None);
        }
    }

    pub(super) fn property(&mut self, node: Node<'t>) {
        let expression = node
            .child(NodeKind::ExpressionValue)
            .filter(|value| value.children().next().is_some());
        if let Some(value) = expression {
            self.bind_range(value.subtree());
        }
    }
}
