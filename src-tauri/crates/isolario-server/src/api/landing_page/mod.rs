//! What the page of an item says to programs: the head of the page, typed links (Signposting, FAIR profile, level 2), and
//! the sitemap (docs/HARVESTING.md).

mod facts;
mod head;
mod linkset;
mod sitemap;

use axum::http::{HeaderValue, header};
use axum::response::Response;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use self::facts::{LandingPage, rights_of};
use super::app_state::AppState;
use super::base_url::BaseUrl;
use super::ui;
use isolario_core::repository::Repository;
use isolario_model::policy::Actor;

/// The routes of links and the sitemap.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(linkset::json))
        .routes(routes!(linkset::text))
        .routes(routes!(sitemap::sitemap))
        .routes(routes!(sitemap::robots))
}

/// The page of an item, with what the actor may know of it in its head and links. Of others it is the same for all.
pub async fn page(
    repository: &Repository,
    nid: Option<i64>,
    actor: &Actor,
    base: &BaseUrl,
) -> Response {
    let Some(landing) = found(repository, nid, actor, base).await else {
        return ui::page();
    };
    let head = head::write(&landing, &repository.config.name);
    let mut response = ui::page_with_head(&head);
    if repository.config.harvesting.signposting {
        add_links(&mut response, &landing);
    }
    response
}

/// Adds the links of an item to another answer at its address, for programs that ask for no format.
pub async fn link(
    response: &mut Response,
    repository: &Repository,
    nid: i64,
    actor: &Actor,
    base: &BaseUrl,
) {
    if repository.config.harvesting.signposting
        && let Some(landing) = found(repository, Some(nid), actor, base).await
    {
        add_links(response, &landing);
    }
}

fn add_links(response: &mut Response, landing: &LandingPage) {
    if let Ok(links) = HeaderValue::from_str(&landing.header_line()) {
        response.headers_mut().append(header::LINK, links);
    }
}

async fn found(
    repository: &Repository,
    nid: Option<i64>,
    actor: &Actor,
    base: &BaseUrl,
) -> Option<LandingPage> {
    let found = LandingPage::of(repository, nid?, actor, base).await;
    found.unwrap_or_else(|error| {
        tracing::error!(?error, "the head of a page cannot be written");
        None
    })
}
