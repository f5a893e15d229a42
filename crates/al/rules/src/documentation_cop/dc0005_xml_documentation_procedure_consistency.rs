//! DC0005: documentation that speaks of another procedure than the one below it.

use candor_al_syntax::ast::{Attribute, Method, Parameter, same_name};
use candor_al_syntax::{Node, NodeId, NodeKind, TextRange, TokenKind, Tree};

use crate::context::Context;
use crate::facts::{Subject, documentation_block, documented_elements, is_obsolete_method};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r#"
## What it flags

Differences between a `///` comment and the procedure below it:

* a parameter without `<param name="…">`, and a `<param>` for a parameter that does not exist, that another `<param>`
  speaks of already, or that is not named at all;
* a result without `<returns>`, a `<returns>` without a result, and a second `<returns>`.

A procedure with `[TryFunction]` has a result without declaring it. Elements without an end tag (`<returns/>`) do not
count, an empty one does. Procedures without such a comment are the matter of DC0004 and its neighbours.

## Why

Documentation that is half right is worse than none: callers look for the parameter that is gone and never hear of the
one that is new.

## Example

```al
/// <summary>Calculates discounts.</summary>
codeunit 50100 Discounts
{
    /// <summary>Calculates the discount of every order.</summary>
    /// <param name="Sum">The amount before the discount.</param>
    /// <param name="Percent">How much of it.</param>
    /// <returns>The part of the amount that the customer does not pay.</returns>
    procedure Discount(Percent: Decimal): Decimal
    begin
        exit(Percent);
    end;
}
```

## Better

```al
/// <summary>Calculates discounts.</summary>
codeunit 50100 Discounts
{
    /// <summary>Calculates the discount of every order.</summary>
    /// <param name="Percent">How much of it.</param>
    /// <returns>The part of the amount that the customer does not pay.</returns>
    procedure Discount(Percent: Decimal): Decimal
    begin
        exit(Percent);
    end;
}
```

## When to ignore it

When the project documents procedures with a summary only; then better switch the rule off in a ruleset. Obsolete
procedures and objects are not flagged. The rule is silent where it is open what is meant: where the comment is not XML,
has a blank line or a directive in it, or where an `#if` decides about the head of the procedure.
"#;

pub(crate) struct XmlDocumentationProcedureConsistency;

/// A difference between a procedure and its documentation.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Difference {
    /// A second element for a parameter.
    ParameterTwice,
    /// An element for a parameter that is not there.
    UnknownParameter,
    /// An element for a parameter that does not say for which.
    UnnamedParameter,
    /// The parameter has no element.
    UndocumentedParameter(NodeId),
    /// A second element for the result.
    ResultTwice,
    /// An element for a result that is not there.
    UnknownResult,
    /// The result has no element.
    UndocumentedResult,
    /// The result of a try function has no element.
    UndocumentedTry,
}

impl Rule for XmlDocumentationProcedureConsistency {
    const METADATA: Metadata = Metadata {
        id: "DC0005",
        name: "XmlDocumentationProcedureConsistency",
        title: "param/returns tags and signature disagree",
        cop: Cop::Documentation,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("DC0005 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Procedure],
        documentation: DOCUMENTATION,
    };

    type State = Difference;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(method) = Method::cast(node) else { return };
        let Some(block) = documentation_block(node) else { return };
        if is_obsolete_method(method, context) || has_several_heads(method, block) {
            return;
        }
        for (range, difference) in differences(method, block).unwrap_or_default() {
            report.at(range, difference);
        }
    }

