//! Which sections and parts stand where.

use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::token::TokenKind;

/// What stands between a pair of braces, as far as it decides what may stand in there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Body {
    // Objects
    Table,
    Page,
    Report,
    Code,
    Query,
    XmlPort,
    Enum,
    Plain,
    DotNet,
    // Sections
    Fields,
    Keys,
    FieldGroups,
    Layout,
    Actions,
    Views,
    DataSet,
    RequestPage,
    Rendering,
    Labels,
    Elements,
    Schema,
    // Parts
    /// Properties only.
    Leaf,
    /// Properties and triggers.
    Triggers,
    Control,
    ActionGroup,
    View,
    ViewChange,
    DataItem,
    QueryDataItem,
    XmlNode,
    Assembly,
    /// Braces behind something unknown: takes whatever fits around it, or anywhere.
    Anything,
}

/// The shape of what stands in the parentheses of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arguments {
    /// `(Name)`
    Name,
    /// `(1; Name; type)`
    Field,
    /// `(1; Name)`
    Value,
    /// `(Name; A, B)`
    Fields,
    /// `(Name; expression)`
    Expression,
    /// `(Name)` or `(Name; expression)`
    OptionalExpression,
    /// `(Name; Object)`
    Object,
    /// `(Name; Name)`
    Reference,
    /// `(Name)` or `(Name; A, B)`
    Change,
    /// `("Assembly.Name")`
    Assembly,
    /// `("Type.Name"; Alias)`
    DotNetType,
    /// `(Name; 'text', Comment = '…')`
    Label,
}

/// A part: word, parentheses, braces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub(crate) kind: NodeKind,
    pub(crate) arguments: Arguments,
    /// What the braces hold; none where there are none.
    pub(crate) body: Option<Body>,
    /// Whether the braces may be missing.
    pub(crate) may_lack_body: bool,
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "every caller is the arm of a match that may have no part"
)]
const fn part(kind: NodeKind, arguments: Arguments, body: Body) -> Option<Part> {
    Some(Part {
        kind,
        arguments,
        body: Some(body),
        may_lack_body: false,
    })
}

/// `add…`, `move…` and `modify`.
const fn change(kind: NodeKind, keyword: Keyword, body: Body) -> Option<Part> {
    match keyword {
        Keyword::AddFirst | Keyword::AddLast | Keyword::AddAfter | Keyword::AddBefore | Keyword::Modify => {
            part(kind, Arguments::Change, body)
        }
        Keyword::MoveFirst | Keyword::MoveLast | Keyword::MoveAfter | Keyword::MoveBefore => Some(Part {
            kind,
            arguments: Arguments::Change,
            body: None,
            may_lack_body: true,
        }),
        _ => None,
    }
}

const fn control(keyword: Keyword) -> Option<Part> {
    match keyword {
        Keyword::Area => part(NodeKind::Area, Arguments::Name, Body::Control),
        Keyword::Group => part(NodeKind::Group, Arguments::Name, Body::Control),
        Keyword::CueGroup => part(NodeKind::CueGroup, Arguments::Name, Body::Control),
        Keyword::Repeater => part(NodeKind::Repeater, Arguments::Name, Body::Control),
        Keyword::Grid => part(NodeKind::Grid, Arguments::Name, Body::Control),
        Keyword::Fixed => part(NodeKind::Fixed, Arguments::Name, Body::Control),
        Keyword::Field => part(NodeKind::PageField, Arguments::Expression, Body::Triggers),
        Keyword::Part => part(NodeKind::Part, Arguments::Object, Body::Triggers),
        Keyword::SystemPart => part(NodeKind::SystemPart, Arguments::Object, Body::Triggers),
        Keyword::ChartPart => part(NodeKind::ChartPart, Arguments::Object, Body::Triggers),
        Keyword::UserControl => part(NodeKind::UserControl, Arguments::Object, Body::Triggers),
        Keyword::Label => part(NodeKind::PageLabel, Arguments::OptionalExpression, Body::Triggers),
        _ => change(NodeKind::ControlChange, keyword, Body::Control),
    }
}

