//! `/api/v1/saved-searches`: queries of lists that people keep under a name.

use axum::Json;
use axum::extract::{Path, Request};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{Parameters, after, limit, not_found, path_id};
use super::request_context::{RequestContext, ViewerSnapshot, require_sign_in};
use super::responses::UserName;
use super::saved_search_query::check_query;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_core::actions::Refusal;
use isolario_core::actions::saved_searches::{
    SavedSearchChange, SavedSearchDraft, change_saved_search, delete_saved_search, is_visible,
    restore_saved_search, save_search,
};
use isolario_db::{DbError, SAVED_SEARCH_ORDER};
use isolario_model::content::record;
use isolario_model::fields::iso;
use isolario_model::policy::{SavedSearchFacts, may_change_saved_search, saved_search_visibility};

/// Which page.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SavedSearchesQuery {
    /// `next` of the previous page.
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 100)]
    limit: Option<String>,
}

/// What the viewer may do with a saved search.
#[derive(Debug, Serialize, ToSchema)]
pub struct SavedSearchPermissions {
    update: bool,
    /// To make a private one one for all, or one for all a private one.
    share: bool,
    delete: bool,
}

/// A query of a list that somebody keeps under a name.
#[derive(Debug, Serialize, ToSchema)]
pub struct SavedSearch {
    id: i64,
    name: String,
    /// The query of `GET /api/v1/items` without the page.
    #[schema(example = "q=map&below=true&collection=12")]
    query: String,
    /// Whether it is for all; a private one is its owner's alone.
    public: bool,
    /// Whether it is the viewer's own.
    own: bool,
    /// Where the viewer may know.
    owner: Option<UserName>,
    #[schema(format = DateTime)]
    created: String,
    #[schema(format = DateTime)]
    changed: String,
    may: SavedSearchPermissions,
}

/// One page of saved searches, by name.
#[derive(Debug, Serialize, ToSchema)]
pub struct SavedSearchList {
    searches: Vec<SavedSearch>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
    total: i64,
}

/// A search to be saved.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSavedSearch {
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// The query of `GET /api/v1/items` without the page, at most 4096 bytes.
    #[schema(max_length = 4096, example = "q=map&below=true&collection=12")]
    query: String,
    /// Whether it is for all.
    #[serde(default)]
    public: bool,
}

/// What changes of a saved search. What is absent stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangedSavedSearch {
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100)]
    name: Option<String>,
    /// As in a new one.
    #[serde(default)]
    #[schema(max_length = 4096)]
    query: Option<String>,
    #[serde(default)]
    public: Option<bool>,
}

/// Saved searches
///
/// The actor's own and those for all, by name. `GET /api/v1/saved-searches/counts` says how many items they find.
#[utoipa::path(get, operation_id = "list_saved_searches", path = "/api/v1/saved-searches", tag = "search", params(SavedSearchesQuery), responses(
    (status = 200, body = SavedSearchList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
))]
pub async fn list(
    context: RequestContext,
    Parameters(query): Parameters<SavedSearchesQuery>,
) -> Result<Json<SavedSearchList>, ApiError> {
    let after = after(query.after.as_ref(), &[SAVED_SEARCH_ORDER])?;
    let limit = limit(query.limit.as_ref(), 100)?;
    context
        .read(move |snapshot| {
            let visibility = saved_search_visibility(&snapshot.context.actor);
            let page = snapshot
                .read
                .saved_search_page(visibility, after.as_ref(), limit)?;
            let searches = page
                .rows
                .into_iter()
                .map(|search| written(snapshot, search));
            Ok(Json(SavedSearchList {
                searches: searches.collect::<Result<_, DbError>>()?,
                next: page.next.map(|cursor| cursor.encode()),
                total: page.total.count,
            }))
        })
        .await
}

/// A saved search
#[utoipa::path(get, operation_id = "get_saved_search", path = "/api/v1/saved-searches/{id}", tag = "search", params(("id" = i64, Path)), responses(
    (status = 200, body = SavedSearch),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
))]
pub async fn one(
    context: RequestContext,
    Path(id): Path<String>,
) -> Result<Json<SavedSearch>, ApiError> {
    let id = path_id("saved search", &id)?;
    read_search(context, id).await
}

/// Save a search
///
/// Everybody who has signed in may. One for all demands the permission `administer nodes`, `bypass node access` or
/// `edit any … content` of items.
#[utoipa::path(post, operation_id = "save_search", path = "/api/v1/saved-searches", tag = "search", request_body = NewSavedSearch, responses(
    (status = 201, description = "The saved search; Location names it", body = SavedSearch),
    (status = 400, description = "The body is not JSON, or the query is none of a list", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "It is for all, and the actor may not share searches", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "The body is not valid", body = Message),
    (status = 429, description = "The account has 200 saved searches", body = Message),
))]
pub async fn add(context: RequestContext, request: Request) -> Result<Response, ApiError> {
    require_sign_in(&context.actor)?;
    let sent: NewSavedSearch = context.body(request).await?;
    check_query(&context, &sent.query)?;
    let draft = SavedSearchDraft {
        name: sent.name,
        query: sent.query,
        is_public: sent.public,
    };
    let saved = save_search(&context.repository.db, &context.actor, draft).await;
    let id = accepted(&context, saved)?;
    let location = context.base.join(&format!("/api/v1/saved-searches/{id}"));
    let search = read_search(context, id).await?;
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], search).into_response())
}

