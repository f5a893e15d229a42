//! What AL brings along: types with their methods, closed lists of names, properties, triggers, attributes and the
//! tables of the platform, as far as Microsoft documents them.
//!
//! The facts are in `data/builtins.txt`, which `cargo xtask builtins` writes. One fact a line; the first letter says
//! which: `T` a type, below it `M` its methods (flags `s` needs no instance, `p` may be read and written like a property,
//! `u` needs no type name, `d` deprecated; then `@` and the first runtime, then the signature); `O` a closed list with its
//! members `V`; `P` a property with its owners `A` and values `V`; `G` the owner of triggers `H`; `B` an attribute; `S` a
//! table of the platform with its fields `F`. In signatures `?` marks what may be left out and `...` what may be repeated.

use std::sync::LazyLock;

use crate::name::{KeyMap, NameKey};

/// A type of AL itself, such as `Integer` or `HttpClient`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct BuiltInType(pub u16);

/// A closed list of names of AL itself, such as `IsolationLevel`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct BuiltInOption(pub u16);

/// One overload of a method of AL itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct BuiltInMethod(pub u16);

/// What is known about an overload.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of the documentation")]
pub struct MethodFacts {
    /// The type it belongs to.
    pub owner: BuiltInType,
    /// Its name.
    pub name: &'static str,
    /// The same as a key.
    pub key: NameKey,
    /// Its parameters.
    pub parameters: Vec<ParameterFacts>,
    /// The type of its result, if it has one.
    pub result: Option<TypeFacts>,
    /// Whether a caller may ignore the result, which then means an error for `false`.
    pub is_result_optional: bool,
    /// Whether it belongs to the type rather than to a value.
    pub is_static: bool,
    /// Whether it is documented to be read and written without parentheses.
    pub is_property: bool,
    /// Whether it may be called without the name of its type.
    pub is_unqualified: bool,
    /// Whether it is deprecated.
    pub is_deprecated: bool,
    /// The first runtime that has it, such as `11.0`.
    pub since: &'static str,
}

impl MethodFacts {
    /// The number of arguments it takes at least.
    pub fn required(&self) -> usize {
        self.parameters.iter().take_while(|it| !it.is_optional).count()
    }

    /// Whether its last parameter may be repeated.
    pub fn is_variadic(&self) -> bool {
        self.parameters.last().is_some_and(|it| it.is_repeated)
    }

    /// Whether it can be called with so many arguments.
    pub fn takes(&self, count: usize) -> bool {
        count >= self.required() && (count <= self.parameters.len() || self.is_variadic())
    }

    /// The parameter that the argument with this index is for.
    pub fn parameter(&self, index: usize) -> Option<&ParameterFacts> {
        self.parameters
            .get(index)
            .or_else(|| self.parameters.last().filter(|it| it.is_repeated))
    }
}

/// A parameter of a method.
#[derive(Debug)]
pub struct ParameterFacts {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub of_type: TypeFacts,
    /// Whether the argument is changed.
    pub is_var: bool,
    /// Whether it may be left out.
    pub is_optional: bool,
    /// Whether any number of arguments may follow for it.
    pub is_repeated: bool,
}

/// A type as the documentation names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeFacts {
    /// Any type at all.
    Any,
    /// A type with a page of its own.
    Of(BuiltInType),
    /// A closed list of names.
    Option(BuiltInOption),
    /// `List of [T]` with this element.
    List(&'static TypeFacts),
    /// `Dictionary of [K, V]`.
    Dictionary(&'static TypeFacts, &'static TypeFacts),
    /// The element of the receiver: `T` of a list.
    Element,
    /// The key of the receiver: `TKey` of a dictionary.
    Key,
    /// The value of the receiver: `TValue` of a dictionary.
    Value,
    /// Not documented.
    Unknown,
}

