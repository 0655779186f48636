//! `/api/v1/jobs`: what is made of original files, how far it is, and why something is not there.

use std::time::Duration;

use axum::Json;
use axum::extract::Path;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::asked::Asked;
use super::parameters::{LONGEST_PAGE, Parameters, choice, id, ids, limit, path_id, refused, text};
use super::shapes::{Message, NodeTitle};
use super::shown::Shown;
use crate::actions::derivatives::{look_at, original_seen, retry as give_turn};
use crate::api::ApiError;
use crate::auth::{Operation, Subject, Visibility, may};
use crate::content::{Derivative, DerivativeState, Entity, EntityKind};
use crate::db::{DbError, DerivativeCount, DerivativeFilter};
use crate::derive::Kind;
use crate::fields::iso;

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
    /// `waiting`, `running`, `made`, `failed`, `refused`, `left` or `lacking`. Without it, all.
    #[param(value_type = Option<String>, pattern = "^(waiting|running|made|failed|refused|left|lacking)$")]
    state: Option<String>,
    /// What is to be made: `thumbnail`, `service`, `text` or `facts`.
    kind: Option<String>,
    /// Only of the originals of this item.
    #[param(value_type = Option<i64>, minimum = 1)]
    item: Option<String>,
    /// `next` of the page before.
    #[param(value_type = Option<i64>, minimum = 1)]
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 100)]
    limit: Option<String>,
    /// `version` of an earlier answer: this one comes when something has happened since, or after 15 seconds.
    #[param(value_type = Option<i64>, minimum = 0)]
    since: Option<String>,
}

/// One product of an original file.
#[derive(Debug, Serialize, ToSchema)]
pub struct Job {
    id: i64,
    /// `thumbnail`, `service`, `text` or `facts`.
    kind: String,
    /// `waiting`, `running`, `made`, `failed`, `refused` (of these bytes it cannot be made), `left` (something that
    /// somebody has put there stays) or `lacking` (it needs a program that is not on this machine, and is made at the
    /// first start after that has come).
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
    state: &'static str,
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

/// What is made of original files
///
/// For those who may see the media with the original and its item.
#[utoipa::path(get, operation_id = "list_jobs", path = "/api/v1/jobs", tag = "derivatives", params(JobsQuery), responses(
    (status = 200, body = JobList),
    (status = 400, description = "A parameter makes no sense", body = Message)))]
pub async fn list(
    asked: Asked,
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
    let version = news_since(&asked, query.since.as_ref()).await?;
    asked
        .read(move |shown| {
            let (jobs, next) = page(shown, &filter, limit)?;
            Ok(Json(JobList {
                jobs,
                next,
                counts: counts(shown)?,
                version,
            }))
        })
        .await
}

/// Waits until something has happened since a version; the present one.
///
/// # Errors
/// 400 where that is no version.
pub async fn news_since(asked: &Asked, since: Option<&String>) -> Result<u64, ApiError> {
    let wrong = |_| refused("since", "the \"version\" of an earlier answer");
    let since: Option<u64> = text(since).map(str::parse).transpose().map_err(wrong)?;
    let mut changes = asked.repository.derivatives.changes();
    if since == Some(*changes.borrow_and_update()) {
        let closing = asked.repository.closing.clone();
        tokio::select! {
            () = closing.cancelled() => {}
            () = tokio::time::sleep(LONGEST_WAIT) => {}
            _ = changes.changed() => tokio::time::sleep(GATHERING).await,
        }
    }
    Ok(*changes.borrow_and_update())
}

fn page(
    shown: &Shown<'_>,
    filter: &DerivativeFilter,
    limit: usize,
) -> Result<(Vec<Job>, Option<String>), DbError> {
    let rows = shown.read.derivative_page(filter, MOST_ROWS)?;
    let (mut jobs, mut last) = (Vec::new(), None);
    for row in &rows {
        if jobs.len() == limit {
            break;
        }
        last = Some(row.id);
        jobs.extend(job(shown, row)?);
    }
    let whole = rows.len() < MOST_ROWS && rows.last().map(|row| row.id) == last;
    Ok((jobs, last.filter(|_| !whole).map(|id| id.to_string())))
}

