macro_rules! keywords {
    ($($variant:ident $word:literal),* $(,)?) => {
        /// A word with a meaning somewhere in the grammar. All are contextual: where the grammar does not ask for
        /// the word, it is an ordinary name.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Keyword {
            /// Not a word of the language.
            None,
            $(#[doc = concat!("`", $word, "`")] $variant,)*
        }

        impl Keyword {
            /// Every word of the language with its spelling, in lower case.
            pub const ALL: &'static [(Keyword, &'static str)] = &[$((Keyword::$variant, $word)),*];

            /// The word in lower case; empty for [`Keyword::None`].
            pub fn text(self) -> &'static str {
                match self {
                    Keyword::None => "",
                    $(Keyword::$variant => $word,)*
                }
            }
        }
    };
}

keywords! {
    // Statements and expressions
    Begin "begin", End "end", If "if", Then "then", Else "else", Case "case", Of "of", For "for", To "to", DownTo "downto",
    Do "do", ForEach "foreach", In "in", While "while", Repeat "repeat", Until "until", With "with", Exit "exit",
    Break "break", Continue "continue", AssertError "asserterror", True "true", False "false", Not "not", And "and",
    Or "or", Xor "xor", Div "div", Mod "mod", Is "is", As "as", This "this",
    // Members
    Var "var", Procedure "procedure", Trigger "trigger", Local "local", Internal "internal", Protected "protected",
    Event "event", Temporary "temporary", Array "array", Label "label", TextConst "textconst", Option "option",
    List "list", Dictionary "dictionary", DotNet "dotnet", Record "record", Codeunit "codeunit", Page "page",
    Report "report", Query "query", XmlPort "xmlport", Enum "enum", Interface "interface", ControlAddIn "controladdin",
    RequestPage "requestpage", TestPage "testpage", TestRequestPage "testrequestpage", TestPart "testpart",
    WithEvents "withevents", RunOnClient "runonclient", SuppressDispose "suppressdispose", SecurityFiltering "securityfiltering",
    // Objects
    Namespace "namespace", Using "using", Table "table", TableExtension "tableextension", PageExtension "pageextension",
    PageCustomization "pagecustomization", ReportExtension "reportextension", EnumExtension "enumextension",
    PermissionSet "permissionset", PermissionSetExtension "permissionsetextension", Entitlement "entitlement",
    Profile "profile", ProfileExtension "profileextension", Extends "extends", Implements "implements",
    Customizes "customizes",
    // Sections and their parts
    Fields "fields", Field "field", Keys "keys", Key "key", FieldGroups "fieldgroups", FieldGroup "fieldgroup",
    Layout "layout", Actions "actions", Views "views", View "view", AnalysisViews "analysisviews", AnalysisView "analysisview",
    Area "area", Group "group", CueGroup "cuegroup", Repeater "repeater", Grid "grid", Fixed "fixed", Part "part",
    SystemPart "systempart", ChartPart "chartpart", UserControl "usercontrol", Action "action", ActionRef "actionref",
    Separator "separator", CustomAction "customaction", SystemAction "systemaction", FileUploadAction "fileuploadaction",
    AddFirst "addfirst", AddLast "addlast", AddAfter "addafter", AddBefore "addbefore", MoveFirst "movefirst",
    MoveLast "movelast", MoveAfter "moveafter", MoveBefore "movebefore", Modify "modify", DataSet "dataset",
    DataItem "dataitem", Column "column", Add "add", Rendering "rendering", Labels "labels", Elements "elements", Filter "filter",
    Schema "schema", TextElement "textelement", TextAttribute "textattribute", TableElement "tableelement",
    FieldElement "fieldelement", FieldAttribute "fieldattribute", Value "value", Assembly "assembly", Type "type",
    // Property values
    Where "where", Sorting "sorting", Order "order", Ascending "ascending", Descending "descending", Const "const",
    UpperLimit "upperlimit", Exist "exist", Count "count", Sum "sum", Average "average", Min "min", Max "max", Lookup "lookup",
    TableData "tabledata", System "system", Locked "locked", Comment "comment", MaxLength "maxlength",
}
