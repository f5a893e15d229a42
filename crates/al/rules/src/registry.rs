//! From the table of rules in `lib.rs`: ids, lookups, dispatch.

/// Makes everything that has to know all rules out of the one table in `lib.rs`.
///
/// A line `AC0007 file_name RuleType,` under the folder of its cop declares the module, the [`crate::RuleId`], the
/// variant that holds what the rule found, and the arms of every dispatch. There is no list of rules anywhere else.
macro_rules! rules {
    ($($folder:ident { $($id:ident $file:ident $rule:ident,)* })*) => {
        $(mod $folder { $(pub(crate) mod $file;)* })*

        /// A rule. Ordered by id.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u16)]
        pub enum RuleId {
            $($(
                #[doc = concat!("`", stringify!($id), "`, ", stringify!($rule))]
                $id,
            )*)*
        }

        impl RuleId {
            /// Every rule, sorted by id.
            pub const ALL: &'static [Self] = &[$($(Self::$id,)*)*];

            /// What is known about the rule.
            pub fn metadata(self) -> &'static Metadata {
                match self {
                    $($(Self::$id => const { &<$folder::$file::$rule as Rule>::METADATA },)*)*
                }
            }

            /// Shows a node to the rule.
            pub(crate) fn find<'t>(self, node: Node<'t>, context: &Context<'t>, findings: &mut Vec<Finding>) {
                match self {
                    $($(Self::$id => {
                        let report = &mut Report::new(self, findings, State::$id);
                        <$folder::$file::$rule as Rule>::find(node, context, report);
                    })*)*
                }
            }

            /// Shows a project to the rule.
            pub(crate) fn find_in_project(self, project: &ProjectFacts, findings: &mut Vec<ProjectFinding>) {
                match self {
                    $($(Self::$id => {
                        <$folder::$file::$rule as Rule>::find_in_project(self, project, findings);
                    })*)*
                }
            }

            /// Folder and file of the rule below `src`, without extension.
            #[cfg(test)]
            pub(crate) fn file(self) -> &'static str {
                match self {
                    $($(Self::$id => concat!(stringify!($folder), "/", stringify!($file)),)*)*
                }
            }

            /// Runs the rule's own tests.
            #[cfg(test)]
            pub(crate) fn tests(self) -> Tester {
                match self {
                    $($(Self::$id => <$folder::$file::$rule as Rule>::tests(Tester::new(self)),)*)*
                }
            }
        }

        /// What a rule remembers of what it found.
        #[derive(Clone, PartialEq, Debug)]
        pub(crate) enum State {
            $($($id(<$folder::$file::$rule as Rule>::State),)*)*
        }

        impl State {
            /// Words the finding.
            pub(crate) fn message(&self, tree: &Tree) -> String {
                match self {
                    $($(Self::$id(state) => <$folder::$file::$rule as Rule>::message(state, tree),)*)*
                }
            }

            /// Builds the edits of one of the rule's fixes.
            pub(crate) fn fix(&self, fix: &'static FixProvider, tree: &Tree) -> Option<EditSet> {
                match self {
                    $($(Self::$id(state) => <$folder::$file::$rule as Rule>::fix(state, fix, tree),)*)*
                }
            }
        }

        #[cfg(test)]
        mod tests_of {
            $($(#[test] fn $file() { crate::RuleId::$id.tests().run(); })*)*
        }
    };
}

pub(crate) use rules;

use crate::{Cop, RuleId};

impl RuleId {
    /// The public id: `AC0007`.
    pub fn id(self) -> &'static str {
        self.metadata().id
    }

    /// The rule with this id; case does not count.
    pub fn from_id(id: &str) -> Option<Self> {
        let wanted = || id.bytes().map(|byte| byte.to_ascii_uppercase());
        let found = Self::ALL.binary_search_by(|rule| rule.id().bytes().cmp(wanted()));
        found.ok().map(|index| Self::ALL[index])
    }

    /// The rules of a cop, sorted by id.
    pub fn of_cop(cop: Cop) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |rule| rule.metadata().cop == cop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_by_id_and_each_rule_stands_under_its_own_id() {
        for pair in RuleId::ALL.windows(2) {
            assert!(
                pair[0].id() < pair[1].id(),
                "{} stands before {}",
                pair[0].id(),
                pair[1].id()
            );
        }
        for rule in RuleId::ALL {
            assert_eq!(format!("{rule:?}"), rule.id());
            assert_eq!(&rule.id()[..2], rule.metadata().cop.id_prefix());
        }
    }

    #[test]
    fn every_rule_file_is_in_the_table_and_named_after_its_rule() {
        let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files: Vec<String> = Vec::new();
        for cop in Cop::ALL {
            let folder = folder_of(*cop);
            for entry in std::fs::read_dir(source.join(&folder)).unwrap() {
                let path = entry.unwrap().path();
                files.push(format!("{folder}/{}", path.file_stem().unwrap().to_str().unwrap()));
            }
        }
        files.sort();
        let mut table: Vec<_> = RuleId::ALL.iter().map(|rule| rule.file()).collect();
        table.sort_unstable();
        assert_eq!(files, table, "files in the folders of the cops, and lines in the table");
        for rule in RuleId::ALL {
            let metadata = rule.metadata();
            let name = format!("{}_{}", metadata.id.to_ascii_lowercase(), snake_case(metadata.name));
            assert_eq!(rule.file(), format!("{}/{name}", folder_of(metadata.cop)));
        }
    }

    fn folder_of(cop: Cop) -> String {
        snake_case(cop.short_name())
    }

    fn snake_case(name: &str) -> String {
        let mut result = String::new();
        for character in name.chars() {
            if character.is_ascii_uppercase() && !result.is_empty() {
                result.push('_');
            }
            result.push(character.to_ascii_lowercase());
        }
        result
    }

    #[test]
    fn a_rule_is_found_by_its_id_in_any_case() {
        assert_eq!(RuleId::from_id("cn0001"), Some(RuleId::CN0001));
        for &rule in RuleId::ALL {
            assert_eq!(RuleId::from_id(rule.id()), Some(rule));
        }
        assert_eq!(RuleId::from_id("XX9999"), None);
        assert_eq!(RuleId::from_id(""), None);
    }

    #[test]
    fn a_cop_is_found_by_its_full_and_its_short_name_in_any_case() {
        assert_eq!(Cop::from_name("ALCops.LinterCop"), Some(Cop::Linter));
        assert_eq!(Cop::from_name("lintercop"), Some(Cop::Linter));
        assert_eq!(Cop::from_name("CodeCop"), None);
        let by_cop: usize = Cop::ALL.iter().map(|&cop| RuleId::of_cop(cop).count()).sum();
        assert_eq!(by_cop, RuleId::ALL.len(), "every cop with rules is in `Cop::ALL`");
        assert!(
            Cop::ALL.iter().all(|&cop| RuleId::of_cop(cop).next().is_some()),
            "a cop without rules is no cop"
        );
    }

    #[test]
    fn keys_of_fixes_are_unique_within_a_rule() {
        for rule in RuleId::ALL {
            let mut keys: Vec<_> = rule.metadata().fixes.iter().map(|fix| fix.equivalence_key).collect();
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), rule.metadata().fixes.len(), "{}", rule.id());
        }
    }
}