/// A job as the viewer may see it.
///
/// # Errors
/// What the database refuses.
pub fn job(shown: &Shown<'_>, row: &Derivative) -> Result<Option<Job>, DbError> {
    let Some(media) = original_seen(shown.read, &shown.asked.actor, row)? else {
        return Ok(None);
    };
    let again = row.state == DerivativeState::Waiting && row.attempts > 0;
    let product = match row.product {
        Some(mid) => shown.read.one_media(shown.model(), mid, &shown.viewer)?,
        None => None,
    };
    Ok(Some(Job {
        id: row.id,
        kind: row.kind.clone(),
        state: row.state.name(),
        reason: row.reason.clone(),
        enabled: shown.asked.repository.config.derivatives.makes(&row.kind),
        attempts: row.attempts,
        due: again.then(|| iso(row.due)),
        changed: iso(row.changed),
        item: item_of(shown, &media)?,
        mid: row.mid,
        name: media.label().to_owned(),
        fid: row.fid,
        version: row.version,
        product: product.map(|media| media.mid),
        may_retry: row.state != DerivativeState::Running
            && may(&shown.asked.actor, Operation::Update, &Subject::of(&media)).is_ok(),
    }))
}

fn item_of(shown: &Shown<'_>, media: &Entity) -> Result<Option<NodeTitle>, DbError> {
    let Some(nid) = media.reference("field_media_of") else {
        return Ok(None);
    };
    let target = shown.read.target(EntityKind::Node, nid)?;
    Ok(target.map(|target| NodeTitle {
        nid,
        title: target.label,
    }))
}

fn counts(shown: &Shown<'_>) -> Result<Option<Vec<JobCount>>, DbError> {
    let viewer = &shown.viewer;
    if (viewer.nodes, viewer.media) != (Visibility::Everything, Visibility::Everything) {
        return Ok(None);
    }
    let counts = shown.read.derivative_counts()?.into_iter();
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

/// Give a job another turn
///
/// Before others, whatever became of it. For those who may change the media with the original.
#[utoipa::path(post, operation_id = "retry_job", path = "/api/v1/jobs/{id}/retry", tag = "derivatives",
    params(("id" = i64, Path, description = "Number of the job")), responses(
    (status = 204, description = "It waits for its turn"),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The asker may not change the media", body = Message),
    (status = 404, description = "There is no such job for this asker", body = Message),
    (status = 409, description = "It is being done right now", body = Message)))]
pub async fn retry(asked: Asked, Path(id): Path<String>) -> Result<StatusCode, ApiError> {
    require_sign_in(&asked)?;
    let id = path_id("job", &id)?;
    let done = give_turn(&asked.repository, &asked.actor, id).await;
    done.map_err(|refusal| ApiError::from_refusal(&asked.actor, refusal))?;
    Ok(StatusCode::NO_CONTENT)
}

/// Which items somebody looks at.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LookQuery {
    /// Node ids with commas between them, at most 200.
    #[param(value_type = String, example = "12,13,14")]
    items: Option<String>,
}

/// Say which items are looked at
///
/// What is made of their originals goes before everything else, and is asked for where it never was: files that
/// were stored before there was such a thing.
#[utoipa::path(post, operation_id = "look_at_items", path = "/api/v1/jobs/look", tag = "derivatives", params(LookQuery), responses(
    (status = 204, description = "They go before others"),
    (status = 400, description = "A parameter makes no sense", body = Message),
    (status = 401, description = "Nobody has signed in", body = Message)))]
pub async fn look(
    asked: Asked,
    Parameters(query): Parameters<LookQuery>,
) -> Result<StatusCode, ApiError> {
    require_sign_in(&asked)?;
    let nids = ids("items", query.items.as_ref())?;
    if nids.len() > LONGEST_PAGE {
        return Err(refused("items", "at most 200 node ids"));
    }
    let repository = asked.repository.clone();
    let seen = asked.read(move |shown| {
        let mut seen = Vec::new();
        for nid in nids {
            seen.extend(shown.read.item(nid, &shown.viewer)?.map(|row| row.nid));
        }
        Ok::<_, ApiError>(seen)
    });
    look_at(&repository, seen.await?).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn require_sign_in(asked: &Asked) -> Result<(), ApiError> {
    match asked.actor.is_anonymous() {
        true => Err(ApiError::unauthenticated()),
        false => Ok(()),
    }
}
