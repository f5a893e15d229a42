//! LC0020: a control that says again what its page has said.

use candor_al_syntax::ast::{Control, Object, Property, same_name};
use candor_al_syntax::edit::{EditSet, remove_property};
use candor_al_syntax::{Node, NodeId, NodeKind, TokenRef, Tree};

use crate::context::Context;
use crate::facts::{is_obsolete, is_obsolete_object, sets_property_when_switched_on};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, FixProvider, Metadata, Needs, Origin, RuntimeVersion, Safety, Severity};

const DOCUMENTATION: &str = r"
## What it flags

A control of a page whose `ApplicationArea` has the same text as the `ApplicationArea` of the page itself; neither case
nor blanks make a difference. Actions, page extensions and request pages are not looked at.

## Why

Controls take over the `ApplicationArea` of their page. Repeating it on each of them is noise, and the one control that
really differs drowns in it.

## Example

```al
page 50100 Greetings
{
    ApplicationArea = All;

    layout
    {
        area(Content)
        {
            field(Greeting; Greeting)
            {
                ApplicationArea = All;
            }
        }
    }
}
```

## Better

```al
page 50100 Greetings
{
    ApplicationArea = All;

    layout
    {
        area(Content)
        {
            field(Greeting; Greeting)
            {
            }
        }
    }
}
```

## Settings

None. The rule needs runtime 10.0 in `app.json`: before, a page has no `ApplicationArea` that controls could take over.

## When to ignore it

Obsolete controls and pages are not flagged.

## Fix

Removes the property from the control, with its line; comments stay. Safe, because the control takes over the same value
from its page. Not offered where an `#if` switches off another `ApplicationArea` of the page.
";

const REMOVE: FixProvider = FixProvider::new(
    "ApplicationAreaRedundancyCodeFixProvider",
    "ALCops: Remove redundant ApplicationArea",
    Safety::Safe,
);

/// The first runtime in which controls take over the property from their page.
const FIRST_RUNTIME: RuntimeVersion = RuntimeVersion::new(10, 0);

const PROPERTY: &str = "ApplicationArea";

pub(crate) struct ApplicationAreaRedundancy;

impl Rule for ApplicationAreaRedundancy {
    const METADATA: Metadata = Metadata {
        id: "LC0020",
        name: "ApplicationAreaRedundancy",
        title: "Control repeats the page's ApplicationArea",
        cop: Cop::Linter,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("LC0020 of ALCops"),
        fixes: &[REMOVE],
        kinds: &[NodeKind::Property],
        documentation: DOCUMENTATION,
    };

