//! `/api/v1/jobs`: what is made of original files, how far it is, and why something is not there.

use std::time::Duration;

use axum::Json;
use axum::extract::Path;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{self, LONGEST_PAGE, Parameters, choice, id, ids, limit, path_id, refused};
use super::request_context::{RequestContext, ViewerSnapshot, require_sign_in};
use super::responses::NodeTitle;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values;
use crate::api::openapi::values::{DerivativeKind, Ids};
use isolario_core::actions::derivatives::{
    prioritise, retry as retry_derivative, visible_original,
};
use isolario_db::{DbError, DerivativeCount, DerivativeFilter};
use isolario_derive::Kind;
use isolario_model::content::{Derivative, DerivativeState, Entity, field_roles};
use isolario_model::fields::iso;
use isolario_model::policy::{Operation, may};

/// Longest time that an answer waits for something to tell.
const LONGEST_WAIT: Duration = Duration::from_secs(15);
/// How long what happens may gather before it is told.
const GATHERING: Duration = Duration::from_millis(300);
/// Rows that one request looks at, at most: most may not be for this viewer.
const MOST_ROWS: usize = 1000;

/// Which jobs.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct JobsQuery {
    /// Only jobs in this state.
    #[param(value_type = Option<values::DerivativeState>)]
    state: Option<String>,
    /// Only jobs for derivatives of this kind.
    #[param(value_type = Option<DerivativeKind>)]
    kind: Option<String>,
    /// Only jobs for the originals of this item.
    #[param(value_type = Option<i64>, minimum = 1)]
    item: Option<String>,
    /// `next` of the previous page.
    #[param(value_type = Option<i64>, minimum = 1)]
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 100)]
    limit: Option<String>,
    /// `version` of an earlier response. The server answers when a job has changed since then, or after 15 seconds.
    #[param(value_type = Option<i64>, minimum = 0)]
    since: Option<String>,
}

/// One product of an original file.
#[derive(Debug, Serialize, ToSchema)]
pub struct Job {
    id: i64,
    #[schema(value_type = DerivativeKind)]
    kind: String,
    /// `waiting`, `running`, `made`, `failed`, `refused` (of these bytes it cannot be made), `left` (something that
    /// somebody has put there stays) or `lacking` (it needs a program that is not on this machine, and is made at the
    /// first start after that has come).
    #[schema(value_type = values::DerivativeState)]
    state: &'static str,
    /// Why. A sentence.
    reason: Option<String>,
    /// Whether jobs of this kind are done at all; config.toml says it.
    enabled: bool,
    /// How often it has failed since it was asked for.
    attempts: u32,
    /// When it is tried again, where it has failed before.
    #[schema(format = DateTime)]
    due: Option<String>,
    /// When its state was last changed.
    #[schema(format = DateTime)]
    changed: String,
    item: Option<NodeTitle>,
    /// Media with the original.
    mid: i64,
    /// Name of that media.
    name: String,
    /// The original file, and the version of its bytes.
    fid: i64,
    version: i64,
    /// The media that was made; `null` where there is none, or not any more.
    product: Option<i64>,
    /// Whether the viewer may give it another turn.
    may_retry: bool,
}

/// How many jobs of a kind are in a state.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobCount {
    #[schema(value_type = values::DerivativeState)]
    state: &'static str,
    #[schema(value_type = DerivativeKind)]
    kind: String,
    count: i64,
    /// For `lacking`: the program that they wait for.
    program: Option<&'static str>,
}

/// One page of jobs, the last asked for first. A page may be shorter than asked for.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobList {
    jobs: Vec<Job>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
    /// Of the whole repository, for those who see all of it; `null` for others.
    counts: Option<Vec<JobCount>>,
    /// Another one after something has happened.
    version: u64,
}

/// List derivative jobs
///
/// Lists derivatives of originals whose media and item the actor may view.
#[utoipa::path(get, operation_id = "list_jobs", path = "/api/v1/jobs", tag = "derivatives", params(JobsQuery), responses(
    (status = 200, body = JobList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message)))]
pub async fn list(
    context: RequestContext,
    Parameters(query): Parameters<JobsQuery>,
) -> Result<Json<JobList>, ApiError> {
    let states = DerivativeState::ALL.map(|state| (state.name(), state));
    let kinds: Vec<_> = Kind::ALL
        .iter()
        .map(|kind| (kind.as_str(), kind.as_str()))
        .collect();
    let kind = choice("kind", query.kind.as_ref(), &kinds)?;
    let filter = DerivativeFilter {
        state: choice("state", query.state.as_ref(), &states)?,
        kind: kind.map(str::to_owned),
        item: id("item", query.item.as_ref())?,
        before: id("after", query.after.as_ref())?,
    };
    let limit = limit(query.limit.as_ref(), 100)?;
    let version = news_since(&context, query.since.as_ref()).await?;
    context
        .read(move |snapshot| {
            let (jobs, next) = page(snapshot, &filter, limit)?;
            Ok(Json(JobList {
                jobs,
                next,
                counts: counts(snapshot)?,
                version,
            }))
        })
        .await
}

/// Waits until something has happened since a version; the present one.
///
/// # Errors
/// 400 where that is no version.
pub async fn news_since(context: &RequestContext, since: Option<&String>) -> Result<u64, ApiError> {
    let since = parameters::since(since)?;
    let mut changes = context.repository.derivatives.changes();
    if since == Some(*changes.borrow_and_update()) {
        let closing = context.repository.closing.clone();
        tokio::select! {
            () = closing.cancelled() => {}
            () = tokio::time::sleep(LONGEST_WAIT) => {}
            _ = changes.changed() => tokio::time::sleep(GATHERING).await,
        }
    }
    Ok(*changes.borrow_and_update())
}

