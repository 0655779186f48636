//! `/api/v1/users`: accounts. Passwords go in and never come out.

use std::net::IpAddr;

use axum::extract::{Path, Request};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::account_body::{AccountChanges, NewAccount, read_change, read_new};
use super::asked::Asked;
use super::parameters::{Parameters, after, choice, limit, not_found, path_id};
use super::roles::{Role, role};
use super::shapes::Message;
use super::shown::Shown;
use crate::actions::account_rules::{may_add, may_administer, may_change, refuse};
use crate::actions::users::{AccountChange, add_user, change_user};
use crate::actions::{Author, Refusal};
use crate::api::authentication::refused;
use crate::api::{ApiError, Peer};
use crate::auth::{Actor, SignInError};
use crate::content::UserRecord;
use crate::db::{DbError, RoleRecord, USER_ORDER, UserFilter};
use crate::fields::iso;
use crate::repository::{Door, Repository};

/// Which accounts.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UsersQuery {
    /// A part of the name. Without it, all accounts.
    q: Option<String>,
    /// `active` or `disabled`. Without it, both.
    state: Option<String>,
    /// `next` of the page before.
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
    /// False: may not sign in.
    active: bool,
    #[schema(format = DateTime)]
    created: String,
    #[schema(format = DateTime)]
    changed: String,
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
    (status = 400, description = "A parameter makes no sense", body = Message),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The viewer may not administer users", body = Message),
))]
pub async fn list(
    asked: Asked,
    Parameters(query): Parameters<UsersQuery>,
) -> Result<Json<UserList>, ApiError> {
    administers(&asked.actor, 0)?;
    let states = [("active", true), ("disabled", false)];
    let users = UserFilter {
        text: query.q.unwrap_or_default(),
        active: choice("state", query.state.as_ref(), &states)?,
    };
    let after = after(query.after.as_ref(), &[USER_ORDER])?;
    let limit = limit(query.limit.as_ref(), 100)?;
    asked
        .read(move |shown| {
            let page = shown.read.user_page(&users, after.as_ref(), limit)?;
            let known = shown.read.roles()?;
            let users = page.rows.into_iter().map(|user| account(user, &known));
            Ok(Json(UserList {
                users: users.collect(),
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
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "It is somebody else's, and the viewer may not administer users", body = Message),
    (status = 404, description = "There is no such account", body = Message),
))]
pub async fn one(asked: Asked, Path(uid): Path<String>) -> Result<Json<UserAccount>, ApiError> {
    let uid = path_id("user", &uid)?;
    administers(&asked.actor, uid)?;
    asked
        .read(move |shown| Ok(Json(shown_account(shown, uid)?)))
        .await
}

/// Make an account
///
/// For those who may administer users; administrators are made by administrators.
#[utoipa::path(post, operation_id = "add_user", path = "/api/v1/users", tag = "accounts", request_body = NewAccount, responses(
    (status = 201, description = "The new account; Location names it", body = UserAccount),
    (status = 400, description = "The body is no JSON object", body = Message),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The viewer may not make this account", body = Message),
    (status = 415, description = "The body is not said to be JSON", body = Message),
    (status = 422, description = "Fields that break a rule, one a line", body = Message),
))]
pub async fn add(
    asked: Asked,
    Extension(door): Extension<Door>,
    request: Request,
) -> Result<Response, ApiError> {
    let refusal = |refusal| ApiError::from_refusal(&asked.actor, refusal);
    may_add(&asked.actor, &[]).map_err(refusal)?;
    let account = read_new(request, &asked.repository.config.limits).await?;
    may_add(&asked.actor, &account.roles).map_err(refusal)?;
    let repository = asked.repository.clone();
    let author = Author::new(&asked.actor, door);
    let uid = add_user(&repository.db, &repository.authenticator, author, account).await;
    let uid = uid.map_err(refusal)?;
    let location = asked.base.join(&format!("/api/v1/users/{uid}"));
    let made = asked.read(move |shown| shown_account(shown, uid)).await?;
    Ok((
        StatusCode::CREATED,
        [(header::LOCATION, location)],
        Json(made),
    )
        .into_response())
}

