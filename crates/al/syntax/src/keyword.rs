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

/// Number of slots of the lookup table; large enough that a multiplier without collisions is quickly found.
const SLOTS: usize = 4096;

/// Chosen so that no two words of the language share a slot; [`SLOT_TABLE`] does not compile otherwise.
const MULTIPLIER: u64 = 0x7CE4_2C82_1807_2E8D;

/// The length of the longest word.
const MAXIMUM_LENGTH: usize = 22;

/// Index into [`Keyword::ALL`] plus one, by slot.
static SLOT_TABLE: [u8; SLOTS] = {
    let mut table = [0; SLOTS];
    let mut index = 0;
    while index < Keyword::ALL.len() {
        let word = Keyword::ALL[index].1.as_bytes();
        assert!(word.len() <= MAXIMUM_LENGTH);
        let slot = slot(word);
        assert!(table[slot] == 0, "two words share a slot: choose another multiplier");
        index += 1;
        table[slot] = index as u8;
    }
    table
};

/// Where a word of at least two bytes has its place. Setting bit 5 makes ASCII letters lower case; what it does to
/// other bytes does not matter, since the word found is compared.
const fn slot(word: &[u8]) -> usize {
    let length = word.len();
    let ends = u32::from_le_bytes([word[0], word[1], word[length - 2], word[length - 1]]);
    let middle = u16::from_le_bytes([word[length / 2], word[length / 3]]);
    let key = ((ends as u64) | ((middle as u64) << 32) | 0x2020_2020_2020) ^ ((length as u64) << 48);
    (key.wrapping_mul(MULTIPLIER) >> (64 - SLOTS.ilog2())) as usize
}

impl Keyword {
    /// The word of the language that `word` spells, ignoring the case of ASCII letters.
    #[inline]
    pub(crate) fn of(word: &[u8]) -> Self {
        if !(2..=MAXIMUM_LENGTH).contains(&word.len()) {
            return Self::None;
        }
        let index = SLOT_TABLE[slot(word)];
        if index == 0 {
            return Self::None;
        }
        let (keyword, spelling) = Self::ALL[index as usize - 1];
        if spelling.as_bytes().eq_ignore_ascii_case(word) {
            keyword
        } else {
            Self::None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_in_any_case() {
        for &(keyword, word) in Keyword::ALL {
            let mixed: String = word
                .char_indices()
                .map(|(index, letter)| {
                    if index % 2 == 0 {
                        letter.to_ascii_uppercase()
                    } else {
                        letter
                    }
                })
                .collect();
            for spelling in [word.to_owned(), word.to_uppercase(), mixed] {
                assert_eq!(Keyword::of(spelling.as_bytes()), keyword, "{spelling}");
            }
            assert_eq!(keyword.text(), word);
        }
    }

    #[test]
    fn other_words_are_no_keywords() {
        for word in [
            "",
            "x",
            "i",
            "ifs",
            "en",
            "endd",
            "be_in",
            "Customer",
            "permissionsetextensions",
            "proc\u{e9}dure",
        ] {
            assert_eq!(Keyword::of(word.as_bytes()), Keyword::None, "{word}");
        }
        for &(_, word) in Keyword::ALL {
            assert_eq!(Keyword::of(format!("{word}_").as_bytes()), Keyword::None, "{word}_");
        }
    }
}
