//! The sitemap (sitemaps.org, protocol 0.9) and robots.txt (RFC 9309).

use axum::Extension;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::base_url::BaseUrl;
use crate::api::openapi::refusals::Message;
use crate::api::v1::RequestContext;
use crate::api::v1::parameters::{Parameters, not_found, offset};
use crate::api::{ApiError, ErrorCode};
use isolario_model::content::EntityKind;
use isolario_model::fields::iso;
use isolario_model::formats::xml::escape;
use isolario_model::policy::may_be_harvested;

/// Node ids in a part.
const PART: i64 = 10_000;

/// Which part of the sitemap.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SitemapQuery {
    /// Number of the part, from 0. Without it, the answer names the parts.
    #[param(value_type = Option<i64>, minimum = 0)]
    part: Option<String>,
}

/// The sitemap
///
/// The addresses of what everybody may view, in parts. It is off until `sitemap` of config.toml switches it on.
#[utoipa::path(get, operation_id = "read_sitemap", path = "/sitemap.xml", tag = "harvesting", params(SitemapQuery), responses(
    (status = 200, description = "The parts, or one of them", content((String = "application/xml"))),
    (status = 404, description = "It is switched off, or has no such part", body = Message)))]
pub async fn sitemap(
    context: RequestContext,
    Parameters(query): Parameters<SitemapQuery>,
) -> Result<Response, ApiError> {
    let part = offset("part", query.part.as_ref())?;
    let repository = &context.repository;
    if !repository.config.harvesting.sitemap {
        let words = "The sitemap is switched off in config.toml.";
        return Err(ApiError::new(ErrorCode::NotFound, words));
    }
    let anonymous = repository.authenticator.anonymous()?;
    may_be_harvested(&anonymous).map_err(|denial| ApiError::denied(&anonymous, denial))?;
    let base = repository.config.base_url.clone();
    let base = base.unwrap_or_else(|| context.base.0.to_string());
    let written = context.read(move |snapshot| {
        let parts = (snapshot.read.last_node()? + PART - 1) / PART;
        let (element, entries) = match part {
            None => {
                let parts =
                    (0..parts.max(1)).map(|part| (format!("{base}/sitemap.xml?part={part}"), None));
                ("sitemap", parts.collect::<Vec<_>>())
            }
            Some(part) if part >= parts.max(1) => return Err(not_found("part", part)),
            Some(part) => {
                let public = snapshot.read.public_nodes(part * PART, PART)?.into_iter();
                let public = public.map(|(nid, changed)| {
                    (
                        format!("{base}{}", EntityKind::Node.path(nid)),
                        Some(iso(changed)),
                    )
                });
                ("url", public.collect())
            }
        };
        Ok(write(element, &entries))
    });
    Ok(([(header::CONTENT_TYPE, "application/xml")], written.await?).into_response())
}

fn write(element: &str, entries: &[(String, Option<String>)]) -> String {
    let root = if element == "url" {
        "urlset"
    } else {
        "sitemapindex"
    };
    let entries: String = entries
        .iter()
        .map(|(address, changed)| {
            let changed = changed
                .as_ref()
                .map(|changed| format!("<lastmod>{changed}</lastmod>"));
            let changed = changed.unwrap_or_default();
            format!(
                "<{element}><loc>{}</loc>{changed}</{element}>\n",
                escape(address)
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <{root} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{entries}</{root}>\n"
    )
}

/// What search engines may look at
///
/// Nothing, until the sitemap is switched on.
#[utoipa::path(get, operation_id = "read_robots", path = "/robots.txt", tag = "harvesting", responses(
    (status = 200, description = "The rules", body = String, content_type = "text/plain")))]
pub async fn robots(context: RequestContext, Extension(base): Extension<BaseUrl>) -> Response {
    let config = &context.repository.config;
    let base = config.base_url.as_deref().unwrap_or(&base.0);
    let rules = match config.harvesting.sitemap {
        true => format!(
            "User-agent: *\nDisallow: /api/v1/search\nDisallow: /admin/\nDisallow: /oai/\n\nSitemap: {base}/sitemap.xml\n"
        ),
        false => "User-agent: *\nDisallow: /\n".to_owned(),
    };
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], rules).into_response()
}
