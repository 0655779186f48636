//! `/api/v1/items/{nid}/assignees`: who can do the next step of an item.

use axum::Json;
use axum::extract::Path;
use serde::Serialize;
use utoipa::ToSchema;

use super::parameters::path_id;
use super::request_context::RequestContext;
use super::responses::UserName;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_core::actions::review::assignable;
use isolario_db::DbError;

/// Who an item can be assigned to.
#[derive(Debug, Serialize, ToSchema)]
pub struct Assignees {
    /// By name.
    people: Vec<UserName>,
}

/// Who an item can be assigned to
///
/// The accounts that see the item and change it, as far as the actor may know of them, by name; 500 at most. For those
/// who may change the item.
#[utoipa::path(get, operation_id = "list_item_assignees", path = "/api/v1/items/{nid}/assignees", tag = "accounts",
    params(("nid" = i64, Path, description = "Node id")), responses(
    (status = 200, body = Assignees),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not change the item", body = Message),
    (status = 404, description = "The item does not exist, or is hidden from the actor", body = Message),
))]
pub async fn list(
    context: RequestContext,
    Path(nid): Path<String>,
) -> Result<Json<Assignees>, ApiError> {
    let nid = path_id("item", &nid)?;
    let answer = context.read(move |snapshot| {
        let item = snapshot.changeable_item(nid)?;
        let people = assignable(snapshot.read, &item)?.into_iter();
        let people = people.map(|account| snapshot.user(account.uid));
        let people = people.filter_map(Result::transpose);
        let people = people.collect::<Result<_, DbError>>()?;
        Ok(Json(Assignees { people }))
    });
    answer.await
}
