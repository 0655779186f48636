//! `/api/v1/activity`: what happened, by whom, by which origin, the newest first.

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::events::{ACTIONS, Change, ChangeAction, change};
use super::parameters::{Parameters, choice, id, limit, moment};
use super::request_context::{RequestContext, ViewerSnapshot, require_sign_in};
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use isolario_core::events::visible_event;
use isolario_db::{DbError, EventFilter};
use isolario_model::content::EntityKind;
use isolario_model::origin::Origin;

/// Events that one request walks past, at most: one that fits may be far away, and others are not for this viewer.
const STRETCH: i64 = 50_000;
/// Fitting events that one request looks at, at most.
const MOST_LOOKED_AT: usize = 2_000;

/// Which changes.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ActivityQuery {
    /// Only changes by this user.
    #[param(value_type = Option<i64>, minimum = 1)]
    actor: Option<String>,
    /// Only changes of this origin.
    #[param(value_type = Option<values::Origin>)]
    origin: Option<String>,
    /// Only changes with this action.
    #[param(value_type = Option<ChangeAction>)]
    action: Option<String>,
    /// Only changes of resources of this kind.
    #[param(value_type = Option<values::EntityKind>)]
    kind: Option<String>,
    /// Only changes at this time or later (RFC 3339).
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<String>,
    /// Only changes before this time (RFC 3339).
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<String>,
    /// `next` of the previous page.
    #[param(value_type = Option<i64>, minimum = 1)]
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 100)]
    limit: Option<String>,
}

/// One page of changes, the newest first. A page may be shorter than asked for, even empty, and yet not the last.
#[derive(Debug, Serialize, ToSchema)]
pub struct Activity {
    changes: Vec<Change>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
}

impl ActivityQuery {
    fn filter(&self) -> Result<EventFilter, ApiError> {
        let origins = Origin::ALL.map(|origin| (origin.name(), origin.name()));
        let kinds = EntityKind::ALL.map(|kind| (kind.target_type(), kind));
        let origin = choice("origin", self.origin.as_ref(), &origins)?;
        Ok(EventFilter {
            actor: id("actor", self.actor.as_ref())?,
            origin: origin.map(str::to_owned),
            action: choice("action", self.action.as_ref(), &ACTIONS)?.map(str::to_owned),
            kind: choice("kind", self.kind.as_ref(), &kinds)?,
            since: moment("since", self.since.as_ref())?,
            until: moment("until", self.until.as_ref())?,
        })
    }
}

/// List changes
///
/// Lists only changes that the actor may view now. Requires credentials.
#[utoipa::path(get, operation_id = "activity", path = "/api/v1/activity", tag = "lists", params(ActivityQuery), responses(
    (status = 200, body = Activity),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 401, description = "The request has no credentials", body = Message)))]
pub async fn list(
    context: RequestContext,
    Parameters(query): Parameters<ActivityQuery>,
) -> Result<Json<Activity>, ApiError> {
    require_sign_in(&context.actor)?;
    let filter = query.filter()?;
    let before = id("after", query.after.as_ref())?;
    let limit = limit(query.limit.as_ref(), 100)?;
    context
        .read(move |snapshot| {
            // Who did something is asked of those only who may know it.
            if let Some(uid) = filter.actor
                && !snapshot.viewer.users.allows(true, uid)
            {
                return Ok(Json(Activity {
                    changes: Vec::new(),
                    next: None,
                }));
            }
            Ok(Json(page(snapshot, &filter, before, limit)?))
        })
        .await
}

fn page(
    snapshot: &ViewerSnapshot<'_>,
    filter: &EventFilter,
    before: Option<i64>,
    limit: usize,
) -> Result<Activity, DbError> {
    let before = match before {
        Some(before) => before,
        None => snapshot.read.last_event()? + 1,
    };
    let from = before - STRETCH;
    let events = snapshot
        .read
        .events_between(filter, from, before, MOST_LOOKED_AT)?;
    let looked_at_all = events.len() < MOST_LOOKED_AT;
    let (mut changes, mut last) = (Vec::new(), before);
    for event in events {
        if changes.len() == limit {
            return Ok(next_page(changes, last));
        }
        last = event.id;
        changes.extend(visible_event(snapshot.read, &snapshot.context.actor, event)?.map(change));
    }
    Ok(next_page(changes, if looked_at_all { from } else { last }))
}

/// The next page begins before an event; there is nothing before the first.
fn next_page(changes: Vec<Change>, last: i64) -> Activity {
    Activity {
        changes,
        next: (last > 1).then(|| last.to_string()),
    }
}
