//! LC0028: an event that a subscriber names in a string.

use candor_al_syntax::ast::{Attribute, Expression, Literal, Method};
use candor_al_syntax::{Node, NodeId, NodeKind, TextRange, Tree};

use crate::context::Context;
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, RuntimeVersion, Severity};

const DOCUMENTATION: &str = r#"
## What it flags

An `EventSubscriber` that names the event in a string; or, if it names the event without quotes, one that names the
field, action or control in a string. The empty string, which stands for no element, is fine. One finding for each
subscriber, and none for projects with a runtime before 11.0, which knows strings only.

## Why

A string can hold anything. An identifier is checked: the compiler knows an event that was renamed or misspelled, and the
editor completes it, finds its uses and renames it.

## Example

```al
codeunit 50100 Subscribers
{
    [EventSubscriber(ObjectType::Codeunit, Codeunit::"Sales-Post", 'OnBeforePostSalesDoc', '', false, false)]
    local procedure CheckOnBeforePost()
    begin
    end;
}
```

## Better

```al
codeunit 50100 Subscribers
{
    [EventSubscriber(ObjectType::Codeunit, Codeunit::"Sales-Post", OnBeforePostSalesDoc, '', false, false)]
    local procedure CheckOnBeforePost()
    begin
    end;
}
```

## When to ignore it

When the same source has to compile for a runtime before 11.0.
"#;

/// The first runtime that takes identifiers in an `EventSubscriber`.
const FIRST_RUNTIME: RuntimeVersion = RuntimeVersion::new(11, 0);

/// Where the arguments of an `EventSubscriber` stand.
const EVENT_NAME: usize = 2;
const ELEMENT_NAME: usize = 3;

pub(crate) struct IdentifiersInEventSubscribers;

/// The string that should be an identifier.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct NameInString {
    literal: NodeId,
    /// Whether it names the event, and not an element.
    is_event: bool,
}

impl Rule for IdentifiersInEventSubscribers {
    const METADATA: Metadata = Metadata {
        id: "LC0028",
        name: "IdentifiersInEventSubscribers",
        title: "Use identifiers rather than strings in EventSubscriber",
        cop: Cop::Linter,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("LC0028 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Attribute],
        documentation: DOCUMENTATION,
    };

    type State = NameInString;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(attribute) = Attribute::cast(node).filter(|attribute| attribute.is("EventSubscriber")) else {
            return;
        };
        if node.parent().and_then(Method::cast).is_none() || !context.runtime_is_at_least(FIRST_RUNTIME) {
            return;
        }
        if let Some((range, state)) = name_in_string(attribute) {
            report.at(range, state);
        }
    }

    fn message(state: &Self::State, tree: &Tree) -> String {
        let name = Literal::cast(tree.node(state.literal))
            .and_then(Literal::string)
            .unwrap_or_default();
        let what = if state.is_event { "event" } else { "element" };
        let identifier = identifier(&name);
        format!(
            "Nobody checks the name of the {what} in this string, now or when it is renamed. Write it as an identifier: \
             `{identifier}`."
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "the event, or else the element",
                r"
                codeunit 50100 A
                {
                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, [|'OnAfterC'|], '', false, false)]
                    local procedure D()
                    begin
                    end;

                    [eventsubscriber(ObjectType::Table, Database::E, [|'OnAfterValidateEvent'|], 'F', false, false)]
                    local procedure G()
                    begin
                    end;

                    [EventSubscriber(ObjectType::Table, Database::E, OnAfterValidateEvent, [|'F g'|], false, false)]
                    local procedure H()
                    begin
                    end;

                    [EventSubscriber(ObjectType::Table, Database::E, [|''|], '', false, false)]
                    local procedure I()
                    begin
                    end;

                    [Obsolete('gone', '25.0')]
                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, [|@'OnAfterJ'|])]
                    local procedure J()
                    begin
                    end;
                }
                ",
            )
            .silent(
                "identifiers, the empty element, other attributes",
                r#"
                codeunit 50100 A
                {
                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, OnAfterC, '', false, false)]
                    local procedure D()
                    begin
                    end;

                    [EventSubscriber(ObjectType::Table, Database::E, OnAfterValidateEvent, "F g", false, false)]
                    local procedure H()
                    begin
                    end;

                    [EventSubscriber(ObjectType::Table, Database::E)]
                    local procedure I()
                    begin
                    end;

                    [Obsolete('gone', '25.0', 'J')]
                    local procedure J()
                    begin
                    end;
                }
                "#,
            )
            .suppressed(
                "a pragma around the attribute",
                r"
                codeunit 50100 A
                {
                #pragma warning disable LC0028
                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, [|'OnAfterC'|], '', false, false)]
                #pragma warning restore LC0028
                    local procedure D()
                    begin
                    end;
                }
                ",
            )
            .says(
                "the event as an identifier",
                r"
                codeunit 50100 A
                {
                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, 'OnAfterC', '', false, false)]
                    local procedure D()
                    begin
                    end;
                }
                ",
                "Nobody checks the name of the event in this string, now or when it is renamed. Write it as an \
                 identifier: `OnAfterC`.",
            )
            .says(
                "the element as an identifier, in quotes if it needs them",
                r"
                codeunit 50100 A
                {
                    [EventSubscriber(ObjectType::Table, Database::B, OnAfterValidateEvent, 'No. 2', false, false)]
                    local procedure D()
                    begin
                    end;
                }
                ",
                "Nobody checks the name of the element in this string, now or when it is renamed. Write it as an \
                 identifier: `\"No. 2\"`.",
            )
            .on_runtime(10, 0)
            .silent(
                "runtimes that know strings only",
                r"
                codeunit 50100 A
                {
                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, 'OnAfterC', '', false, false)]
                    local procedure D()
                    begin
                    end;
                }
                ",
            )
    }
}

fn name_in_string(subscriber: Attribute<'_>) -> Option<(TextRange, NameInString)> {
    let string = |index| {
        let literal = subscriber
            .arguments()
            .nth(index)
            .map(Expression::node)
            .and_then(Literal::cast)?;
        Some((literal, literal.string()?))
    };
    let event = string(EVENT_NAME).map(|(literal, _)| (literal, true));
    let element = || {
        let (literal, _) = string(ELEMENT_NAME).filter(|(_, text)| !text.is_empty())?;
        Some((literal, false))
    };
    let (literal, is_event) = event.or_else(element)?;
    let state = NameInString {
        literal: literal.node().id(),
        is_event,
    };
    Some((literal.range(), state))
}

/// A name as AL writes it: in quotes if it is more than a word.
fn identifier(name: &str) -> String {
    let is_word = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || character == '_');
    if is_word {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('"', "\"\""))
    }
}