const fn action(keyword: Keyword) -> Option<Part> {
    match keyword {
        Keyword::Area => part(NodeKind::ActionArea, Arguments::Name, Body::ActionGroup),
        Keyword::Group => part(NodeKind::ActionGroup, Arguments::Name, Body::ActionGroup),
        Keyword::Action => part(NodeKind::Action, Arguments::Name, Body::Triggers),
        Keyword::ActionRef => part(NodeKind::ActionRef, Arguments::Reference, Body::Triggers),
        Keyword::Separator => part(NodeKind::ActionSeparator, Arguments::Name, Body::Triggers),
        Keyword::CustomAction => part(NodeKind::CustomAction, Arguments::Name, Body::Triggers),
        Keyword::SystemAction => part(NodeKind::SystemAction, Arguments::Name, Body::Triggers),
        Keyword::FileUploadAction => part(NodeKind::FileUploadAction, Arguments::Name, Body::Triggers),
        _ => change(NodeKind::ActionChange, keyword, Body::ActionGroup),
    }
}

const fn view(keyword: Keyword) -> Option<Part> {
    match keyword {
        Keyword::View => part(NodeKind::View, Arguments::Name, Body::View),
        Keyword::AnalysisView => part(NodeKind::AnalysisView, Arguments::Name, Body::Leaf),
        _ => change(NodeKind::ViewChange, keyword, Body::ViewChange),
    }
}

const fn data_set(keyword: Keyword) -> Option<Part> {
    match keyword {
        Keyword::DataItem => part(NodeKind::DataItem, Arguments::Object, Body::DataItem),
        Keyword::Column => part(NodeKind::ReportColumn, Arguments::Expression, Body::Leaf),
        Keyword::Add => part(NodeKind::DataSetChange, Arguments::Change, Body::DataItem),
        _ => change(NodeKind::DataSetChange, keyword, Body::DataItem),
    }
}

const fn element(keyword: Keyword) -> Option<Part> {
    match keyword {
        Keyword::DataItem => part(NodeKind::QueryDataItem, Arguments::Object, Body::QueryDataItem),
        Keyword::Column => part(NodeKind::QueryColumn, Arguments::OptionalExpression, Body::Leaf),
        Keyword::Filter => part(NodeKind::QueryFilter, Arguments::Expression, Body::Leaf),
        _ => None,
    }
}

const fn xml_node(keyword: Keyword) -> Option<Part> {
    match keyword {
        Keyword::TextElement => part(NodeKind::TextElement, Arguments::Name, Body::XmlNode),
        Keyword::TextAttribute => part(NodeKind::TextAttribute, Arguments::Name, Body::XmlNode),
        Keyword::TableElement => part(NodeKind::TableElement, Arguments::Object, Body::XmlNode),
        Keyword::FieldElement => part(NodeKind::FieldElement, Arguments::Expression, Body::XmlNode),
        Keyword::FieldAttribute => part(NodeKind::FieldAttribute, Arguments::Expression, Body::XmlNode),
        _ => None,
    }
}

impl Body {
    /// The bodies that have parts of their own, for words that stand in the wrong place.
    const WITH_PARTS: [Self; 14] = [
        Self::Fields,
        Self::Keys,
        Self::FieldGroups,
        Self::Control,
        Self::ActionGroup,
        Self::Views,
        Self::DataItem,
        Self::QueryDataItem,
        Self::XmlNode,
        Self::Rendering,
        Self::Labels,
        Self::Enum,
        Self::DotNet,
        Self::Assembly,
    ];

