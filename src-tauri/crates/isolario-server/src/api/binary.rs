//! `GET` of a file's bytes at its public path (interface, Endpoints). The row of the file locates the bytes; the
//! directory is never searched.

use std::sync::Arc;

use isolario_model::content::file_url;
use std::io::ErrorKind;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::Response;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::openapi::parameters::DownloadParameters;
use super::openapi::refusals::Refused;
use super::openapi::values::Binary;
use super::selected_representation::SelectedRepresentation;
use super::{ApiError, ErrorCode, digest, disposition};
use crate::api::app_state::AppState;
use isolario_blobs::OpenBlob;
use isolario_core::actions::relocate::open_wherever;
use isolario_core::actions::view_entity::may_both_view_file;
use isolario_core::repository::Repository;
use isolario_db::DbError;
use isolario_disk::disk_fault::DiskFault;
use isolario_model::content::{FileRecord, FileUri};
use isolario_model::policy::Actor;

/// Stored bytes run nothing, send nothing and load nothing from elsewhere, whatever they say they are. A browser
/// shows pictures, films and text by a page of its own, which has styles and loads the bytes once more.
pub const SANDBOX: &str = "sandbox; default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; \
    img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'";

/// The routes of bytes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(read_public))
        .routes(routes!(read))
}

/// What a request for bytes consists of.
type DownloadParts = (
    State<Arc<Repository>>,
    Extension<Actor>,
    Method,
    Uri,
    HeaderMap,
);

/// The bytes of a file in the public file area
///
/// The path may have slashes.
#[utoipa::path(get, operation_id = "get_public_file", path = "/sites/default/files/{*path}", tag = "files",
    params(("path" = String, Path), DownloadParameters), responses(
    (status = 200, description = "The whole file", body = inline(Binary), content_type = "*/*"),
    (status = 206, description = "The requested range", body = inline(Binary), content_type = "*/*"),
    (status = 304, description = "The bytes are those that If-None-Match names"),
    Refused<404>, Refused<412>, Refused<416>))]
async fn read_public(parts: DownloadParts) -> Result<Response, ApiError> {
    read(parts).await
}

/// The bytes of a file in another scheme
///
/// The path may have slashes.
#[utoipa::path(get, operation_id = "get_repository_file", path = "/_flysystem/{scheme}/{*path}", tag = "files",
    params(("scheme" = String, Path), ("path" = String, Path), DownloadParameters), responses(
    (status = 200, description = "The whole file", body = inline(Binary), content_type = "*/*"),
    (status = 206, description = "The requested range", body = inline(Binary), content_type = "*/*"),
    (status = 304, description = "The bytes are those that If-None-Match names"),
    Refused<404>, Refused<412>, Refused<416>))]
async fn read(
    (State(repository), Extension(actor), method, uri, headers): DownloadParts,
) -> Result<Response, ApiError> {
    let missing = || {
        ApiError::new(
            ErrorCode::NotFound,
            format!("There is no file at {}.", uri.path()),
        )
    };
    let address = file_url::uri_of(uri.path()).ok_or_else(missing)?;
    let path = || file_url::path_of(&address);
    let viewer = viewer(&repository, actor, path, uri.query())?;
    let found = find(&repository, &viewer, &address)?;
    let (file, is_public) = found.ok_or_else(missing)?;
    let download = DownloadRequest {
        method,
        headers,
        query: uri.query(),
    };
    send(&repository, &file, is_public, &download).await
}

/// The method, headers and query of a request for bytes.
pub(super) struct DownloadRequest<'q> {
    pub method: Method,
    pub headers: HeaderMap,
    pub query: Option<&'q str>,
}

/// The bytes of a file's version to somebody who may have them. `is_public`: everybody may.
///
/// # Errors
/// 503 when the disk does not give them.
pub(super) async fn send(
    repository: &Repository,
    file: &FileRecord,
    is_public: bool,
    download: &DownloadRequest<'_>,
) -> Result<Response, ApiError> {
    let headers = &download.headers;
    refuse_to_run(headers)?;
    let blob = open(repository, file).await?;
    let stored = SelectedRepresentation {
        etag: etag(file),
        changed: Some(file.changed),
        size: blob.size,
    };
    let mut response = stored.answer(&download.method, headers, |part| {
        match blob.at_hand(&part) {
            Some(bytes) => Body::from(bytes),
            None => Body::from_stream(blob.stream(part)),
        }
    });
    if response.status().is_client_error() {
        return Ok(response);
    }
    if response.status() != StatusCode::NOT_MODIFIED {
        let mime = HeaderValue::from_str(&file.mime);
        response
            .headers_mut()
            .extend(mime.ok().map(|mime| (header::CONTENT_TYPE, mime)));
        if let Some(value) = wanted_digest(headers, file) {
            response.headers_mut().insert(digest::REPR_DIGEST, value);
        }
    }
    describe(
        response.headers_mut(),
        file,
        is_public,
        parameter(download.query, "download").is_some(),
    );
    Ok(response)
}

