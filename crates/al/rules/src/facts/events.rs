//! Events and handlers: the procedures whose shape somebody else decides.

use candor_al_syntax::ast::Method;

/// Attributes that make a procedure an event which others subscribe to.
const PUBLISHERS: &[&str] = &[
    "IntegrationEvent",
    "BusinessEvent",
    "InternalEvent",
    "ExternalBusinessEvent",
];

/// Attributes that make the platform call a procedure, with parameters the platform chooses: subscribers of events,
/// and the handlers of a test codeunit.
const CALLBACKS: &[&str] = &[
    "EventSubscriber",
    "ConfirmHandler",
    "FilterPageHandler",
    "HttpClientHandler",
    "HyperlinkHandler",
    "MessageHandler",
    "ModalPageHandler",
    "PageHandler",
    "RecallNotificationHandler",
    "ReportHandler",
    "RequestPageHandler",
    "SendNotificationHandler",
    "SessionSettingsHandler",
    "StrMenuHandler",
];

/// Whether the procedure is an event that others subscribe to.
pub(crate) fn is_event_publisher(method: Method<'_>) -> bool {
    has_attribute_of(method, PUBLISHERS)
}

/// Whether an attribute decides which parameters the procedure has.
pub(crate) fn has_fixed_signature(method: Method<'_>) -> bool {
    has_attribute_of(method, PUBLISHERS) || has_attribute_of(method, CALLBACKS)
}

fn has_attribute_of(method: Method<'_>, names: &[&str]) -> bool {
    method
        .attributes()
        .any(|attribute| names.iter().any(|name| attribute.is(name)))
}