    /// The part that `keyword` followed by `(` begins here.
    pub(crate) fn part(self, keyword: Keyword) -> Option<Part> {
        if keyword == Keyword::None {
            return None;
        }
        match self {
            Self::Fields => match keyword {
                Keyword::Field => part(NodeKind::Field, Arguments::Field, Self::Triggers),
                Keyword::Modify => part(NodeKind::FieldModification, Arguments::Name, Self::Triggers),
                _ => None,
            },
            Self::Keys => match keyword {
                Keyword::Key => part(NodeKind::Key, Arguments::Fields, Self::Leaf),
                _ => None,
            },
            Self::FieldGroups => match keyword {
                Keyword::FieldGroup => part(NodeKind::FieldGroup, Arguments::Fields, Self::Leaf),
                Keyword::AddLast => Some(Part {
                    kind: NodeKind::FieldGroupAddition,
                    arguments: Arguments::Fields,
                    body: Some(Self::Leaf),
                    may_lack_body: true,
                }),
                _ => None,
            },
            Self::Layout if keyword == Keyword::Area => control(keyword),
            Self::Layout => change(NodeKind::ControlChange, keyword, Self::Control),
            Self::Control => control(keyword),
            Self::Actions if keyword == Keyword::Area => action(keyword),
            Self::Actions => change(NodeKind::ActionChange, keyword, Self::ActionGroup),
            Self::ActionGroup => action(keyword),
            Self::Views | Self::ViewChange => view(keyword),
            Self::DataSet if keyword == Keyword::Column => None,
            Self::DataSet | Self::DataItem => data_set(keyword),
            Self::Elements if keyword != Keyword::DataItem => None,
            Self::Elements | Self::QueryDataItem => element(keyword),
            Self::Schema | Self::XmlNode => xml_node(keyword),
            Self::Rendering => match keyword {
                Keyword::Layout => part(NodeKind::RenderingLayout, Arguments::Name, Self::Leaf),
                _ => None,
            },
            Self::Labels => match keyword {
                Keyword::Label => Some(Part {
                    kind: NodeKind::ReportLabel,
                    arguments: Arguments::Label,
                    body: Some(Self::Leaf),
                    may_lack_body: true,
                }),
                _ => None,
            },
            Self::Enum => match keyword {
                Keyword::Value => part(NodeKind::EnumValue, Arguments::Value, Self::Leaf),
                _ => None,
            },
            Self::DotNet => match keyword {
                Keyword::Assembly => part(NodeKind::DotNetAssembly, Arguments::Assembly, Self::Assembly),
                _ => None,
            },
            Self::Assembly => match keyword {
                Keyword::Type => part(NodeKind::DotNetType, Arguments::DotNetType, Self::Leaf),
                _ => None,
            },
            Self::Table
            | Self::Page
            | Self::Report
            | Self::Code
            | Self::Query
            | Self::XmlPort
            | Self::Plain
            | Self::RequestPage
            | Self::View
            | Self::Leaf
            | Self::Triggers
            | Self::Anything => None,
        }
    }

    /// The part that `keyword` followed by `(` begins in some body, and that body.
    pub(crate) fn somewhere(keyword: Keyword) -> Option<(Part, Self)> {
        Self::WITH_PARTS
            .iter()
            .find_map(|&body| body.part(keyword).map(|part| (part, body)))
    }

    /// The section that `keyword` followed by `{` begins here.
    pub(crate) fn section(self, keyword: Keyword) -> Option<(NodeKind, Self)> {
        Some(match (self, keyword) {
            (Self::Table, Keyword::Fields) => (NodeKind::FieldSection, Self::Fields),
            (Self::Table, Keyword::Keys) => (NodeKind::KeySection, Self::Keys),
            (Self::Table, Keyword::FieldGroups) => (NodeKind::FieldGroupSection, Self::FieldGroups),
            (Self::Page | Self::RequestPage | Self::View, Keyword::Layout) => (NodeKind::LayoutSection, Self::Layout),
            (Self::Page | Self::RequestPage, Keyword::Actions) => (NodeKind::ActionSection, Self::Actions),
            (Self::Control, Keyword::Actions) => (NodeKind::ActionSection, Self::ActionGroup),
            (Self::Page, Keyword::Views | Keyword::AnalysisViews) => (NodeKind::ViewSection, Self::Views),
            (Self::Report, Keyword::DataSet) => (NodeKind::DataSetSection, Self::DataSet),
            (Self::Report | Self::XmlPort, Keyword::RequestPage) => (NodeKind::RequestPage, Self::RequestPage),
            (Self::Report, Keyword::Rendering) => (NodeKind::RenderingSection, Self::Rendering),
            (Self::Report, Keyword::Labels) => (NodeKind::LabelSection, Self::Labels),
            (Self::Query, Keyword::Elements) => (NodeKind::ElementsSection, Self::Elements),
            (Self::XmlPort, Keyword::Schema) => (NodeKind::SchemaSection, Self::Schema),
            _ => return None,
        })
    }