/// Change a saved search
///
/// One's own. One for all is changed by those who may save searches for all; only its owner makes it private.
#[utoipa::path(patch, operation_id = "change_saved_search", path = "/api/v1/saved-searches/{id}", tag = "search", params(("id" = i64, Path)), request_body = ChangedSavedSearch, responses(
    (status = 200, body = SavedSearch),
    (status = 400, description = "The body is not JSON, or the query is none of a list", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not do this", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "The body is not valid", body = Message),
))]
pub async fn change(
    context: RequestContext,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<SavedSearch>, ApiError> {
    require_sign_in(&context.actor)?;
    let id = path_id("saved search", &id)?;
    let sent: ChangedSavedSearch = context.body(request).await?;
    if let Some(query) = &sent.query {
        check_query(&context, query)?;
    }
    let change = SavedSearchChange {
        name: sent.name,
        query: sent.query,
        is_public: sent.public,
    };
    let changed = change_saved_search(&context.repository.db, &context.actor, id, change).await;
    accepted(&context, changed)?;
    read_search(context, id).await
}

/// Delete a saved search
///
/// One's own; one for all also by those who may save searches for all. It can be restored.
#[utoipa::path(delete, operation_id = "delete_saved_search", path = "/api/v1/saved-searches/{id}", tag = "search", params(("id" = i64, Path)), responses(
    (status = 204, description = "It is deleted"),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not do this", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
))]
pub async fn delete(
    context: RequestContext,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    require_sign_in(&context.actor)?;
    let id = path_id("saved search", &id)?;
    let deleted = delete_saved_search(&context.repository.db, &context.actor, id).await;
    accepted(&context, deleted)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Restore a saved search
///
/// As it was before it was deleted. Of those that an account has deleted, the last hundred can be restored.
#[utoipa::path(post, operation_id = "restore_saved_search", path = "/api/v1/saved-searches/{id}/restore", tag = "search", params(("id" = i64, Path)), responses(
    (status = 200, body = SavedSearch),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not do this", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
    (status = 409, description = "It is not deleted", body = Message),
    (status = 429, description = "The account has 200 saved searches", body = Message),
))]
pub async fn restore(
    context: RequestContext,
    Path(id): Path<String>,
) -> Result<Json<SavedSearch>, ApiError> {
    require_sign_in(&context.actor)?;
    let id = path_id("saved search", &id)?;
    let restored = restore_saved_search(&context.repository.db, &context.actor, id).await;
    accepted(&context, restored)?;
    read_search(context, id).await
}

fn accepted<T>(context: &RequestContext, outcome: Result<T, Refusal>) -> Result<T, ApiError> {
    outcome.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))
}

async fn read_search(context: RequestContext, id: i64) -> Result<Json<SavedSearch>, ApiError> {
    let search = context.read(move |snapshot| Ok(Json(written(snapshot, visible(snapshot, id)?)?)));
    search.await
}

/// The query of a saved search.
///
/// # Errors
/// 404 for one that is not there, or not for the actor.
pub(super) async fn saved_query(context: RequestContext, id: i64) -> Result<String, ApiError> {
    let query = context.read(move |snapshot| Ok(visible(snapshot, id)?.query));
    query.await
}

fn visible(snapshot: &ViewerSnapshot<'_>, id: i64) -> Result<record::SavedSearch, ApiError> {
    let found = snapshot.read.saved_search(id)?;
    let visible = found.filter(|search| is_visible(&snapshot.context.actor, search));
    visible.ok_or_else(|| not_found("saved search", id))
}

fn written(
    snapshot: &ViewerSnapshot<'_>,
    search: record::SavedSearch,
) -> Result<SavedSearch, DbError> {
    let actor = &snapshot.context.actor;
    let facts = SavedSearchFacts {
        owner: search.owner,
        is_public: search.is_public,
    };
    let other = SavedSearchFacts {
        is_public: !search.is_public,
        ..facts
    };
    let may = |after| may_change_saved_search(actor, Some(facts), after).is_ok();
    Ok(SavedSearch {
        id: search.id,
        own: actor.owns(search.owner),
        owner: snapshot.user(search.owner)?,
        name: search.name,
        query: search.query,
        public: search.is_public,
        created: iso(search.created),
        changed: iso(search.changed),
        may: SavedSearchPermissions {
            update: may(Some(facts)),
            share: may(Some(other)),
            delete: may(None),
        },
    })
}
