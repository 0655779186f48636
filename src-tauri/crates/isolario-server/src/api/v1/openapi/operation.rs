//! Operations of the document, put together from the few parts in which they differ.

use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, ParameterBuilder, ParameterIn, PathItem,
    PathItemBuilder,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Required, ResponseBuilder};

use super::values::{bytes, integer, one_of, text};
use crate::api::request_format::Format;

/// The greatest number of a structured header (RFC 9651, 3.3.1).
const GREATEST_IN_HEADERS: i64 = 999_999_999_999_999;

/// Where the body of a message comes from.
#[derive(Clone, Copy)]
pub enum Body {
    /// JSON of a named schema.
    Json(&'static str),
    /// JSON of a named schema, and the same thing as JSON-LD.
    Formats(&'static str),
    /// Bytes of any MIME type.
    Bytes,
    /// Bytes of no particular MIME type.
    Octets,
    Text,
    /// The page of the user interface.
    Page,
    /// A refusal, which may have members for programs (RFC 9457).
    Problem,
    /// A JSON Web Key Set.
    KeySet,
}

/// A parameter: name, place, whether it is needed, and what it may be.
type Parameter = (&'static str, ParameterIn, Required, RefOr<Schema>);

/// An operation being put together.
pub struct Draft {
    method: HttpMethod,
    operation: OperationBuilder,
}

/// Begins an operation.
pub fn draft(method: HttpMethod, tag: &str, id: &str, summary: &str) -> Draft {
    Draft {
        method,
        operation: OperationBuilder::new()
            .tag(tag)
            .operation_id(Some(id))
            .summary(Some(summary)),
    }
}

impl Draft {
    /// Adds a sentence or two.
    pub fn description(mut self, text: &str) -> Draft {
        self.operation = self.operation.description(Some(text));
        self
    }

    /// Adds a whole number in the path.
    pub fn id(self, name: &'static str) -> Draft {
        self.parameter((name, ParameterIn::Path, Required::True, integer(1, None)))
    }

    /// Adds a text in the path.
    pub fn segment(self, name: &'static str) -> Draft {
        self.parameter((name, ParameterIn::Path, Required::True, text()))
    }

    /// Adds a text in the query.
    pub fn query(self, name: &'static str) -> Draft {
        self.parameter((name, ParameterIn::Query, Required::False, text()))
    }

    /// Adds `_format`: one of the formats in which this is written. An empty one is as good as none.
    pub fn format(self, formats: &[Format]) -> Draft {
        let names = formats.iter().map(|format| format.name()).chain([""]);
        self.parameter((
            "_format",
            ParameterIn::Query,
            Required::False,
            one_of(names),
        ))
    }

    /// Adds a header.
    pub fn header(self, name: &'static str) -> Draft {
        self.parameter((name, ParameterIn::Header, Required::False, text()))
    }

    /// Adds a header that has to be there.
    pub fn needed_header(self, name: &'static str) -> Draft {
        self.parameter((name, ParameterIn::Header, Required::True, text()))
    }

    /// Adds the headers of an upload that may come in parts.
    pub fn resumable(self) -> Draft {
        let length = integer(0, Some(GREATEST_IN_HEADERS));
        self.parameter((
            "Upload-Complete",
            ParameterIn::Header,
            Required::False,
            one_of(["?0", "?1"]),
        ))
        .parameter((
            "Upload-Length",
            ParameterIn::Header,
            Required::False,
            length,
        ))
    }

    fn parameter(mut self, (name, place, needed, schema): Parameter) -> Draft {
        let parameter = ParameterBuilder::new().name(name).parameter_in(place);
        let parameter = parameter.required(needed).schema(Some(schema));
        self.operation = self.operation.parameter(parameter);
        self
    }

    /// Says what the request carries.
    pub fn takes(mut self, body: Body) -> Draft {
        let mut request = RequestBodyBuilder::new().required(Some(Required::True));
        for (mime, schema) in content(body) {
            request = request.content(mime, ContentBuilder::new().schema(schema).build());
        }
        self.operation = self.operation.request_body(Some(request.build()));
        self
    }

    /// Adds a response with a body.
    pub fn gives(mut self, status: &str, words: &str, body: Body) -> Draft {
        self.operation = self.operation.response(status, response(words, body));
        self
    }

    /// Adds a response without a body.
    pub fn ends(mut self, status: &str, words: &str) -> Draft {
        let response = ResponseBuilder::new().description(words);
        self.operation = self.operation.response(status, response);
        self
    }

    /// Adds refusals by status.
    pub fn refuses(self, statuses: &[&str]) -> Draft {
        statuses.iter().fold(self, |draft, status| {
            draft.gives(status, refusal(status), Body::Json("Message"))
        })
    }
}

/// A response with a body.
pub fn response(words: &str, body: Body) -> ResponseBuilder {
    let described = ResponseBuilder::new().description(words);
    content(body)
        .into_iter()
        .fold(described, |response, (mime, schema)| {
            response.content(mime, ContentBuilder::new().schema(schema).build())
        })
}

/// A path with its operations.
pub fn path(drafts: Vec<Draft>) -> PathItem {
    let mut item = PathItemBuilder::new();
    for draft in drafts {
        let operation: Operation = draft.operation.build();
        item = item.operation(draft.method, operation);
    }
    item.build()
}

fn content(body: Body) -> Vec<(&'static str, Option<RefOr<Schema>>)> {
    let named = |name: &str| Some(RefOr::Ref(Ref::from_schema_name(name)));
    match body {
        Body::Json(name) => vec![("application/json", named(name))],
        Body::Formats(name) => vec![
            ("application/json", named(name)),
            ("application/ld+json", named("JsonLd")),
        ],
        Body::Bytes => vec![("*/*", Some(bytes()))],
        Body::Octets => vec![("application/octet-stream", Some(bytes()))],
        Body::KeySet => vec![("application/jwk-set+json", named("KeySet"))],
        Body::Text => vec![("text/plain", Some(text()))],
        Body::Page => vec![("text/html", Some(text()))],
        Body::Problem => vec![
            ("application/json", named("Message")),
            ("application/problem+json", named("Problem")),
        ],
    }
}

/// What a status says.
pub fn refusal(status: &str) -> &'static str {
    match status {
        "400" => "The request is malformed",
        "401" => "The request has no credentials, or they are refused",
        "403" => "The actor may not do this",
        "404" => "The resource does not exist, or is hidden from the actor",
        "405" => "The method is not allowed here",
        "406" => "The resource is not available in this format",
        "408" => "The request did not arrive in time",
        "409" => "The state of other resources does not permit it",
        "412" => "The resource has changed: If-Match does not hold",
        "413" => "The body is too large",
        "414" => "The address is too long",
        "415" => "The Content-Type is not understood",
        "416" => "The range is outside the file",
        "421" => "The server does not answer to this host name",
        "422" => "The content breaks a rule",
        "431" => "The headers are too long",
        "507" => "The disk is full",
        "429" => "Too many failed sign-ins",
        _ => "The request was refused",
    }
}
