macro_rules! node_kinds {
    ($($(#[$attribute:meta])* $variant:ident),* $(,)?) => {
        /// What a node is. Each variant shows the shape of its node: tokens in back quotes, child nodes by kind,
        /// `?` for optional, `*` for any number. Any node may hold [`NodeKind::Error`] children where the text is broken.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        #[expect(clippy::doc_markdown, reason = "in the notation for shapes, back quotes mean tokens and plain words mean kinds")]
        pub enum NodeKind { $($(#[$attribute])* $variant),* }

        impl NodeKind {
            /// Every kind, in declaration order.
            pub const ALL: &'static [NodeKind] = &[$(NodeKind::$variant),*];
        }
    };
}

node_kinds! {
    /// The root: NamespaceDeclaration? UsingDirective* objects*. It covers every token, the end of the file too.
    CompilationUnit,
    /// Tokens that fit nowhere; the parser skipped them.
    Error,
    /// `namespace` QualifiedName `;`
    NamespaceDeclaration,
    /// `using` QualifiedName `;`
    UsingDirective,
    /// A name, dotted or not: name (`.` name)*. Used for namespaces and for references to objects. Tokens only.
    QualifiedName,
    /// The declared name of an object, member, control …: one identifier, quoted or not (in a few places a number).
    Name,
    /// The number of an object, field or enum value: one integer.
    ObjectId,
    /// `extends` QualifiedName (`,` QualifiedName)*; an object number may stand in the place of a name
    ExtendsClause,
    /// `implements` QualifiedName (`,` QualifiedName)*
    ImplementsClause,
    /// `customizes` QualifiedName
    CustomizesClause,

    // Objects: keyword ObjectId? Name clause* `{` (Property | section | VarSection | Procedure | Trigger | …)* `}`
    /// `table`
    Table,
    /// `tableextension` … ExtendsClause
    TableExtension,
    /// `page`
    Page,
    /// `pageextension` … ExtendsClause
    PageExtension,
    /// `pagecustomization` Name CustomizesClause
    PageCustomization,
    /// `report`
    Report,
    /// `reportextension` … ExtendsClause
    ReportExtension,
    /// `codeunit` … ImplementsClause?
    Codeunit,
    /// `query`
    Query,
    /// `xmlport`
    XmlPort,
    /// `enum` … ImplementsClause?
    Enum,
    /// `enumextension` … ExtendsClause
    EnumExtension,
    /// `interface` Name ExtendsClause?
    Interface,
    /// `permissionset`
    PermissionSet,
    /// `permissionsetextension` … ExtendsClause
    PermissionSetExtension,
    /// `entitlement` Name
    Entitlement,
    /// `profile` Name
    Profile,
    /// `profileextension` Name ExtendsClause
    ProfileExtension,
    /// `controladdin` Name
    ControlAddIn,
    /// `dotnet` `{` DotNetAssembly* `}`
    DotNetPackage,

    // Sections: keyword `{` … `}`
    /// `fields` `{` (Field | FieldModification)* `}`
    FieldSection,
    /// `field` `(` ObjectId `;` Name `;` type `)` `{` (Property | Trigger)* `}`
    Field,
    /// `modify` `(` Name `)` `{` (Property | Trigger)* `}` in a table extension
    FieldModification,
    /// `keys` `{` Key* `}`
    KeySection,
    /// `key` `(` Name `;` IdentifierList `)` `{` Property* `}`
    Key,
    /// `fieldgroups` `{` (FieldGroup | FieldGroupAddition)* `}`
    FieldGroupSection,
    /// `fieldgroup` `(` Name `;` IdentifierList `)` `{` Property* `}`
    FieldGroup,
    /// `addlast` `(` Name `;` IdentifierList `)` `{` `}` in a table extension
    FieldGroupAddition,
    /// `layout` `{` (Area | ControlChange)* `}`
    LayoutSection,
    /// `actions` `{` (ActionArea | ActionChange)* `}`; also nested in a control
    ActionSection,
    /// `views` `{` (View | AnalysisView | ViewChange)* `}`
    ViewSection,
    /// `area` `(` Name `)` `{` control* `}` in a layout
    Area,
    /// `group` `(` Name `)` `{` (Property | control | ActionSection | Trigger)* `}` in a layout
    Group,
    /// `cuegroup` `(` Name `)` `{` … `}`
    CueGroup,
    /// `repeater` `(` Name `)` `{` … `}`
    Repeater,
    /// `grid` `(` Name `)` `{` … `}`
    Grid,
    /// `fixed` `(` Name `)` `{` … `}`
    Fixed,
    /// `field` `(` Name `;` expression `)` `{` (Property | Trigger)* `}`
    PageField,
    /// `part` `(` Name `;` QualifiedName `)` `{` Property* `}`
    Part,
    /// `systempart` `(` Name `;` QualifiedName `)` `{` Property* `}`
    SystemPart,
    /// `chartpart` `(` Name `;` QualifiedName `)` `{` Property* `}`
    ChartPart,
    /// `usercontrol` `(` Name `;` QualifiedName `)` `{` (Property | Trigger)* `}`
    UserControl,
    /// `label` `(` Name (`;` expression)? `)` `{` Property* `}` in a layout
    PageLabel,
    /// `addfirst`, `addlast`, `addafter`, `addbefore`, `movefirst`, `movelast`, `moveafter`, `movebefore` or `modify`,
    /// then `(` Name (`;` Name (`,` Name)*)? `)` (missing in `addlast { … }` among views), then `{` (control | Property | Trigger)* `}` unless it moves; in a layout
    ControlChange,
    /// `area` `(` Name `)` `{` action* `}` in actions
    ActionArea,
    /// `group` `(` Name `)` `{` (Property | action)* `}` in actions
    ActionGroup,
    /// `action` `(` Name `)` `{` (Property | Trigger)* `}`
    Action,
    /// `actionref` `(` Name `;` Name `)` `{` Property* `}`
    ActionRef,
    /// `separator` `(` Name `)` `{` Property* `}`
    ActionSeparator,
    /// `customaction` `(` Name `)` `{` Property* `}`
    CustomAction,
    /// `systemaction` `(` Name `)` `{` (Property | Trigger)* `}`
    SystemAction,
    /// `fileuploadaction` `(` Name `)` `{` (Property | Trigger)* `}`
    FileUploadAction,
    /// As ControlChange, in actions
    ActionChange,
    /// `view` `(` Name `)` `{` (Property | LayoutSection)* `}`
    View,
    /// `analysisview` `(` Name `)` `{` Property* `}`
    AnalysisView,
    /// As ControlChange, in views
    ViewChange,
    /// `dataset` `{` (DataItem | DataSetChange | ReportColumn)* `}`
    DataSetSection,
    /// `dataitem` `(` Name `;` QualifiedName `)` `{` (Property | ReportColumn | DataItem | Trigger)* `}` in a report
    DataItem,
    /// `column` `(` Name `;` expression `)` `{` Property* `}`
    ReportColumn,
    /// `add`, `addfirst`, `addlast`, `addafter`, `addbefore` or `modify` `(` Name `)` `{` … `}` in a report extension's data set
    DataSetChange,
    /// `requestpage` `{` (Property | LayoutSection | ActionSection | VarSection | Procedure | Trigger)* `}`
    RequestPage,
    /// `rendering` `{` RenderingLayout* `}`
    RenderingSection,
    /// `layout` `(` Name `)` `{` Property* `}`
    RenderingLayout,
    /// `labels` `{` ReportLabel* `}`
    LabelSection,
    /// Name `=` LabelValue `;`  or  `label` `(` Name `;` LabelValue `)` (`{` Property* `}` or `;`)?
    ReportLabel,
    /// `elements` `{` QueryDataItem* `}`
    ElementsSection,
    /// `dataitem` `(` Name `;` QualifiedName `)` `{` (Property | QueryColumn | QueryFilter | QueryDataItem)* `}`
    QueryDataItem,
    /// `column` `(` Name (`;` expression)? `)` `{` Property* `}`
    QueryColumn,
    /// `filter` `(` Name `;` expression `)` `{` Property* `}`
    QueryFilter,
    /// `schema` `{` xmlport node* `}`
    SchemaSection,
    /// `textelement` `(` Name `)` `{` (Property | xmlport node | Trigger)* `}`
    TextElement,
    /// `textattribute` `(` Name `)` `{` … `}`
    TextAttribute,
    /// `tableelement` `(` Name `;` QualifiedName `)` `{` … `}`
    TableElement,
    /// `fieldelement` `(` Name `;` expression `)` `{` … `}`
    FieldElement,
    /// `fieldattribute` `(` Name `;` expression `)` `{` … `}`
    FieldAttribute,
    /// `value` `(` ObjectId `;` Name `)` `{` Property* `}`; also in an enum extension
    EnumValue,
    /// `assembly` `(` Name `)` `{` (Property | DotNetType)* `}`
    DotNetAssembly,
    /// `type` `(` Name `;` Name `)` `{` Property* `}`
    DotNetType,

    // Properties. Which value a property has is looked up by its name; a name that is not in the table gets what its tokens look like.
    /// name `=` value? `;` — the name is a single token of this node (two tokens for a few old names); the value is the only child node.
    Property,
    /// A label: string (`,` LabelAttribute)*. The value of Caption, ToolTip … and of Label variables.
    LabelValue,
    /// `Locked`/`Comment`/`MaxLength` `=` literal
    LabelAttribute,
    /// CaptionML …: MultiLanguageText (`,` MultiLanguageText)*
    MultiLanguageValue,
    /// name `=` string
    MultiLanguageText,
    /// A value that is an expression (also a single literal, identifier or `Type::Member`): one expression child.
    ExpressionValue,
    /// IdentifierListItem? (`,` IdentifierListItem?)*: fields, options, application areas, file names, ordinals …
    IdentifierList,
    /// One member of an IdentifierList, by its tokens: a name, dotted or not, possibly with `#` in front; a string; a number, possibly negative. An empty option member has no node.
    IdentifierListItem,
    /// ImplementationEntry (`,` ImplementationEntry)*. The value of Implementation, DefaultImplementation …
    ImplementationList,
    /// QualifiedName `=` QualifiedName: the interface and the codeunit that implements it
    ImplementationEntry,
    /// A reference to an object: (object type `::`?)? QualifiedName. RunObject = Page "Customer Card", SourceTable, LookupPageId …
    ObjectReference,
    /// PermissionEntry (`,` PermissionEntry)*
    PermissionList,
    /// (`tabledata`|`table`|`codeunit`|…) (QualifiedName | `*`) (`=` letters)? — the letters are the last token
    PermissionEntry,
    /// Value of TableRelation: TableRelationBranch
    TableRelationValue,
    /// Either target: QualifiedName (`where` FilterClause)?, or `if` FilterClause TableRelationBranch (`else` TableRelationBranch)?
    TableRelationBranch,
    /// Value of CalcFormula: `-`? (`exist`|`count`|`sum`|`average`|`min`|`max`|`lookup`) `(` QualifiedName (`where` FilterClause)? `)`
    CalcFormulaValue,
    /// Value of SourceTableView, SubPageView, DataItemTableView, RunPageView …: SortingClause? OrderClause? `where` FilterClause?
    TableViewValue,
    /// `sorting` `(` IdentifierList `)`
    SortingClause,
    /// `order` `(` (`ascending`|`descending`) `)`
    OrderClause,
    /// Value of SubPageLink, RunPageLink, DataItemLink, ColumnFilter …: FilterCondition (`,` FilterCondition)*
    FilterListValue,
    /// `(` FilterCondition (`,` FilterCondition)* `)`
    FilterClause,
    /// QualifiedName `=` (`const`|`filter`|`field`|`upperlimit`) `(` … `)`, or an expression, the plain value of a link. In the parentheses stands a FilterText or an expression; in those of `field` also `upperlimit` `(` … `)` or `filter` `(` … `)`, whose words are tokens of the condition
    FilterCondition,
    /// The tokens of a filter expression such as `<>0&..9|Open`
    FilterText,
    /// Any other value: its tokens (and error nodes)
    OtherValue,

    // Members
    /// `[` name ArgumentList? `]`
    Attribute,
    /// Attribute* (`local`|`internal`|`protected`)? `procedure` Name ParameterList ReturnValue? `;`? VarSection? Block?
    Procedure,
    /// Attribute* `trigger` Name (`.` Name | `::` Name)? ParameterList ReturnValue? `;`? VarSection? Block?
    Trigger,
    /// `event` Name ParameterList `;`? in a control add-in
    EventDeclaration,
    /// `(` (Parameter (`;` Parameter)*)? `)`
    ParameterList,
    /// `var`? Name `:` type
    Parameter,
    /// Name? `:` type
    ReturnValue,
    /// `protected`? `var` VariableDeclaration*
    VarSection,
    /// Attribute* Name (`,` Name)* `:` type `;`
    VariableDeclaration,

    // Types
    /// A type: name tokens, then possibly TypeLength, QualifiedName or number of an object, `temporary`, and further words (`Record Customer temporary`, `Code[20]`, `Codeunit "Sales-Post"`, `Page 21`)
    Type,
    /// `[` integer `]`
    TypeLength,
    /// `array` `[` integer (`,` integer)* `]` `of` Type
    ArrayType,
    /// `Option` IdentifierList? — members may be empty, then they have no item
    OptionType,
    /// `List`/`Dictionary` `of` `[` type (`,` type)* `]`
    GenericType,
    /// `DotNet` QualifiedName (`RunOnClient`|`WithEvents`|`SuppressDispose`)*
    DotNetTypeReference,
    /// `Label` LabelValue
    LabelType,
    /// `TextConst` MultiLanguageValue
    TextConstType,

    // Statements; each includes its `;` where one follows
    /// `begin` statement* `end` `;`?
    Block,
    /// expression (`:=`|`+=`|`-=`|`*=`|`/=`) expression `;`?
    AssignmentStatement,
    /// expression `;`? (a call, with or without parentheses)
    ExpressionStatement,
    /// `if` expression `then` statement? (`else` statement?)?
    IfStatement,
    /// `case` expression `of` CaseArm* CaseElse? `end` `;`?
    CaseStatement,
    /// expression (`,` expression)* `:` statement?
    CaseArm,
    /// `else` statement*
    CaseElse,
    /// `for` expression `:=` expression (`to`|`downto`) expression `do` statement?
    ForStatement,
    /// `foreach` expression `in` expression `do` statement?
    ForEachStatement,
    /// `while` expression `do` statement?
    WhileStatement,
    /// `repeat` statement* `until` expression `;`?
    RepeatStatement,
    /// `with` expression (`,` expression)* `do` statement?
    WithStatement,
    /// `exit` (`(` expression? `)`)? `;`?
    ExitStatement,
    /// `break` `;`?
    BreakStatement,
    /// `continue` `;`?
    ContinueStatement,
    /// `asserterror` statement
    AssertErrorStatement,
    /// A lone `;`
    EmptyStatement,

    // Expressions
    /// One literal token, or `true`/`false`
    Literal,
    /// One name token, quoted or not; also `this`
    NameExpression,
    /// expression `.` name
    MemberAccess,
    /// expression `::` (name | literal)
    ScopeAccess,
    /// expression ArgumentList
    CallExpression,
    /// `(` (expression (`,` expression)*)? `)`
    ArgumentList,
    /// expression `[` expression (`,` expression)* `]`
    IndexExpression,
    /// `(` expression `)`
    ParenthesizedExpression,
    /// (`not`|`-`|`+`) expression
    UnaryExpression,
    /// expression operator expression; the operator may be `is` or `as`, then a Type stands on the right
    BinaryExpression,
    /// expression? `..` expression?
    RangeExpression,
    /// expression `?` expression `:` expression
    ConditionalExpression,
    /// `[` expression (`,` expression)* `]`, right of `in`
    ListExpression,
}

impl NodeKind {
    /// Whether the node is an object.
    #[inline]
    pub fn is_object(self) -> bool {
        (Self::Table..=Self::DotNetPackage).contains(&self)
    }

    /// Whether the node is a statement.
    #[inline]
    pub fn is_statement(self) -> bool {
        (Self::Block..=Self::EmptyStatement).contains(&self) && !matches!(self, Self::CaseArm | Self::CaseElse)
    }

    /// Whether the node is an expression ([`NodeKind::ArgumentList`] is not).
    #[inline]
    pub fn is_expression(self) -> bool {
        (Self::Literal..=Self::ListExpression).contains(&self) && self != Self::ArgumentList
    }

    /// Whether the node is a type.
    #[inline]
    pub fn is_type(self) -> bool {
        (Self::Type..=Self::TextConstType).contains(&self) && self != Self::TypeLength
    }
}

/// A set of node kinds.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct KindSet([u64; 4]);

impl KindSet {
    /// The set of `kinds`.
    pub const fn of(kinds: &[NodeKind]) -> Self {
        let mut set = Self([0; 4]);
        let mut index = 0;
        while index < kinds.len() {
            let kind = kinds[index] as usize;
            set.0[kind / 64] |= 1 << (kind % 64);
            index += 1;
        }
        set
    }

    /// Adds `kind`.
    #[inline]
    pub fn insert(&mut self, kind: NodeKind) {
        self.0[kind as usize / 64] |= 1 << (kind as usize % 64);
    }

    /// Whether `kind` is in the set.
    #[inline]
    pub fn contains(self, kind: NodeKind) -> bool {
        self.0[kind as usize / 64] & (1 << (kind as usize % 64)) != 0
    }

    /// Whether the two sets share a kind.
    pub fn intersects(self, other: Self) -> bool {
        self.0.iter().zip(other.0).any(|(left, right)| left & right != 0)
    }
}
