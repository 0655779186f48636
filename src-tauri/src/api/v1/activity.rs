//! `/api/v1/activity`: what happened, by whom, through which door, the newest first.

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::asked::Asked;
use super::events::{Change, change};
use super::parameters::{Parameters, choice, id, limit, refused, text};
use super::shapes::Message;
use super::shown::Shown;
use crate::api::ApiError;
use crate::content::EntityKind;
use crate::db::{DbError, EventFilter};
use crate::events::heard;
use crate::repository::Door;

/// Events that one request walks past, at most: one that fits may be far away, and others are not for this viewer.
const STRETCH: i64 = 50_000;
/// Fitting events that one request looks at, at most.
const MOST_LOOKED_AT: usize = 2_000;

const ACTIONS: [(&str, &str); 5] = [
    ("create", "create"),
    ("update", "update"),
    ("delete", "delete"),
    ("restore", "restore"),
    ("purge", "purge"),
];

/// Which changes.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ActivityQuery {
    /// Only what this user did.
    #[param(value_type = Option<i64>, minimum = 1)]
    actor: Option<String>,
    /// Only what came by this door: `window`, `rest`, `watch`, `command`, `derivative` or `fixity`.
    door: Option<String>,
    /// `create`, `update`, `delete`, `restore` or `purge`.
    #[param(value_type = Option<String>, pattern = "^(create|update|delete|restore|purge)$")]
    action: Option<String>,
    /// Only changes of a `node`, `media`, `taxonomy_term`, `file` or `user`.
    #[param(value_type = Option<String>, pattern = "^(node|media|taxonomy_term|file|user)$")]
    kind: Option<String>,
    /// Only what happened at this time or later (RFC 3339).
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<String>,
    /// Only what happened before this time (RFC 3339).
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<String>,
    /// `next` of the page before.
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
        let doors = Door::ALL.map(|door| (door.name(), door.name()));
        let kinds = EntityKind::ALL.map(|kind| (kind.target_type(), kind));
        let door = choice("door", self.door.as_ref(), &doors)?;
        Ok(EventFilter {
            actor: id("actor", self.actor.as_ref())?,
            door: door.map(str::to_owned),
            action: choice("action", self.action.as_ref(), &ACTIONS)?.map(str::to_owned),
            kind: choice("kind", self.kind.as_ref(), &kinds)?,
            since: moment("since", self.since.as_ref())?,
            until: moment("until", self.until.as_ref())?,
        })
    }
}

fn moment(name: &str, value: Option<&String>) -> Result<Option<i64>, ApiError> {
    let read = |text: &str| chrono::DateTime::parse_from_rfc3339(text).map(|at| at.timestamp());
    let read = text(value).map(read).transpose();
    read.map_err(|_| refused(name, "a time such as 2026-11-22T09:30:00Z"))
}

/// What happened
///
/// Holds nothing that the viewer may not see now; for those who have signed in.
#[utoipa::path(get, operation_id = "activity", path = "/api/v1/activity", tag = "lists", params(ActivityQuery), responses(
    (status = 200, body = Activity),
    (status = 400, description = "A parameter makes no sense", body = Message),
    (status = 401, description = "Nobody has signed in", body = Message)))]
pub async fn list(
    asked: Asked,
    Parameters(query): Parameters<ActivityQuery>,
) -> Result<Json<Activity>, ApiError> {
    if asked.actor.is_anonymous() {
        return Err(ApiError::unauthenticated());
    }
    let filter = query.filter()?;
    let before = id("after", query.after.as_ref())?;
    let limit = limit(query.limit.as_ref(), 100)?;
    asked
        .read(move |shown| {
            // Who did something is asked of those only who may know it.
            if let Some(uid) = filter.actor
                && !shown.viewer.users.allows(true, uid)
            {
                return Ok(Json(Activity {
                    changes: Vec::new(),
                    next: None,
                }));
            }
            Ok(Json(page(shown, &filter, before, limit)?))
        })
        .await
}

fn page(
    shown: &Shown<'_>,
    filter: &EventFilter,
    before: Option<i64>,
    limit: usize,
) -> Result<Activity, DbError> {
    let before = match before {
        Some(before) => before,
        None => shown.read.last_event()? + 1,
    };
    let from = before - STRETCH;
    let events = shown
        .read
        .events_between(filter, from, before, MOST_LOOKED_AT)?;
    let looked_at_all = events.len() < MOST_LOOKED_AT;
    let (mut changes, mut last) = (Vec::new(), before);
    for event in events {
        if changes.len() == limit {
            return Ok(next_page(changes, last));
        }
        last = event.id;
        changes.extend(heard(shown.read, &shown.asked.actor, event)?.map(change));
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
