//! `/api/v1/items/{nid}/people`: who has roles in the collections that an item is in.

use axum::Json;
use axum::extract::Path;
use serde::Serialize;
use utoipa::ToSchema;

use super::parameters::path_id;
use super::request_context::RequestContext;
use super::responses::{NodeTitle, UserName};
use super::roles::{Role, role};
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_db::DbError;

/// A role that somebody has in a collection.
#[derive(Debug, Serialize, ToSchema)]
pub struct PersonInCollection {
    /// `null` where the viewer may not know.
    #[schema(required)]
    user: Option<UserName>,
    role: Role,
    /// The item itself, or a collection above it; `null` where it is hidden from the viewer.
    #[schema(required)]
    collection: Option<NodeTitle>,
}

/// Who has roles in the collections that an item is in.
#[derive(Debug, Serialize, ToSchema)]
pub struct PeopleInCollections {
    people: Vec<PersonInCollection>,
}

/// Who has roles in the collections that an item is in
///
/// Roles that accounts were given in the item itself or in a collection above it, at any depth, by collection and name.
/// Accounts that may not sign in are left out; so are roles that hold everywhere. For those who may change the item: a
/// move changes whose it is to see and to change.
#[utoipa::path(get, operation_id = "list_item_people", path = "/api/v1/items/{nid}/people", tag = "accounts",
    params(("nid" = i64, Path, description = "Node id")), responses(
    (status = 200, body = PeopleInCollections),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not change the item", body = Message),
    (status = 404, description = "The item does not exist, or is hidden from the actor", body = Message),
))]
pub async fn list(
    context: RequestContext,
    Path(nid): Path<String>,
) -> Result<Json<PeopleInCollections>, ApiError> {
    let nid = path_id("item", &nid)?;
    let answer = context.read(move |snapshot| {
        let read = snapshot.read;
        snapshot.changeable_item(nid)?;
        let known = read.roles()?;
        let people = read.people_in(&read.with_all_above(&[nid])?)?.into_iter();
        let people = people.filter_map(|(uid, given)| {
            let found = known.iter().find(|role| role.name == given.role)?;
            Some((uid, given.collection, found.clone()))
        });
        let people = people.map(|(uid, collection, found)| {
            Ok(PersonInCollection {
                user: snapshot.user(uid)?,
                role: role(found),
                collection: snapshot.title(collection)?,
            })
        });
        let people = people.collect::<Result<_, DbError>>()?;
        Ok(Json(PeopleInCollections { people }))
    });
    answer.await
}
