//! LC0048: an error whose text is no label.

use candor_al_model::{Type, well_known};
use candor_al_syntax::ast::{Expression, Literal};
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{arguments_of, built_in_call, is_in_obsolete_code};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

`Error` whose first argument is a text that is no label: a string, a text variable, a field, a concatenation, the result
of `StrSubstNo`. An `ErrorInfo` is fine, and so is the empty string, which ends the transaction without saying anything.

## Why

Only a label is translated, and only of a label the telemetry may keep the text: everything else could hold data of a
customer. `Error` takes the values for placeholders itself.

## Example

```al
codeunit 50100 Posting
{
    procedure Post(CustomerNo: Code[20])
    begin
        Error('Customer ' + CustomerNo + ' is blocked.');
    end;
}
```

## Better

```al
codeunit 50100 Posting
{
    procedure Post(CustomerNo: Code[20])
    var
        CustomerBlockedErr: Label 'Customer %1 is blocked.', Comment = '%1 is the number of the customer';
    begin
        Error(CustomerBlockedErr, CustomerNo);
    end;
}
```

## When to ignore it

Where a text that came from elsewhere is passed on, such as `GetLastErrorText()`. Obsolete code is not flagged.
";

pub(crate) struct ErrorInvocationUsingTextConstant;

impl Rule for ErrorInvocationUsingTextConstant {
    const METADATA: Metadata = Metadata {
        id: "LC0048",
        name: "ErrorInvocationUsingTextConstant",
        title: "Error should get a label or an ErrorInfo",
        cop: Cop::Linter,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Meaning,
        settings: &[],
        origin: Origin::Same("LC0048 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::CallExpression],
        documentation: DOCUMENTATION,
    };

    /// The argument.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(name) = Expression::cast(node).and_then(Expression::name_token) else {
            return;
        };
        if !name.text().eq_ignore_ascii_case("Error") {
            return;
        }
        let arguments = arguments_of(node);
        let (Some(&text), Some(known)) = (arguments.first(), context.meaning()) else {
            return;
        };
        let is_error = built_in_call(node, known)
            .is_some_and(|method| method.owner == well_known().dialog && method.name == "Error");
        if !is_error || is_in_obsolete_code(node, context) {
            return;
        }
        let inner = text.without_parentheses();
        let is_symbol = matches!(inner.kind(), NodeKind::NameExpression | NodeKind::MemberAccess);
        let is_fine = match known.type_of(text.node()) {
            Type::Simple(of) => of == well_known().error_info || of == well_known().text_constant,
            Type::Label(_) => is_symbol,
            Type::Unknown(_) | Type::UnknownObject(..) => true,
            _ => Literal::cast(inner.node())
                .and_then(Literal::string)
                .is_some_and(|text| text.is_empty()),
        };
        if !is_fine {
            report.at(node.range(), text.node().id());
        }
    }

    fn message(_text: &Self::State, _tree: &Tree) -> String {
        "The text of this error is no label, so that it is neither translated nor kept in telemetry. Declare a label and \
         pass values for its placeholders as further arguments, or pass an ErrorInfo."
            .to_owned()
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .with_file("table 18 Customer { fields { field(1; Name; Text[100]) { } } }")
            .flags(
                "strings, variables, fields, concatenations, results",
                r"
                codeunit 50100 A
                {
                    var
                        GlobalErr: Label 'x';

                    procedure P(T: Text; C: Record Customer)
                    begin
                        [|Error('x')|];
                        [|Error(T)|];
                        [|Error(C.Name)|];
                        [|Error(GlobalErr + T)|];
                        [|Error(StrSubstNo(GlobalErr, T))|];
                        [|Error(GetLastErrorText())|];
                    end;
                }
                ",
            )
            .silent(
                "labels, error infos, the empty string, own procedures, what is not known",
                r"
                codeunit 50100 A
                {
                    var
                        GlobalErr: Label 'x %1';

                    procedure P(I: ErrorInfo; U: DotNet Unknown)
                    var
                        LocalErr: Label 'x';
                    begin
                        Error(LocalErr);
                        Error(GlobalErr, 1);
                        Error(this.GlobalErr);
                        Error((LocalErr));
                        Error(I);
                        Error(ErrorInfo.Create());
                        Error('');
                        Error(U.Message);
                    end;
                }
                codeunit 50101 B
                {
                    procedure P()
                    begin
                        Error('x');
                    end;

                    procedure Error(T: Text)
                    begin
                    end;
                }
                ",
            )
            .says(
                "why",
                r"
                codeunit 50100 A
                {
                    procedure P()
                    begin
                        Error('x');
                    end;
                }
                ",
                "The text of this error is no label, so that it is neither translated nor kept in telemetry. Declare a \
                 label and pass values for its placeholders as further arguments, or pass an ErrorInfo.",
            )
    }
}
