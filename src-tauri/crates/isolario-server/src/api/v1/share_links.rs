//! `/api/v1/share_links`: links by which people without an account see one item and everything below it, read only. An
//! address goes out once, when it is made. `/api/v1/session/link` is where a browser presents one.

use axum::extract::{Path, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{Parameters, after, id, limit, not_found, path_id};
use super::request_context::{RequestContext, ViewerSnapshot, require_sign_in};
use super::responses::UserName;
use crate::api::openapi::refusals::Message;
use crate::api::{ApiError, ErrorCode};
use isolario_auth::cookie;
use isolario_auth::hosts::{authority_of, is_this_machine};
use isolario_core::actions::account_rules::may_administer;
use isolario_core::actions::share_links::{
    ShareLinkDraft, add_share_link, may_share_item, revoke_share_link,
};
use isolario_db::{DbError, SHARE_LINK_ORDER, ShareLinkFilter};
use isolario_model::fields::iso;
use isolario_model::origin::Origin;
use isolario_model::policy::SignIn;

/// Which share links.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ShareLinksQuery {
    /// Only those to this item (node id).
    #[param(value_type = Option<i64>, minimum = 1)]
    item: Option<String>,
    /// `next` of the previous page.
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 100)]
    limit: Option<String>,
}

/// A share link, without its key.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShareLink {
    id: i64,
    /// Whom or what it is for.
    name: String,
    item: SharedItem,
    /// Who made it. It shows something as long as they may share the item.
    user: UserName,
    #[schema(format = DateTime)]
    created: String,
    /// From then on it shows nothing.
    #[schema(format = DateTime)]
    expires: String,
    /// At most a minute behind; `null`: never.
    #[schema(format = DateTime)]
    last_used: Option<String>,
}

/// The item that a share link shows, with everything below it.
#[derive(Debug, Serialize, ToSchema)]
pub struct SharedItem {
    nid: i64,
    /// `null` where it is in the trash or hidden from the viewer.
    #[schema(required)]
    title: Option<String>,
}

/// A share link that was just made.
#[derive(Debug, Serialize, ToSchema)]
pub struct IssuedShareLink {
    #[serde(flatten)]
    share_link: ShareLink,
    /// What is passed on. It is in no other answer. The key stands behind `#`, so that no server and no log sees it.
    #[schema(format = "uri", example = "https://archive.example/share#8mY3…")]
    url: String,
    /// Whether other machines reach the address. If not, the repository is served to this machine alone.
    reachable: bool,
}

/// One page of share links, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShareLinkList {
    links: Vec<ShareLink>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
    total: i64,
}

/// A share link to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewShareLink {
    /// The item that it shows, with everything below it (node id).
    #[schema(minimum = 1)]
    item: i64,
    /// Whom or what it is for; the item has no other link of this name.
    #[schema(min_length = 1, max_length = 60)]
    name: String,
    /// From then on it shows nothing.
    #[schema(value_type = String, format = DateTime)]
    expires: DateTime<Utc>,
}

/// The key of a share link.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PresentedLink {
    /// What stands behind `#` in its address.
    #[schema(format = Password)]
    key: String,
}

/// What a share link shows, to whom it was given.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpenedLink {
    item: SharedItem,
    /// From then on it shows nothing.
    #[schema(format = DateTime)]
    expires: String,
}

/// Share links
///
/// Those of an item, for whoever may share it; without an item, those that the actor has made, and all for those who may
/// administer users.
#[utoipa::path(get, operation_id = "list_share_links", path = "/api/v1/share_links", tag = "items", params(ShareLinksQuery), responses(
    (status = 200, body = ShareLinkList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not share the item", body = Message),
    (status = 404, description = "The item does not exist, or is hidden from the actor", body = Message),
))]
pub async fn list(
    context: RequestContext,
    Parameters(query): Parameters<ShareLinksQuery>,
) -> Result<Json<ShareLinkList>, ApiError> {
    require_sign_in(&context.actor)?;
    let item = id("item", query.item.as_ref())?;
    let after = after(query.after.as_ref(), &[SHARE_LINK_ORDER])?;
    let limit = limit(query.limit.as_ref(), 100)?;
    let sees_all = item.is_some() || may_administer(&context.actor, 0).is_ok();
    let maker = (!sees_all).then_some(context.actor.uid);
    context
        .read(move |snapshot| {
            if let Some(nid) = item {
                let actor = &snapshot.context.actor;
                let shared = may_share_item(snapshot.read, actor, nid);
                shared.map_err(|refusal| ApiError::from_refusal(actor, refusal))?;
            }
            let filter = ShareLinkFilter { item, maker };
            let page = snapshot
                .read
                .share_link_page(filter, after.as_ref(), limit)?;
            let links = page.rows.into_iter().map(|link| written(snapshot, link));
            Ok(Json(ShareLinkList {
                links: links.collect::<Result<_, DbError>>()?,
                next: page.next.map(|cursor| cursor.encode()),
                total: page.total.count,
            }))
        })
        .await
}