/// A closed list of names.
#[derive(Debug)]
pub struct OptionFacts {
    /// Its name.
    pub name: &'static str,
    /// Its members with their keys.
    pub members: Vec<(&'static str, NameKey)>,
}

/// A property.
#[derive(Debug)]
pub struct PropertyFacts {
    /// Its name.
    pub name: &'static str,
    /// What can have it, in the documentation's words: `Table field`.
    pub owners: Vec<&'static str>,
    /// Its values where they are a closed list.
    pub values: Vec<&'static str>,
}

/// A table of the platform.
#[derive(Debug)]
pub struct SystemTableFacts {
    /// Its number.
    pub id: u32,
    /// Its name.
    pub name: &'static str,
    /// Its fields with their keys; their types are not documented.
    pub fields: Vec<(&'static str, NameKey)>,
}

#[derive(Debug)]
struct TypeEntry {
    name: &'static str,
    /// The overloads in the order of their keys, so that those of one name stand together.
    methods: Vec<(NameKey, BuiltInMethod)>,
}

/// All that is known; made once.
#[derive(Debug)]
pub struct BuiltIns {
    types: Vec<TypeEntry>,
    type_by_name: KeyMap<NameKey, BuiltInType>,
    methods: Vec<MethodFacts>,
    unqualified: KeyMap<NameKey, Vec<BuiltInMethod>>,
    options: Vec<OptionFacts>,
    option_by_name: KeyMap<NameKey, BuiltInOption>,
    properties: KeyMap<NameKey, PropertyFacts>,
    triggers: KeyMap<NameKey, &'static str>,
    attributes: KeyMap<NameKey, &'static str>,
    tables: Vec<SystemTableFacts>,
}

static BUILT_INS: LazyLock<BuiltIns> = LazyLock::new(|| BuiltIns::read(include_str!("../data/builtins.txt")));

/// All that is known about what AL brings along.
pub fn built_ins() -> &'static BuiltIns {
    &BUILT_INS
}

macro_rules! well_known {
    ($($(#[$attribute:meta])* $name:ident = $text:literal;)*) => {
        /// Types that the language itself treats in a special way.
        #[derive(Debug)]
        pub struct WellKnown {
            $($(#[$attribute])* pub $name: BuiltInType,)*
        }

        static WELL_KNOWN: LazyLock<WellKnown> = LazyLock::new(|| {
            let built_ins = built_ins();
            let find = |name: &str| built_ins.type_named(NameKey::of(name)).unwrap_or(BuiltInType(u16::MAX));
            WellKnown { $($name: find($text),)* }
        });

        #[cfg(test)]
        const WELL_KNOWN_NAMES: &[&str] = &[$($text),*];
    };
}

well_known! {
    /// `Integer`
    integer = "Integer";
    /// `BigInteger`
    big_integer = "BigInteger";
    /// `Decimal`
    decimal = "Decimal";
    /// `Boolean`
    boolean = "Boolean";
    /// `Byte`
    byte = "Byte";
    /// `Char`
    char = "Char";
    /// `Text`
    text = "Text";
    /// `Code`
    code = "Code";
    /// `Label`
    label = "Label";
    /// `TextConst`
    text_constant = "TextConst";
    /// `Date`
    date = "Date";
    /// `Time`
    time = "Time";
    /// `DateTime`
    date_time = "DateTime";
    /// `Duration`
    duration = "Duration";
    /// `Guid`
    guid = "Guid";
    /// `Option`
    option = "Option";
    /// `Enum`
    enumeration = "Enum";
    /// `Record`
    record = "Record";
    /// `RecordRef`
    record_ref = "RecordRef";
    /// `Variant`
    variant = "Variant";
    /// `Codeunit`
    codeunit = "Codeunit";
    /// `Page`
    page = "Page";
    /// `Report`
    report = "Report";
    /// `Query`
    query = "Query";
    /// `Xmlport`
    xml_port = "Xmlport";
    /// `RequestPage`
    request_page = "RequestPage";
    /// `TestPage`
    test_page = "TestPage";
    /// `TestPart`
    test_part = "TestPart";
    /// `TestRequestPage`
    test_request_page = "TestRequestPage";
    /// `TestField`
    test_field = "TestField";
    /// `TestAction`
    test_action = "TestAction";
    /// `TestFilter`
    test_filter = "TestFilter";
    /// `List`
    list = "List";
    /// `Dictionary`
    dictionary = "Dictionary";
    /// `Database`
    database = "Database";
    /// `System`
    system = "System";
    /// `ErrorInfo`
    error_info = "ErrorInfo";
    /// `Dialog`
    dialog = "Dialog";
}

/// The types that the language itself treats in a special way.
pub fn well_known() -> &'static WellKnown {
    &WELL_KNOWN
}

impl BuiltIns {
    fn read(text: &'static str) -> Self {
        let mut built_ins = Self {
            types: Vec::new(),
            type_by_name: KeyMap::default(),
            methods: Vec::new(),
            unqualified: KeyMap::default(),
            options: Vec::new(),
            option_by_name: KeyMap::default(),
            properties: KeyMap::default(),
            triggers: KeyMap::default(),
            attributes: KeyMap::default(),
            tables: Vec::new(),
        };
        // Signatures name types that come later: names first.
        for line in text.lines() {
            match line.split_once(' ') {
                Some(("T", name)) => {
                    let id = BuiltInType(built_ins.types.len() as u16);
                    built_ins.type_by_name.insert(NameKey::of(name), id);
                    built_ins.types.push(TypeEntry {
                        name,
                        methods: Vec::new(),
                    });
                }
                Some(("O", name)) => built_ins.add_option(name),
                _ => {}
            }
        }
        let mut of_type = BuiltInType(0);
        let mut of_option = None;
        let mut property: Option<PropertyFacts> = None;
        for line in text.lines() {
            let Some((letter, rest)) = line.split_once(' ') else {
                continue;
            };
            match letter {
                "T" => of_type = built_ins.type_by_name[&NameKey::of(rest)],
                "M" => built_ins.add_method(of_type, rest),
                "O" => of_option = built_ins.option_named(NameKey::of(rest)),
                "P" => {
                    built_ins.add_property(property.take());
                    property = Some(PropertyFacts {
                        name: rest,
                        owners: Vec::new(),
                        values: Vec::new(),
                    });
                }
                "A" => {
                    if let Some(property) = &mut property {
                        property.owners = rest.split("; ").collect();
                    }
                }
                "V" => match (&mut property, of_option) {
                    (Some(property), _) => property.values.push(rest),
                    (None, Some(option)) => {
                        built_ins.options[option.0 as usize]
                            .members
                            .push((rest, NameKey::of(rest)));
                    }
                    (None, None) => {}
                },
                "G" => built_ins.add_property(property.take()),
                "H" => {
                    let name = rest.split('(').next().unwrap_or(rest);
                    built_ins.triggers.insert(NameKey::of(name), name);
                }
                "B" => {
                    let name = rest.split('(').next().unwrap_or(rest);
                    built_ins.attributes.insert(NameKey::of(name), name);
                }
                "S" => {
                    if let Some((id, name)) = rest.split_once(' ') {
                        built_ins.tables.push(SystemTableFacts {
                            id: id.parse().unwrap_or(0),
                            name,
                            fields: Vec::new(),
                        });
                    }
                }
                "F" => {
                    if let Some(table) = built_ins.tables.last_mut() {
                        table.fields.push((rest, NameKey::of(rest)));
                    }
                }
                _ => {}
            }
        }
        built_ins.add_property(property.take());
        let methods = &built_ins.methods;
        for entry in &mut built_ins.types {
            // Where several overloads fit, the first is meant: not a deprecated one.
            let order =
                |&(key, method): &(NameKey, BuiltInMethod)| (key, methods[method.0 as usize].is_deprecated, method);
            entry.methods.sort_by_key(order);
        }
        built_ins
    }

    fn add_option(&mut self, name: &'static str) {
        let id = BuiltInOption(self.options.len() as u16);
        self.option_by_name.insert(NameKey::of(name), id);
        self.options.push(OptionFacts {
            name,
            members: Vec::new(),
        });
    }

    fn add_property(&mut self, property: Option<PropertyFacts>) {
        if let Some(property) = property {
            self.properties.insert(NameKey::of(property.name), property);
        }
    }

    fn add_method(&mut self, owner: BuiltInType, line: &'static str) {
        let Some((flags, signature)) = line.split_once(' ') else {
            return;
        };
        let (flags, since) = flags.split_once('@').unwrap_or((flags, ""));
        let Some((name, rest)) = signature.split_once('(') else {
            return;
        };
        let Some(close) = rest.rfind(')') else { return };
        let (parameters, result) = (&rest[..close], rest[close + 1..].strip_prefix(": "));
        let is_result_optional = result.is_some_and(|it| it.ends_with('?'));
        let id = BuiltInMethod(self.methods.len() as u16);
        let key = NameKey::of(name);
        let facts = MethodFacts {
            owner,
            name,
            key,
            parameters: split_types(parameters).map(|it| self.parameter(it)).collect(),
            result: result.map(|it| self.type_facts(it.trim_end_matches('?'))),
            is_result_optional,
            is_static: flags.contains('s'),
            is_property: flags.contains('p'),
            is_unqualified: flags.contains('u'),
            is_deprecated: flags.contains('d'),
            since,
        };
        // The pages say of methods of values, too, that they need no type name: those of `Text` for instance.
        if facts.is_unqualified && facts.is_static {
            self.unqualified.entry(key).or_default().push(id);
        }
        self.types[owner.0 as usize].methods.push((key, id));
        self.methods.push(facts);
    }

    fn parameter(&self, written: &'static str) -> ParameterFacts {
        let (name, of_type) = written.split_once(": ").unwrap_or((written, ""));
        let (is_var, name) = name.strip_prefix("var ").map_or((false, name), |name| (true, name));
        let is_repeated = of_type.ends_with("...");
        ParameterFacts {
            name: name.trim_end_matches('?'),
            of_type: self.type_facts(of_type.trim_end_matches("...")),
            is_var,
            is_optional: name.ends_with('?'),
            is_repeated,
        }
    }

    fn type_facts(&self, name: &'static str) -> TypeFacts {
        match name {
            "Any" | "" => return TypeFacts::Any,
            "T" => return TypeFacts::Element,
            "TKey" => return TypeFacts::Key,
            "TValue" => return TypeFacts::Value,
            "String" => return self.type_facts("Text"),
            _ => {}
        }
        let leak = |facts: TypeFacts| -> &'static TypeFacts { Box::leak(Box::new(facts)) };
        if let Some(element) = name.strip_prefix("List of [").and_then(|it| it.strip_suffix(']')) {
            return TypeFacts::List(leak(self.type_facts(element)));
        }
        if let Some(inner) = name.strip_prefix("Dictionary of [").and_then(|it| it.strip_suffix(']'))
            && let Some((key, value)) = inner.split_once(", ")
        {
            return TypeFacts::Dictionary(leak(self.type_facts(key)), leak(self.type_facts(value)));
        }
        let key = NameKey::of(name);
        if let Some(&option) = self.option_by_name.get(&key) {
            return TypeFacts::Option(option);
        }
        self.type_by_name
            .get(&key)
            .map_or(TypeFacts::Unknown, |&it| TypeFacts::Of(it))
    }

    /// The type of this name.
    pub fn type_named(&self, name: NameKey) -> Option<BuiltInType> {
        self.type_by_name.get(&name).copied()
    }

    /// The name of a type.
    pub fn type_name(&self, of: BuiltInType) -> &'static str {
        self.types.get(of.0 as usize).map_or("", |entry| entry.name)
    }

    /// The overloads of a method of a type.
    pub fn methods_named(&self, of: BuiltInType, name: NameKey) -> impl Iterator<Item = BuiltInMethod> + '_ {
        let methods: &[_] = self.types.get(of.0 as usize).map_or(&[], |entry| &entry.methods);
        let first = methods.partition_point(|&(key, _)| key < name);
        methods[first..]
            .iter()
            .take_while(move |&&(key, _)| key == name)
            .map(|&(_, method)| method)
    }

    /// The overloads that may be called without the name of their type.
    pub fn unqualified(&self, name: NameKey) -> &[BuiltInMethod] {
        self.unqualified.get(&name).map_or(&[], Vec::as_slice)
    }

    /// What is known about an overload.
    pub fn method(&self, method: BuiltInMethod) -> &MethodFacts {
        &self.methods[method.0 as usize]
    }

    /// The closed list of this name.
    pub fn option_named(&self, name: NameKey) -> Option<BuiltInOption> {
        self.option_by_name.get(&name).copied()
    }

    /// A closed list.
    pub fn option(&self, option: BuiltInOption) -> &OptionFacts {
        &self.options[option.0 as usize]
    }

    /// The property of this name.
    pub fn property(&self, name: NameKey) -> Option<&PropertyFacts> {
        self.properties.get(&name)
    }

    /// The canonical spelling of a trigger's or trigger event's name.
    pub fn trigger(&self, name: NameKey) -> Option<&'static str> {
        self.triggers.get(&name).copied()
    }

    /// The canonical spelling of an attribute's name.
    pub fn attribute(&self, name: NameKey) -> Option<&'static str> {
        self.attributes.get(&name).copied()
    }

