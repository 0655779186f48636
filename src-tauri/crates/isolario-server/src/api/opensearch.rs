//! The OpenSearch description (OpenSearch 1.1), by which browsers and catalogues learn how to search here, and the link
//! to it.

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::app_state::AppState;
use super::base_url::BaseUrl;
use isolario_core::repository::Repository;

const PATH: &str = "/opensearch.xml";
const MIME: &str = "application/opensearchdescription+xml";

/// The route of the description.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(description))
}

/// The Link header that leads to the description (RFC 8288; registered relation `search`).
pub fn search_link(base: &BaseUrl) -> HeaderMap {
    let link = format!("<{}>; rel=\"search\"; type=\"{MIME}\"", base.join(PATH));
    let value = HeaderValue::from_str(&link).ok();
    value
        .map(|value| (header::LINK, value))
        .into_iter()
        .collect()
}

/// The OpenSearch description
#[utoipa::path(get, operation_id = "opensearch", path = "/opensearch.xml", tag = "search", responses(
    (status = 200, description = "An OpenSearch description document", body = String,
        content_type = "application/opensearchdescription+xml")))]
async fn description(
    State(repository): State<Arc<Repository>>,
    Extension(base): Extension<BaseUrl>,
) -> Response {
    let search =
        base.join("/api/v1/search?q={searchTerms}&amp;offset={startIndex?}&amp;limit={count?}");
    let own = base.join(PATH);
    let name = escaped(&repository.config.name);
    let document = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <OpenSearchDescription xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">\n  \
         <ShortName>{short}</ShortName>\n  <Description>{name}</Description>\n  \
         <InputEncoding>UTF-8</InputEncoding>\n  \
         <Url type=\"application/json\" indexOffset=\"0\" template=\"{search}\"/>\n  \
         <Url type=\"{MIME}\" rel=\"self\" template=\"{own}\"/>\n\
         </OpenSearchDescription>\n",
        short = escaped(&repository.config.name.chars().take(16).collect::<String>()),
    );
    ([(header::CONTENT_TYPE, MIME)], document).into_response()
}

fn escaped(text: &str) -> String {
    let shown = text.chars().filter(|letter| !letter.is_control());
    let text: String = shown.collect();
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
