//! LC0054: an interface whose name does not begin with I.

use candor_al_syntax::ast::Object;
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{is_obsolete_object, owner_name};
use crate::rule::{Report, Rule};
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};
#[cfg(test)]
use crate::{FileContext, testing::Tester};

const DOCUMENTATION: &str = r#"
## What it flags

An interface whose name does not begin with an upper-case `I`, or that has a blank behind it. The `I` may follow one of
the affixes of the app.

## Why

Where a name is used it does not say what kind of object it is the name of. The `I` tells that a variable may hold any
codeunit that implements the interface.

## Example

```al
interface "Address Provider"
{
    procedure GetAddress(): Text
}
```

## Better

```al
interface IAddressProvider
{
    procedure GetAddress(): Text
}
```

## Settings

`mandatoryPrefix`, `mandatorySuffix` and `mandatoryAffixes` in `AppSourceCop.json` name the affixes of the app. With the
affix `ABC`, `ABC IAddressProvider` is accepted.

## When to ignore it

When other extensions use the interface: a new name breaks them. The rule is off by default. Obsolete interfaces are not
flagged.
"#;

pub(crate) struct InterfaceObjectNameGuide;

impl Rule for InterfaceObjectNameGuide {
    const METADATA: Metadata = Metadata {
        id: "LC0054",
        name: "InterfaceObjectNameGuide",
        title: "Interface names start with I",
        cop: Cop::Linter,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: false,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("LC0054 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Interface],
        documentation: DOCUMENTATION,
    };

    /// The interface.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(interface) = Object::cast(node) else { return };
        let (Some(token), Some(name)) = (interface.name_token(), interface.name()) else {
            return;
        };
        let affixes = &context.facts().mandatory_affixes;
        let mut stems = affixes.iter().filter_map(|affix| without_affix(&name, affix));
        if name.is_empty() || is_in_order(&name) || stems.any(is_in_order_behind_affix) {
            return;
        }
        if !is_obsolete_object(interface, context) {
            report.at(token.range(), node.id());
        }
    }

    fn message(&interface: &Self::State, tree: &Tree) -> String {
        format!(
            "The name `{}` does not tell that it is one of an interface. Let it begin with `I`, behind the affix of the \
             app if there is one.",
            owner_name(interface, tree)
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "no I, a small one, a blank behind it; affixes that nobody set; on the name",
                r#"
                interface [|Address|]
                {
                }
                interface [|iAddress|]
                {
                }
                interface [|"I Address"|]
                {
                }
                interface [|"ABC IAddress"|]
                {
                }
                "#,
            )
            .silent(
                "an I in front, obsolete interfaces, other objects",
                r#"
                interface IAddress
                {
                }
                interface "IAddress Provider"
                {
                }
                interface Invoice
                {
                }
                interface I
                {
                }
                interface Address
                {
                    ObsoleteState = Pending;
                }
                codeunit 50100 Address
                {
                }
                "#,
            )
            .suppressed(
                "a pragma around the head",
                r"
                #pragma warning disable LC0054
                interface [|Address|]
                #pragma warning restore LC0054
                {
                }
                ",
            )
            .says(
                "which interface",
                r#"
                interface "Address Provider"
                {
                }
                "#,
                "The name `Address Provider` does not tell that it is one of an interface. Let it begin with `I`, behind \
                 the affix of the app if there is one.",
            )
            .in_project(|file| *file = FileContext::default().with_mandatory_affixes(["ABC", "  ", "Äx"]))
            .silent(
                "an I behind an affix, in any case, with marks between",
                r#"
                interface ABCIAddress
                {
                }
                interface "abc IAddress"
                {
                }
                interface "ABC_IAddress"
                {
                }
                interface "äX-I"
                {
                }
                interface IAddress
                {
                }
                "#,
            )
            .flags(
                "no I behind the affix, a blank behind it, nothing at all",
                r#"
                interface [|ABCAddress|]
                {
                }
                interface [|"ABC I Address"|]
                {
                }
                interface [|"ABC iAddress"|]
                {
                }
                interface [|ABC|]
                {
                }
                interface [|AddressABC|]
                {
                }
                "#,
            )
    }
}

fn is_in_order(name: &str) -> bool {
    name.strip_prefix('I')
        .is_some_and(|rest| !rest.starts_with(char::is_whitespace))
}

/// As [`is_in_order`], but marks and blanks may stand in front.
fn is_in_order_behind_affix(stem: &str) -> bool {
    is_in_order(stem.trim_start_matches(|character: char| !character.is_alphanumeric()))
}

/// What follows the affix if the name begins with it, whatever the case.
fn without_affix<'n>(name: &'n str, affix: &str) -> Option<&'n str> {
    let mut rest = name.chars();
    let is_same = |left: char, right: char| left.to_lowercase().eq(right.to_lowercase());
    let begins_with_affix = affix
        .trim()
        .chars()
        .all(|it| rest.next().is_some_and(|next| is_same(it, next)));
    begins_with_affix.then_some(rest.as_str())
}
