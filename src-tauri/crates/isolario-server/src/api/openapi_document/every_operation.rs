//! What holds for every operation of the document, put there in one place: answers that come from the layers around
//! all routes, who has to sign in, and bounds of ids.

use std::collections::BTreeMap;

use utoipa::openapi::path::{Operation, ParameterIn, PathItem};
use utoipa::openapi::schema::{Schema, SchemaType, Type};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{OpenApi, Ref, RefOr, Response};

use crate::api::openapi::refusals::refusal;

/// Answers that any request can get: credentials are looked at before the route is, and so are the page that a
/// request comes from, the host it is for and the length of its head.
const ANY: [u16; 7] = [400, 401, 403, 414, 421, 429, 431];
/// Answers to requests that carry something or change something.
const UNSAFE: [u16; 4] = [408, 409, 413, 507];

/// Beginnings of the paths where nobody gets anything who has not signed in, whatever their role permits.
const SIGNED_IN: [&str; 11] = [
    "/api/v1/activity",
    "/api/v1/backups",
    "/api/v1/events",
    "/api/v1/fixity",
    "/api/v1/jobs/",
    "/api/v1/server",
    "/api/v1/tokens",
    "/api/v1/trash",
    "/api/v1/uploads/",
    "/api/v1/watched-folders",
    "/jwt/token",
];

/// Ways to sign in.
pub const WAYS: [&str; 3] = ["basic", "bearer", "cookie"];

/// Completes every operation.
pub fn complete(document: &mut OpenApi) {
    let components = document.components.get_or_insert_default();
    let shared = ANY.into_iter().chain(UNSAFE);
    let shared = shared.map(|status| (name(status), refusal(status).into()));
    components.responses.extend(shared);
    for (path, item) in &mut document.paths.paths {
        let needs_sign_in = SIGNED_IN
            .iter()
            .any(|beginning| path.starts_with(beginning));
        for (is_safe, operation) in operations(item) {
            answer(operation, &ANY);
            if !is_safe {
                answer(operation, &UNSAFE);
            }
            describe(operation);
            bound_ids(operation);
            if needs_sign_in {
                operation.security = Some(ways().collect());
            }
        }
    }
}

/// Any of the ways to sign in.
pub fn ways() -> impl Iterator<Item = SecurityRequirement> {
    let names = WAYS.into_iter();
    names.map(|name| SecurityRequirement::new::<_, [&str; 0], &str>(name, []))
}

/// The operations of a path, and whether they change nothing.
fn operations(item: &mut PathItem) -> impl Iterator<Item = (bool, &mut Operation)> {
    let safe = [&mut item.get, &mut item.head];
    let safe = safe
        .into_iter()
        .flatten()
        .map(|operation| (true, operation));
    let others = [
        &mut item.post,
        &mut item.put,
        &mut item.patch,
        &mut item.delete,
    ];
    let others = others.into_iter().flatten();
    safe.chain(others.map(|operation| (false, operation)))
}

/// Adds answers that the operation does not describe itself.
fn answer(operation: &mut Operation, statuses: &[u16]) {
    let responses = &mut operation.responses.responses;
    for &status in statuses {
        let shared = || RefOr::Ref(Ref::from_response_name(name(status)));
        responses.entry(status.to_string()).or_insert_with(shared);
    }
}

fn name(status: u16) -> String {
    format!("Refused{status}")
}

/// An answer says at least what the operation is for.
fn describe(operation: &mut Operation) {
    let summary = operation.summary.clone().unwrap_or_default();
    let responses: &mut BTreeMap<String, RefOr<Response>> = &mut operation.responses.responses;
    for response in responses.values_mut() {
        if let RefOr::T(response) = response
            && response.description.is_empty()
        {
            response.description.clone_from(&summary);
        }
    }
}

/// Ids begin at 1.
fn bound_ids(operation: &mut Operation) {
    let parameters = operation.parameters.iter_mut().flatten();
    let of_path = parameters.filter(|parameter| parameter.parameter_in == ParameterIn::Path);
    for parameter in of_path {
        if let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema
            && schema.schema_type == SchemaType::Type(Type::Integer)
        {
            schema.minimum = Some(1_i64.into());
        }
    }
}