/// Change an account
///
/// What is not sent stays. Everybody may change their own password, naming the one they have; the
/// rest is for those who may administer users. With another name or password, or when the account is
/// disabled, its sessions and tokens end.
#[utoipa::path(patch, operation_id = "change_user", path = "/api/v1/users/{uid}", tag = "accounts", params(("uid" = i64, Path)), request_body = AccountChanges, responses(
    (status = 200, body = UserAccount),
    (status = 400, description = "The body is no JSON object", body = Message),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The viewer may not change this", body = Message),
    (status = 404, description = "There is no such account", body = Message),
    (status = 415, description = "The body is not said to be JSON", body = Message),
    (status = 422, description = "Fields that break a rule, one a line", body = Message),
    (status = 429, description = "Too many wrong passwords", body = Message),
))]
pub async fn change(
    asked: Asked,
    Extension(door): Extension<Door>,
    Path(uid): Path<String>,
    request: Request,
) -> Result<Json<UserAccount>, ApiError> {
    let uid = path_id("user", &uid)?;
    administers(&asked.actor, uid)?;
    let user = find(&asked, uid).await?;
    let peer = Peer::address_of(request.extensions());
    let (change, current) = read_change(request, &asked.repository.config.limits).await?;
    let refusal = |refusal| ApiError::from_refusal(&asked.actor, refusal);
    may_change(&asked.actor, &user, &change).map_err(refusal)?;
    let repository = asked.repository.clone();
    if needs_current_password(&asked.actor, door, uid, &change) {
        confirm(&repository, &asked.actor, current, peer).await?;
    }
    let author = Author::new(&asked.actor, door);
    let done = change_user(
        &repository.db,
        &repository.authenticator,
        author,
        uid,
        change,
    )
    .await;
    done.map_err(refusal)?;
    asked
        .read(move |shown| Ok(Json(shown_account(shown, uid)?)))
        .await
}

fn administers(actor: &Actor, uid: i64) -> Result<(), ApiError> {
    may_administer(actor, uid).map_err(|denial| ApiError::denied(actor, denial))
}

async fn find(asked: &Asked, uid: i64) -> Result<UserRecord, ApiError> {
    let found: Option<UserRecord> = asked.repository.db.read(move |read| read.user(uid)).await?;
    found.ok_or_else(|| not_found("user", uid))
}

/// A session left open, or stolen, must not be enough to lock its owner out. The window has no
/// password to name: its key proves who owns the repository.
fn needs_current_password(actor: &Actor, door: Door, uid: i64, change: &AccountChange) -> bool {
    change.password.is_some() && actor.uid == uid && door != Door::Window
}

async fn confirm(
    repository: &Repository,
    actor: &Actor,
    current: Option<String>,
    peer: IpAddr,
) -> Result<(), ApiError> {
    let wrong = |words: &str| {
        let refusal: Result<(), Refusal> = refuse("current_password", words);
        refusal.map_err(|refusal| ApiError::from_refusal(actor, refusal))
    };
    let Some(current) = current else {
        return wrong("Your current password is needed to set another.");
    };
    let authenticator = &repository.authenticator;
    match authenticator.password(&actor.name, &current, peer).await {
        Ok(_) => Ok(()),
        Err(SignInError::Refused(_)) => wrong("This is not your current password."),
        Err(error) => Err(refused(error, None)),
    }
}

fn shown_account(shown: &Shown<'_>, uid: i64) -> Result<UserAccount, ApiError> {
    let user = shown
        .read
        .user(uid)?
        .ok_or_else(|| not_found("user", uid))?;
    let known: Result<Vec<RoleRecord>, DbError> = shown.read.roles();
    Ok(account(user, &known?))
}

fn account(user: UserRecord, known: &[RoleRecord]) -> UserAccount {
    let roles = known.iter().filter(|role| user.roles.contains(&role.name));
    UserAccount {
        uid: user.uid,
        roles: roles.cloned().map(role).collect(),
        name: user.name,
        active: user.active,
        created: iso(user.created),
        changed: iso(user.changed),
    }
}