/// What a browser asks for in order to run it, and not to show it (Fetch Metadata Request Headers, 2.1).
const RUNNING: [&str; 9] = [
    "script",
    "style",
    "worker",
    "sharedworker",
    "serviceworker",
    "audioworklet",
    "paintworklet",
    "xslt",
    "manifest",
];

/// Uploaded bytes are no part of any page, wherever a page says so.
fn refuse_to_run(headers: &HeaderMap) -> Result<(), ApiError> {
    let purpose = headers.get("sec-fetch-dest");
    match purpose.is_some_and(|purpose| RUNNING.iter().any(|running| purpose == running)) {
        true => Err(ApiError::forbidden(
            "Stored files are not run as a part of any page.",
        )),
        false => Ok(()),
    }
}

/// Who the bytes are for: the owner of a ticket for this path, else whoever has signed in.
pub(super) fn viewer(
    repository: &Repository,
    actor: Actor,
    path: impl FnOnce() -> String,
    query: Option<&str>,
) -> Result<Actor, ApiError> {
    let Some(ticket) = parameter(query, "ticket") else {
        return Ok(actor);
    };
    let owner = repository.authenticator.owner_of_ticket(&path(), &ticket)?;
    Ok(owner.unwrap_or(actor))
}

/// The file if the viewer may have it, and whether everybody may.
fn find(
    repository: &Repository,
    viewer: &Actor,
    address: &FileUri,
) -> Result<Option<(FileRecord, bool)>, ApiError> {
    let anybody = match viewer.is_everybody() {
        true => None,
        false => Some(repository.authenticator.anonymous()?),
    };
    let anybody = anybody.as_ref().unwrap_or(viewer);
    let found = repository.db.read_here(|read| -> Result<_, DbError> {
        let Some(file) = read.file_by_uri(address)? else {
            return Ok(None);
        };
        let [may_view, is_public] = may_both_view_file(read, [viewer, anybody], &file)?;
        Ok(may_view.then_some((file, is_public)))
    });
    Ok(found?)
}

/// Bytes that are not those that were stored are not given out for them.
pub(super) async fn open(repository: &Repository, file: &FileRecord) -> Result<OpenBlob, ApiError> {
    let (words, found) = match open_wherever(repository, file).await {
        Ok(blob) if blob.size == file.size => return Ok(blob),
        Ok(blob) => ("damaged".into(), format!("{} bytes", blob.size)),
        Err(error) if error.kind() == ErrorKind::NotFound => ("missing".into(), error.to_string()),
        Err(error) => match DiskFault::of(&error) {
            DiskFault::Store(fault) => return Err(ApiError::of_store(fault.to_string())),
            _ => (format!("not readable ({error})"), error.to_string()),
        },
    };
    tracing::error!(
        words,
        found,
        fid = file.fid,
        blob = file.blob,
        "stored bytes"
    );
    Err(ApiError::new(
        ErrorCode::DiskFailed,
        format!("The bytes of this file are {words} on the server's disk."),
    ))
}

/// Bytes change with the version only, and a version's bytes never do.
fn etag(file: &FileRecord) -> String {
    let digest = file.sha512.get(..32).unwrap_or(&file.sha512);
    format!("\"{digest}-{}\"", file.version)
}

/// The checksum of the whole file, whatever part of it is sent (RFC 9530, 3).
fn wanted_digest(headers: &HeaderMap, file: &FileRecord) -> Option<HeaderValue> {
    digest::field_value(&digest::digest_preference(headers)?.of_stored(file)?)
}

/// Headers that depend on the file alone.
fn describe(headers: &mut HeaderMap, file: &FileRecord, is_public: bool, download: bool) {
    headers.reserve(8);
    let mut set = |name: HeaderName, value: String| {
        if let Ok(value) = HeaderValue::from_maybe_shared(Bytes::from(value)) {
            headers.insert(name, value);
        }
    };
    let inline = !download && disposition::is_harmless(&file.mime);
    set(
        header::CONTENT_DISPOSITION,
        disposition::write(inline, &file.filename),
    );
    let caching = if is_public {
        "public, no-cache"
    } else {
        "private, no-cache"
    };
    for (name, value) in [
        (header::CACHE_CONTROL, caching),
        (header::CONTENT_SECURITY_POLICY, SANDBOX),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// The decoded value of a query parameter, empty where it has none.
fn parameter(query: Option<&str>, name: &str) -> Option<String> {
    query?.split('&').find_map(|pair| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let decoded = percent_encoding::percent_decode_str(value)
            .decode_utf8()
            .ok()?;
        (key == name).then(|| decoded.into_owned())
    })
}