    /// The section that `keyword` followed by `{` begins in some body.
    pub(crate) fn section_somewhere(keyword: Keyword) -> Option<(NodeKind, Self)> {
        [Self::Table, Self::Page, Self::Report, Self::Query, Self::XmlPort]
            .iter()
            .find_map(|body| body.section(keyword))
    }

    /// Whether name `=` stands here.
    pub(crate) fn has_properties(self) -> bool {
        !matches!(
            self,
            Self::Fields
                | Self::Keys
                | Self::FieldGroups
                | Self::Layout
                | Self::Actions
                | Self::Views
                | Self::DataSet
                | Self::Rendering
                | Self::Elements
                | Self::Schema
                | Self::DotNet
        )
    }

    /// Whether procedures, variables and triggers stand here.
    pub(crate) fn has_members(self) -> bool {
        matches!(
            self,
            Self::Table
                | Self::Page
                | Self::Report
                | Self::Code
                | Self::Query
                | Self::XmlPort
                | Self::RequestPage
                | Self::Anything
        )
    }

    /// Whether triggers stand here.
    pub(crate) fn has_triggers(self) -> bool {
        self.has_members()
            || matches!(
                self,
                Self::Triggers
                    | Self::Control
                    | Self::ActionGroup
                    | Self::DataItem
                    | Self::XmlNode
                    | Self::QueryDataItem
            )
    }
}

/// Where the parser is: a body inside others.
pub(crate) struct Frame<'f> {
    pub(crate) body: Body,
    pub(crate) outer: Option<&'f Frame<'f>>,
}

impl Frame<'_> {
    /// The part that `keyword` followed by `(` begins here.
    pub(crate) fn part(&self, keyword: Keyword) -> Option<Part> {
        if self.body != Body::Anything {
            return self.body.part(keyword);
        }
        let around = std::iter::successors(self.outer, |frame| frame.outer).find_map(|frame| frame.body.part(keyword));
        around.or_else(|| Body::somewhere(keyword).map(|(part, _)| part))
    }

    /// The section that `keyword` followed by `{` begins here.
    pub(crate) fn section(&self, keyword: Keyword) -> Option<(NodeKind, Body)> {
        if self.body == Body::Anything {
            Body::section_somewhere(keyword)
        } else {
            self.body.section(keyword)
        }
    }

    /// Whether one of the bodies around this one satisfies `condition`.
    pub(crate) fn any_outer(&self, condition: impl Fn(Body) -> bool) -> bool {
        std::iter::successors(self.outer, |frame| frame.outer).any(|frame| condition(frame.body))
    }

    /// Whether what begins with the tokens `keyword` and then `behind` fits into `body`.
    pub(crate) fn fits(body: Body, keyword: Keyword, behind: TokenKind) -> bool {
        match behind {
            TokenKind::LeftParenthesis => body.part(keyword).is_some(),
            TokenKind::LeftBrace => body.section(keyword).is_some(),
            _ => match keyword {
                Keyword::Trigger => body.has_triggers(),
                Keyword::Procedure | Keyword::Local | Keyword::Internal | Keyword::Protected | Keyword::Var => {
                    body.has_members()
                }
                _ => false,
            },
        }
    }
}
