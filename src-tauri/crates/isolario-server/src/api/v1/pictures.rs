//! `/api/v1/pictures`: how the small pictures of several items stand, for a window that shows them as they come.

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::item_json::facts_of;
use super::jobs::news_since;
use super::parameters::{LONGEST_PAGE, Parameters, ids, refused};
use super::request_context::{ListSnapshot, RequestContext};
use super::responses::Picture;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values::Ids;
use isolario_core::actions::derivatives::{may_be_made, visible_original};
use isolario_db::{DbError, ItemFilter, ItemRow, ItemSort, Order, Start, picture_of};
use isolario_model::content::{Derivative, DerivativeState, TermRole};

/// The kind of small pictures.
const THUMBNAIL: &str = "thumbnail";
/// How many items below a collection or a book are looked at for its picture, at most.
const MOST_LOOKED_AT: usize = 12;

/// Of which items.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PicturesQuery {
    /// Node ids with commas between them, at most 200.
    #[param(value_type = Option<Ids>)]
    items: Option<String>,
    /// `version` of an earlier response. The server answers when a job has changed since then, or after 15 seconds.
    #[param(value_type = Option<i64>, minimum = 0)]
    since: Option<String>,
}

/// The state of the thumbnail of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PictureState {
    There,
    NoOriginal,
    /// Of such files none is made.
    Impossible,
    /// Switched off.
    Off,
    Waiting,
    Running,
    Failed,
    /// It needs a program that is not on this machine.
    Lacking,
    Refused,
    /// Something that somebody has put there stays.
    Left,
    /// It was deleted.
    Gone,
}

/// Why an item has a small picture, or has none.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemPicture {
    nid: i64,
    /// What lists show for the item; `null` where there is nothing small enough that a browser can show. A collection or
    /// a book without a file has the first that is found among the first dozen below it.
    picture: Option<Picture>,
    state: PictureState,
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

/// State of the thumbnails of items
///
/// Leaves out items that do not exist or are hidden from the actor.
#[utoipa::path(get, operation_id = "list_pictures", path = "/api/v1/pictures", tag = "derivatives",
    params(PicturesQuery), responses(
    (status = 200, body = PictureList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message)))]
pub async fn list(
    context: RequestContext,
    Parameters(query): Parameters<PicturesQuery>,
) -> Result<Json<PictureList>, ApiError> {
    let nids = ids("items", query.items.as_ref())?;
    if nids.len() > LONGEST_PAGE {
        return Err(refused("items", "at most 200 node ids"));
    }
    let version = news_since(&context, query.since.as_ref()).await?;
    context
        .read_lists(move |snapshot| {
            let mut pictures = Vec::with_capacity(nids.len());
            for nid in nids {
                if let Some(row) = snapshot.read.item(nid, &snapshot.viewer)? {
                    pictures.push(picture_or_cover(snapshot, &row)?);
                }
            }
            Ok(Json(PictureList { pictures, version }))
        })
        .await
}

/// The picture of an item; of a collection or a book without a file, that of the first item below it that has one.
fn picture_or_cover(snapshot: &ListSnapshot<'_>, row: &ItemRow) -> Result<ItemPicture, DbError> {
    let own = item_picture(snapshot, row)?;
    if own.state != PictureState::NoOriginal || row.members == 0 {
        return Ok(own);
    }
    let mut left = MOST_LOOKED_AT;
    let found = cover(snapshot, row.nid, &mut left)?;
    Ok(match found {
        Some(found) => ItemPicture {
            nid: row.nid,
            ..found
        },
        None => own,
    })
}

/// The first picture below an item that is there or is being made. Each item looked at lowers `left`.
fn cover(
    snapshot: &ListSnapshot<'_>,
    above: i64,
    left: &mut usize,
) -> Result<Option<ItemPicture>, DbError> {
    let (read, viewer) = (snapshot.read, &snapshot.viewer);
    let filter = ItemFilter {
        collection: Some(above),
        ..ItemFilter::default()
    };
    let order = Order {
        sort: ItemSort::Weight,
        descending: false,
    };
    let page = read.item_page(&filter, viewer, order, Start::After(None), *left)?;
    for nid in page.rows {
        if *left == 0 {
            break;
        }
        *left -= 1;
        let Some(row) = read.item(nid, viewer)? else {
            continue;
        };
        let own = item_picture(snapshot, &row)?;
        let may_come = matches!(own.state, PictureState::Waiting | PictureState::Running);
        if own.picture.is_some() || may_come {
            return Ok(Some(own));
        }
        if row.members > 0 && *left > 0 {
            let below = cover(snapshot, nid, left)?;
            if below.is_some() {
                return Ok(below);
            }
        }
    }
    Ok(None)
}

