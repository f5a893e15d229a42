//! AC0009: the caption of a permission set that may grow too long.

use candor_al_syntax::ast::{LabelValue, Property};
use candor_al_syntax::edit::{EditSet, set_label_attribute};
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, FixProvider, Metadata, Needs, Origin, Safety, Severity};

const DOCUMENTATION: &str = r"
## What it flags

The `Caption` of a permission set whose text is longer than 30 characters, or that is neither locked nor bounded by
`MaxLength = 30` (or less). A short caption is flagged too: its translations have no bound.

## Why

The name of a permission set holds 30 characters. What is longer is cut, in the middle of a word and in some languages
only, where the author never looks.

## Example

```al
permissionset 50100 Sales
{
    Caption = 'Sales';
    Assignable = true;
}
```

## Better

```al
permissionset 50100 Sales
{
    Caption = 'Sales', MaxLength = 30;
    Assignable = true;
}
```

## Fix

Adds `MaxLength = 30` to the caption, or sets the bound that is there to 30. A text that is too long already is bounded
too, but not shortened: only a person can do that, so it stays a finding, and the compiler warns about it as well
(`AL0650`). Safe, because the text stays as it is, and what is cut of it was cut before.
";

/// The number of characters the name of a permission set holds.
const LIMIT: u32 = 30;

const SET_MAXIMUM_LENGTH: FixProvider = FixProvider::new(
    "PermissionSetCaptionLengthCodeFixProvider",
    "ALCops: Set MaxLength property to 30",
    Safety::Safe,
);

pub(crate) struct PermissionSetCaptionLength;

/// A caption that may be cut.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Caption {
    label: NodeId,
    fault: Fault,
}

/// What is wrong with a caption.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Fault {
    /// Its text has this many characters.
    TooLong(u32),
    /// Its translations have no bound, or too wide a one.
    Unbounded,
}

impl Rule for PermissionSetCaptionLength {
    const METADATA: Metadata = Metadata {
        id: "AC0009",
        name: "PermissionSetCaptionLength",
        title: "Permission set captions must be bounded to 30 characters",
        cop: Cop::Application,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("AC0009 of ALCops"),
        fixes: &[SET_MAXIMUM_LENGTH],
        kinds: &[NodeKind::PermissionSet],
        documentation: DOCUMENTATION,
    };

    type State = Caption;

