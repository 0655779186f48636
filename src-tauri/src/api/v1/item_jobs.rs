//! `/api/v1/items/{nid}/jobs`: what is made of the originals of one item, and why it has no picture.

use axum::Json;
use axum::extract::Path;
use serde::Serialize;
use utoipa::ToSchema;

use super::asked::Asked;
use super::jobs::{Job, job};
use super::parameters::path_id;
use super::shapes::Message;
use super::shown::Shown;
use crate::actions::derivatives::may_be_made;
use crate::api::ApiError;
use crate::content::{Derivative, DerivativeState};
use crate::db::{DbError, DerivativeFilter, ORIGINAL_FILE_URI, THUMBNAIL_URI, picture_of};

/// The kind of small pictures.
const THUMBNAIL: &str = "thumbnail";
const MOST: usize = 200;

/// Why an item has a small picture, or has none.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemPicture {
    /// Whether there is something to show, if only the original itself.
    shown: bool,
    /// `there`, `no_original`, `impossible` (of such files none is made), `off` (switched off), `waiting`, `running`,
    /// `failed`, `refused`, `left` or `gone` (it was deleted).
    state: &'static str,
    /// A sentence.
    why: String,
    /// The job that makes it.
    job: Option<i64>,
}

/// What is made of the originals of an item.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemJobs {
    picture: ItemPicture,
    jobs: Vec<Job>,
}

/// What is made of an item's originals
///
/// And why it has no picture, in words.
#[utoipa::path(get, operation_id = "list_item_jobs", path = "/api/v1/items/{nid}/jobs", tag = "derivatives",
    params(("nid" = i64, Path, description = "Node id")), responses(
    (status = 200, body = ItemJobs),
    (status = 404, description = "There is no such item for this viewer", body = Message)))]
pub async fn list(asked: Asked, Path(nid): Path<String>) -> Result<Json<ItemJobs>, ApiError> {
    let nid = path_id("item", &nid)?;
    asked
        .read(move |shown| {
            shown.node(nid)?;
            let filter = DerivativeFilter {
                item: Some(nid),
                ..DerivativeFilter::default()
            };
            let rows = shown.read.derivative_page(&filter, MOST)?;
            let (mut jobs, mut seen) = (Vec::new(), Vec::new());
            for row in rows {
                if let Some(job) = job(shown, &row)? {
                    jobs.push(job);
                    seen.push(row);
                }
            }
            let picture = picture(shown, nid, &seen)?;
            Ok(Json(ItemJobs { picture, jobs }))
        })
        .await
}

fn picture(shown: &Shown<'_>, nid: i64, rows: &[Derivative]) -> Result<ItemPicture, DbError> {
    let media = shown.read.item_media(shown.model(), nid, &shown.viewer)?;
    let there = media.iter().any(|one| one.has_use(THUMBNAIL_URI));
    let mut originals = media.iter().filter(|one| one.has_use(ORIGINAL_FILE_URI));
    let original = originals.find_map(|one| one.file.as_ref());
    let thumbnails = rows.iter().filter(|row| row.kind == THUMBNAIL);
    let job = thumbnails.min_by_key(|row| row.id);
    let on = shown.asked.repository.config.derivatives.makes(THUMBNAIL);
    let (state, why) = match (there, original, job) {
        (true, _, _) => ("there", "There is a small picture.".into()),
        (_, None, _) => ("no_original", "There is no original file.".into()),
        (_, Some(file), None) if !may_be_made(&file.mime, THUMBNAIL) => (
            "impossible",
            format!("Of files of the type {} no picture is made.", file.mime),
        ),
        (_, _, job) => words(job, on),
    };
    Ok(ItemPicture {
        shown: picture_of(&media).is_some(),
        state,
        why,
        job: job.map(|row| row.id),
    })
}

/// Words for a small picture that is not there, though it could be.
fn words(job: Option<&Derivative>, on: bool) -> (&'static str, String) {
    use DerivativeState::{Failed, Left, Made, Refused, Running, Waiting};
    let Some(job) = job else {
        let why = "The small picture has not been asked for yet.".into();
        return if on { ("waiting", why) } else { off() };
    };
    let reason = job.reason.clone();
    let or = |words: &str| reason.clone().unwrap_or_else(|| words.to_owned());
    match job.state {
        Waiting if !on => off(),
        Waiting if job.attempts > 0 => (
            "waiting",
            format!("{} It is tried again soon.", or("It could not be made.")),
        ),
        Waiting => ("waiting", "The small picture waits for its turn.".into()),
        Running => ("running", "The small picture is being made.".into()),
        Made => (
            "gone",
            "The small picture was made, and is not there any more.".into(),
        ),
        Failed => ("failed", or("It could not be made.")),
        Refused => ("refused", or("Of this file none can be made.")),
        Left => ("left", or("Something else is in its place.")),
    }
}

fn off() -> (&'static str, String) {
    let why = "Small pictures are switched off: [derivatives] in config.toml.";
    ("off", why.into())
}
