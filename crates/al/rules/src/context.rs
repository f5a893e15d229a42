//! What a rule may know besides the node it is shown.

use std::cell::{OnceCell, RefCell};
use std::str::FromStr;
use std::sync::Arc;

use candor_al_model::Binding;
use candor_al_syntax::ast::{Object, Property, QualifiedName};
use candor_al_syntax::{Node, NodeKind, Tree};

use crate::damage::Damage;
use crate::meaning::{Known, Workspace};
use crate::{StatementBlockSpacing, Translations};

/// What is known about a file from outside: facts of the project it belongs to, and the settings of its `alcops.json`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct FileContext {
    /// `runtime` of `app.json`; without it the newest runtime is assumed.
    pub runtime: Option<RuntimeVersion>,
    /// `CyclomaticComplexityThreshold`: the complexity from which a method is too complex. 8 unless set.
    pub cyclomatic_complexity_threshold: u32,
    /// `MaintainabilityIndexThreshold`: the index, 0 to 100, down to which a method is maintainable. 20 unless set.
    pub maintainability_index_threshold: u32,
    /// `ToolTipAllowedPunctuations` of `alcops.json`: what a tooltip may end with. A dot by default; never empty.
    pub tool_tip_punctuations: Arc<[Punctuation]>,
    /// `mandatoryPrefix`, `mandatorySuffix` and `mandatoryAffixes` of `AppSourceCop.json`: what names of the app begin or
    /// end with. None by default; none is blank.
    pub mandatory_affixes: Arc<[String]>,
    /// `StatementBlockSpacing`: where blank lines between statements are demanded.
    pub statement_block_spacing: StatementBlockSpacing,
    /// What is translated into which languages; none where nothing is known or no language is demanded.
    pub translations: Option<Translations>,
    /// What is declared around the file; without it, rules that ask what names mean are silent.
    pub workspace: Option<Workspace>,
}

impl Default for FileContext {
    fn default() -> Self {
        Self {
            runtime: None,
            cyclomatic_complexity_threshold: 8,
            maintainability_index_threshold: 20,
            tool_tip_punctuations: Arc::new([Punctuation::dot()]),
            mandatory_affixes: Arc::new([]),
            statement_block_spacing: StatementBlockSpacing::default(),
            translations: None,
            workspace: None,
        }
    }
}

impl FileContext {
    /// The same facts with this runtime.
    pub fn with_runtime(mut self, runtime: Option<RuntimeVersion>) -> Self {
        self.runtime = runtime;
        self
    }

    /// The same facts for a file of a workspace.
    pub fn in_workspace(mut self, workspace: Workspace) -> Self {
        self.workspace = Some(workspace);
        self
    }

    /// The same facts with these marks at the end of tooltips. Marks without a character do not count; when none is
    /// left, tooltips end with a dot.
    pub fn with_tool_tip_punctuations(mut self, punctuations: impl IntoIterator<Item = Punctuation>) -> Self {
        let is_mark = |it: &Punctuation| !it.character.trim().is_empty();
        self.tool_tip_punctuations = punctuations.into_iter().filter(is_mark).collect();
        if self.tool_tip_punctuations.is_empty() {
            self.tool_tip_punctuations = Self::default().tool_tip_punctuations;
        }
        self
    }

    /// The same facts with these affixes. Blank ones do not count.
    pub fn with_mandatory_affixes<Affix: Into<String>>(mut self, affixes: impl IntoIterator<Item = Affix>) -> Self {
        let affixes = affixes.into_iter().map(Into::into);
        self.mandatory_affixes = affixes.filter(|affix: &String| !affix.trim().is_empty()).collect();
        self
    }
}

/// A mark that a sentence may end with.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Punctuation {
    /// The mark itself: `.`
    pub character: String,
    /// What people call it: `dot`
    pub name: String,
}

impl Punctuation {
    /// A mark and what people call it; one without a name goes by its character.
    pub fn new(character: impl Into<String>, name: impl Into<String>) -> Self {
        let (character, name) = (character.into(), name.into());
        let name = if name.trim().is_empty() {
            character.clone()
        } else {
            name
        };
        Self { character, name }
    }

    fn dot() -> Self {
        Self::new(".", "dot")
    }
}

/// A version of AL's runtime, such as 13.1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RuntimeVersion {
    /// The part before the dot; eleven less than the release of Business Central it came with.
    pub major: u16,
    /// The part behind the dot.
    pub minor: u16,
}

impl RuntimeVersion {
    /// The version `major.minor`.
    pub const fn new(major: u16, minor: u16) -> Self {
        Self { major, minor }
    }
}

impl FromStr for RuntimeVersion {
    type Err = std::num::ParseIntError;

