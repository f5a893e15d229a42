//! The properties of AL and how their values are written.
//!
//! The names are spelled as Microsoft's documentation of each property spells them.

/// How the value of a property is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Grammar {
    /// One word out of a few, a boolean or a number: `List`, `true`, `-1`.
    Word,
    /// Any expression.
    Expression,
    /// A label with its attributes.
    Label,
    /// `ENU = 'x', DAN = 'y'`
    MultiLanguage,
    /// `A, B.C, "D E"`; also of strings or numbers.
    List,
    /// As `List`, members may be empty or have `#` in front.
    OptionList,
    /// `Page "Customer Card"`, `"Customer Card"`, `21`
    Object,
    Permissions,
    TableRelation,
    CalcFormula,
    /// `sorting(…) order(…) where(…)`
    TableView,
    /// `A = field(B), C = const(1)`
    FilterList,
    /// `Interface = Codeunit, …`
    Implementations,
    /// `prefix = 'urn:x', …`
    Namespaces,
    /// Whatever its tokens are.
    Other,
}

macro_rules! properties {
    ($($grammar:ident: $($name:ident)*;)*) => {
        const PROPERTIES: &[(&str, Grammar)] = &[$($((stringify!($name), Grammar::$grammar)),*),*];
    };
}

properties! {
    Label:
        AboutText AboutTitle AdditionalSearchTerms Caption EntityCaption EntitySetCaption InstructionalText OptionCaption
        ProfileDescription PromotedActionCategories RequestFilterHeading Summary ToolTip;
    MultiLanguage:
        AboutTextML AboutTitleML AdditionalSearchTermsML CaptionML EntityCaptionML EntitySetCaptionML InstructionalTextML
        OptionCaptionML ProfileDescriptionML PromotedActionCategoriesML RequestFilterHeadingML SummaryML ToolTipML;
    Expression:
        AutoFormatExpression CaptionClass DataCaptionExpression Editable Enabled HideValue IndentationColumn InitValue
        MaxValue MinValue ShowMandatory StyleExpr Visible;
    Word:
        APIGroup APIPublisher Access AllowInCustomizations AllowMultipleFiles AllowScheduling AnalysisModeEnabled
        Assignable AssignmentCompatibility AssignmentCompatibilityReason AssistEdit AutoCalcField AutoFormatType
        AutoIncrement AutoReplace AutoSave AutoSplitKey AutoUpdate BlankNumbers BlankZero ChangeTrackingAllowed
        CharAllowed ClearActions ClearLayout ClearViews ClosingDates Clustered ColumnSpan Compressed CompressionType
        ContextSensitiveHelpPage CuegroupLayout Culture CustomActionType DataAccessIntent DataClassification
        DataItemLinkReference DataPerCompany DateFormula DefaultFieldsValidation DefaultLayout DefaultNamespace
        DefaultRenderingLayout DefinitionFile DelayedInsert DeleteAllowed Description Direction DrillDown Ellipsis
        EnableExternalAssemblies EnableExternalImages EnableHyperlinks Encoding EntityName EntitySetName
        EventSubscriberInstance ExcelLayout ExcelLayoutMultipleDataSheets ExecutionTimeout ExtendedDatatype Extensible
        ExternalAccess ExternalName ExternalSchema ExternalType FieldClass FieldDelimiter FieldSeparator FieldValidate
        FileName FileUploadRowAction FlowCaption FlowEnvironmentId FlowId FlowTemplateCategoryName FlowTemplateId Format
        FormatEvaluate FormatRegion FreezeColumn Gesture GridLayout GroupName HelpLink HorizontalShrink HorizontalStretch
        Id Image Importance InFooterBar IncludeCaption InherentEntitlements InherentPermissions InlineSchema InsertAllowed
        IsControlAddIn IsHeader IsPreview LayoutFile LinkTable LinkTableForceInsert LinkedInTransaction LinkedObject
        LinksAllowed Locked Lookup MaintainSiftIndex MaintainSqlIndex MaskType MaxIteration MaxOccurs
        MaximumDatasetSize MaximumDocumentCount MaximumHeight MaximumWidth Method MimeType MinOccurs MinimumHeight
        MinimumWidth ModifyAllowed MovedFrom MovedTo MultiLine MultipleNewLines Multiplicity NamespacePrefix NotBlank
        Numeric ODataEDMType ObsoleteReason ObsoleteState ObsoleteTag Occurrence OptimizeForTextSearch PageType
        PaperSourceDefaultPage PaperSourceFirstPage PaperSourceLastPage PasteIsValid PdfFontEmbedding PopulateAllFields
        PreserveWhiteSpace PreviewMode PrintOnlyIfDetail ProcessingOnly Promoted PromotedCategory PromotedIsBig
        PromotedOnly PromptMode Provider PublicKeyToken QueryType QuickEntry RDLCLayout ReadState RecordSeparator
        RecreateScript RefreshOnActivate RefreshScript ReplicateData RequestedHeight RequestedWidth RequiredTestIsolation
        ReverseSign RoleType RowSpan RunPageMode RunPageOnRec SaveValues Scope SharedLayout ShortcutKey ShowAs ShowAsTree
        ShowCaption ShowFilter ShowPrintStatus SignDisplacement SingleInstance SourceTableTemporary SqlDataType
        SqlJoinType SqlTimestamp StartupScript Style Subtype TableSeparator TableType TestHttpRequestPolicy
        TestIsolation TestPermissions TestTableRelation TestType TextEncoding TextType Title TopNumberOfRows
        TransactionType TreeInitialState Type Unbound Unique UpdatePropagation UsageCategory UseDefaultNamespace UseLax
        UseRequestPage UseSystemPrinter UseTemporary ValidateTableRelation Version VerticalShrink VerticalStretch Width
        WordLayout WordMergeDataItem XmlName XmlVersionNo;
    List:
        APIVersion AllowedFileExtensions ApplicationArea CalcFields ColumnStoreIndex Customizations DataCaptionFields
        ExcludedPermissionSets FileUploadAction Images IncludedFields IncludedPermissionSets IndentationControls
        ODataKeyFields ObjectEntitlements OptionOrdinalValues QueryCategory RequestFilterFields Scripts SqlIndex StyleSheets
        SumIndexFields;
    OptionList: OptionMembers ValuesAllowed;
    Object:
        CardPageId DrillDownPageId LookupPageId NavigationPageId RoleCenter RunObject SourceTable TableNo;
    Permissions: AccessByPermission Permissions;
    TableRelation: TableRelation;
    CalcFormula: CalcFormula;
    TableView: DataItemTableView Filters RunPageView SourceTableView SubPageView;
    FilterList: ColumnFilter DataItemLink DataItemTableFilter LinkFields RunPageLink SubPageLink;
    Implementations: DefaultImplementation Implementation UnknownValueImplementation;
    Namespaces: Namespaces;
    Other: DecimalPlaces OrderBy;
}

