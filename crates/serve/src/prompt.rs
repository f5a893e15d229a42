//! Prompts: texts that a person can have their agent read.

use std::fmt;
use std::sync::Arc;

use candor_contract::{nearest_names, shortened};
use rmcp::ErrorData;
use rmcp::model::{self, GetPromptResult, PromptMessage, Role};
use serde_json::{Map, Value};

type Text = Arc<dyn Fn(&Map<String, Value>) -> String + Send + Sync>;

/// A prompt that a server offers.
#[derive(Clone)]
pub struct Prompt {
    name: String,
    title: String,
    description: String,
    arguments: Vec<PromptArgument>,
    text: Text,
}

/// Something that a prompt is told. All arguments are texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptArgument {
    /// Its name.
    pub name: String,
    /// What it is.
    pub description: String,
    /// Whether the prompt cannot do without.
    pub required: bool,
}

impl Prompt {
    /// A prompt whose text is made from what it is told.
    pub fn new(
        name: &str,
        title: &str,
        description: &str,
        arguments: Vec<PromptArgument>,
        text: impl Fn(&Map<String, Value>) -> String + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            title: title.into(),
            description: description.into(),
            arguments,
            text: Arc::new(text),
        }
    }
}

impl fmt::Debug for Prompt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Prompt")
            .field("name", &self.name)
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}

/// A prompt as `prompts/list` shows it.
pub(crate) fn published(prompt: &Prompt) -> model::Prompt {
    let arguments = prompt.arguments.iter().map(|argument| {
        model::PromptArgument::new(&argument.name)
            .with_description(&argument.description)
            .with_required(argument.required)
    });
    model::Prompt::new(
        prompt.name.clone(),
        Some(prompt.description.clone()),
        Some(arguments.collect()),
    )
    .with_title(&prompt.title)
}

/// The text of a prompt. Prompts have no results that could carry an envelope: a mistake is an error of the protocol.
pub(crate) fn answer(
    prompts: &[Prompt],
    name: &str,
    arguments: Option<&Map<String, Value>>,
) -> Result<GetPromptResult, ErrorData> {
    let refused = |problem: String| Err(ErrorData::invalid_params(format!("prompts/get: {problem}"), None));
    let Some(prompt) = prompts.iter().find(|prompt| prompt.name == name) else {
        let known = || prompts.iter().map(|prompt| prompt.name.as_str());
        let near = nearest_names(name, known());
        let names = if near.is_empty() { known().collect() } else { near };
        return refused(format!(
            "unknown prompt `{}`; there is `{}`",
            shortened(name, 60),
            names.join("`, `")
        ));
    };
    let none = Map::new();
    let given = arguments.unwrap_or(&none);
    for argument in &prompt.arguments {
        match given.get(&argument.name) {
            None | Some(Value::Null) if argument.required => {
                return refused(format!("`{}` is missing: {}", argument.name, argument.description));
            }
            None | Some(Value::Null | Value::String(_)) => {}
            Some(_) => return refused(format!("`{}` must be a string", argument.name)),
        }
    }
    let message = PromptMessage::new_text(Role::User, (prompt.text)(given));
    Ok(GetPromptResult::new(vec![message]).with_description(&prompt.description))
}