    /// The documented tables of the platform.
    pub fn system_tables(&self) -> &[SystemTableFacts] {
        &self.tables
    }

    /// All overloads.
    pub fn methods(&self) -> impl ExactSizeIterator<Item = &MethodFacts> {
        self.methods.iter()
    }
}

/// Splits at commas that are in no brackets.
fn split_types(list: &'static str) -> impl Iterator<Item = &'static str> {
    let mut depth = 0_i32;
    let parts = list.split(move |character| {
        match character {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        character == ',' && depth == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_the_language_treats_specially_is_documented() {
        for name in WELL_KNOWN_NAMES {
            assert!(built_ins().type_named(NameKey::of(name)).is_some(), "{name}");
        }
    }

    #[test]
    fn a_method_is_found_with_its_overloads() {
        let record = well_known().record;
        let found: Vec<_> = built_ins()
            .methods_named(record, NameKey::of("FINDSET"))
            .map(|it| built_ins().method(it))
            .collect();
        assert_eq!(found.len(), 2);
        assert!(
            found
                .iter()
                .all(|it| it.name == "FindSet" && it.owner == record && !it.is_static)
        );
        assert!(found[0].takes(0) && found[0].takes(1) && !found[0].takes(2));
        assert!(found[1].is_deprecated && found[1].takes(2));
    }

    #[test]
    fn types_of_parameters_and_results_are_known() {
        let one = |of: BuiltInType, name: &str| {
            let method = built_ins().methods_named(of, NameKey::of(name)).next().expect(name);
            built_ins().method(method)
        };
        let get = one(well_known().list, "Get");
        assert_eq!(get.result, Some(TypeFacts::Element));
        let modify_all = one(well_known().record, "ModifyAll");
        assert_eq!(modify_all.parameters[2].name, "RunTrigger");
        assert!(modify_all.parameters[2].is_optional && !modify_all.parameters[1].is_optional);
        let confirm = built_ins().method(built_ins().unqualified(NameKey::of("confirm"))[0]);
        assert!(confirm.is_variadic() && confirm.takes(9));
        assert_eq!(confirm.result, Some(TypeFacts::Of(well_known().boolean)));
    }

    #[test]
    fn closed_lists_have_members() {
        let level = built_ins().option_named(NameKey::of("isolationlevel")).expect("a list");
        let members: Vec<_> = built_ins().option(level).members.iter().map(|it| it.0).collect();
        assert!(members.contains(&"UpdLock"), "{members:?}");
        assert!(built_ins().option_named(NameKey::of("DataClassification")).is_some());
        let page_type = built_ins().property(NameKey::of("pagetype")).expect("a property");
        assert!(page_type.values.contains(&"ListPart"));
        assert_eq!(built_ins().trigger(NameKey::of("ONINSERT")), Some("OnInsert"));
        assert_eq!(built_ins().attribute(NameKey::of("test")), Some("Test"));
        assert_eq!(built_ins().system_tables()[0].name, "Date");
    }
}