/// Number of slots; a power of two, so sparse that most look-ups need one comparison.
const SLOTS: usize = 2048;

/// Index into [`PROPERTIES`] plus one, by slot; a name whose slot is taken is in the next free one.
static SLOT_TABLE: [u16; SLOTS] = {
    let mut table = [0; SLOTS];
    let mut index = 0;
    while index < PROPERTIES.len() {
        let mut slot = slot(PROPERTIES[index].0.as_bytes());
        while table[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        index += 1;
        table[slot] = index as u16;
    }
    table
};

/// Setting bit 5 makes ASCII letters lower case; what it does to other bytes does not matter, since the name found is
/// compared.
const fn slot(name: &[u8]) -> usize {
    let mut hash: u32 = 0x811C_9DC5;
    let mut index = 0;
    while index < name.len() {
        hash = (hash ^ (name[index] | 0x20) as u32).wrapping_mul(0x0100_0193);
        index += 1;
    }
    (hash >> 7) as usize % SLOTS
}

/// The property of this name, ignoring the case of ASCII letters: its canonical spelling and grammar.
pub(crate) fn property_of(name: &str) -> Option<(&'static str, Grammar)> {
    let mut slot = slot(name.as_bytes());
    loop {
        let index = SLOT_TABLE[slot];
        if index == 0 {
            return None;
        }
        let found = PROPERTIES[index as usize - 1];
        if found.0.eq_ignore_ascii_case(name) {
            return Some(found);
        }
        slot = (slot + 1) % SLOTS;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_property_is_found_in_any_case() {
        for &(name, grammar) in PROPERTIES {
            for spelling in [name.to_owned(), name.to_ascii_lowercase(), name.to_ascii_uppercase()] {
                assert_eq!(property_of(&spelling), Some((name, grammar)), "{spelling}");
            }
        }
    }

    #[test]
    fn no_property_is_listed_twice() {
        let mut names: Vec<_> = PROPERTIES.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), PROPERTIES.len());
    }

    #[test]
    fn other_names_are_no_properties() {
        for name in ["", "Foo", "Captions", "Caption ", "C\u{e4}ption", "OnValidate"] {
            assert_eq!(property_of(name), None, "{name}");
        }
    }
}
