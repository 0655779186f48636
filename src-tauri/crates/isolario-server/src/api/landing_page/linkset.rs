//! Typed links of an item (RFC 8288), as headers and as link sets (RFC 9264).

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use super::facts::{LandingPage, LinkTarget};
use crate::api::openapi::refusals::Message;
use crate::api::v1::RequestContext;
use crate::api::v1::parameters::{not_found, path_id};
use crate::api::{ApiError, ErrorCode};

const JSON: &str = "application/linkset+json";
const TEXT: &str = "application/linkset";
/// Files that headers name. A link set names all.
const MOST_IN_HEADERS: usize = 20;

/// The links of an item as JSON
///
/// For programs that look for the data behind a page (Signposting, FAIR profile): how to cite the item, who made it, its
/// licence, files, records and collections, and how these lead back to it.
#[utoipa::path(get, operation_id = "read_linkset_json", path = "/api/v1/items/{nid}/linkset.json", tag = "harvesting",
    params(("nid" = i64, Path, description = "Node id")), responses(
    (status = 200, description = "A link set", content((Object = "application/linkset+json"))),
    (status = 404, description = "It does not exist, or is hidden from the actor; or links are switched off", body = Message)))]
pub async fn json(context: RequestContext, Path(nid): Path<String>) -> Result<Response, ApiError> {
    let sets: Vec<Value> = linksets(context, &nid)
        .await?
        .into_iter()
        .map(as_json)
        .collect();
    let document = json!({"linkset": sets}).to_string();
    Ok(([(header::CONTENT_TYPE, JSON)], document).into_response())
}

/// The links of an item as text
///
/// As the other, in the form of a Link header.
#[utoipa::path(get, operation_id = "read_linkset", path = "/api/v1/items/{nid}/linkset", tag = "harvesting",
    params(("nid" = i64, Path, description = "Node id")), responses(
    (status = 200, description = "A link set", content((String = "application/linkset"))),
    (status = 404, description = "It does not exist, or is hidden from the actor; or links are switched off", body = Message)))]
pub async fn text(context: RequestContext, Path(nid): Path<String>) -> Result<Response, ApiError> {
    let mut lines = Vec::new();
    for (anchor, links) in linksets(context, &nid).await? {
        lines.extend(
            links
                .iter()
                .map(|link| format!("{}; anchor=\"{anchor}\"", line(link))),
        );
    }
    let document = lines.join(",\n");
    Ok(([(header::CONTENT_TYPE, TEXT)], document).into_response())
}

/// The links of the item, and those of its files and records, which lead back.
async fn linksets(
    context: RequestContext,
    nid: &str,
) -> Result<Vec<(String, Vec<LinkTarget>)>, ApiError> {
    if !context.repository.config.harvesting.signposting {
        let words = "Typed links are switched off in config.toml.";
        return Err(ApiError::new(ErrorCode::NotFound, words));
    }
    let nid = path_id("item", nid)?;
    let found = LandingPage::of(&context.repository, nid, &context.actor, &context.base).await?;
    let landing = found.ok_or_else(|| not_found("item", nid))?;
    let back = |relation: &'static str| LinkTarget {
        relation,
        address: landing.address.clone(),
        mime: Some("text/html".into()),
        profile: None,
    };
    let others = landing.links.iter().filter_map(|link| match link.relation {
        "item" => Some((link.address.clone(), vec![back("collection")])),
        "describedby" => Some((link.address.clone(), vec![back("describes")])),
        _ => None,
    });
    let others: Vec<_> = others.collect();
    let own = (landing.address.clone(), landing.links);
    Ok(std::iter::once(own).chain(others).collect())
}

fn as_json((anchor, links): (String, Vec<LinkTarget>)) -> Value {
    let mut set = Map::new();
    set.insert("anchor".into(), anchor.into());
    for link in &links {
        let mut target = json!({"href": link.address});
        if let Some(mime) = &link.mime {
            target["type"] = mime.as_str().into();
        }
        if let Some(profile) = &link.profile {
            target["profile"] = profile.as_str().into();
        }
        let targets = set.entry(link.relation).or_insert_with(|| json!([]));
        if let Some(targets) = targets.as_array_mut() {
            targets.push(target);
        }
    }
    Value::Object(set)
}

fn line(link: &LinkTarget) -> String {
    let mut line = format!("<{}>; rel=\"{}\"", link.address, link.relation);
    if let Some(mime) = &link.mime {
        line.push_str(&format!("; type=\"{mime}\""));
    }
    if let Some(profile) = &link.profile {
        line.push_str(&format!("; profile=\"{profile}\""));
    }
    line
}

impl LandingPage {
    /// The links as one `Link` header, with those to both link sets: some clients refuse more than a hundred lines.
    pub fn header_line(&self) -> String {
        let (files, others): (Vec<_>, Vec<_>) =
            self.links.iter().partition(|link| link.relation == "item");
        let shown = others
            .into_iter()
            .chain(files.into_iter().take(MOST_IN_HEADERS));
        let mut lines: Vec<String> = shown.map(line).collect();
        for (address, mime) in self.linksets.iter().zip([JSON, TEXT]) {
            lines.push(format!("<{address}>; rel=\"linkset\"; type=\"{mime}\""));
        }
        lines.join(", ")
    }
}