    /// The property of the control.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(area) = Property::cast(node).filter(|property| property.is(PROPERTY)) else {
            return;
        };
        let Some(control) = node.parent().and_then(Control::cast) else {
            return;
        };
        let Some(page) = Object::around(node).filter(|object| object.kind() == NodeKind::Page) else {
            return;
        };
        let Some(page_area) = context.object_property(page, PROPERTY) else {
            return;
        };
        if !same_value(area, page_area) || !context.runtime_is_at_least(FIRST_RUNTIME) {
            return;
        }
        if !is_obsolete(control.into()) && !is_obsolete_object(page, context) {
            report.at(area.range(), node.id());
        }
    }

    fn message(&area: &Self::State, tree: &Tree) -> String {
        let area = Property::cast(tree.node(area))
            .map(Property::value_text)
            .unwrap_or_default();
        format!(
            "The page already says `ApplicationArea = {area}`, and its controls take that over. Remove the line here."
        )
    }

    fn fix(&area: &Self::State, _fix: &'static FixProvider, tree: &Tree) -> Option<EditSet> {
        // In another configuration the page may say something else.
        let page = Object::around(tree.node(area))?;
        (!sets_property_when_switched_on(page, PROPERTY)).then(|| remove_property(tree.node(area)))?
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "controls of every kind, on the whole property",
                r#"
                page 50100 A
                {
                    APPLICATIONAREA = Basic, Suite;

                    layout
                    {
                        area(Content)
                        {
                            group(B)
                            {
                                [|applicationarea = Basic, Suite;|]
                                field("C D"; Rec."C D")
                                {
                                    [|ApplicationArea = Basic, Suite;|]
                                    ToolTip = 'x';
                                }
                            }
                            part(E; F) { [|ApplicationArea = Basic, Suite;|] }
                        }
                    }
                }
                "#,
            )
            .flags(
                "the same value in another case or with other blanks",
                r"
                page 50100 A
                {
                    ApplicationArea = Basic, Suite;

                    layout
                    {
                        area(Content)
                        {
                            field(B; Rec.B)
                            {
                                [|ApplicationArea = basic, SUITE;|]
                            }
                            field(C; Rec.C)
                            {
                                [|ApplicationArea = Basic,Suite;|]
                            }
                            field(D; Rec.D)
                            {
                                ApplicationArea = Basic;
                            }
                            field(E; Rec.E)
                            {
                                ApplicationArea = Basic, Suite, Service;
                            }
                        }
                    }
                }
                ",
            )
            .silent(
                "another value, none at the page, actions",
                r"
                page 50100 A
                {
                    ApplicationArea = All;

                    layout
                    {
                        area(Content)
                        {
                            field(B; Rec.B)
                            {
                                ApplicationArea = Basic;
                            }
                        }
                    }
                    actions
                    {
                        area(Processing)
                        {
                            action(C)
                            {
                                ApplicationArea = All;
                            }
                        }
                    }
                }
                page 50101 D
                {
                    layout
                    {
                        area(Content)
                        {
                            field(B; Rec.B)
                            {
                                ApplicationArea = All;
                            }
                        }
                    }
                }
                ",
            )
            .silent(
                "page extensions, request pages, obsolete controls and pages",
                r"
                pageextension 50100 A extends B
                {
                    layout
                    {
                        addlast(Content)
                        {
                            field(C; Rec.C)
                            {
                                ApplicationArea = All;
                            }
                        }
                    }
                }
                report 50101 D
                {
                    ApplicationArea = All;

                    requestpage
                    {
                        layout
                        {
                            area(Content)
                            {
                                field(E; E)
                                {
                                    ApplicationArea = All;
                                }
                            }
                        }
                    }
                }
                page 50102 F
                {
                    ApplicationArea = All;

                    layout
                    {
                        area(Content)
                        {
                            field(G; Rec.G)
                            {
                                ApplicationArea = All;
                                ObsoleteState = Pending;
                            }
                        }
                    }
                }
                page 50103 H
                {
                    ApplicationArea = All;
                    ObsoleteState = Removed;

                    layout
                    {
                        area(Content)
                        {
                            field(I; Rec.I)
                            {
                                ApplicationArea = All;
                            }
                        }
                    }
                }
                ",
            )
            .suppressed(
                "a pragma inside the control",
                r"
                page 50100 A
                {
                    ApplicationArea = All;

                    layout
                    {
                        area(Content)
                        {
                            field(B; Rec.B)
                            {
                #pragma warning disable LC0020
                                [|ApplicationArea = All;|]
                #pragma warning restore LC0020
                            }
                        }
                    }
                }
                ",
            )
            .flags_broken(
                "a broken method is no ground to keep quiet about controls, but a broken control is left alone",
                r"
                page 50100 A
                {
                    ApplicationArea = All;

                    layout
                    {
                        area(Content)
                        {
                            field(B; Rec.B)
                            {
                                [|ApplicationArea = All;|]
                            }
                        }
                    }

                    procedure C()
                    begin
                        x := ;
                    end;
                }
                page 50101 D
                {
                    ApplicationArea = All;

                    layout
                    {
                        area(Content)
                        {
                            field(E; Rec.E)
                            {
                                ApplicationArea = All;
                                Visible = ;
                            }
                        }
                    }
                }
                ",
            )
            .says(
                "which value the page has",
                r"
                page 50100 A
                {
                    ApplicationArea = All;

                    layout
                    {
                        area(Content)
                        {
                            field(B; Rec.B) { ApplicationArea = All; }
                        }
                    }
                }
                ",
                "The page already says `ApplicationArea = All`, and its controls take that over. Remove the line here.",
            )
            .fixes(
                "the property goes with its line, comments and directives stay",
                r"
                page 50100 A
                {
                    ApplicationArea = All; // for everybody

                    layout
                    {
                        area(Content)
                        {
                            field(B; Rec.B)
                            {
                                // Where
                                ApplicationArea = All;

                                ToolTip = 'x';
                            }
                            field(C; Rec.C)
                            {
                #pragma warning disable AL0432
                                ApplicationArea = All; // why not
                #pragma warning restore AL0432
                            }
                            field(D; Rec.D) { ApplicationArea = All; }
                            field(E; Rec.E) { ToolTip = 'x'; ApplicationArea = All; Visible = false; }
                        }
                    }
                }
                ",
                r"
                page 50100 A
                {
                    ApplicationArea = All; // for everybody

                    layout
                    {
                        area(Content)
                        {
                            field(B; Rec.B)
                            {
                                // Where

                                ToolTip = 'x';
                            }
                            field(C; Rec.C)
                            {
                #pragma warning disable AL0432
                                // why not
                #pragma warning restore AL0432
                            }
                            field(D; Rec.D) { }
                            field(E; Rec.E) { ToolTip = 'x'; Visible = false; }
                        }
                    }
                }
                ",
            )
            .offers_no_fix(
                REMOVE.equivalence_key,
                "a comment inside the property would be lost",
                r"
                page 50100 A
                {
                    ApplicationArea = All;

                    layout
                    {
                        area(Content)
                        {
                            field(B; Rec.B)
                            {
                                ApplicationArea = /* everybody */ All;
                            }
                        }
                    }
                }
                ",
            )
            .offers_no_fix(
                REMOVE.equivalence_key,
                "the page says something else in another configuration",
                r"
                page 50100 A
                {
                #if OLD
                    ApplicationArea = Basic;
                #else
                    ApplicationArea = All;
                #endif

                    layout
                    {
                        area(Content)
                        {
                            field(B; Rec.B)
                            {
                                ApplicationArea = All;
                            }
                        }
                    }
                }
                ",
            )
            .on_runtime(9, 1)
            .silent(
                "a runtime in which pages have no ApplicationArea",
                r"
                page 50100 A
                {
                    ApplicationArea = All;

                    layout
                    {
                        area(Content)
                        {
                            field(B; Rec.B)
                            {
                                ApplicationArea = All;
                            }
                        }
                    }
                }
                ",
            )
    }
}

/// Whether two properties have the same value, word by word.
fn same_value(left: Property<'_>, right: Property<'_>) -> bool {
    let (Some(left), Some(right)) = (left.value(), right.value()) else {
        return false;
    };
    let (mut left, mut right) = (words(left), words(right));
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(left), Some(right)) if same_name(left, right) => {}
            _ => return false,
        }
    }
}

fn words(value: Node<'_>) -> impl Iterator<Item = &str> {
    let tokens = value.tokens().filter(|token| !token.kind().is_trivia());
    tokens.map(TokenRef::text)
}
