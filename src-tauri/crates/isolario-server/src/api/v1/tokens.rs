//! `/api/v1/tokens`: the access tokens of services. A token goes out once, when it is made.

use axum::extract::{Path, Request};
use axum::http::StatusCode;
use axum::{Extension, Json};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{Parameters, after, id, limit, not_found, path_id};
use super::request_context::{RequestContext, ViewerSnapshot, require_sign_in};
use super::responses::UserName;
use crate::api::ApiError;
use crate::api::jwt_token::require_issue;
use crate::api::openapi::refusals::Message;
use isolario_core::actions::access_tokens::{
    AccessTokenDraft, OTHER_TOKEN, add_access_token, refuse_access_token, revoke_access_token,
};
use isolario_core::actions::account_rules::may_administer;
use isolario_db::{ACCESS_TOKEN_ORDER, DbError};
use isolario_model::fields::{Violation, ViolationCode, iso};
use isolario_model::origin::Origin;
use isolario_model::policy::Scope;

/// Which access tokens.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AccessTokensQuery {
    /// Only those of this account.
    #[param(value_type = Option<i64>, minimum = 1)]
    user: Option<String>,
    /// `next` of the previous page.
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 100)]
    limit: Option<String>,
}

/// An access token, without the token.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccessToken {
    id: i64,
    name: String,
    /// The account that it signs in to.
    user: UserName,
    #[schema(format = DateTime)]
    created: String,
    /// At most a minute behind; `null`: never.
    #[schema(format = DateTime)]
    last_used: Option<String>,
    /// The address that it was used from then.
    last_address: Option<String>,
    scope: TokenScope,
    /// The collection that it is for, with the scope `collection`.
    collection: Option<TokenCollection>,
    /// From then on it lets nobody in; `null`: never.
    #[schema(format = DateTime)]
    expires: Option<String>,
}

/// What the bearer of an access token may do of what the account may do: everything; look and change nothing; look, and
/// change what is in a collection, at any depth.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TokenScope {
    #[default]
    All,
    Read,
    Collection,
}

/// The collection that an access token is for.
#[derive(Debug, Serialize, ToSchema)]
pub struct TokenCollection {
    nid: i64,
    /// `null` where it is in the trash or hidden from the viewer.
    #[schema(required)]
    title: Option<String>,
}

/// An access token that was just made.
#[derive(Debug, Serialize, ToSchema)]
pub struct IssuedAccessToken {
    #[serde(flatten)]
    access_token: AccessToken,
    /// What a service sends as `Authorization: Bearer`. It is in no other answer.
    #[schema(format = Password, example = "isolario_8mY3…")]
    token: String,
}

/// One page of access tokens, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccessTokenList {
    tokens: Vec<AccessToken>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
    total: i64,
}

/// An access token to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAccessToken {
    /// Of the service that gets it; the account has no other token of this name.
    #[schema(min_length = 1, max_length = 60)]
    name: String,
    /// The account that it signs in to; without it, the actor's own.
    #[serde(default)]
    #[schema(minimum = 1)]
    user: Option<i64>,
    /// From then on it lets nobody in; without it, it lasts until it is revoked.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    expires: Option<DateTime<Utc>>,
    /// What it permits; without it, all that the account may do.
    #[serde(default)]
    scope: TokenScope,
    /// The node id of a collection, with the scope `collection`.
    #[serde(default)]
    #[schema(minimum = 1)]
    collection: Option<i64>,
}

/// Access tokens
///
/// One's own; those of others for those who may administer users.
#[utoipa::path(get, operation_id = "list_tokens", path = "/api/v1/tokens", tag = "accounts", params(AccessTokensQuery), responses(
    (status = 200, body = AccessTokenList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "They are somebody else's, and the actor may not administer users", body = Message),
))]
pub async fn list(
    context: RequestContext,
    Parameters(query): Parameters<AccessTokensQuery>,
) -> Result<Json<AccessTokenList>, ApiError> {
    require_sign_in(&context.actor)?;
    let user = id("user", query.user.as_ref())?;
    let after = after(query.after.as_ref(), &[ACCESS_TOKEN_ORDER])?;
    let limit = limit(query.limit.as_ref(), 100)?;
    let denied = |denial| ApiError::denied(&context.actor, denial);
    let sees_all = may_administer(&context.actor, 0).is_ok();
    let user = match user {
        Some(uid) => Some(uid),
        None => (!sees_all).then_some(context.actor.uid),
    };
    may_administer(&context.actor, user.unwrap_or(0)).map_err(denied)?;
    context
        .read(move |snapshot| {
            let page = snapshot
                .read
                .access_token_page(user, after.as_ref(), limit)?;
            let tokens = page.rows.into_iter().map(|token| written(snapshot, token));
            Ok(Json(AccessTokenList {
                tokens: tokens.collect::<Result<_, DbError>>()?,
                next: page.next.map(|cursor| cursor.encode()),
                total: page.total.count,
            }))
        })
        .await
}

