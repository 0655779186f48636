//! `/api/v1/users`: accounts. Passwords go in and never come out.

use std::net::IpAddr;

use axum::extract::{Path, Request};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::account_body::{AccountChanges, NewAccount, read_change, read_new};
use super::parameters::{Parameters, after, choice, limit, not_found, path_id};
use super::request_context::{RequestContext, ViewerSnapshot};
use super::roles::{Role, role};
use crate::api::authentication::refused;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use crate::api::{ApiError, Peer};
use isolario_auth::SignInError;
use isolario_core::actions::Refusal;
use isolario_core::actions::account_rules::{AccountChange, may_administer, may_change, refuse};
use isolario_core::actions::users::{add_user, change_user};
use isolario_core::repository::Repository;
use isolario_db::{DbError, RoleRecord, USER_ORDER, UserFilter};
use isolario_model::content::UserRecord;
use isolario_model::fields::{ViolationCode, iso};
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;

/// Words for whether an account may sign in.
const STATES: [(&str, bool); 2] = [("active", true), ("disabled", false)];

values::schemas! {
    /// Whether an account may sign in.
    AccountState => values::one_of(values::names(&STATES));
}

/// Which accounts.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UsersQuery {
    /// A part of the name. Without it, all accounts.
    q: Option<String>,
    /// Only accounts in this state.
    #[param(value_type = Option<AccountState>)]
    state: Option<String>,
    /// `next` of the previous page.
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 100)]
    limit: Option<String>,
}

/// An account.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserAccount {
    uid: i64,
    name: String,
    /// Beside `authenticated`, which everybody signed in has.
    roles: Vec<Role>,
    /// The roles that hold in a collection and everything below it.
    collection_roles: Vec<RoleInCollection>,
    /// False: may not sign in.
    active: bool,
    /// Whether signing in by password needs a code, too.
    second_factor: bool,
    #[schema(format = DateTime)]
    created: String,
    #[schema(format = DateTime)]
    changed: String,
}

/// A role that an account has in a collection and everything below it.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoleInCollection {
    /// The node id of the collection.
    collection: i64,
    /// The title of the collection; `null` where it is in the trash or hidden from the viewer.
    title: Option<String>,
    role: Role,
}

/// One page of accounts, by name.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserList {
    users: Vec<UserAccount>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
    total: i64,
}

/// Accounts by name
///
/// For those who may administer users.
#[utoipa::path(get, operation_id = "list_users", path = "/api/v1/users", tag = "accounts", params(UsersQuery), responses(
    (status = 200, body = UserList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not administer users", body = Message),
))]
pub async fn list(
    context: RequestContext,
    Parameters(query): Parameters<UsersQuery>,
) -> Result<Json<UserList>, ApiError> {
    administers(&context.actor, 0)?;
    let users = UserFilter {
        text: query.q.unwrap_or_default(),
        active: choice("state", query.state.as_ref(), &STATES)?,
    };
    let after = after(query.after.as_ref(), &[USER_ORDER])?;
    let limit = limit(query.limit.as_ref(), 100)?;
    context
        .read(move |snapshot| {
            let page = snapshot.read.user_page(&users, after.as_ref(), limit)?;
            let known = snapshot.read.roles()?;
            let users = page.rows.into_iter();
            let users = users.map(|user| account(snapshot, user, &known));
            Ok(Json(UserList {
                users: users.collect::<Result<_, _>>()?,
                next: page.next.map(|cursor| cursor.encode()),
                total: page.total.count,
            }))
        })
        .await
}

/// One account
///
/// One's own, or anybody's for those who may administer users.
#[utoipa::path(get, operation_id = "user_account", path = "/api/v1/users/{uid}", tag = "accounts", params(("uid" = i64, Path)), responses(
    (status = 200, body = UserAccount),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "It is somebody else's, and the viewer may not administer users", body = Message),
    (status = 404, description = "There is no such account", body = Message),
))]
pub async fn one(
    context: RequestContext,
    Path(uid): Path<String>,
) -> Result<Json<UserAccount>, ApiError> {
    let uid = path_id("user", &uid)?;
    administers(&context.actor, uid)?;
    context
        .read(move |snapshot| Ok(Json(read_account(snapshot, uid)?)))
        .await
}

/// Make an account
///
/// For those who may administer users. They give only roles that permit no more than they may themselves, unless they
/// may administer permissions, too; administrators are made by administrators.
#[utoipa::path(post, operation_id = "add_user", path = "/api/v1/users", tag = "accounts", request_body = NewAccount, responses(
    (status = 201, description = "The new account; Location names it", body = UserAccount),
    (status = 400, description = "The body is not a JSON object", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not make this account", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "Fields that break a rule, one violation a line", body = Message),
))]
pub async fn add(
    context: RequestContext,
    Extension(origin): Extension<Origin>,
    request: Request,
) -> Result<Response, ApiError> {
    let refusal = |refusal| ApiError::from_refusal(&context.actor, refusal);
    administers(&context.actor, 0)?;
    let account = read_new(request, &context.repository.config.limits).await?;
    let (db, authenticator) = (&context.repository.db, &context.repository.authenticator);
    let uid = add_user(db, authenticator, &context.actor, origin, account).await;
    let uid = uid.map_err(refusal)?;
    let location = context.base.join(&format!("/api/v1/users/{uid}"));
    let made = context
        .read(move |snapshot| read_account(snapshot, uid))
        .await?;
    Ok((
        StatusCode::CREATED,
        [(header::LOCATION, location)],
        Json(made),
    )
        .into_response())
}

