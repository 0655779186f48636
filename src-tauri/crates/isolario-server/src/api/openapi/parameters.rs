//! Parameters that operations share. A request may leave out each of them.

use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{RefOr, Required};

use super::values::{integer, one_of, text};
use crate::api::request_format::Format;

/// The greatest number of a structured header (RFC 9651, 3.3.1).
const GREATEST_IN_HEADERS: i64 = 999_999_999_999_999;

/// Types for `params(…)`.
macro_rules! parameters {
    ($($(#[$doc:meta])* $type:ident: $($place:ident $name:literal = $schema:expr),+;)+) => {$(
        $(#[$doc])* pub enum $type {}

        impl IntoParams for $type {
            fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
                vec![$(optional(ParameterIn::$place, $name, $schema)),+]
            }
        }
    )+};
}

parameters! {
    /// The format in which a resource is read.
    ReadFormat: Query "_format" = one_format(&Format::ALL);
    /// The only format of what is read.
    JsonFormat: Query "_format" = one_format(&[Format::Json]);
    /// The format of an answer to a change.
    ChangeFormat: Query "_format" = one_format(&[Format::Json]);
    /// How a node is created: with the defaults of its collection, if the request asks for them.
    CreationParameters: Query "_format" = one_format(&[Format::Json]), Query "defaults" = one_of(["true", "false", ""]);
    /// The state that a change expects.
    IfMatch: Header "If-Match" = text();
    /// The state that the client has.
    IfNoneMatch: Header "If-None-Match" = text();
    /// The address of a file that an upload makes.
    ContentLocation: Header "Content-Location" = text();
    /// The checksum of a body, and the one that the answer is to have.
    Digests: Header "Repr-Digest" = text(), Header "Want-Repr-Digest" = text();
    /// What an upload that may come in parts says of itself.
    PartHeaders: Header "Upload-Complete" = one_of(["?0", "?1"]),
        Header "Upload-Length" = integer(0, Some(GREATEST_IN_HEADERS));
    /// What a request for the bytes of a file may carry.
    DownloadParameters: Query "ticket" = text(), Header "Range" = text(), Header "If-None-Match" = text(),
        Header "Want-Repr-Digest" = text();
}

fn optional(place: ParameterIn, name: &str, schema: RefOr<Schema>) -> Parameter {
    let parameter = ParameterBuilder::new().name(name).parameter_in(place);
    let parameter = parameter.required(Required::False);
    parameter.schema(Some(schema)).build()
}

/// An empty one is as good as none.
fn one_format(formats: &[Format]) -> RefOr<Schema> {
    one_of(formats.iter().map(|format| format.name()).chain([""]))
}
