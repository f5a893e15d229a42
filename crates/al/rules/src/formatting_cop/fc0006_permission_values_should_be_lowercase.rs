//! FC0006: upper-case letters where their case says nothing.

use candor_al_syntax::ast::{Object, PermissionEntry, Property};
use candor_al_syntax::edit::{EditSet, replace_token};
use candor_al_syntax::{Node, NodeId, NodeKind, TokenRef, Tree};

use crate::context::Context;
use crate::facts::is_obsolete_object;
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, FixProvider, Metadata, Needs, Origin, Safety, Severity};

const DOCUMENTATION: &str = r"
## What it flags

Upper-case letters in the `Permissions` of an object: `RIMD` instead of `rimd`. Permission sets are left alone, and so
is `AccessByPermission`.

## Why

In a permission set the case decides between direct and indirect permission. In an object it decides nothing: the object
always gets its permissions on behalf of the user, which is what lower case stands for. Upper case there suggests a
right that it does not give.

## Example

```al
codeunit 50100 Posting
{
    Permissions = tabledata Customer = RM;
}
```

## Better

```al
codeunit 50100 Posting
{
    Permissions = tabledata Customer = rm;
}
```

## When to ignore it

When everything else in the project writes upper case; then better switch the rule off in a ruleset. Obsolete objects are
not flagged.

## Fix

Writes the letters of every entry of the property in lower case; their order, comments and directives stay. Safe,
because the case has no effect there.
";

const LOWER_CASE: FixProvider = FixProvider::new(
    "PermissionValuesShouldBeLowercaseCodeFixProvider",
    "ALCops: Convert permission values to lowercase",
    Safety::Safe,
);

pub(crate) struct PermissionValuesShouldBeLowercase;

impl Rule for PermissionValuesShouldBeLowercase {
    const METADATA: Metadata = Metadata {
        id: "FC0006",
        name: "PermissionValuesShouldBeLowercase",
        title: "Permission letters of the Permissions property should be lower case",
        cop: Cop::Formatting,
        category: Category::Style,
        severity: Severity::Info,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("FC0006 of ALCops"),
        fixes: &[LOWER_CASE],
        kinds: &[NodeKind::PermissionList],
        documentation: DOCUMENTATION,
    };

    /// The list of permissions.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        if upper_case_letters(node).next().is_none() {
            return;
        }
        let Some(property) = node.parent().and_then(Property::cast) else {
            return;
        };
        if property.is("AccessByPermission") {
            return;
        }
        let Some(object) = Object::around(node) else { return };
        let case_matters = matches!(
            object.kind(),
            NodeKind::PermissionSet | NodeKind::PermissionSetExtension
        );
        if !case_matters && !is_obsolete_object(object, context) {
            report.at(property.range(), node.id());
        }
    }

    fn message(_permissions: &Self::State, _tree: &Tree) -> String {
        "Upper-case letters promise direct permissions, but here their case has no effect: the permissions of an object \
         are always indirect. Write them in lower case."
            .to_owned()
    }

    fn fix(&permissions: &Self::State, _fix: &'static FixProvider, tree: &Tree) -> Option<EditSet> {
        let mut edits = EditSet::new();
        for letters in upper_case_letters(tree.node(permissions)) {
            edits
                .add_all(&replace_token(letters, &letters.text().to_ascii_lowercase()))
                .ok()?;
        }
        Some(edits)
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "once for each property, on the whole property",
                r#"
                codeunit 50100 A
                {
                    [|Permissions = tabledata Customer = R,
                                  tabledata "Sales Header" = rimD;|]
                }
                table 50101 B
                {
                    [|permissions = tabledata * = RIMD;|]
                }
                codeunit 50102 C
                {
                    [|Permissions = codeunit D = X;|]
                }
                report 50103 E
                {
                    requestpage
                    {
                        [|Permissions = tabledata Customer = r, tabledata Vendor = R;|]
                    }
                }
                "#,
            )
            .silent(
                "lower case, permission sets, other properties, obsolete objects",
                r"
                codeunit 50100 A
                {
                    Permissions = tabledata Customer = rimd;
                    InherentPermissions = X;
                }
                permissionset 50101 B
                {
                    Permissions = tabledata Customer = RIMD;
                }
                permissionsetextension 50102 C extends B
                {
                    Permissions = tabledata Vendor = RIMD;
                }
                table 50103 D
                {
                    fields
                    {
                        field(1; E; Integer)
                        {
                            AccessByPermission = tabledata Customer = R;
                        }
                    }
                }
                codeunit 50104 F
                {
                    ObsoleteState = Removed;
                    Permissions = tabledata Customer = R;
                }
                ",
            )
            .suppressed(
                "a pragma around the property, not one around a later entry",
                r"
                codeunit 50100 A
                {
                #pragma warning disable FC0006
                    [|Permissions = tabledata Customer = R,
                #pragma warning restore FC0006
                                  tabledata Vendor = R;|]
                }
                ",
            )
            .says(
                "that the case has no effect",
                r"
                codeunit 50100 A
                {
                    Permissions = tabledata Customer = R;
                }
                ",
                "Upper-case letters promise direct permissions, but here their case has no effect: the permissions of \
                 an object are always indirect. Write them in lower case.",
            )
            .fixes(
                "only letters change",
                r#"
                codeunit 50100 A
                {
                    Permissions = tabledata Customer = RimD, // all of it
                #pragma warning disable AL0432
                                  tabledata "OLD TABLE" = r,
                #pragma warning restore AL0432
                                  TABLEDATA Vendor=R;
                }
                "#,
                r#"
                codeunit 50100 A
                {
                    Permissions = tabledata Customer = rimd, // all of it
                #pragma warning disable AL0432
                                  tabledata "OLD TABLE" = r,
                #pragma warning restore AL0432
                                  TABLEDATA Vendor=r;
                }
                "#,
            )
    }
}

/// The letters of the entries that have some in upper case.
fn upper_case_letters(permissions: Node<'_>) -> impl Iterator<Item = TokenRef<'_>> {
    let entries = permissions.children().filter_map(PermissionEntry::cast);
    let letters = entries.filter_map(PermissionEntry::letters_token);
    letters.filter(|letters| letters.text().bytes().any(|byte| byte.is_ascii_uppercase()))
}