/// Change an account
///
/// What is not sent stays. Everybody may change their own password and their own second factor, naming the password they
/// have; the rest is for those who may administer users. They give and take only roles that permit no more than they may
/// themselves, unless they may administer permissions, too; the same holds for the password of somebody with such
/// a role. With another name or password, or when the account is disabled, its sessions and tokens end.
#[utoipa::path(patch, operation_id = "change_user", path = "/api/v1/users/{uid}", tag = "accounts", params(("uid" = i64, Path)), request_body = AccountChanges, responses(
    (status = 200, body = UserAccount),
    (status = 400, description = "The body is not a JSON object", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not change this", body = Message),
    (status = 404, description = "There is no such account", body = Message),
    (status = 415, description = "The body is not `application/json`", body = Message),
    (status = 422, description = "Fields that break a rule, one violation a line", body = Message),
    (status = 429, description = "Too many wrong passwords", body = Message),
))]
pub async fn change(
    context: RequestContext,
    Extension(origin): Extension<Origin>,
    Path(uid): Path<String>,
    request: Request,
) -> Result<Json<UserAccount>, ApiError> {
    let uid = path_id("user", &uid)?;
    administers(&context.actor, uid)?;
    let user = find(&context, uid).await?;
    let peer = Peer::address_of(request.extensions());
    let (change, current) = read_change(request, &context.repository.config.limits).await?;
    let refusal = |refusal| ApiError::from_refusal(&context.actor, refusal);
    // Before anything is hashed; `change_user` looks again.
    let repository = context.repository.clone();
    let looked = repository
        .db
        .read_here(|read| may_change(read, &context.actor, &user, &change));
    looked.map_err(refusal)?;
    if needs_current_password(&context.actor, origin, uid, &change) {
        confirm(&repository, &context.actor, current, peer).await?;
    }
    let (db, authenticator) = (&repository.db, &repository.authenticator);
    let done = change_user(db, authenticator, &context.actor, origin, uid, change).await;
    done.map_err(refusal)?;
    context
        .read(move |snapshot| Ok(Json(read_account(snapshot, uid)?)))
        .await
}

fn administers(actor: &Actor, uid: i64) -> Result<(), ApiError> {
    may_administer(actor, uid).map_err(|denial| ApiError::denied(actor, denial))
}

async fn find(context: &RequestContext, uid: i64) -> Result<UserRecord, ApiError> {
    let found: Option<UserRecord> = context
        .repository
        .db
        .read(move |read| read.user(uid))
        .await?;
    found.ok_or_else(|| not_found("user", uid))
}

/// A session left open, or stolen, must not be enough to lock its owner out. The window has no
/// password to name: its key proves who owns the repository.
fn needs_current_password(actor: &Actor, origin: Origin, uid: i64, change: &AccountChange) -> bool {
    let is_secret = change.password.is_some() || change.second_factor.is_some();
    is_secret && actor.uid == uid && origin != Origin::Window
}

async fn confirm(
    repository: &Repository,
    actor: &Actor,
    current: Option<String>,
    peer: IpAddr,
) -> Result<(), ApiError> {
    let wrong = |code, words: &str| {
        let refusal: Result<(), Refusal> = refuse("current_password", code, words);
        refusal.map_err(|refusal| ApiError::from_refusal(actor, refusal))
    };
    let Some(current) = current else {
        let words = "Your current password is needed for this change.";
        return wrong(ViolationCode::Required, words);
    };
    let authenticator = &repository.authenticator;
    match authenticator.confirm(actor, &current, peer).await {
        Ok(()) => Ok(()),
        Err(SignInError::WrongPassword { .. }) => {
            wrong(ViolationCode::NoMatch, "This is not your current password.")
        }
        Err(error) => Err(refused(error, None)),
    }
}

fn read_account(snapshot: &ViewerSnapshot<'_>, uid: i64) -> Result<UserAccount, ApiError> {
    let user = snapshot
        .read
        .user(uid)?
        .ok_or_else(|| not_found("user", uid))?;
    let known: Result<Vec<RoleRecord>, DbError> = snapshot.read.roles();
    Ok(account(snapshot, user, &known?)?)
}

fn account(
    snapshot: &ViewerSnapshot<'_>,
    user: UserRecord,
    known: &[RoleRecord],
) -> Result<UserAccount, DbError> {
    let in_collections = user.collection_roles.iter().filter_map(|given| {
        let found = known.iter().find(|role| role.name == given.role)?;
        Some((given.collection, found.clone()))
    });
    let in_collections = in_collections.map(|(collection, found)| {
        Ok(RoleInCollection {
            collection,
            title: snapshot.title(collection)?.map(|node| node.title),
            role: role(found),
        })
    });
    let collection_roles = in_collections.collect::<Result<_, DbError>>()?;
    let roles = known.iter().filter(|role| user.roles.contains(&role.name));
    Ok(UserAccount {
        uid: user.uid,
        collection_roles,
        roles: roles.cloned().map(role).collect(),
        name: user.name,
        active: user.active,
        second_factor: user.has_second_factor,
        created: iso(user.created),
        changed: iso(user.changed),
    })
}
