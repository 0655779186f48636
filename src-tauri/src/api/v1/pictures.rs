//! `/api/v1/pictures`: how the small pictures of several items stand, for a window that shows them as they come.

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::asked::Asked;
use super::jobs::news_since;
use super::parameters::{LONGEST_PAGE, Parameters, ids, refused};
use super::shapes::{Message, Picture};
use super::shown::Shown;
use crate::actions::derivatives::{may_be_made, original_seen};
use crate::api::ApiError;
use crate::content::{Derivative, DerivativeState};
use crate::db::{DbError, ItemRow, ORIGINAL_FILE_URI, THUMBNAIL_URI, picture_of};

/// The kind of small pictures.
const THUMBNAIL: &str = "thumbnail";

/// Of which items.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PicturesQuery {
    /// Node ids with commas between them, at most 200.
    #[param(value_type = String, example = "12,13,14")]
    items: Option<String>,
    /// `version` of an earlier answer: this one comes when something has happened since, or after 15 seconds.
    #[param(value_type = Option<i64>, minimum = 0)]
    since: Option<String>,
}

/// Why an item has a small picture, or has none.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemPicture {
    nid: i64,
    /// What lists show for the item; `null` where there is nothing small enough that a browser can show.
    picture: Option<Picture>,
    /// `there`, `no_original`, `impossible` (of such files none is made), `off` (switched off), `waiting`, `running`,
    /// `failed`, `lacking` (it needs a program that is not on this machine), `refused`, `left` or `gone` (it was
    /// deleted).
    state: &'static str,
    /// A sentence.
    why: String,
    /// The job that makes it.
    job: Option<i64>,
}

/// Pictures of items, in the order in which they were asked for.
#[derive(Debug, Serialize, ToSchema)]
pub struct PictureList {
    pictures: Vec<ItemPicture>,
    /// Another one after something has happened.
    version: u64,
}

/// How the small pictures of items stand
///
/// Items that are not there for this viewer are left out.
#[utoipa::path(get, operation_id = "list_pictures", path = "/api/v1/pictures", tag = "derivatives",
    params(PicturesQuery), responses(
    (status = 200, body = PictureList),
    (status = 400, description = "A parameter makes no sense", body = Message)))]
pub async fn list(
    asked: Asked,
    Parameters(query): Parameters<PicturesQuery>,
) -> Result<Json<PictureList>, ApiError> {
    let nids = ids("items", query.items.as_ref())?;
    if nids.len() > LONGEST_PAGE {
        return Err(refused("items", "at most 200 node ids"));
    }
    let version = news_since(&asked, query.since.as_ref()).await?;
    asked
        .read(move |shown| {
            let mut pictures = Vec::with_capacity(nids.len());
            for nid in nids {
                if let Some(row) = shown.read.item(nid, &shown.viewer)? {
                    pictures.push(item_picture(shown, &row)?);
                }
            }
            Ok(Json(PictureList { pictures, version }))
        })
        .await
}

/// How the small picture of an item stands.
///
/// # Errors
/// What the database refuses.
pub fn item_picture(shown: &Shown<'_>, row: &ItemRow) -> Result<ItemPicture, DbError> {
    let media = shown
        .read
        .item_media(shown.model(), row.nid, &shown.viewer)?;
    let there = media.iter().any(|one| one.has_use(THUMBNAIL_URI));
    let original = media
        .iter()
        .filter(|one| one.has_use(ORIGINAL_FILE_URI))
        .find_map(|one| Some((one.mid, one.file.as_ref()?)));
    let job = match original {
        Some((mid, _)) => job_of(shown, mid)?,
        None => None,
    };
    let on = shown.asked.repository.config.derivatives.makes(THUMBNAIL);
    let (state, why) = match (there, original, &job) {
        (true, _, _) => ("there", "There is a small picture.".into()),
        (_, None, _) => ("no_original", "There is no original file.".into()),
        (_, Some((_, file)), None) if !may_be_made(&file.mime, THUMBNAIL) => (
            "impossible",
            format!("Of files of the type {} no picture is made.", file.mime),
        ),
        (_, _, job) => words(job.as_ref(), on),
    };
    Ok(ItemPicture {
        nid: row.nid,
        picture: picture_of(&media).map(|(media, file)| shown.picture(row, media, file)),
        state,
        why,
        job: job.map(|job| job.id),
    })
}

/// What makes the small picture of an original, for those who may know of it.
fn job_of(shown: &Shown<'_>, mid: i64) -> Result<Option<Derivative>, DbError> {
    let jobs = shown.read.derivatives_of(mid)?;
    let Some(job) = jobs.into_iter().find(|job| job.kind == THUMBNAIL) else {
        return Ok(None);
    };
    let seen = original_seen(shown.read, &shown.asked.actor, &job)?;
    Ok(seen.map(|_| job))
}

/// Words for a small picture that is not there, though it could be.
fn words(job: Option<&Derivative>, on: bool) -> (&'static str, String) {
    use DerivativeState::{Failed, Lacking, Left, Made, Refused, Running, Waiting};
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
        Lacking => ("lacking", or("It needs a program that is not here.")),
        Failed => ("failed", or("It could not be made.")),
        Refused => ("refused", or("Of this file none can be made.")),
        Left => ("left", or("Something else is in its place.")),
    }
}

fn off() -> (&'static str, String) {
    let why = "Small pictures are switched off: [derivatives] in config.toml.";
    ("off", why.into())
}
