//! `/api/v1/activity`: what happened, by whom, by which origin, the newest first.

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::activity_table::table;
use super::batches::BatchStateName;
use super::events::{ACTIONS, Change, ChangeAction, change};
use super::holdings::ReportFormat;
use super::parameters::{Parameters, choice, id, limit, moment};
use super::request_context::{ListSnapshot, RequestContext, ViewerSnapshot, require_sign_in};
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use isolario_core::actions::batches::{
    IMPORT_BAG, IMPORT_SITE, IMPORT_TABLE, IMPORT_TERMS, ImportPlan, MAKE_PAGES, MERGE_TERMS,
    MergePlan, PagePlan, TablePlan, visible_batch,
};
use isolario_core::events::visible_event;
use isolario_db::{DbError, EventFilter, IdSet};
use isolario_model::content::EntityKind;
use isolario_model::item_change::ItemChange;
use isolario_model::origin::Origin;

/// Events that one request walks past, at most: one that fits may be far away, and others are not for this viewer.
const STRETCH: i64 = 50_000;
/// Fitting events that one request looks at, at most.
const MOST_LOOKED_AT: usize = 2_000;

values::schemas! {
    /// What is done to many items.
    BatchActName => values::one_of(ItemChange::ACTS.into_iter().chain([MAKE_PAGES, IMPORT_TABLE, IMPORT_TERMS, MERGE_TERMS, IMPORT_BAG, IMPORT_SITE]));
}

/// Which changes.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ActivityQuery {
    /// Only changes by this user.
    #[param(value_type = Option<i64>, minimum = 1)]
    actor: Option<String>,
    /// Node id: only changes of this item, of its members and of its media.
    #[param(value_type = Option<i64>, minimum = 1)]
    item: Option<String>,
    /// Node id: only changes of this collection and of everything below it.
    #[param(value_type = Option<i64>, minimum = 1)]
    collection: Option<String>,
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
    /// `csv` for a table of every single change, whatever `after` and `limit` say; `json` as without it.
    #[param(value_type = Option<ReportFormat>)]
    format: Option<String>,
}

/// A change of many items in the list of changes.
#[derive(Debug, Serialize, ToSchema)]
pub struct BatchSummary {
    id: i64,
    #[schema(value_type = BatchActName)]
    act: &'static str,
    /// Names of the fields, unless these depend on the item.
    fields: Vec<String>,
    /// Whether it takes another one back. The undo of an undo does not.
    is_undo: bool,
    #[schema(value_type = BatchStateName)]
    state: &'static str,
    /// How many items were changed; for its author and administrators, who may also look at it and take it back.
    changed: Option<i64>,
}

/// A change, or many items changed at once.
#[derive(Debug, Serialize, ToSchema)]
pub struct ActivityEntry {
    #[serde(flatten)]
    change: Change,
    /// With it the entry stands for all changes of the batch, and tells the newest one that the viewer may see.
    many: Option<BatchSummary>,
}

/// One page of changes, the newest first. A page may be shorter than asked for, even empty, and yet not the last.
#[derive(Debug, Serialize, ToSchema)]
pub struct Activity {
    changes: Vec<ActivityEntry>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
}

/// The nodes that changes are asked of.
#[derive(Clone, Copy)]
enum ChangedNodes {
    Item(i64),
    /// A collection with everything below it.
    Below(i64),
}

impl ChangedNodes {
    /// # Errors
    /// 404 where the actor sees no such node.
    fn set(self, snapshot: &ListSnapshot<'_>) -> Result<IdSet, ApiError> {
        let (ChangedNodes::Item(nid) | ChangedNodes::Below(nid)) = self;
        snapshot.place(nid)?;
        Ok(match self {
            ChangedNodes::Item(_) => IdSet::new(&[nid]),
            ChangedNodes::Below(_) => snapshot.read.branches_below(nid, &snapshot.viewer)?,
        })
    }
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
            within: None,
            without_batches: Vec::new(),
        })
    }

    /// The nodes that the changes are about.
    fn nodes(&self) -> Result<Option<ChangedNodes>, ApiError> {
        let (item, collection) = (
            id("item", self.item.as_ref())?,
            id("collection", self.collection.as_ref())?,
        );
        match (item, collection) {
            (Some(_), Some(_)) => Err(ApiError::bad_request(
                "The changes are those of an \"item\" or those of a \"collection\".",
            )),
            (Some(nid), None) => Ok(Some(ChangedNodes::Item(nid))),
            (None, Some(nid)) => Ok(Some(ChangedNodes::Below(nid))),
            (None, None) => Ok(None),
        }
    }
}

/// List changes
///
/// Lists only changes that the actor may view now. Requires credentials.
#[utoipa::path(get, operation_id = "activity", path = "/api/v1/activity", tag = "lists", params(ActivityQuery), responses(
    (status = 200, description = "The changes; as CSV, a table with its name in Content-Disposition", content(
        (Activity = "application/json"), (String = "text/csv"))),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "The item or collection does not exist, or is hidden from the actor", body = Message)))]