fn page(
    snapshot: &ViewerSnapshot<'_>,
    filter: &DerivativeFilter,
    limit: usize,
) -> Result<(Vec<Job>, Option<String>), DbError> {
    let rows = snapshot.read.derivative_page(filter, MOST_ROWS)?;
    let (mut jobs, mut last) = (Vec::new(), None);
    for row in &rows {
        if jobs.len() == limit {
            break;
        }
        last = Some(row.id);
        jobs.extend(job(snapshot, row)?);
    }
    let whole = rows.len() < MOST_ROWS && rows.last().map(|row| row.id) == last;
    Ok((jobs, last.filter(|_| !whole).map(|id| id.to_string())))
}

/// A job as the viewer may see it.
///
/// # Errors
/// What the database refuses.
pub fn job(snapshot: &ViewerSnapshot<'_>, row: &Derivative) -> Result<Option<Job>, DbError> {
    let Some(media) = visible_original(snapshot.read, &snapshot.context.actor, row)? else {
        return Ok(None);
    };
    let actor = &snapshot.context.actor;
    let subject = snapshot.read.subject(actor, &media)?;
    let again = row.state == DerivativeState::Waiting && row.attempts > 0;
    let product = match row.product {
        Some(mid) => snapshot
            .read
            .one_media(snapshot.model(), mid, &snapshot.viewer)?,
        None => None,
    };
    Ok(Some(Job {
        id: row.id,
        kind: row.kind.clone(),
        state: row.state.name(),
        reason: row.reason.clone(),
        enabled: snapshot
            .context
            .repository
            .config
            .derivatives
            .makes(&row.kind),
        attempts: row.attempts,
        due: again.then(|| iso(row.due)),
        changed: iso(row.changed),
        item: item_of(snapshot, &media)?,
        mid: row.mid,
        name: media.label().to_owned(),
        fid: row.fid,
        version: row.version,
        product: product.map(|media| media.mid),
        may_retry: row.state != DerivativeState::Running
            && may(actor, Operation::Update, &subject).is_ok(),
    }))
}

fn item_of(snapshot: &ViewerSnapshot<'_>, media: &Entity) -> Result<Option<NodeTitle>, DbError> {
    snapshot.first_title(&media.references(&field_roles().media_of))
}

fn counts(snapshot: &ViewerSnapshot<'_>) -> Result<Option<Vec<JobCount>>, DbError> {
    let viewer = &snapshot.viewer;
    if !viewer.media.is_everything() {
        return Ok(None);
    }
    let counts = snapshot.read.derivative_counts()?.into_iter();
    let count = |count: DerivativeCount| JobCount {
        program: program(&count),
        state: count.state.name(),
        kind: count.kind,
        count: count.derivatives,
    };
    Ok(Some(counts.map(count).collect()))
}

fn program(count: &DerivativeCount) -> Option<&'static str> {
    let kind: Option<Kind> = count.kind.parse().ok();
    let lacking = count.state == DerivativeState::Lacking;
    kind.filter(|_| lacking).and_then(Kind::other_program)
}

/// Run a job again
///
/// The job runs before others, whatever its state. For actors who may change the media of the original.
#[utoipa::path(post, operation_id = "retry_job", path = "/api/v1/jobs/{id}/retry", tag = "derivatives",
    params(("id" = i64, Path, description = "Number of the job")), responses(
    (status = 204, description = "The job is queued"),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The actor may not change the media", body = Message),
    (status = 404, description = "The job does not exist, or is hidden from the actor", body = Message),
    (status = 409, description = "The job is running", body = Message)))]
pub async fn retry(
    context: RequestContext,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    require_sign_in(&context.actor)?;
    let id = path_id("job", &id)?;
    let done = retry_derivative(&context.repository, &context.actor, id).await;
    done.map_err(|refusal| ApiError::from_refusal(&context.actor, refusal))?;
    Ok(StatusCode::NO_CONTENT)
}

/// Which items somebody looks at.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LookQuery {
    /// Node ids with commas between them, at most 200.
    #[param(value_type = Option<Ids>)]
    items: Option<String>,
}

/// Make derivatives of the items in view first
///
/// Their derivative jobs run before others. Missing jobs are created, for files that were stored before derivatives
/// existed.
#[utoipa::path(post, operation_id = "look_at_items", path = "/api/v1/jobs/look", tag = "derivatives", params(LookQuery), responses(
    (status = 204, description = "The jobs have priority"),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 401, description = "The request has no credentials", body = Message)))]
pub async fn look(
    context: RequestContext,
    Parameters(query): Parameters<LookQuery>,
) -> Result<StatusCode, ApiError> {
    require_sign_in(&context.actor)?;
    let nids = ids("items", query.items.as_ref())?;
    if nids.len() > LONGEST_PAGE {
        return Err(refused("items", "at most 200 node ids"));
    }
    let repository = context.repository.clone();
    let seen = context.read(move |snapshot| {
        let mut seen = Vec::new();
        for nid in nids {
            let place = snapshot.read.place(nid, &snapshot.viewer)?;
            seen.extend(place.map(|_| nid));
        }
        Ok::<_, ApiError>(seen)
    });
    prioritise(&repository, seen.await?).await?;
    Ok(StatusCode::NO_CONTENT)
}