/// The state of the thumbnail of an item.
///
/// # Errors
/// What the database refuses.
pub fn item_picture(snapshot: &ListSnapshot<'_>, row: &ItemRow) -> Result<ItemPicture, DbError> {
    let media = snapshot
        .read
        .item_media(snapshot.model(), row.nid, &snapshot.viewer)?;
    let there = media
        .iter()
        .any(|one| one.has_use(TermRole::ThumbnailImage));
    let original = media
        .iter()
        .filter(|one| one.has_use(TermRole::OriginalFile))
        .find_map(|one| Some((one.mid, one.file.as_ref()?)));
    let job = match original {
        Some((mid, _)) => job_of(snapshot, mid)?,
        None => None,
    };
    let on = snapshot
        .context
        .repository
        .config
        .derivatives
        .makes(THUMBNAIL);
    let (state, why) = match (there, original, &job) {
        (true, _, _) => (PictureState::There, "There is a small picture.".into()),
        (_, None, _) => (
            PictureState::NoOriginal,
            "There is no original file.".into(),
        ),
        (_, Some((_, file)), None) if !may_be_made(&file.mime, THUMBNAIL) => (
            PictureState::Impossible,
            format!("Of files of the type {} no picture is made.", file.mime),
        ),
        (_, _, job) => words(job.as_ref(), on),
    };
    Ok(ItemPicture {
        nid: row.nid,
        picture: picture_of(&media)
            .map(|(media, file)| snapshot.picture(facts_of(row), media, file)),
        state,
        why,
        job: job.map(|job| job.id),
    })
}

/// What makes the small picture of an original, for those who may know of it.
fn job_of(snapshot: &ListSnapshot<'_>, mid: i64) -> Result<Option<Derivative>, DbError> {
    let jobs = snapshot.read.derivatives_of(mid)?;
    let Some(job) = jobs.into_iter().find(|job| job.kind == THUMBNAIL) else {
        return Ok(None);
    };
    let seen = visible_original(snapshot.read, &snapshot.context.actor, &job)?;
    Ok(seen.map(|_| job))
}

/// Words for a small picture that is not there, though it could be.
fn words(job: Option<&Derivative>, on: bool) -> (PictureState, String) {
    use DerivativeState::{Failed, Lacking, Left, Made, Refused, Running, Waiting};
    let Some(job) = job else {
        let why = "The small picture has not been asked for yet.".into();
        return if on {
            (PictureState::Waiting, why)
        } else {
            off()
        };
    };
    let reason = job.reason.clone();
    let or = |words: &str| reason.clone().unwrap_or_else(|| words.to_owned());
    match job.state {
        Waiting if !on => off(),
        Waiting if job.attempts > 0 => (
            PictureState::Waiting,
            format!("{} It is tried again soon.", or("It could not be made.")),
        ),
        Waiting => (
            PictureState::Waiting,
            "The small picture waits for its turn.".into(),
        ),
        Running => (
            PictureState::Running,
            "The small picture is being made.".into(),
        ),
        Made => (
            PictureState::Gone,
            "The small picture was made, and is not there any more.".into(),
        ),
        Lacking => (
            PictureState::Lacking,
            or("It needs a program that is not here."),
        ),
        Failed => (PictureState::Failed, or("It could not be made.")),
        Refused => (PictureState::Refused, or("Of this file none can be made.")),
        Left => (PictureState::Left, or("Something else is in its place.")),
    }
}

fn off() -> (PictureState, String) {
    let why = "Small pictures are switched off: [derivatives] in config.toml.";
    (PictureState::Off, why.into())
}