pub async fn list(
    context: RequestContext,
    Parameters(query): Parameters<ActivityQuery>,
) -> Result<Response, ApiError> {
    require_sign_in(&context.actor)?;
    let (filter, nodes) = (query.filter()?, query.nodes()?);
    let before = id("after", query.after.as_ref())?;
    let limit = limit(query.limit.as_ref(), 100)?;
    let formats = [("json", false), ("csv", true)];
    let is_csv = choice("format", query.format.as_ref(), &formats)?.unwrap_or(false);
    // Only who asks for a place waits until the lists are up to date.
    let within = match nodes {
        Some(nodes) => {
            let set = context
                .clone()
                .read_lists(move |snapshot| nodes.set(snapshot));
            Some(set.await?)
        }
        None => None,
    };
    let filter = EventFilter { within, ..filter };
    let found = context.clone().read(move |snapshot| {
        // Who did something is asked of those only who may know it.
        let is_told = |uid: i64| snapshot.viewer.users.allows(true, uid);
        let is_told = filter.actor.is_none_or(is_told);
        if is_csv {
            let last = snapshot.read.last_event()?;
            return Ok(Found::Table(filter, if is_told { last + 1 } else { 0 }));
        }
        Ok::<_, ApiError>(Found::Page(match is_told {
            true => page(snapshot, &filter, before, limit)?,
            false => Activity {
                changes: Vec::new(),
                next: None,
            },
        }))
    });
    Ok(match found.await? {
        Found::Page(page) => Json(page).into_response(),
        Found::Table(filter, before) => table(context, filter, before).into_response(),
    })
}

/// What a request is answered.
enum Found {
    Page(Activity),
    /// A table of the changes before an event.
    Table(EventFilter, i64),
}

fn page(
    snapshot: &ViewerSnapshot<'_>,
    filter: &EventFilter,
    start: Option<i64>,
    limit: usize,
) -> Result<Activity, DbError> {
    let read = snapshot.read;
    let start = match start {
        Some(start) => start,
        None => read.last_event()? + 1,
    };
    let (from, mut filter) = (start - STRETCH, filter.clone());
    let (mut changes, mut last, mut looked_at) = (Vec::new(), start, 0);
    'stretch: loop {
        let most = MOST_LOOKED_AT.saturating_sub(looked_at);
        let events = read.events_between(&filter, from, last, most)?;
        let are_all = events.len() < most;
        for event in events {
            if changes.len() == limit {
                return Ok(next_page(changes, last));
            }
            (last, looked_at) = (event.id, looked_at + 1);
            let batch = event.batch;
            let is_told = match batch {
                Some(id) => told_before(snapshot, &filter, id, start)?,
                None => false,
            };
            let visible = match is_told {
                true => None,
                false => visible_event(read, &snapshot.context.actor, event)?,
            };
            let is_seen = visible.is_some();
            if let Some(event) = visible {
                changes.push(entry(snapshot, batch, change(event))?);
            }
            if let Some(id) = batch.filter(|_| is_told || is_seen) {
                // The other changes of the batch are skipped in the table.
                filter.without_batches.push(id);
                continue 'stretch;
            }
        }
        return Ok(next_page(changes, if are_all { from } else { last }));
    }
}

/// Whether a former page has told of a batch.
fn told_before(
    snapshot: &ViewerSnapshot<'_>,
    filter: &EventFilter,
    batch: i64,
    start: i64,
) -> Result<bool, DbError> {
    let later = snapshot
        .read
        .batch_events_from(batch, filter, start, MOST_LOOKED_AT)?;
    for event in later {
        if visible_event(snapshot.read, &snapshot.context.actor, event)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn entry(
    snapshot: &ViewerSnapshot<'_>,
    batch: Option<i64>,
    change: Change,
) -> Result<ActivityEntry, DbError> {
    let batch = batch
        .map(|id| snapshot.read.batch(id))
        .transpose()?
        .flatten();
    let is_undo = batch
        .as_ref()
        .map_or(Ok(false), |batch| snapshot.read.is_undo(batch))?;
    let many = batch.and_then(|batch| {
        let is_known = visible_batch(snapshot.read, &snapshot.context.actor, batch.id).is_ok();
        let (act, fields) = match serde_json::from_str::<ItemChange>(&batch.change) {
            Ok(done) => {
                let fields = done.fields().into_iter().map(str::to_owned);
                (done.act(), fields.collect())
            }
            Err(_) if PagePlan::is_of(&batch) => (MAKE_PAGES, Vec::new()),
            Err(_) if MergePlan::is_of(&batch) => (MERGE_TERMS, Vec::new()),
            Err(_) => {
                let act = TablePlan::act_of(&batch).or_else(|| ImportPlan::act_of(&batch));
                (act?, Vec::new())
            }
        };
        Some(BatchSummary {
            id: batch.id,
            act,
            fields,
            is_undo,
            state: batch.state.name(),
            changed: is_known.then_some(batch.changed),
        })
    });
    Ok(ActivityEntry { change, many })
}

/// The next page begins before an event; there is nothing before the first.
fn next_page(changes: Vec<ActivityEntry>, last: i64) -> Activity {
    Activity {
        changes,
        next: (last > 1).then(|| last.to_string()),
    }
}
