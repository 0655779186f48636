//! `/api/v1/uploads/{id}`: an upload that comes in parts, from the moment it is begun at the address that
//! it is meant for (draft-ietf-httpbis-resumable-upload-11).

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::request_context::require_sign_in;
use crate::api::base_url::BaseUrl;
use crate::api::openapi::refusals::{Message, Problem};
use crate::api::openapi::values::Completeness;
use crate::api::resumption::{Resumption, UPLOAD_COMPLETE, Uploader, describe, set, upload_id};
use crate::api::upload::{ContextExtensions, UploadHeaders, answer, content_type, is_essence};
use crate::api::{ApiError, ErrorCode};
use isolario_core::actions::resumable_upload::{self, PartOutcome, UploadPart};
use isolario_core::repository::Repository;

/// The MIME type of parts (draft, "Media Type application/partial-upload").
const PART: &str = "application/partial-upload";
const ACCEPT_PATCH: HeaderName = HeaderName::from_static("accept-patch");

/// Read the offset of an upload
///
/// `Upload-Offset` tells how many bytes are on disk. A part that is being received ends.
#[utoipa::path(method(get, head), operation_id = "get_upload_offset", path = "/api/v1/uploads/{id}", tag = "files",
    params(("id" = String, Path, description = "Id of the upload")), responses(
    (status = 204, description = "Upload-Offset, Upload-Complete, Upload-Length and Upload-Limit say it"),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "The upload does not exist, or belongs to another user", body = Message),
))]
pub async fn progress(
    State(repository): State<Arc<Repository>>,
    Path(id): Path<String>,
    (Extension(actor), ..): ContextExtensions,
) -> Result<Response, ApiError> {
    require_sign_in(&actor)?;
    let progress = resumable_upload::progress(&repository, &actor, upload_id(&id)?).await;
    let progress = progress.map_err(|refusal| ApiError::from_refusal(&actor, refusal))?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    describe(response.headers_mut(), &progress);
    set(response.headers_mut(), header::CACHE_CONTROL, "no-store");
    Ok(response)
}

/// Append to an upload
///
/// With `Upload-Complete: ?1` this is the last part, and the response is that of an upload in
/// one request.
#[utoipa::path(patch, operation_id = "append_to_upload", path = "/api/v1/uploads/{id}", tag = "files",
    params(("id" = String, Path, description = "Id of the upload"),
        ("Upload-Offset" = i64, Header, minimum = 0, maximum = 999_999_999_999_999_i64, description = "Offset of this part"),
        ("Upload-Complete" = Completeness, Header, description = "?1 with the last part, else ?0"),
        ("Upload-Length" = Option<i64>, Header, nullable = false, minimum = 0, maximum = 999_999_999_999_999_i64, description = "Length of the whole upload"),
        ("Content-Digest" = Option<String>, Header, nullable = false, description = "Checksum of this part")),
    request_body(content = Vec<u8>, content_type = "application/partial-upload", description = "The next bytes"), responses(
    (status = 201, description = "The last part is stored: a new media; Location names it"),
    (status = 204, description = "The part is stored; or it was the last part, and the bytes are replaced"),
    (status = 400, description = "The request is malformed or contradicts earlier ones", content(
        (Message = "application/json"), (Problem = "application/problem+json"))),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "The user may no longer do this", body = Message),
    (status = 404, description = "The upload does not exist, or belongs to another user", body = Message),
    (status = 409, description = "The part begins at another offset than the upload continues at; Upload-Offset has the offset", content(
        (Message = "application/json"), (Problem = "application/problem+json"))),
    (status = 412, description = "The media has changed: If-Match does not hold", body = Message),
    (status = 415, description = "The Content-Type is another, or the part is encoded", body = Message),
))]
pub async fn append(
    State(repository): State<Arc<Repository>>,
    Path(id): Path<String>,
    (Extension(actor), Extension(origin), Extension(base)): ContextExtensions,
    request: Request,
) -> Result<Response, ApiError> {
    require_sign_in(&actor)?;
    let (parts, body) = request.into_parts();
    let headers = parts.headers;
    let uploader = Uploader {
        repository: &repository,
        actor: &actor,
        origin,
        base: &base,
    };
    let part = read_part(&id, &headers)?.with(body.into_data_stream());
    let appended = resumable_upload::append(&repository, &actor, origin, part).await;
    let stage = appended.map_err(|halt| with_incompleteness(uploader.halted(halt)))?;
    Ok(on(stage, &base))
}

/// Cancel an upload
#[utoipa::path(delete, operation_id = "give_up_upload", path = "/api/v1/uploads/{id}", tag = "files",
    params(("id" = String, Path, description = "Id of the upload")), responses(
    (status = 204, description = "The upload and its bytes are removed"),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 404, description = "The upload does not exist, or belongs to another user", body = Message),
))]
pub async fn give_up(
    State(repository): State<Arc<Repository>>,
    Path(id): Path<String>,
    (Extension(actor), ..): ContextExtensions,
) -> Result<StatusCode, ApiError> {
    require_sign_in(&actor)?;
    let given_up = resumable_upload::give_up(&repository, &actor, upload_id(&id)?).await;
    given_up.map_err(|refusal| ApiError::from_refusal(&actor, refusal))?;
    Ok(StatusCode::NO_CONTENT)
}

fn read_part(id: &str, headers: &HeaderMap) -> Result<UploadPart<()>, ApiError> {
    let id = upload_id(id)?;
    require_part(headers)?;
    let upload_headers = UploadHeaders::read(headers)?;
    let resumption = Resumption::read(headers);
    let (Some(offset), Some(complete)) = (resumption.offset, resumption.complete) else {
        return Err(ApiError::bad_request(
            "A part needs the headers Upload-Offset (a number) and Upload-Complete (?0 or ?1).",
        ));
    };
    Ok(UploadPart {
        id,
        offset,
        complete,
        length: resumption.length,
        declared: upload_headers.declared,
        promised: upload_headers.promised.content,
        chunks: (),
    })
}

fn require_part(headers: &HeaderMap) -> Result<(), ApiError> {
    let mime = content_type(headers).unwrap_or_default();
    match is_essence(&mime, PART) {
        true => Ok(()),
        false => Err(ApiError::new(
            ErrorCode::UnsupportedMediaType,
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

fn on(stage: PartOutcome, base: &BaseUrl) -> Response {
    match stage {
        PartOutcome::On(progress) => {
            let mut response = StatusCode::NO_CONTENT.into_response();
            describe(response.headers_mut(), &progress);
            response
        }
        PartOutcome::Over(finished) => {
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
