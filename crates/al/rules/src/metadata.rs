//! What is known about a rule without running it.

use std::fmt;

use candor_al_syntax::NodeKind;

/// How much a finding weighs. Ordered: [`Severity::Error`] is the greatest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Not shown to people; tools may use it.
    Hidden,
    /// Worth knowing.
    Info,
    /// Probably a fault.
    Warning,
    /// Certainly a fault.
    Error,
}

impl Severity {
    /// Every severity, from the least to the greatest.
    pub const ALL: &'static [Self] = &[Self::Hidden, Self::Info, Self::Warning, Self::Error];

    /// The name, as rulesets and replies spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hidden => "Hidden",
            Self::Info => "Info",
            Self::Warning => "Warning",
            Self::Error => "Error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A family of rules: what Microsoft calls a cop, and its users an analyzer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cop {
    /// `ALCops.ApplicationCop`, ids `AC…`: the design of an application.
    Application,
    /// `ALCops.Common`, ids `CM…`: the settings of the other cops.
    Common,
    /// `Candor`, ids `CN…`: what this program has to say itself.
    Candor,
    /// `ALCops.DocumentationCop`, ids `DC…`: what code says about itself.
    Documentation,
    /// `ALCops.FormattingCop`, ids `FC…`: how code is laid out.
    Formatting,
    /// `ALCops.LinterCop`, ids `LC…`: suspicious and needless code.
    Linter,
    /// `ALCops.PlatformCop`, ids `PC…`: what goes wrong when the platform runs the code.
    Platform,
    /// `ALCops.TestAutomationCop`, ids `TA…`: tests.
    TestAutomation,
}

impl Cop {
    /// Every cop that has rules, in the order of the ids of their rules.
    pub const ALL: &'static [Self] = &[
        Self::Application,
        Self::Common,
        Self::Candor,
        Self::Documentation,
        Self::Formatting,
        Self::Linter,
        Self::Platform,
        Self::TestAutomation,
    ];

    /// The full name, as replies carry it and as the project's settings name the analyzer: `ALCops.LinterCop`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Application => "ALCops.ApplicationCop",
            Self::Common => "ALCops.Common",
            Self::Candor => "Candor",
            Self::Documentation => "ALCops.DocumentationCop",
            Self::Formatting => "ALCops.FormattingCop",
            Self::Linter => "ALCops.LinterCop",
            Self::Platform => "ALCops.PlatformCop",
            Self::TestAutomation => "ALCops.TestAutomationCop",
        }
    }

    /// The name without its family: `LinterCop`.
    pub fn short_name(self) -> &'static str {
        let name = self.name();
        name.strip_prefix("ALCops.").unwrap_or(name)
    }

    /// The two letters that the ids of its rules begin with.
    pub fn id_prefix(self) -> &'static str {
        match self {
            Self::Application => "AC",
            Self::Common => "CM",
            Self::Candor => "CN",
            Self::Documentation => "DC",
            Self::Formatting => "FC",
            Self::Linter => "LC",
            Self::Platform => "PC",
            Self::TestAutomation => "TA",
        }
    }

    /// The cop with this full or short name; case does not count.
    pub fn from_name(name: &str) -> Option<Self> {
        let is_name = |cop: &Self| cop.name().eq_ignore_ascii_case(name) || cop.short_name().eq_ignore_ascii_case(name);
        Self::ALL.iter().copied().find(is_name)
    }
}

impl fmt::Display for Cop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// What a rule is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Category {
    /// What a project says about its own checks.
    Configuration,
    /// How an application is built.
    Design,
    /// How code looks.
    Style,
    /// The text is not AL.
    Syntax,
    /// How means of the language are used.
    Usage,
}

impl Category {
    /// The name, as replies spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Configuration => "Configuration",
            Self::Design => "Design",
            Self::Style => "Style",
            Self::Syntax => "Syntax",
            Self::Usage => "Usage",
        }
    }
}

