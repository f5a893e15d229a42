//! LC0008: a method that is hard to maintain.

use candor_al_syntax::ast::Method;
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{maintainability_index, measured_body};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r#"
## What it flags

A procedure or trigger whose maintainability index is at or under the limit. The index is a number from 0 (hopeless) to
100 that falls with the number of lines, the number of words and signs, and the cyclomatic complexity.

Empty lines and comments do not count.

## Why

A method that is long and full of conditions at once is hard to change without breaking something: nobody can see all of
it, and no test covers all of it.

## Example

```al
codeunit 50100 Freight
{
    procedure Rate(Country: Code[10]): Decimal
    begin
        if (Country = 'AD') or (Country = 'AE') or (Country = 'AF') or (Country = 'AG') then exit(10);
        if (Country = 'AL') or (Country = 'AM') or (Country = 'AO') or (Country = 'AR') then exit(17);
        if (Country = 'AT') or (Country = 'AU') or (Country = 'AZ') or (Country = 'BA') then exit(24);
        if (Country = 'BB') or (Country = 'BD') or (Country = 'BE') or (Country = 'BF') then exit(31);
        if (Country = 'BG') or (Country = 'BH') or (Country = 'BI') or (Country = 'BJ') then exit(38);
        if (Country = 'BN') or (Country = 'BO') or (Country = 'BR') or (Country = 'BS') then exit(45);
        if (Country = 'BT') or (Country = 'BW') or (Country = 'BY') or (Country = 'BZ') then exit(12);
        if (Country = 'CA') or (Country = 'CD') or (Country = 'CF') or (Country = 'CG') then exit(19);
        if (Country = 'CH') or (Country = 'CI') or (Country = 'CL') or (Country = 'CM') then exit(26);
        if (Country = 'CN') or (Country = 'CO') or (Country = 'CR') or (Country = 'CU') then exit(33);
        if (Country = 'CV') or (Country = 'CY') or (Country = 'CZ') or (Country = 'DE') then exit(40);
        if (Country = 'DJ') or (Country = 'DK') or (Country = 'DM') or (Country = 'DO') then exit(47);
        if (Country = 'DZ') or (Country = 'EC') or (Country = 'EE') or (Country = 'EG') then exit(14);
        if (Country = 'ER') or (Country = 'ES') or (Country = 'ET') or (Country = 'FI') then exit(21);
        if (Country = 'FJ') or (Country = 'FM') or (Country = 'FR') or (Country = 'GA') then exit(28);
        if (Country = 'GB') or (Country = 'GD') or (Country = 'GE') or (Country = 'GH') then exit(35);
        if (Country = 'GM') or (Country = 'GN') or (Country = 'GQ') or (Country = 'GR') then exit(42);
        if (Country = 'GT') or (Country = 'GW') or (Country = 'GY') or (Country = 'HN') then exit(49);
        if (Country = 'HR') or (Country = 'HT') or (Country = 'HU') or (Country = 'ID') then exit(16);
        if (Country = 'IE') or (Country = 'IL') or (Country = 'IN') or (Country = 'IQ') then exit(23);
        if (Country = 'IR') or (Country = 'IS') or (Country = 'IT') or (Country = 'JM') then exit(30);
        if (Country = 'JO') or (Country = 'JP') or (Country = 'KE') or (Country = 'KG') then exit(37);
        if (Country = 'KH') or (Country = 'KI') or (Country = 'KM') or (Country = 'KN') then exit(44);
        if (Country = 'KP') or (Country = 'KR') or (Country = 'KW') or (Country = 'KZ') then exit(11);
        if (Country = 'LA') or (Country = 'LB') or (Country = 'LC') or (Country = 'LI') then exit(18);
        if (Country = 'LK') or (Country = 'LR') or (Country = 'LS') or (Country = 'LT') then exit(25);
        if (Country = 'LU') or (Country = 'LV') or (Country = 'LY') or (Country = 'MA') then exit(32);
        if (Country = 'MC') or (Country = 'MD') or (Country = 'ME') or (Country = 'MG') then exit(39);
        if (Country = 'MH') or (Country = 'MK') or (Country = 'ML') or (Country = 'MM') then exit(46);
        if (Country = 'MN') or (Country = 'MR') or (Country = 'MT') or (Country = 'MU') then exit(13);
        if (Country = 'MV') or (Country = 'MW') or (Country = 'MX') or (Country = 'MY') then exit(20);
        if (Country = 'MZ') or (Country = 'NA') or (Country = 'NE') or (Country = 'NG') then exit(27);
        if (Country = 'NI') or (Country = 'NL') or (Country = 'NO') or (Country = 'NP') then exit(34);
        if (Country = 'NR') or (Country = 'NZ') or (Country = 'OM') or (Country = 'PA') then exit(41);
        if (Country = 'PE') or (Country = 'PG') or (Country = 'PH') or (Country = 'PK') then exit(48);
        if (Country = 'PL') or (Country = 'PT') or (Country = 'PW') or (Country = 'PY') then exit(15);
    end;
}
```

