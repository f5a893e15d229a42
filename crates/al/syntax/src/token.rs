use crate::keyword::Keyword;

/// What a token is. The kinds up to [`TokenKind::DisabledText`] are trivia: they carry no meaning for the grammar.
///
/// AL has no reserved words: every word is an [`TokenKind::Identifier`], and [`Token::keyword`] tells which
/// word of the language it may stand for where the grammar asks for one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum TokenKind {
    /// Blanks, tabs, line ends, and a byte order mark inside the text.
    Whitespace,
    /// `// …` up to the line end, without it.
    LineComment,
    /// `/* … */`, also when unterminated.
    BlockComment,
    /// A whole directive line from `#` to the line end, without it.
    Directive,
    /// Text between two directives that the conditions switch off.
    DisabledText,
    /// A word, keyword or not.
    Identifier,
    /// `"…"`, with `""` for a quote inside.
    QuotedIdentifier,
    /// `123`
    IntegerLiteral,
    /// `123L`
    BigIntegerLiteral,
    /// `1.5`
    DecimalLiteral,
    /// `0D`, `20261130D`
    DateLiteral,
    /// `0T`, `120000T`
    TimeLiteral,
    /// `0DT`
    DateTimeLiteral,
    /// `'…'` on one line, with `''` for a quote inside.
    StringLiteral,
    /// `@'…'`, may span lines.
    VerbatimStringLiteral,
    /// `;`
    Semicolon,
    /// `:`
    Colon,
    /// `::`
    ColonColon,
    /// `,`
    Comma,
    /// `.`
    Dot,
    /// `..`
    DotDot,
    /// `(`
    LeftParenthesis,
    /// `)`
    RightParenthesis,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `=`
    Equals,
    /// `<>`
    NotEquals,
    /// `<`
    Less,
    /// `<=`
    LessEquals,
    /// `>`
    Greater,
    /// `>=`
    GreaterEquals,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `:=`
    Assign,
    /// `+=`
    PlusAssign,
    /// `-=`
    MinusAssign,
    /// `*=`
    StarAssign,
    /// `/=`
    SlashAssign,
    /// `?`
    Question,
    /// `#` that starts no directive, as in `ApplicationArea = #Basic`.
    Hash,
    /// A mark without a meaning of its own (`&` and `|` have one in filters), or a run of characters that AL has no use for.
    Unknown,
    /// The end of the text; always the last token, always empty.
    EndOfFile,
}

impl TokenKind {
    /// Whether the grammar skips this kind.
    #[inline]
    pub fn is_trivia(self) -> bool {
        self <= Self::DisabledText
    }

    /// Whether this kind is a comment.
    pub fn is_comment(self) -> bool {
        matches!(self, Self::LineComment | Self::BlockComment)
    }

    /// Whether this kind can be a name.
    #[inline]
    pub fn is_name(self) -> bool {
        matches!(self, Self::Identifier | Self::QuotedIdentifier)
    }

    /// Whether this kind is a literal of any type.
    #[inline]
    pub fn is_literal(self) -> bool {
        (Self::IntegerLiteral..=Self::VerbatimStringLiteral).contains(&self)
    }
}

/// One token: 8 bytes. It ends where the next one starts, so that no byte of the text is outside a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Offset of the first byte.
    pub start: u32,
    /// What it is.
    pub kind: TokenKind,
    /// Which word of the language an [`TokenKind::Identifier`] spells, ignoring case; [`Keyword::None`] for any other token.
    pub keyword: Keyword,
    /// Whether a line end lies between this token and the significant one before it (true for the first token).
    pub first_on_line: bool,
}