    /// Reads `13`, `13.1`, also `13.1.0.0`, of which the first two parts count.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.trim().split('.');
        let major = parts.next().unwrap_or_default().parse()?;
        let minor = parts.next().map_or(Ok(0), str::parse)?;
        Ok(Self { major, minor })
    }
}

/// What a rule may know while it looks at a file.
pub(crate) struct Context<'t> {
    tree: &'t Tree,
    facts: &'t FileContext,
    damage: Damage,
    /// What the names in the file mean, found out when the first rule asks.
    binding: OnceCell<Option<Binding>>,
    /// The object that was last asked about. Rules ask about its head at every other node, and looking for that means
    /// walking over all of its members.
    object: RefCell<Option<ObjectHead<'t>>>,
}

/// What stands in the head of an object, and its own properties.
struct ObjectHead<'t> {
    object: Object<'t>,
    properties: Vec<Property<'t>>,
    implements: Vec<QualifiedName<'t>>,
}

impl<'t> Context<'t> {
    pub(crate) fn new(tree: &'t Tree, facts: &'t FileContext) -> Self {
        Self {
            tree,
            facts,
            damage: Damage::of(tree),
            binding: OnceCell::new(),
            object: RefCell::new(None),
        }
    }

    /// The file.
    pub(crate) fn tree(&self) -> &'t Tree {
        self.tree
    }

    /// What is known about the file from outside.
    pub(crate) fn facts(&self) -> &'t FileContext {
        self.facts
    }

    /// Whether the project runs on this runtime or a later one.
    pub(crate) fn runtime_is_at_least(&self, version: RuntimeVersion) -> bool {
        self.facts.runtime.is_none_or(|runtime| runtime >= version)
    }

    /// The property of this name of an object, ignoring case. As [`Object::property`], but made to be asked often.
    pub(crate) fn object_property(&self, object: Object<'t>, name: &str) -> Option<Property<'t>> {
        self.head_of(object, |head| {
            head.properties.iter().copied().find(|property| property.is(name))
        })
    }

    /// The interfaces an object implements. As [`Object::implements`], but made to be asked often.
    pub(crate) fn object_implements(&self, object: Object<'t>) -> Vec<QualifiedName<'t>> {
        self.head_of(object, |head| head.implements.clone())
    }

    fn head_of<R>(&self, object: Object<'t>, ask: impl FnOnce(&ObjectHead<'t>) -> R) -> R {
        let mut known = self.object.borrow_mut();
        let of_same_object = known.take().filter(|head| head.object == object);
        let head = known.insert(of_same_object.unwrap_or_else(|| ObjectHead {
            object,
            properties: object.properties().collect(),
            implements: object.implements().collect(),
        }));
        ask(head)
    }

    /// What the names in the file mean; none when nothing is known about what is declared around it.
    pub(crate) fn meaning(&self) -> Option<Known<'_>> {
        let workspace = self.facts.workspace.as_ref()?;
        let binding = self.binding.get_or_init(|| workspace.bind(self.tree));
        Some(Known::new(workspace.universe(), binding.as_ref()?))
    }

    /// Whether what the tree says about this node can be relied on; see `damage.rs`.
    pub(crate) fn is_intact(&self, node: Node<'_>) -> bool {
        self.damage.spares(node)
    }
}

/// The procedure or trigger a node belongs to, or is.
pub(crate) fn method_of(node: Node<'_>) -> Option<Node<'_>> {
    let is_method = |node: &Node<'_>| matches!(node.kind(), NodeKind::Procedure | NodeKind::Trigger);
    std::iter::once(node).chain(node.ancestors()).find(is_method)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runtime_is_read_from_its_first_two_numbers() {
        assert_eq!("13.1".parse(), Ok(RuntimeVersion::new(13, 1)));
        assert_eq!(" 9 ".parse(), Ok(RuntimeVersion::new(9, 0)));
        assert_eq!("10.2.0.0".parse(), Ok(RuntimeVersion::new(10, 2)));
        assert!("latest".parse::<RuntimeVersion>().is_err());
        assert!(RuntimeVersion::new(9, 5) < RuntimeVersion::new(10, 0));
    }

    #[test]
    fn tooltips_always_may_end_with_something() {
        let names = |punctuations: &[Punctuation]| -> Vec<String> {
            let file = FileContext::default().with_tool_tip_punctuations(punctuations.iter().cloned());
            file.tool_tip_punctuations.iter().map(|it| it.name.clone()).collect()
        };
        assert_eq!(
            names(&[Punctuation::new("!", ""), Punctuation::new(" ", "blank")]),
            ["!"]
        );
        assert_eq!(names(&[Punctuation::new("", "nothing")]), ["dot"]);
        assert_eq!(names(&[]), ["dot"]);
    }
}