## Better

```al
codeunit 50100 Freight
{
    procedure Rate(Country: Code[10]): Decimal
    var
        FreightRate: Record "Freight Rate";
    begin
        if FreightRate.Get(Country) then
            exit(FreightRate.Amount);
    end;
}
```

## Settings

`MaintainabilityIndexThreshold` (20): the index from which downwards a method is flagged.

## When to ignore it

Code that only lists data, such as the set-up of a demonstration company, may be long and still easy to read. Obsolete
procedures and objects are not flagged.
"#;

pub(crate) struct MaintainabilityIndexThresholdExceeded;

/// A method that is hard to maintain.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct HardToMaintain {
    method: NodeId,
    index: u32,
    threshold: u32,
}

impl Rule for MaintainabilityIndexThresholdExceeded {
    const METADATA: Metadata = Metadata {
        id: "LC0008",
        name: "MaintainabilityIndexThresholdExceeded",
        title: "Method's maintainability index is at or under the limit",
        cop: Cop::Linter,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &["MaintainabilityIndexThreshold"],
        origin: Origin::Same("LC0008 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Procedure, NodeKind::Trigger],
        documentation: DOCUMENTATION,
    };

    type State = HardToMaintain;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(method) = Method::cast(node) else { return };
        let Some(body) = measured_body(method, context) else {
            return;
        };
        let threshold = context.facts().maintainability_index_threshold;
        let Some(index) = maintainability_index(body).filter(|&index| index <= threshold) else {
            return;
        };
        let Some(name) = method.name_token() else { return };
        let state = HardToMaintain {
            method: node.id(),
            index,
            threshold,
        };
        report.at(name.range(), state);
    }

    fn message(state: &Self::State, tree: &Tree) -> String {
        let name = Method::cast(tree.node(state.method))
            .and_then(Method::name)
            .unwrap_or_default();
        format!(
            "`{name}` is hard to maintain: its maintainability index is {} of 100, and the limit is {}. Split it into \
             procedures with one task each.",
            state.index, state.threshold
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "methods at the limit, on their names",
                &codeunit("procedure [|B|]()", "if true then;\n", 88),
            )
            .silent(
                "methods above the limit",
                &codeunit("procedure B()", "if true then;\n", 87),
            )
            .silent(
                "comments and empty lines do not count",
                &codeunit("procedure B()", "if true then; // why\n\n// how\n", 87),
            )
            .silent(
                "many lines without a decision",
                &codeunit("procedure B()", "B();\n", 200),
            )
            .silent(
                "one long line",
                r"
                codeunit 50100 A
                {
                    procedure B() begin if true then; if true then; if true then; if true then; if true then; end;
                }
                ",
            )
            .silent(
                "obsolete methods",
                &codeunit("[Obsolete('gone')] procedure B()", "if true then;\n", 100),
            )
            .suppressed(
                "a pragma around the head",
                &codeunit(
                    "\n#pragma warning disable LC0008\nprocedure [|B|]()\n#pragma warning restore LC0008\n",
                    "if true then;\n",
                    100,
                ),
            )
            .says(
                "the number and the limit",
                &codeunit("trigger OnRun()", "if true then;\n", 88),
                "`OnRun` is hard to maintain: its maintainability index is 20 of 100, and the limit is 20. Split it into \
                 procedures with one task each.",
            )
            .in_project(|file| file.maintainability_index_threshold = 19)
            .silent(
                "the limit of the project counts",
                &codeunit("procedure B()", "if true then;\n", 88),
            )
    }
}

/// A codeunit with one method, in whose body `line` stands so many times.
#[cfg(test)]
fn codeunit(head: &str, line: &str, number: usize) -> String {
    let statements = line.repeat(number);
    format!("codeunit 50100 A\n{{\n{head}\nbegin\n{statements}end;\n}}\n")
}