/// The most a rule has to know to decide.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Needs {
    /// One file's tree.
    Syntax,
    /// One file's tree, and the translation files of its project.
    Translations,
    /// What the names in the file mean, and so what the app and those it depends on declare.
    Meaning,
    /// The manifest and the settings of a project, and no file of it.
    Project,
}

impl Needs {
    /// What the rule has to see, in a few words.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Syntax => "one file: works on files in no project too, and on projects without their packages",
            Self::Translations => "one file, and the translation files of its project",
            Self::Meaning => {
                "what names mean: looks at what the project and those it depends on declare, and is silent where that is not known"
            }
            Self::Project => "a project: looks at its manifest and settings, and at none of its files",
        }
    }
}

/// Where a rule comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The same rule, under the same id, of the named public analyzer.
    Same(&'static str),
    /// Our own.
    Own,
}

/// What applying a fix may do beyond removing its finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Safety {
    /// The program does the same as before, and no comment is lost.
    Safe,
    /// The program may behave differently, or other code may no longer compile against it.
    Unsafe,
}

impl Safety {
    /// The name, as replies spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

impl fmt::Display for Safety {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// One way to repair what a rule finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FixProvider {
    /// Names the fix for ever; callers pass it back verbatim.
    pub equivalence_key: &'static str,
    /// What it does, for people.
    pub title: &'static str,
    /// Who offers it: the name editors know the fix by.
    pub provider_name: &'static str,
    /// What applying it may do.
    pub safety: Safety,
}

impl FixProvider {
    /// A fix whose provider goes by the name of its key, as all do so far.
    pub(crate) const fn new(equivalence_key: &'static str, title: &'static str, safety: Safety) -> Self {
        Self {
            equivalence_key,
            title,
            provider_name: equivalence_key,
            safety,
        }
    }
}

/// Everything that is known about a rule without running it.
#[derive(Clone, Copy, Debug)]
pub struct Metadata {
    /// The public id: `AC0007`. Rulesets, pragmas and replies use it.
    pub id: &'static str,
    /// The public name, in one word.
    pub name: &'static str,
    /// One line for lists.
    pub title: &'static str,
    /// The family it belongs to.
    pub cop: Cop,
    /// What it is about.
    pub category: Category,
    /// The severity of its findings unless a ruleset says otherwise.
    pub severity: Severity,
    /// Whether it runs unless somebody switches it off; otherwise it runs only when somebody asks for it.
    pub enabled_by_default: bool,
    /// The most it has to know.
    pub needs: Needs,
    /// The keys of `alcops.json` it reads.
    pub settings: &'static [&'static str],
    /// Where it comes from.
    pub origin: Origin,
    /// The fixes it may offer, in the order they are offered.
    pub fixes: &'static [FixProvider],
    /// The kinds of node it wants to see.
    pub kinds: &'static [NodeKind],
    /// The body of its page: Markdown, sections in a fixed order (see [`crate::page`]).
    pub documentation: &'static str,
}

impl Metadata {
    /// The public page of the rule at its origin; none for our own rules.
    pub fn help_uri(&self) -> Option<String> {
        let Origin::Same(_) = self.origin else { return None };
        let (cop, id) = (self.cop.short_name().to_ascii_lowercase(), self.id.to_ascii_lowercase());
        Some(format!("https://alcops.dev/docs/analyzers/{cop}/{id}/"))
    }

    /// The first paragraph of its page, without Markdown's line breaks: what it flags.
    pub fn description(&self) -> String {
        let body = self.documentation.trim_start();
        let body = body.strip_prefix("## What it flags").unwrap_or(body).trim_start();
        body.lines()
            .take_while(|line| !line.trim().is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The fix with this key; the key counts as written.
    pub fn fix(&self, equivalence_key: &str) -> Option<&'static FixProvider> {
        self.fixes.iter().find(|fix| fix.equivalence_key == equivalence_key)
    }
}
