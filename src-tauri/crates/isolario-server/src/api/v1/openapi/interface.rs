//! The interface's own routes (interface, Endpoints) in the document.

use utoipa::openapi::Paths;
use utoipa::openapi::path::{HttpMethod, PathItem};

use super::bytes;
use super::operation::{Body, Draft, draft, path};
use crate::api::request_format::Format;

/// A kind of resource in the document.
#[derive(Clone, Copy)]
struct Resource {
    noun: &'static str,
    schema: &'static str,
    id: &'static str,
    /// What sets the operations at this address apart from those at the resource's own.
    at: &'static str,
}

const NODE: Resource = Resource {
    noun: "node",
    schema: "Node",
    id: "nid",
    at: "",
};
const MEDIA: Resource = Resource {
    noun: "media",
    schema: "MediaResource",
    id: "mid",
    at: "",
};
const TERM: Resource = Resource {
    noun: "term",
    schema: "TermResource",
    id: "tid",
    at: "",
};
const FILE: Resource = Resource {
    noun: "file",
    schema: "FileResource",
    id: "fid",
    at: "",
};
const USER: Resource = Resource {
    noun: "user",
    schema: "UserResource",
    id: "uid",
    at: "",
};

/// The paths of the interface.
pub fn paths() -> Paths {
    let mut paths = Paths::new();
    let all = resources()
        .into_iter()
        .chain(bytes::paths())
        .chain(sessions());
    paths
        .paths
        .extend(all.map(|(template, item)| (template.to_owned(), item)));
    paths
}

/// A template and what can be done there.
pub type PathOperations = (&'static str, PathItem);

fn resources() -> Vec<PathOperations> {
    let (media_form, file_form) = (at_edit(MEDIA), at_edit(FILE));
    vec![
        ("/node", path(vec![page("node"), create(NODE)])),
        (
            "/node/{nid}",
            path(vec![read(NODE), update(NODE), delete(NODE)]),
        ),
        ("/entity/media", path(vec![create(MEDIA)])),
        (
            "/media/{mid}",
            path(vec![read(MEDIA), update(MEDIA), delete(MEDIA)]),
        ),
        (
            "/media/{mid}/edit",
            path(vec![
                read(media_form),
                update(media_form),
                delete(media_form),
            ]),
        ),
        ("/taxonomy/term", path(vec![page("term"), create(TERM)])),
        (
            "/taxonomy/term/{tid}",
            path(vec![read(TERM), update(TERM), delete(TERM)]),
        ),
        ("/entity/file/{fid}", path(vec![read(FILE), delete(FILE)])),
        ("/entity/file/{fid}/edit", path(vec![delete(file_form)])),
        ("/user/{uid}", path(vec![read(USER)])),
    ]
}

/// The same resource at an address that some clients use.
fn at_edit(resource: Resource) -> Resource {
    Resource {
        at: "_at_edit",
        ..resource
    }
}

fn named(method: HttpMethod, verb: &str, resource: Resource, summary: &str) -> Draft {
    let id = format!("{verb}_{}{}", resource.noun, resource.at);
    let summary = format!("{summary} {}", resource.noun);
    draft(method, "resources", &id, &summary)
}

fn read(resource: Resource) -> Draft {
    named(HttpMethod::Get, "get", resource, "Read a")
        .format(&Format::ALL)
        .id(resource.id)
        .header("If-None-Match")
        .gives(
            "200",
            "The resource, with Link headers",
            Body::Formats(resource.schema),
        )
        .ends("304", "The bytes are those that If-None-Match names")
        .refuses(&["404", "406"])
}

/// An address at which a browser gets the page, and which takes something else by another method.
fn page(noun: &str) -> Draft {
    let id = format!("show_{noun}_page");
    draft(
        HttpMethod::Get,
        "session",
        &id,
        "The page of the user interface",
    )
    .gives("200", "The page", Body::Page)
    .refuses(&["406"])
}

fn create(resource: Resource) -> Draft {
    named(HttpMethod::Post, "create", resource, "Create a")
        .format(&[Format::Json])
        .takes(Body::Json(resource.schema))
        .gives(
            "201",
            "The new resource; Location names it",
            Body::Json(resource.schema),
        )
        .refuses(&["406", "415", "422"])
}

fn update(resource: Resource) -> Draft {
    named(
        HttpMethod::Patch,
        "update",
        resource,
        "Change some fields of a",
    )
    .format(&[Format::Json])
    .id(resource.id)
    .header("If-Match")
    .takes(Body::Json(resource.schema))
    .gives("200", "The changed resource", Body::Json(resource.schema))
    .refuses(&["404", "406", "412", "415", "422"])
}

fn delete(resource: Resource) -> Draft {
    named(HttpMethod::Delete, "delete", resource, "Delete a")
        .format(&[Format::Json])
        .id(resource.id)
        .header("If-Match")
        .ends("204", "It is deleted")
        .refuses(&["404", "406", "412"])
}

fn sessions() -> Vec<PathOperations> {
    vec![
        (
            "/jwt/token",
            path(vec![
                token(HttpMethod::Get, "get_token"),
                token(HttpMethod::Post, "post_token"),
            ]),
        ),
        ("/.well-known/jwks.json", path(vec![public_keys()])),
        ("/user/login", path(vec![page("login"), log_in()])),
        ("/user/logout", path(vec![log_out()])),
        ("/user/login_status", path(vec![login_status()])),
        ("/session/token", path(vec![session_token()])),
    ]
}

fn token(method: HttpMethod, id: &str) -> Draft {
    draft(method, "session", id, "A bearer token for the actor")
        .gives("200", "The token", Body::Json("Token"))
        .refuses(&["404"])
}

fn public_keys() -> Draft {
    draft(
        HttpMethod::Get,
        "session",
        "get_public_keys",
        "The keys that verify bearer tokens, by the kid in their header (RFC 7517)",
    )
    .gives("200", "The key set", Body::KeySet)
}

fn log_in() -> Draft {
    draft(HttpMethod::Post, "session", "log_in", "Begin a session")
        .takes(Body::Json("Credentials"))
        .gives(
            "200",
            "The session; Set-Cookie carries it",
            Body::Json("LoggedIn"),
        )
}

fn log_out() -> Draft {
    draft(HttpMethod::Post, "session", "log_out", "End the session")
        .query("token")
        .ends("204", "The session has ended")
}

fn login_status() -> Draft {
    draft(
        HttpMethod::Get,
        "session",
        "get_login_status",
        "1 for an actor who has signed in, else 0",
    )
    .gives("200", "The status", Body::Text)
}

fn session_token() -> Draft {
    draft(
        HttpMethod::Get,
        "session",
        "get_session_token",
        "A token for X-CSRF-Token",
    )
    .gives("200", "The token", Body::Text)
}
