//! PC0019: a filter for "not empty" that is a quote short.

use candor_al_syntax::ast::FilterCondition;
use candor_al_syntax::edit::{EditSet, replace_token};
use candor_al_syntax::{Keyword, Node, NodeId, NodeKind, TokenRef, Tree};

use crate::context::Context;
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, FixProvider, Metadata, Needs, Origin, Safety, Severity};

const DOCUMENTATION: &str = r"
## What it flags

The string `'<>'''` in an argument of a call, and as the `filter` of a `CalcFormula`. In an argument that is made of
several parts only its first literal is looked at, and the finding is on the whole argument.

## Why

In AL two quotes inside a string are one quote, so the filter is `<>'`: a quote opens and never closes. What was meant is
`<>''`, not empty, and that takes four quotes and the one that ends the string.

## Example

```al
codeunit 50100 Customers
{
    procedure FilterNamed(var Customer: Record Customer)
    begin
        Customer.SetFilter(Name, '<>''');
    end;
}
```

## Better

```al
codeunit 50100 Customers
{
    procedure FilterNamed(var Customer: Record Customer)
    begin
        Customer.SetFilter(Name, '<>''''');
    end;
}
```

## When to ignore it

When the text is no filter, or when the rest of the filter follows and closes the quote.

## Fix

Writes `'<>'''''`. Unsafe, because records are found by another filter than before.
";

/// The string as it is written: the filter `<>'`.
const UNCLOSED: &str = "'<>'''";
/// The string as it is meant: the filter `<>''`.
const NOT_EMPTY: &str = "'<>'''''";

const CLOSE_QUOTE: FixProvider = FixProvider::new(
    "FilterStringSingleQuoteEscapingCodeFix",
    "ALCops: Fix single-quote escaping in filter string",
    Safety::Unsafe,
);

pub(crate) struct FilterStringSingleQuoteEscaping;

impl Rule for FilterStringSingleQuoteEscaping {
    const METADATA: Metadata = Metadata {
        id: "PC0019",
        name: "FilterStringSingleQuoteEscaping",
        title: "Badly escaped not-empty filter",
        cop: Cop::Platform,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("PC0019 of ALCops"),
        fixes: &[CLOSE_QUOTE],
        kinds: &[NodeKind::Literal, NodeKind::FilterText],
        documentation: DOCUMENTATION,
    };