    fn find<'t>(node: Node<'t>, _context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let properties = node.children().filter_map(Property::cast);
        for caption in properties.filter(|property| property.is("Caption")) {
            let Some(label) = caption.label() else { continue };
            // The platform counts UTF-16 code units.
            let length = label.text().encode_utf16().count() as u32;
            let fault = if length > LIMIT {
                Fault::TooLong(length)
            } else if label.locked() != Some(true) && !is_bounded(label) {
                Fault::Unbounded
            } else {
                continue;
            };
            let label = label.node().id();
            report.at(caption.range(), Caption { label, fault });
        }
    }

    fn message(caption: &Self::State, _tree: &Tree) -> String {
        match caption.fault {
            Fault::TooLong(length) => format!(
                "This caption has {length} characters, but the name of a permission set holds {LIMIT} and the rest is \
                 cut. Shorten it to {LIMIT}."
            ),
            Fault::Unbounded => format!(
                "The name of a permission set holds {LIMIT} characters, and nothing keeps translations of this caption \
                 from being longer and cut. Add `MaxLength = {LIMIT}`, or `Locked = true` if it is not to be translated."
            ),
        }
    }

    fn fix(caption: &Self::State, _fix: &'static FixProvider, tree: &Tree) -> Option<EditSet> {
        let label = LabelValue::cast(tree.node(caption.label))?;
        if is_bounded(label) {
            return None;
        }
        set_label_attribute(label.node(), "MaxLength", &LIMIT.to_string())
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "a short caption without a bound, on the whole property",
                r"
                permissionset 50100 A
                {
                    [|Caption = 'Sales';|]
                }
                ",
            )
            .flags(
                "a bound that is too wide, a comment alone, a lock that is off",
                r"
                permissionset 50100 A
                {
                    [|Caption = 'Sales', MaxLength = 31;|]
                }
                permissionset 50101 B
                {
                    [|Caption = 'Sales', Comment = 'The sales people';|]
                }
                permissionset 50102 C
                {
                    [|Caption = 'Sales', Locked = false;|]
                }
                ",
            )
            .flags(
                "a text that is too long, even when it is locked or bounded",
                r"
                permissionset 50100 A
                {
                    [|Caption = 'Thirty-one characters, it says.', Locked = true;|]
                }
                permissionset 50101 B
                {
                    [|Caption = 'Thirty-one characters, it says.', MaxLength = 30;|]
                }
                ",
            )
            .flags(
                "an obsolete one too",
                r"
                permissionset 50100 A
                {
                    ObsoleteState = Removed;
                    [|Caption = 'Sales';|]
                }
                ",
            )
            .silent(
                "a locked one, a bounded one, none at all, thirty characters with quotes inside",
                r"
                permissionset 50100 A
                {
                    Caption = 'Sales', Locked = true;
                }
                permissionset 50101 B
                {
                    Caption = 'Sales', maxlength = 20;
                }
                permissionset 50102 C
                {
                    Assignable = true;
                }
                permissionset 50103 D
                {
                    Caption = 'It''s thirty characters of text', MaxLength = 30;
                }
                ",
            )
            .silent(
                "extensions of permission sets and other objects",
                r"
                permissionsetextension 50100 A extends B
                {
                }
                table 50100 C
                {
                    Caption = 'Sales';
                }
                ",
            )
            .suppressed(
                "a pragma without ids",
                r"
                permissionset 50100 A
                {
                #pragma warning disable
                    [|Caption = 'Sales';|]
                #pragma warning restore
                }
                ",
            )
            .says(
                "that a bound is missing",
                r"
                permissionset 50100 A
                {
                    Caption = 'Sales';
                }
                ",
                "The name of a permission set holds 30 characters, and nothing keeps translations of this caption from \
                 being longer and cut. Add `MaxLength = 30`, or `Locked = true` if it is not to be translated.",
            )
            .says(
                "that the text is too long",
                r"
                permissionset 50100 A
                {
                    Caption = 'Thirty-one characters, it says.', Locked = true;
                }
                ",
                "This caption has 31 characters, but the name of a permission set holds 30 and the rest is cut. \
                 Shorten it to 30.",
            )
            .fixes(
                "the bound goes behind what is there, comments stay",
                r"
                permissionset 50100 A
                {
                    Caption = 'Sales', /* short */ Comment = 'x' /* y */; // z
                }
                ",
                r"
                permissionset 50100 A
                {
                    Caption = 'Sales', /* short */ Comment = 'x', MaxLength = 30 /* y */; // z
                }
                ",
            )
            .fixes(
                "a bound that is too wide is narrowed in place",
                r"
                permissionset 50100 A
                {
                    Caption = 'Sales', MAXLENGTH = 50, Comment = 'x';
                }
                ",
                r"
                permissionset 50100 A
                {
                    Caption = 'Sales', MAXLENGTH = 30, Comment = 'x';
                }
                ",
            )
            .fixes(
                "a text that is too long is bounded, but only a person can shorten it",
                r"
                permissionset 50100 A
                {
                    Caption = 'Thirty-one characters, it says.';
                }
                permissionset 50101 B
                {
                    Caption = 'Thirty-one characters, it says.', MaxLength = 50;
                }
                ",
                r"
                permissionset 50100 A
                {
                    Caption = 'Thirty-one characters, it says.', MaxLength = 30;
                }
                permissionset 50101 B
                {
                    Caption = 'Thirty-one characters, it says.', MaxLength = 30;
                }
                ",
            )
            .offers_no_fix(
                SET_MAXIMUM_LENGTH.equivalence_key,
                "a text that is too long for the bound it has",
                r"
                permissionset 50100 A
                {
                    Caption = 'Thirty-one characters, it says.', MaxLength = 30;
                }
                ",
            )
    }
}

/// Whether the label has a bound that keeps its translations from being cut.
fn is_bounded(label: LabelValue<'_>) -> bool {
    label.max_length().is_some_and(|bound| bound <= LIMIT)
}
