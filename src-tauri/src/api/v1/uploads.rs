//! `/api/v1/uploads/{id}`: an upload that comes in parts, from the moment it is begun at the address that
//! it is meant for (draft-ietf-httpbis-resumable-upload-11).

use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::shapes::Message;
use crate::actions::resumable_upload::{self, Part, Stage};
use crate::api::base_url::BaseUrl;
use crate::api::resumption::{Resumption, UPLOAD_COMPLETE, Uploader, describe, set, upload_id};
use crate::api::upload::{Announced, Asked, answer, text};
use crate::api::{ApiError, AppState, disposition};

/// The MIME type of parts (draft, "Media Type application/partial-upload").
const PART: &str = "application/partial-upload";
const ACCEPT_PATCH: HeaderName = HeaderName::from_static("accept-patch");

/// How far an upload has come
///
/// `Upload-Offset` tells how many bytes are on disk. A part that is on its way at this moment ends: whoever
/// asks has lost it.
#[utoipa::path(head, operation_id = "get_upload_offset", path = "/api/v1/uploads/{id}", tag = "files",
    params(("id" = String, Path, description = "Id of the upload")), responses(
    (status = 204, description = "Upload-Offset, Upload-Complete, Upload-Length and Upload-Limit say it"),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 404, description = "It is not there, or somebody else's", body = Message),
))]
pub async fn progress(
    State(repository): State<AppState>,
    Path(id): Path<String>,
    (Extension(actor), ..): Asked,
) -> Result<Response, ApiError> {
    let progress = resumable_upload::progress(&repository, &actor, upload_id(&id)?).await;
    let progress = progress.map_err(|refusal| ApiError::from_refusal(&actor, refusal))?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    describe(response.headers_mut(), &progress);
    set(response.headers_mut(), header::CACHE_CONTROL, "no-store");
    Ok(response)
}

/// Append to an upload
///
/// With `Upload-Complete: ?1` this is the last part, and the answer is the one that the upload would have
/// got if it had come at once.
#[utoipa::path(patch, operation_id = "append_to_upload", path = "/api/v1/uploads/{id}", tag = "files",
    params(("id" = String, Path, description = "Id of the upload"),
        ("Upload-Offset" = String, Header, description = "Bytes before this part"),
        ("Upload-Complete" = String, Header, description = "?1 with the last part, else ?0"),
        ("Upload-Length" = Option<String>, Header, description = "Bytes of the whole"),
        ("Content-Digest" = Option<String>, Header, description = "Checksum of this part")),
    request_body(content_type = "application/partial-upload", description = "The next bytes"), responses(
    (status = 201, description = "It was the last part: a new media; Location names it"),
    (status = 204, description = "More may come; or it was the last part, and bytes are replaced"),
    (status = 400, description = "The request is malformed or contradicts earlier ones", body = Message),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 403, description = "The user may not do that any more", body = Message),
    (status = 404, description = "It is not there, or somebody else's", body = Message),
    (status = 409, description = "The part begins elsewhere; Upload-Offset says where the next one has to", body = Message),
    (status = 412, description = "Somebody else changed the media first", body = Message),
    (status = 415, description = "The Content-Type is another, or the part is encoded", body = Message),
))]
pub async fn append(
    State(repository): State<AppState>,
    Path(id): Path<String>,
    (Extension(actor), Extension(door), Extension(base)): Asked,
    request: Request,
) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    let headers = parts.headers;
    let uploader = Uploader {
        repository: &repository,
        actor: &actor,
        door,
        base: &base,
    };
    let part = read_part(&id, &headers)?.with(body.into_data_stream());
    let appended = resumable_upload::append(&repository, &actor, door, part).await;
    let stage = appended.map_err(|halt| with_incompleteness(uploader.halted(halt)))?;
    Ok(on(stage, &base))
}

/// Give an upload up
#[utoipa::path(delete, operation_id = "give_up_upload", path = "/api/v1/uploads/{id}", tag = "files",
    params(("id" = String, Path, description = "Id of the upload")), responses(
    (status = 204, description = "It is gone, with its bytes"),
    (status = 401, description = "Nobody has signed in", body = Message),
    (status = 404, description = "It is not there, or somebody else's", body = Message),
))]
pub async fn give_up(
    State(repository): State<AppState>,
    Path(id): Path<String>,
    (Extension(actor), ..): Asked,
) -> Result<StatusCode, ApiError> {
    let given_up = resumable_upload::give_up(&repository, &actor, upload_id(&id)?).await;
    given_up.map_err(|refusal| ApiError::from_refusal(&actor, refusal))?;
    Ok(StatusCode::NO_CONTENT)
}

fn read_part(id: &str, headers: &HeaderMap) -> Result<Part<()>, ApiError> {
    let id = upload_id(id)?;
    require_part(headers)?;
    let announced = Announced::read(headers)?;
    let resumption = Resumption::read(headers);
    let (Some(offset), Some(complete)) = (resumption.offset, resumption.complete) else {
        return Err(ApiError::bad_request(
            "A part needs the headers Upload-Offset (a number) and Upload-Complete (?0 or ?1).",
        ));
    };
    Ok(Part {
        id,
        offset,
        complete,
        length: resumption.length,
        declared: announced.declared,
        promised: announced.promised.content,
        chunks: (),
    })
}

fn require_part(headers: &HeaderMap) -> Result<(), ApiError> {
    let mime = text(headers, &header::CONTENT_TYPE).unwrap_or_default();
    match disposition::essence(&mime) == PART {
        true => Ok(()),
        false => Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            format!("A part of an upload has the Content-Type {PART}."),
        )
        .with(ACCEPT_PATCH, PART)),
    }
}

/// Unless it is said that the upload is over, it is not.
fn with_incompleteness(error: ApiError) -> ApiError {
    let said = error
        .headers
        .iter()
        .any(|(name, _)| *name == UPLOAD_COMPLETE);
    if said {
        error
    } else {
        error.with(UPLOAD_COMPLETE, "?0")
    }
}

fn on(stage: Stage, base: &BaseUrl) -> Response {
    match stage {
        Stage::On(progress) => {
            let mut response = StatusCode::NO_CONTENT.into_response();
            describe(response.headers_mut(), &progress);
            response
        }
        Stage::Over(finished) => {
            let request = &finished.request;
            let mut response = answer(
                &finished.uploaded,
                base,
                request.percent_encoded,
                request.wanted,
            );
            set(response.headers_mut(), UPLOAD_COMPLETE, "?1");
            response
        }
    }
}
