//! What a tool says about itself.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::schema::{self, DocumentedDefault};

/// What a host may expect of a tool before it calls it. All four are always
/// given: there is no default, because the protocol's own defaults (writes,
/// destroys, reaches out) are wrong for most tools.
#[expect(
    clippy::struct_excessive_bools,
    reason = "the protocol defines four independent flags"
)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hints {
    /// Calling it changes nothing.
    pub read_only: bool,
    /// Calling it may overwrite or remove something.
    pub destructive: bool,
    /// Calling it again with the same arguments changes nothing more.
    pub idempotent: bool,
    /// It deals with more than what its owner controls: a network, say.
    pub open_world: bool,
}

/// Everything that is published about one tool. Every part is required, so a
/// tool cannot be described by halves.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDescription {
    name: String,
    title: String,
    description: String,
    hints: Hints,
    input_schema: Map<String, Value>,
    output_schema: Map<String, Value>,
    defaults: Vec<DocumentedDefault>,
}

impl ToolDescription {
    /// Describes a tool that takes `Arguments` and answers with `Output`.
    ///
    /// Both schemas come from the types. Defaults that the type of the
    /// arguments declares (`#[serde(default = "...")]`) are not published but
    /// remembered: the policy wants each beside the word "default" in the
    /// description of its parameter.
    pub fn new<Arguments: JsonSchema, Output: JsonSchema>(
        name: &str,
        title: &str,
        description: &str,
        hints: Hints,
    ) -> Self {
        let (input_schema, defaults) = schema::input_schema_with_defaults::<Arguments>();
        Self {
            name: name.into(),
            title: title.into(),
            description: description.into(),
            hints,
            input_schema,
            output_schema: schema::output_schema::<Output>(),
            defaults,
        }
    }

    /// Declares a default that the type does not know of, such as that of an
    /// optional parameter which the tool fills in itself.
    pub fn default_of(mut self, parameter: &str, value: impl Into<Value>) -> Self {
        self.defaults.push(DocumentedDefault {
            parameter: parameter.into(),
            value: value.into(),
        });
        self
    }

    #[cfg(test)]
    pub(crate) fn with_input_schema_for_test(mut self, schema: &Value) -> Self {
        self.input_schema = schema.as_object().cloned().unwrap_or_default();
        self
    }

    /// The name by which it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name for people.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What it does, returns, and how it fails.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What a host may expect of it.
    pub fn hints(&self) -> Hints {
        self.hints
    }

    /// The schema of its arguments.
    pub fn input_schema(&self) -> &Map<String, Value> {
        &self.input_schema
    }

    /// The schema of its successful answers.
    pub fn output_schema(&self) -> &Map<String, Value> {
        &self.output_schema
    }

    /// The defaults that its parameters' descriptions have to name.
    pub fn defaults(&self) -> &[DocumentedDefault] {
        &self.defaults
    }

    /// The tool as `tools/list` shows it.
    pub fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "outputSchema": self.output_schema,
            "annotations": {
                "readOnlyHint": self.hints.read_only,
                "destructiveHint": self.hints.destructive,
                "idempotentHint": self.hints.idempotent,
                "openWorldHint": self.hints.open_world,
            },
        })
    }
}

/// A description together with the types it was made of, so that a handler
/// cannot take or return anything else than what is published.
#[derive(Debug)]
pub struct Tool<Arguments, Output> {
    description: ToolDescription,
    types: PhantomData<fn(Arguments) -> Output>,
}

impl<Arguments: JsonSchema, Output: JsonSchema> Tool<Arguments, Output> {
    /// Describes a tool; see [`ToolDescription::new`].
    pub fn new(name: &str, title: &str, description: &str, hints: Hints) -> Self {
        Self {
            description: ToolDescription::new::<Arguments, Output>(name, title, description, hints),
            types: PhantomData,
        }
    }

    /// Declares a default; see [`ToolDescription::default_of`].
    pub fn default_of(mut self, parameter: &str, value: impl Into<Value>) -> Self {
        self.description = self.description.default_of(parameter, value);
        self
    }

    /// What is published.
    pub fn description(&self) -> &ToolDescription {
        &self.description
    }

    /// What is published, without the types.
    pub fn into_description(self) -> ToolDescription {
        self.description
    }
}