/// Make an access token
///
/// For one's own account; for another one if the actor may administer users and set its password. The answer alone has
/// the token. Who came by an access token makes no other one.
#[utoipa::path(post, operation_id = "add_token", path = "/api/v1/tokens", tag = "accounts", request_body = NewAccessToken, responses(
    (status = 201, description = "The new access token, with the token", body = IssuedAccessToken),
    (status = 400, description = "The body is not JSON", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not make one for this account, or came by an access token", body = Message),
    (status = 404, description = "This repository gives out no tokens", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "The body is not valid, the name is taken, or the account may not sign in", body = Message),
    (status = 429, description = "The account has 100 access tokens", body = Message),
))]
pub async fn add(
    context: RequestContext,
    Extension(origin): Extension<Origin>,
    request: Request,
) -> Result<(StatusCode, Json<IssuedAccessToken>), ApiError> {
    require_sign_in(&context.actor)?;
    require_issue(&context.repository)?;
    refuse_access_token(&context.actor, OTHER_TOKEN)
        .map_err(|denial| ApiError::denied(&context.actor, denial))?;
    let sent: NewAccessToken = context.body(request).await?;
    let scope = scope_of(&sent)?;
    let draft = AccessTokenDraft {
        uid: sent.user.unwrap_or(context.actor.uid),
        name: sent.name,
        expires: sent.expires,
        scope,
    };
    let made = add_access_token(&context.repository.db, &context.actor, origin, draft).await;
    let (id, token) = made.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    let issued = context
        .read(move |snapshot| {
            let found = snapshot.read.access_token(id)?;
            Ok(IssuedAccessToken {
                access_token: written(snapshot, found.ok_or_else(|| not_found("token", id))?)?,
                token,
            })
        })
        .await?;
    Ok((StatusCode::CREATED, Json(issued)))
}

/// Revoke an access token
///
/// From then on it lets nobody in. One's own; those of others for those who may administer users.
#[utoipa::path(delete, operation_id = "revoke_token", path = "/api/v1/tokens/{id}", tag = "accounts", params(("id" = i64, Path)), responses(
    (status = 204, description = "The access token is revoked"),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "It is an administrator's, and the actor is none", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
))]
pub async fn revoke(
    context: RequestContext,
    Extension(origin): Extension<Origin>,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    require_sign_in(&context.actor)?;
    let id = path_id("token", &id)?;
    let revoked = revoke_access_token(&context.repository.db, &context.actor, origin, id).await;
    revoked.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    Ok(StatusCode::NO_CONTENT)
}

fn scope_of(sent: &NewAccessToken) -> Result<Scope, ApiError> {
    let wrong = |code, words: &str| {
        let violation = Violation::of_field("collection", code, words);
        Err(ApiError::invalid_fields(vec![violation]))
    };
    match (sent.scope, sent.collection) {
        (TokenScope::All, None) => Ok(Scope::All),
        (TokenScope::Read, None) => Ok(Scope::Read),
        (TokenScope::Collection, Some(nid)) => Ok(Scope::Collection(nid)),
        (TokenScope::Collection, None) => wrong(
            ViolationCode::Required,
            "The scope `collection` names a collection.",
        ),
        (_, Some(_)) => wrong(
            ViolationCode::NotPermitted,
            "Only the scope `collection` names a collection.",
        ),
    }
}

fn written(
    snapshot: &ViewerSnapshot<'_>,
    token: isolario_db::AccessToken,
) -> Result<AccessToken, DbError> {
    let user = snapshot.read.user(token.uid)?;
    let (scope, collection) = match token.scope {
        Scope::All => (TokenScope::All, None),
        Scope::Read => (TokenScope::Read, None),
        Scope::Collection(nid) => {
            let title = snapshot.title(nid)?.map(|node| node.title);
            (TokenScope::Collection, Some(TokenCollection { nid, title }))
        }
    };
    Ok(AccessToken {
        id: token.id,
        name: token.name,
        user: UserName {
            uid: token.uid,
            name: user.map_or_else(String::new, |user| user.name),
        },
        created: iso(token.created),
        last_used: token.last_used.map(iso),
        last_address: token.last_address,
        scope,
        collection,
        expires: token.expires.map(iso),
    })
}
