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
    let (name, signposting) = {
        let config = &repository.config;
        (config.name.clone(), config.harvesting.signposting)
    };
    let found = match nid {
        Some(nid) => LandingPage::of(repository, nid, actor, base).await,
        None => Ok(None),
    };
    let found = found.unwrap_or_else(|error| {
        tracing::error!(?error, "the head of a page cannot be written");
        None
    });
    let Some(landing) = found else {
        return ui::page();
    };
    let mut response = ui::page_with_head(&head::write(&landing, &name));
    if signposting {
        for link in landing.header_lines() {
            if let Ok(link) = HeaderValue::from_str(&link) {
                response.headers_mut().append(header::LINK, link);
            }
        }
    }
    response
}
