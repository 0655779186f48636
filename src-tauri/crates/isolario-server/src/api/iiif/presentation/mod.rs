//! The IIIF Presentation API 3.0 and the Content Search API 2.0: items as manifests, collections, the text of pages, and
//! searches within an item (docs/IIIF.md).

mod canvas;
mod collection;
mod description;
mod manifest;
mod search;
mod text;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::super::app_state::AppState;
use super::super::conditional;
use super::super::v1::{ListSnapshot, RequestContext};

/// The context of a document of the Presentation API 3.0.
const CONTEXT: &str = "http://iiif.io/api/presentation/3/context.json";
/// Its media type.
const MIME: &str = "application/ld+json;profile=\"http://iiif.io/api/presentation/3/context.json\"";

/// The routes of both.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(manifest::read))
        .routes(routes!(collection::read))
        .routes(routes!(text::read))
        .routes(routes!(search::find))
}

/// What documents are made of: a snapshot, and the address of the repository.
struct Presenter<'a> {
    snapshot: &'a ListSnapshot<'a>,
    /// Scheme and host of addresses.
    base: &'a str,
}

impl<'a> Presenter<'a> {
    fn of(snapshot: &'a ListSnapshot<'a>) -> Presenter<'a> {
        let context = snapshot.context;
        let lasting = context.repository.config.base_url.as_deref();
        Presenter {
            snapshot,
            base: lasting.unwrap_or(&context.base.0),
        }
    }

    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The address of something of an item.
    fn of_item(&self, nid: i64, name: &str) -> String {
        self.address(&format!("/iiif/presentation/3/node/{nid}/{name}"))
    }
}

/// The answer with a document, or 304 where the client has it.
fn answer(headers: &HeaderMap, document: &Value) -> Response {
    let bytes = document.to_string().into_bytes();
    let etag = conditional::etag(0, &bytes);
    let about = [
        (header::CONTENT_TYPE, MIME),
        (header::CACHE_CONTROL, "private, no-cache"),
    ];
    conditional::answer(headers, &etag, (about, bytes).into_response())
}

/// Leads to the other document of an item.
fn redirect(context: &RequestContext, path: &str) -> Response {
    let address = context.base.join(path);
    let location = [(header::LOCATION, address.clone())];
    (StatusCode::SEE_OTHER, location, address).into_response()
}
