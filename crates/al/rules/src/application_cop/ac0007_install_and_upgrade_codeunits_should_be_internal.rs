//! AC0007: an install or upgrade codeunit that others can call.

use candor_al_syntax::ast::Object;
use candor_al_syntax::edit::{EditSet, insert_first_property, replace_property_value};
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{is_obsolete_object, sets_property_when_switched_on};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, FixProvider, Metadata, Needs, Origin, Safety, Severity};

const DOCUMENTATION: &str = r"
## What it flags

A codeunit of subtype `Install` or `Upgrade` that is public: it has no `Access` property, or `Access = Public`.

## Why

The platform alone decides when an extension is installed or upgraded. A public install codeunit invites other
extensions to run it at any other time, and turns each of its public procedures into something you have to keep.

## Example

```al
codeunit 50100 InstallDefaults
{
    Subtype = Install;

    trigger OnInstallAppPerCompany()
    begin
    end;
}
```

## Better

```al
codeunit 50100 InstallDefaults
{
    Access = Internal;
    Subtype = Install;

    trigger OnInstallAppPerCompany()
    begin
    end;
}
```

## When to ignore it

When another extension calls the codeunit on purpose and cannot be changed. A codeunit that is marked obsolete is not
flagged.

## Fix

Sets `Access = Internal`: in the place of the value that is there, or as the first property. Unsafe, because an
extension that depends on this one and uses the codeunit no longer compiles. Not offered where an `#if` switches off an
`Access` that the codeunit has in another configuration.
";

const MAKE_INTERNAL: FixProvider = FixProvider::new(
    "InstallAndUpgradeCodeunitsShouldBeInternalCodeFixProvider",
    "ALCops: Set Access property to Internal",
    Safety::Unsafe,
);

pub(crate) struct InstallAndUpgradeCodeunitsShouldBeInternal;

impl Rule for InstallAndUpgradeCodeunitsShouldBeInternal {
    const METADATA: Metadata = Metadata {
        id: "AC0007",
        name: "InstallAndUpgradeCodeunitsShouldBeInternal",
        title: "Install and upgrade codeunits should be internal",
        cop: Cop::Application,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("AC0007 of ALCops"),
        fixes: &[MAKE_INTERNAL],
        kinds: &[NodeKind::Codeunit],
        documentation: DOCUMENTATION,
    };

    /// The codeunit.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(codeunit) = Object::cast(node) else { return };
        let Some(name) = codeunit.name_token() else { return };
        let Some(subtype) = context.object_property(codeunit, "Subtype") else {
            return;
        };
        if !subtype.is_identifier("Install") && !subtype.is_identifier("Upgrade") {
            return;
        }
        let is_public = context
            .object_property(codeunit, "Access")
            .is_none_or(|access| access.is_identifier("Public"));
        if is_public && !is_obsolete_object(codeunit, context) {
            report.at(name.range(), node.id());
        }
    }

    fn message(&codeunit: &Self::State, tree: &Tree) -> String {
        let codeunit = Object::cast(tree.node(codeunit));
        let is_install = codeunit
            .and_then(|codeunit| codeunit.property("Subtype"))
            .is_some_and(|subtype| subtype.is_identifier("Install"));
        let (kind, event) = if is_install {
            ("install", "installation")
        } else {
            ("upgrade", "upgrade")
        };
        format!(
            "Every extension that depends on this one can run this {kind} codeunit outside of an {event}. \
             Set `Access = Internal`."
        )
    }

    fn fix(&codeunit: &Self::State, _fix: &'static FixProvider, tree: &Tree) -> Option<EditSet> {
        let codeunit = Object::cast(tree.node(codeunit))?;
        match codeunit.property("Access") {
            Some(access) => replace_property_value(access.node(), "Internal"),
            // In another configuration the codeunit would have the property twice.
            None if sets_property_when_switched_on(codeunit, "Access") => None,
            None => insert_first_property(codeunit.node(), "Access = Internal;"),
        }
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "an install codeunit without Access, on its name",
                r#"
                codeunit 50100 [|"My Install"|]
                {
                    Subtype = Install;
                }
                "#,
            )
            .flags(
                "an upgrade codeunit that says it is public, in any case",
                r"
                codeunit 50100 [|MyUpgrade|]
                {
                    SUBTYPE = upgrade;
                    access = PUBLIC;
                }
                ",
            )
            .silent(
                "an internal one, a normal one, a test one, and an obsolete one",
                r"
                codeunit 50100 A
                {
                    Subtype = Install;
                    Access = Internal;
                }
                codeunit 50101 B
                {
                }
                codeunit 50102 C
                {
                    Subtype = Test;
                }
                codeunit 50103 D
                {
                    Subtype = Upgrade;
                    ObsoleteState = Pending;
                }
                ",
            )
            .suppressed(
                "a pragma around the head",
                r"
                #pragma warning disable AC0007
                codeunit 50100 [|A|]
                #pragma warning restore AC0007
                {
                    Subtype = Install;
                }
                ",
            )
            .flags(
                "a pragma that ends too early, or names another rule",
                r"
                #pragma warning disable AC0008
                #pragma warning disable AC0007
                #pragma warning restore AC0007
                codeunit 50100 [|A|]
                {
                    Subtype = Install;
                }
                ",
            )
            .flags_broken(
                "a broken member says nothing about the properties",
                r"
                codeunit 50100 [|A|]
                {
                    Subtype = Install;

                    procedure B()
                    begin
                        x := ;
                    end;
                }
                ",
            )
            .flags_broken(
                "a broken property may be the one that is missed",
                r"
                codeunit 50100 A
                {
                    Subtype = Install;
                    Access Internal;
                }
                ",
            )
            .says(
                "what, why, what to do",
                r"
                codeunit 50100 A
                {
                    Subtype = Upgrade;
                }
                ",
                "Every extension that depends on this one can run this upgrade codeunit outside of an upgrade. \
                 Set `Access = Internal`.",
            )
            .fixes(
                "the property comes first",
                r"
                codeunit 50100 A
                {
                    // What it installs
                    Subtype = Install;
                }
                ",
                r"
                codeunit 50100 A
                {
                    Access = Internal;
                    // What it installs
                    Subtype = Install;
                }
                ",
            )
            .fixes(
                "the value is replaced where it stands",
                r"
                codeunit 50100 A
                {
                    Subtype = Install;
                    access = Public; // for now
                }
                ",
                r"
                codeunit 50100 A
                {
                    Subtype = Install;
                    access = Internal; // for now
                }
                ",
            )
            .offers_no_fix(
                MAKE_INTERNAL.equivalence_key,
                "in another configuration the property is there",
                r"
                codeunit 50100 A
                {
                #if CLEAN
                    Access = Internal;
                #endif
                    Subtype = Install;
                }
                ",
            )
            .fixes(
                "an object on one line stays on one line",
                "codeunit 50100 A { Subtype = Install; }",
                "codeunit 50100 A { Access = Internal; Subtype = Install; }",
            )
    }
}
