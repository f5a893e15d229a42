//! What is compared, and where we see it.

use candor_al_syntax::{Node, NodeKind, TokenKind, TokenRef, Tree};

/// Something both parsers name.
pub struct Construct {
    pub name: &'static str,
    /// Our node kinds.
    pub nodes: &'static [NodeKind],
    /// Our token kinds.
    pub tokens: &'static [TokenKind],
    /// Tree-sitter-al's kinds.
    pub theirs: &'static [&'static str],
    pub scope: Scope,
}

/// Which occurrences are compared, and by what.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All of them, by where they start: ends differ by a `;` or a trailing name, which says nothing.
    Starts,
    /// Those inside code, by where they start and end. Property values have shapes of their own in both trees.
    SpansInCode,
}

const fn nodes(name: &'static str, nodes: &'static [NodeKind], theirs: &'static [&'static str]) -> Construct {
    Construct {
        name,
        nodes,
        tokens: &[],
        theirs,
        scope: Scope::Starts,
    }
}

const fn expressions(name: &'static str, nodes: &'static [NodeKind], theirs: &'static [&'static str]) -> Construct {
    Construct {
        name,
        nodes,
        tokens: &[],
        theirs,
        scope: Scope::SpansInCode,
    }
}

const fn tokens(name: &'static str, tokens: &'static [TokenKind], theirs: &'static [&'static str]) -> Construct {
    Construct {
        name,
        nodes: &[],
        tokens,
        theirs,
        scope: Scope::Starts,
    }
}

pub const CONSTRUCTS: &[Construct] = &[
    nodes(
        "namespaces",
        &[NodeKind::NamespaceDeclaration],
        &["namespace_declaration"],
    ),
    nodes("usings", &[NodeKind::UsingDirective], &["using_statement"]),
    nodes("var sections", &[NodeKind::VarSection], &["var_section"]),
    nodes("variables", &[NodeKind::VariableDeclaration], &["variable_declaration"]),
    nodes("parameters", &[NodeKind::Parameter], &["parameter"]),
    nodes(
        "procedures",
        &[NodeKind::Procedure],
        &["procedure", "interface_procedure"],
    ),
    nodes("triggers", &[NodeKind::Trigger], &["trigger_declaration"]),
    nodes(
        "attributes",
        &[NodeKind::Attribute],
        &["attribute_item", "var_attribute_item"],
    ),
    nodes("properties", &[NodeKind::Property], &["property"]),
    nodes("table fields", &[NodeKind::Field], &["field_declaration"]),
    nodes("page fields", &[NodeKind::PageField], &["page_field"]),
    nodes("actions", &[NodeKind::Action], &["action_declaration"]),
    nodes("keys", &[NodeKind::Key], &["key_declaration"]),
    nodes("enum values", &[NodeKind::EnumValue], &["enum_value_declaration"]),
    nodes("tables", &[NodeKind::Table], &["table_declaration"]),
    nodes("pages", &[NodeKind::Page], &["page_declaration"]),
    nodes(
        "page extensions",
        &[NodeKind::PageExtension],
        &["pageextension_declaration"],
    ),
    nodes("codeunits", &[NodeKind::Codeunit], &["codeunit_declaration"]),
    nodes("reports", &[NodeKind::Report], &["report_declaration"]),
    nodes("queries", &[NodeKind::Query], &["query_declaration"]),
    nodes("xmlports", &[NodeKind::XmlPort], &["xmlport_declaration"]),
    nodes("enums", &[NodeKind::Enum], &["enum_declaration"]),
    nodes("interfaces", &[NodeKind::Interface], &["interface_declaration"]),
    nodes(
        "permission sets",
        &[NodeKind::PermissionSet],
        &["permissionset_declaration"],
    ),
    nodes("parts", &[NodeKind::Part], &["part_section"]),
    nodes("repeaters", &[NodeKind::Repeater], &["repeater_section"]),
    nodes("cue groups", &[NodeKind::CueGroup], &["cuegroup_section"]),
    nodes("action references", &[NodeKind::ActionRef], &["actionref_declaration"]),
    nodes("report columns", &[NodeKind::ReportColumn], &["report_column"]),
    nodes("report data items", &[NodeKind::DataItem], &["report_dataitem"]),
    nodes("query columns", &[NodeKind::QueryColumn], &["query_column"]),
    nodes("query data items", &[NodeKind::QueryDataItem], &["query_dataitem"]),
    nodes("label attributes", &[NodeKind::LabelAttribute], &["label_attribute"]),
    nodes("permissions", &[NodeKind::PermissionEntry], &["tabledata_permission"]),
    nodes(
        "filter conditions",
        &[NodeKind::FilterCondition],
        &["where_condition", "link_value"],
    ),
    nodes(
        "groups",
        &[NodeKind::Group, NodeKind::ActionGroup],
        &["group_section", "action_group_section"],
    ),
    nodes(
        "areas",
        &[NodeKind::Area, NodeKind::ActionArea],
        &["area_section", "action_area_section"],
    ),
    nodes(
        "fixed and grid",
        &[NodeKind::Fixed, NodeKind::Grid],
        &["fixed_section", "grid_section"],
    ),
    nodes("blocks", &[NodeKind::Block], &["code_block"]),
    nodes("if", &[NodeKind::IfStatement], &["if_statement"]),
    nodes("case", &[NodeKind::CaseStatement], &["case_statement"]),
    nodes("case arms", &[NodeKind::CaseArm], &["case_branch"]),
    nodes("case else", &[NodeKind::CaseElse], &["case_else_branch"]),
    nodes("repeat", &[NodeKind::RepeatStatement], &["repeat_statement"]),
    nodes("while", &[NodeKind::WhileStatement], &["while_statement"]),
    nodes("for", &[NodeKind::ForStatement], &["for_statement"]),
    nodes("foreach", &[NodeKind::ForEachStatement], &["foreach_statement"]),
    nodes("with", &[NodeKind::WithStatement], &["with_statement"]),
    nodes("exit", &[NodeKind::ExitStatement], &["exit_statement"]),
    nodes("break", &[NodeKind::BreakStatement], &["break_statement"]),
    nodes("continue", &[NodeKind::ContinueStatement], &["continue_statement"]),
    nodes(
        "asserterror",
        &[NodeKind::AssertErrorStatement],
        &["asserterror_statement"],
    ),
    nodes(
        "assignments",
        &[NodeKind::AssignmentStatement],
        &["assignment_statement"],
    ),
    expressions("calls", &[NodeKind::CallExpression], &["call_expression"]),
    expressions(
        "index expressions",
        &[NodeKind::IndexExpression],
        &["subscript_expression"],
    ),
    expressions("member access", &[NodeKind::MemberAccess], &["member_expression"]),
    expressions(
        "parentheses",
        &[NodeKind::ParenthesizedExpression],
        &["parenthesized_expression"],
    ),
    expressions("unary", &[NodeKind::UnaryExpression], &["unary_expression"]),
    expressions(
        "binary",
        &[NodeKind::BinaryExpression],
        &[
            "additive_expression",
            "multiplicative_expression",
            "comparison_expression",
            "logical_expression",
            "in_expression",
            "is_expression",
            "as_expression",
        ],
    ),
    expressions("ternary", &[NodeKind::ConditionalExpression], &["ternary_expression"]),
    expressions("ranges", &[NodeKind::RangeExpression], &["range_expression"]),
    tokens("strings", &[TokenKind::StringLiteral], &["string_literal"]),
    tokens(
        "verbatim strings",
        &[TokenKind::VerbatimStringLiteral],
        &["verbatim_string"],
    ),
    tokens(
        "quoted identifiers",
        &[TokenKind::QuotedIdentifier],
        &["quoted_identifier"],
    ),
    tokens("line comments", &[TokenKind::LineComment], &["comment"]),
    tokens("block comments", &[TokenKind::BlockComment], &["multiline_comment"]),
    tokens("dates", &[TokenKind::DateLiteral], &["date_literal"]),
    tokens("times", &[TokenKind::TimeLiteral], &["time_literal"]),
    tokens("date-times", &[TokenKind::DateTimeLiteral], &["datetime_literal"]),
    tokens("big integers", &[TokenKind::BigIntegerLiteral], &["biginteger_literal"]),
];