/// Make a share link
///
/// It shows the item and everything below it, also what is not public, to whoever has the address, and lets nobody change
/// anything. For those with the permission `share content` who see all of that themselves. The answer alone has the
/// address. Who came by an access token makes none.
#[utoipa::path(post, operation_id = "add_share_link", path = "/api/v1/share_links", tag = "items", request_body = NewShareLink, responses(
    (status = 201, description = "The new share link, with its address", body = IssuedShareLink),
    (status = 400, description = "The body is not JSON", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not share the item, or came by an access token", body = Message),
    (status = 404, description = "The item does not exist, or is hidden from the actor", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "The body is not valid, the name is taken, or the time has passed", body = Message),
    (status = 429, description = "The item has 100 share links", body = Message),
))]
pub async fn add(
    context: RequestContext,
    Extension(origin): Extension<Origin>,
    request: Request,
) -> Result<(StatusCode, Json<IssuedShareLink>), ApiError> {
    require_sign_in(&context.actor)?;
    let sent: NewShareLink = context.body(request).await?;
    let draft = ShareLinkDraft {
        nid: sent.item,
        name: sent.name,
        expires: sent.expires,
    };
    let made = add_share_link(&context.repository.db, &context.actor, origin, draft).await;
    let (id, key) = made.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    let (base, reachable) = address_for_others(&context);
    let issued = context
        .read(move |snapshot| {
            let found = snapshot.read.share_link(id)?;
            Ok(IssuedShareLink {
                share_link: written(snapshot, found.ok_or_else(|| not_found("link", id))?)?,
                url: format!("{base}/share#{key}"),
                reachable,
            })
        })
        .await?;
    Ok((StatusCode::CREATED, Json(issued)))
}

/// The address under which other machines reach the repository, if there is one; otherwise the one of the request.
fn address_for_others(context: &RequestContext) -> (String, bool) {
    if let Some(public) = &context.repository.config.base_url {
        return (public.clone(), true);
    }
    let asked = context.base.0.to_string();
    if !authority_of(&asked).is_some_and(is_this_machine) {
        return (asked, true);
    }
    let lan = context.app.lan.state().serving;
    match lan.and_then(|serving| serving.urls().into_iter().next()) {
        Some(url) => (url, true),
        None => (asked, false),
    }
}

/// Revoke a share link
///
/// From then on it shows nothing. For who made it, may share the item, or may administer users.
#[utoipa::path(delete, operation_id = "revoke_share_link", path = "/api/v1/share_links/{id}", tag = "items", params(("id" = i64, Path)), responses(
    (status = 204, description = "The share link is revoked"),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
))]
pub async fn revoke(
    context: RequestContext,
    Extension(origin): Extension<Origin>,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    require_sign_in(&context.actor)?;
    let id = path_id("link", &id)?;
    let revoked = revoke_share_link(&context.repository.db, &context.actor, origin, id).await;
    revoked.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    Ok(StatusCode::NO_CONTENT)
}

/// Open a share link
///
/// The cookie of the answer shows the item, until the link ends or the browser is closed. Whoever has signed in sees what
/// their account may see, with the cookie or without.
#[utoipa::path(post, operation_id = "open_share_link", path = "/api/v1/session/link", tag = "session", request_body = PresentedLink, responses(
    (status = 200, description = "What it shows; Set-Cookie carries its key", body = OpenedLink),
    (status = 400, description = "The body is not JSON", body = Message),
    (status = 404, description = "There is no such link, or it shows nothing any more", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "The body is not valid", body = Message),
))]
pub async fn open(context: RequestContext, request: Request) -> Result<Response, ApiError> {
    let sent: PresentedLink = context.body(request).await?;
    let authenticator = &context.repository.authenticator;
    let Some((bearer, link)) = authenticator.share_link(&sent.key)? else {
        return Err(ApiError::new(
            ErrorCode::NotFound,
            "This link has ended, or its address is not complete. Ask whoever gave it to you for another one.",
        ));
    };
    let name = authenticator.link_cookie_name();
    let cookie = cookie::set_link_cookie(name, &sent.key, context.base.is_encrypted());
    let cookie = HeaderValue::from_str(&cookie)
        .map_err(|_| ApiError::bad_request("The key of a link consists of letters and digits."))?;
    let as_bearer = RequestContext {
        actor: bearer,
        ..context
    };
    let opened = as_bearer.read(move |snapshot| Ok(opened(snapshot, &link)?));
    Ok(([(header::SET_COOKIE, cookie)], Json(opened.await?)).into_response())
}

/// Leave a share link
///
/// The browser forgets it.
#[utoipa::path(delete, operation_id = "leave_share_link", path = "/api/v1/session/link", tag = "session", responses(
    (status = 204, description = "Set-Cookie ends the cookie of the link"),
))]
pub async fn leave(context: RequestContext) -> Result<Response, ApiError> {
    let name = context.repository.authenticator.link_cookie_name();
    let cookie = HeaderValue::from_str(&cookie::clear_cookie(name))
        .map_err(|_| ApiError::bad_request("The cookie cannot be ended."))?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

impl ViewerSnapshot<'_> {
    /// The link that the viewer came by.
    pub fn opened_link(&self) -> Result<Option<OpenedLink>, DbError> {
        let SignIn::Link(id) = self.context.actor.sign_in else {
            return Ok(None);
        };
        let link = self.read.share_link(id)?;
        link.map(|link| opened(self, &link)).transpose()
    }

    fn shared_item(&self, nid: i64) -> Result<SharedItem, DbError> {
        let title = self.title(nid)?.map(|node| node.title);
        Ok(SharedItem { nid, title })
    }
}

fn opened(
    snapshot: &ViewerSnapshot<'_>,
    link: &isolario_db::ShareLink,
) -> Result<OpenedLink, DbError> {
    Ok(OpenedLink {
        item: snapshot.shared_item(link.nid)?,
        expires: iso(link.expires),
    })
}

fn written(
    snapshot: &ViewerSnapshot<'_>,
    link: isolario_db::ShareLink,
) -> Result<ShareLink, DbError> {
    let user = snapshot.read.user(link.uid)?;
    Ok(ShareLink {
        id: link.id,
        name: link.name,
        item: snapshot.shared_item(link.nid)?,
        user: UserName {
            uid: link.uid,
            name: user.map_or_else(String::new, |user| user.name),
        },
        created: iso(link.created),
        expires: iso(link.expires),
        last_used: link.last_used.map(iso),
    })
}