    fn message(difference: &Self::State, tree: &Tree) -> String {
        match difference {
            Difference::ParameterTwice => {
                "The documentation describes this parameter twice, and callers cannot tell which is right. Remove one."
                    .to_owned()
            }
            Difference::UnknownParameter => {
                "The documentation describes a parameter that the procedure does not have. Remove it, or correct its \
                 name."
                    .to_owned()
            }
            Difference::UnnamedParameter => {
                "The documentation describes a parameter without saying which. Add its `name`.".to_owned()
            }
            &Difference::UndocumentedParameter(parameter) => {
                let name = Parameter::cast(tree.node(parameter))
                    .and_then(Parameter::name)
                    .unwrap_or_default();
                format!(
                    "The documentation of this procedure leaves out the parameter `{name}`. Describe it in a \
                     `<param name=\"{name}\">`."
                )
            }
            Difference::ResultTwice => {
                "The documentation describes the result twice, and callers cannot tell which is right. Remove one."
                    .to_owned()
            }
            Difference::UnknownResult => {
                "The documentation describes a result, but the procedure has none. Remove the `<returns>`.".to_owned()
            }
            Difference::UndocumentedResult => {
                "The documentation of this procedure leaves out its result. Describe it in a `<returns>`.".to_owned()
            }
            Difference::UndocumentedTry => {
                "A try function tells its callers whether it succeeded, and the documentation \
                                            leaves that out. Describe it in a `<returns>`."
                    .to_owned()
            }
        }
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "parameters, on the element or on the parameter",
                r#"
                codeunit 50100 A
                {
                    /// <summary>B</summary>
                    /// <param name="C">1</param>
                    /// [|<param name="c">2</param>|]
                    /// [|<param name="E">
                    /// 3
                    /// </param>|]
                    /// [|<param>4</param>|]
                    /// <param name='F g'/>
                    local procedure B(C: Integer; [|var D: Record Customer temporary|]; [|"F g": Text|])
                    begin
                    end;
                }
                interface H
                {
                    /// <summary>I</summary>
                    procedure I([|J: Integer|])
                }
                "#,
            )
            .flags(
                "results, on the element, on the declaration of the result or on the attribute",
                r"
                codeunit 50100 A
                {
                    /// <summary>B</summary>
                    procedure B()[|: Boolean|]
                    begin
                    end;

                    /// <inheritdoc/><returns/>
                    procedure C() [|Found: Boolean|];
                    begin
                    end;

                    /// [|<returns>D</returns>|]
                    procedure D()
                    begin
                    end;

                    /// <returns>E</returns>
                    /// [|<RETURNS>F</RETURNS>|]
                    procedure E(): Boolean
                    begin
                    end;

                    /// <summary>F</summary>
                    [[|TryFunction|]]
                    procedure F()
                    begin
                    end;
                }
                ",
            )
            .silent(
                "what agrees",
                r#"
                codeunit 50100 A
                {
                    /// <summary>B</summary>
                    /// <param name="d e">2</param>
                    /// <Param NAME="c"></Param>
                    /// <returns></returns>
                    [Scope('OnPrem')]
                    procedure B(C: Integer; "D E": Text): Boolean
                    begin
                    end;

                    /// <returns>G</returns>
                    [TryFunction]
                    procedure G()
                    begin
                    end;

                    /// <param name="&quot;I &amp; J&quot;">1</param>
                    procedure H("I & J": Text)
                    begin
                    end;
                }
                "#,
            )
            .silent(
                "procedures without `///`, triggers",
                r"
                table 50100 A
                {
                    /// <summary>no procedure</summary>
                    trigger OnInsert()
                    begin
                    end;

                    procedure B(C: Integer): Boolean
                    begin
                    end;

                    // <summary>D</summary>
                    procedure D(C: Integer): Boolean
                    begin
                    end;

                    /** <summary>E</summary> */
                    procedure E(C: Integer): Boolean
                    begin
                    end;
                }
                ",
            )
            .silent(
                "where it is open what is meant",
                r#"
                codeunit 50100 A
                {
                    /// <summary>B
                    procedure B(C: Integer)
                    begin
                    end;

                    /// <summary>D</summary>

                    /// <param name="C">1</param>
                    procedure D(C: Integer)
                    begin
                    end;

                    /// <param name="C">1</param>
                    /// <param name="F">2</param>
                #if NEW
                    procedure E(C: Integer; F: Integer)
                #else
                    procedure E(C: Integer)
                #endif
                    begin
                    end;
                }
                "#,
            )
            .silent(
                "obsolete procedures and objects",
                r"
                codeunit 50100 A
                {
                    /// <summary>B</summary>
                    [Obsolete('gone', '25.0')]
                    procedure B(C: Integer)
                    begin
                    end;
                }
                codeunit 50101 D
                {
                    ObsoleteState = Pending;

                    /// <summary>E</summary>
                    procedure E(C: Integer)
                    begin
                    end;
                }
                ",
            )
            .suppressed(
                "a pragma around the head",
                r"
                codeunit 50100 A
                {
                    /// <summary>B</summary>
                #pragma warning disable DC0005
                    procedure B([|C: Integer|])
                #pragma warning restore DC0005
                    begin
                    end;
                }
                ",
            )
            .flags_broken(
                "a broken procedure is not accused, the one beside it is",
                r"
                codeunit 50100 A
                {
                    /// <summary>B</summary>
                    procedure B(C: Integer)
                    begin
                        x := ;
                    end;

                    /// <summary>D</summary>
                    procedure D([|C: Integer|])
                    begin
                    end;
                }
                ",
            )
            .says(
                "a parameter that is left out",
                r#"
                codeunit 50100 A
                {
                    /// <summary>B</summary>
                    procedure B("C d": Integer)
                    begin
                    end;
                }
                "#,
                "The documentation of this procedure leaves out the parameter `C d`. Describe it in a \
                 `<param name=\"C d\">`.",
            )
            .says(
                "a result that is not there",
                r"
                codeunit 50100 A
                {
                    /// <returns>B</returns>
                    procedure B()
                    begin
                    end;
                }
                ",
                "The documentation describes a result, but the procedure has none. Remove the `<returns>`.",
            )
            .says(
                "a try function without a word about its result",
                r"
                codeunit 50100 A
                {
                    /// <summary>B</summary>
                    [TryFunction]
                    procedure B()
                    begin
                    end;
                }
                ",
                "A try function tells its callers whether it succeeded, and the documentation leaves that out. \
                 Describe it in a `<returns>`.",
            )
    }
}