/// Where our tree has the construct, sorted. Where only starts count, the end is the start of the place too.
pub fn places(tree: &Tree, construct: &Construct) -> Vec<(u32, u32)> {
    let mut places: Vec<(u32, u32)> = match construct.scope {
        Scope::Starts => {
            let nodes = tree
                .nodes()
                .filter(|node| construct.nodes.contains(&node.kind()))
                .map(start_behind_attributes);
            let tokens = tree
                .tokens()
                .filter(|token| construct.tokens.contains(&token.kind()))
                .map(|token| token.range().start);
            nodes.chain(tokens).map(|start| (start, start)).collect()
        }
        Scope::SpansInCode => tree
            .nodes()
            .filter(|node| node.kind() == NodeKind::Block)
            .filter(|block| block.ancestors().all(|ancestor| ancestor.kind() != NodeKind::Block))
            .flat_map(Node::descendants)
            .filter(|node| construct.nodes.contains(&node.kind()))
            .map(|node| (node.range().start, node.range().end))
            .collect(),
    };
    places.sort_unstable();
    places
}

/// Where a declaration begins for tree-sitter-al, to which attributes are siblings.
fn start_behind_attributes(node: Node<'_>) -> u32 {
    let attributes = node.children().take_while(|child| child.kind() == NodeKind::Attribute);
    let Some(last) = attributes.last() else {
        return node.range().start;
    };
    let behind = last.last_token().and_then(TokenRef::next_significant);
    behind.map_or(node.range().end, |token| token.range().start)
}
