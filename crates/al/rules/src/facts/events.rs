//! Events and handlers: the procedures whose shape somebody else decides.

use candor_al_syntax::ast::Method;

/// Attributes that make a procedure an event which others subscribe to.
const PUBLISHERS: &[&str] = &[
    "IntegrationEvent",
    "BusinessEvent",
    "InternalEvent",
    "ExternalBusinessEvent",
];

/// The attribute that makes the platform call a procedure when an event happens.
const SUBSCRIBER: &str = "EventSubscriber";

/// Attributes that make a procedure of a test codeunit answer in the place of a user, with parameters that the platform
/// chooses.
const HANDLERS: &[&str] = &[
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

/// Whether the procedure subscribes to an event.
pub(crate) fn is_event_subscriber(method: Method<'_>) -> bool {
    method.attribute(SUBSCRIBER).is_some()
}

/// Whether the procedure answers in the place of a user while tests run.
pub(crate) fn is_test_handler(method: Method<'_>) -> bool {
    has_attribute_of(method, HANDLERS)
}

/// Whether an attribute decides which parameters the procedure has.
pub(crate) fn has_fixed_signature(method: Method<'_>) -> bool {
    is_event_publisher(method) || is_event_subscriber(method) || is_test_handler(method)
}

fn has_attribute_of(method: Method<'_>, names: &[&str]) -> bool {
    method
        .attributes()
        .any(|attribute| names.iter().any(|name| attribute.is(name)))
}