/// Whether an `#if` decides about the head of the procedure: then its documentation may be about another head as well.
fn has_several_heads(method: Method<'_>, documentation: TextRange) -> bool {
    let tree = method.node().tree();
    let end = method.header_range().end;
    let head = std::iter::successors(Some(tree.token_at(documentation.start)), |token| token.next());
    head.take_while(|token| token.range().start < end)
        .any(|token| token.kind() == TokenKind::DisabledText)
}

/// All differences; none where the documentation cannot be understood.
fn differences(method: Method<'_>, documentation: TextRange) -> Option<Vec<(TextRange, Difference)>> {
    let elements = documented_elements(method.node().tree(), documentation)?;
    let mut found = Vec::new();
    let mut documented: Vec<&str> = Vec::new();
    let mut has_result = false;
    let try_function = method.attribute("TryFunction");
    let is_parameter = |name: &str| method.parameters().any(|parameter| is_named(parameter, name));
    for element in &elements {
        let difference = match &element.subject {
            Subject::Parameter(None) => Some(Difference::UnnamedParameter),
            Subject::Parameter(Some(name)) => {
                let is_second = documented.iter().any(|other| same_name(other, name));
                documented.push(name);
                if is_second {
                    Some(Difference::ParameterTwice)
                } else {
                    (!is_parameter(name)).then_some(Difference::UnknownParameter)
                }
            }
            Subject::Result => {
                let is_second = std::mem::replace(&mut has_result, true);
                let is_there = method.return_value().is_some() || try_function.is_some();
                if is_second {
                    Some(Difference::ResultTwice)
                } else {
                    (!is_there).then_some(Difference::UnknownResult)
                }
            }
        };
        found.extend(difference.map(|difference| (element.range, difference)));
    }
    for parameter in method.parameters() {
        if !documented.iter().any(|name| is_named(parameter, name)) {
            let difference = Difference::UndocumentedParameter(parameter.node().id());
            found.push((parameter.range(), difference));
        }
    }
    if !has_result {
        let attribute_name = try_function.and_then(Attribute::name_token);
        if let Some(result) = method.return_value() {
            found.push((result.range(), Difference::UndocumentedResult));
        } else if let Some(name) = attribute_name {
            found.push((name.range(), Difference::UndocumentedTry));
        }
    }
    Some(found)
}

fn is_named(parameter: Parameter<'_>, name: &str) -> bool {
    parameter.name().is_some_and(|own| same_name(&own, name))
}