    /// The literal, or the filter that is nothing else.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, _context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let is_unclosed =
            |token: TokenRef<'t>| token.range().as_usize().len() == UNCLOSED.len() && token.text() == UNCLOSED;
        if !node.first_token().is_some_and(is_unclosed) {
            return;
        }
        if node.kind() == NodeKind::Literal {
            report_arguments(node, report);
        } else if node.text() == UNCLOSED && is_filter_of_formula(node) {
            report.at(node.range(), node.id());
        }
    }

    fn message(_literal: &Self::State, _tree: &Tree) -> String {
        format!(
            "`{UNCLOSED}` is the filter `<>'`, in which a quote opens and never closes. For \"not empty\" write \
             `{NOT_EMPTY}`."
        )
    }

    fn fix(&literal: &Self::State, _fix: &'static FixProvider, tree: &Tree) -> Option<EditSet> {
        Some(replace_token(tree.node(literal).first_token()?, NOT_EMPTY))
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "an argument of any call",
                r"
                codeunit 50100 A
                {
                    procedure B()
                    begin
                        Customer.SetFilter(Name, [|'<>'''|]);
                        SetFilter(Name, [|('<>''')|]);
                        C([|'<>'''|], 1, [|'<>'''|]);
                        if D.E(1).F([|'<>'''|]) then;
                    end;
                }
                ",
            )
            .flags(
                "an argument whose first literal it is, and the arguments around it",
                r"
                codeunit 50100 A
                {
                    procedure B()
                    begin
                        Customer.SetFilter(Name, [|'<>''' + C + '|x'|]);
                        Customer.SetFilter(Name, [|StrSubstNo([|'<>'''|], 'x')|]);
                        Customer.SetFilter(Name, StrSubstNo('%1', [|'<>'''|]));
                    end;
                }
                ",
            )
            .flags(
                "the filter of a formula",
                r"
                table 50100 A
                {
                    fields
                    {
                        field(1; B; Boolean)
                        {
                            CalcFormula = exist(C where(D = filter([|'<>'''|]), E = const(1)));
                        }
                    }
                }
                ",
            )
            .silent(
                "other literals, a later literal, no argument, other filters",
                r"
                table 50100 A
                {
                    fields
                    {
                        field(1; B; Boolean)
                        {
                            CalcFormula = exist(C where(D = filter('<>'''''), E = filter('<>''' | 'x'), F = const('<>''')));
                            TableRelation = C where(D = filter('<>'''));
                        }
                    }

                    procedure B()
                    var
                        Filter: Label '<>''';
                    begin
                        Customer.SetFilter(Name, '<>''''');
                        Customer.SetFilter(Name, '<>');
                        Customer.SetFilter(Name, '''');
                        Customer.SetFilter(Name, 'x' + '<>''');
                        Customer.SetFilter(Name, C[1] + '<>''');
                        Name := '<>''';
                        if Name = '<>''' then;
                    end;
                }
                ",
            )
            .suppressed(
                "a pragma around the call",
                r"
                codeunit 50100 A
                {
                    procedure B()
                    begin
                #pragma warning disable PC0019
                        Customer.SetFilter(Name, [|'<>'''|]);
                #pragma warning restore PC0019
                    end;
                }
                ",
            )
            .says(
                "what it is, and what was meant",
                r"
                codeunit 50100 A
                {
                    procedure B()
                    begin
                        Customer.SetFilter(Name, '<>''');
                    end;
                }
                ",
                "`'<>'''` is the filter `<>'`, in which a quote opens and never closes. For \"not empty\" write \
                 `'<>'''''`.",
            )
            .fixes(
                "the string alone is replaced",
                r"
                table 50100 A
                {
                    fields
                    {
                        field(1; B; Boolean)
                        {
                            CalcFormula = exist(C where(D = filter(/* some */ '<>''')));
                        }
                    }

                    procedure B()
                    begin
                        Customer.SetFilter(Name, StrSubstNo('<>''' /* none */, 'x'));
                    end;
                }
                ",
                r"
                table 50100 A
                {
                    fields
                    {
                        field(1; B; Boolean)
                        {
                            CalcFormula = exist(C where(D = filter(/* some */ '<>''''')));
                        }
                    }

                    procedure B()
                    begin
                        Customer.SetFilter(Name, StrSubstNo('<>''''' /* none */, 'x'));
                    end;
                }
                ",
            )
    }
}

/// Reports every argument around the literal whose first literal it is.
fn report_arguments(literal: Node<'_>, report: &mut Report<'_, NodeId>) {
    let mut inner = literal;
    while let Some(outer) = inner.parent() {
        let is_list = outer.kind() == NodeKind::ArgumentList;
        if is_list && outer.parent().is_some_and(|it| it.kind() == NodeKind::CallExpression) {
            report.at(inner.range(), literal.id());
        }
        let mut before = outer.children().take_while(|child| *child != inner);
        let is_first = !before.any(|child| child.descendants_of(NodeKind::Literal).next().is_some());
        if !is_first || !(is_list || outer.kind().is_expression()) {
            return;
        }
        inner = outer;
    }
}

/// Whether the text is the whole of a `filter(…)` in the formula of a field.
fn is_filter_of_formula(filter: Node<'_>) -> bool {
    let condition = filter.parent().and_then(FilterCondition::cast);
    condition.is_some_and(|condition| condition.form() == Keyword::Filter)
        && filter.ancestors().any(|node| node.kind() == NodeKind::CalcFormulaValue)
}
