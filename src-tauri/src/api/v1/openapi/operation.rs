//! Operations of the document, put together from the few parts in which they differ.

use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, ParameterBuilder, ParameterIn, PathItem,
    PathItemBuilder,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Required, ResponseBuilder};

/// Where the body of a message comes from.
#[derive(Clone, Copy)]
pub enum Body {
    /// JSON of a named schema.
    Json(&'static str),
    /// JSON of a named schema, and the same thing as JSON-LD.
    Formats(&'static str),
    /// Bytes of any MIME type.
    Bytes,
    Text,
    /// A JSON Web Key Set.
    KeySet,
}

/// A parameter: name, place, whether it is needed, and whether it is a whole number.
type Parameter = (&'static str, ParameterIn, bool, bool);

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
        self.parameter((name, ParameterIn::Path, true, true))
    }

    /// Adds a text in the path.
    pub fn segment(self, name: &'static str) -> Draft {
        self.parameter((name, ParameterIn::Path, true, false))
    }

    /// Adds a text in the query.
    pub fn query(self, name: &'static str) -> Draft {
        self.parameter((name, ParameterIn::Query, false, false))
    }

    /// Adds a header.
    pub fn header(self, name: &'static str) -> Draft {
        self.parameter((name, ParameterIn::Header, false, false))
    }

    fn parameter(mut self, (name, place, needed, number): Parameter) -> Draft {
        let parameter = ParameterBuilder::new()
            .name(name)
            .parameter_in(place)
            .required(if needed {
                Required::True
            } else {
                Required::False
            })
            .schema(Some(plain(if number {
                Type::Integer
            } else {
                Type::String
            })));
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
        let mut response = ResponseBuilder::new().description(words);
        for (mime, schema) in content(body) {
            response = response.content(mime, ContentBuilder::new().schema(schema).build());
        }
        self.operation = self.operation.response(status, response);
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
        Body::Bytes => vec![("*/*", None)],
        Body::KeySet => vec![("application/jwk-set+json", named("KeySet"))],
        Body::Text => vec![("text/plain", Some(plain(Type::String)))],
    }
}

fn plain(kind: Type) -> RefOr<Schema> {
    RefOr::T(Schema::Object(
        ObjectBuilder::new()
            .schema_type(SchemaType::Type(kind))
            .build(),
    ))
}

fn refusal(status: &str) -> &'static str {
    match status {
        "400" => "The request is malformed",
        "401" => "Nobody has signed in, or the credentials are no good",
        "403" => "The user may not do that",
        "404" => "There is no such thing",
        "405" => "The method is not allowed here",
        "406" => "The format is not to be had",
        "412" => "Somebody else changed it first",
        "415" => "The Content-Type is not understood",
        "416" => "The range lies outside the file",
        "421" => "This server does not go by that host name",
        "422" => "The content breaks a rule",
        "429" => "Too many failures to sign in",
        _ => "The request was refused",
    }
}
