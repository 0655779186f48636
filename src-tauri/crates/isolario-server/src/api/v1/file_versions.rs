//! `/api/v1/files/{fid}/versions`: the bytes that a file had, version by version.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, Uri};
use axum::response::Response;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{Parameters, after, limit, not_found, path_id};
use super::request_context::{RequestContext, ViewerSnapshot};
use super::responses::UserName;
use crate::api::openapi::refusals::Message;
use crate::api::{ApiError, binary};
use isolario_core::actions::view_version::may_view_version;
use isolario_core::repository::Repository;
use isolario_db::{Cursor, DbError, Key, Read};
use isolario_model::content::FileRecord;
use isolario_model::fields::iso;
use isolario_model::policy::Actor;

/// Which page.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VersionsQuery {
    /// `next` of the previous page.
    after: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 100)]
    limit: Option<String>,
}

/// The bytes of a file at one of its versions.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FileVersion {
    pub fid: i64,
    /// Counts replacements, from 1.
    pub version: i64,
    pub current: bool,
    #[schema(format = DateTime)]
    pub made: String,
    pub filename: String,
    pub mime: String,
    /// Bytes.
    pub size: u64,
    /// Pixels, where the bytes are an image.
    pub width: Option<u32>,
    pub height: Option<u32>,
    /// Hexadecimal SHA-512 of the bytes.
    #[schema(pattern = "^[0-9a-f]{128}$")]
    pub sha512: String,
    /// Address of these very bytes, with a ticket for those who have signed in.
    #[schema(format = "uri")]
    pub url: String,
}

/// A version and who made it.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignedVersion {
    #[serde(flatten)]
    version: FileVersion,
    /// Who made it, where the viewer may know.
    user: Option<UserName>,
}

/// One page of a file's versions, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct VersionList {
    versions: Vec<SignedVersion>,
    /// Where the next page starts; `null` on the last.
    next: Option<String>,
}

const ORDER: &str = "version desc";

/// Versions of a file
///
/// The current bytes are for those who may have the file. Former ones are for those who may see a
/// revision of a media that showed them; without such a media, for the owner of the file and for
/// those who administer media. What the viewer may not have is left out.
#[utoipa::path(get, operation_id = "list_file_versions", path = "/api/v1/files/{fid}/versions", tag = "history",
    params(("fid" = i64, Path, description = "File id"), VersionsQuery), responses(
    (status = 200, body = VersionList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message),
    (status = 404, description = "It does not exist, or is hidden from the actor", body = Message),
))]
pub async fn list(
    context: RequestContext,
    Path(fid): Path<String>,
    Parameters(query): Parameters<VersionsQuery>,
) -> Result<Json<VersionList>, ApiError> {
    let fid = path_id("file", &fid)?;
    let after = after(query.after.as_ref(), &[ORDER])?;
    let limit = limit(query.limit.as_ref(), 100)?;
    context
        .read(move |snapshot| {
            let before = after.as_ref().map_or(i64::MAX, |cursor| cursor.id);
            let mut rows = snapshot.read.versions_before(fid, before, limit + 1)?;
            let more = rows.len() > limit;
            rows.truncate(limit);
            let next = rows.last().filter(|_| more).map(|row| Cursor {
                order: ORDER.into(),
                key: Key::None,
                id: row.0,
            });
            let mut versions = Vec::new();
            for (number, _, author) in rows {
                if let Some(version) = snapshot.file_version(fid, number)? {
                    let user = snapshot.user(author)?;
                    versions.push(SignedVersion { version, user });
                }
            }
            match versions.is_empty() && next.is_none() && after.is_none() {
                true => Err(not_found("file", fid)),
                false => Ok(Json(VersionList {
                    versions,
                    next: next.map(|cursor| cursor.encode()),
                })),
            }
        })
        .await
}

/// Bytes of a version
///
/// Takes `Range`, conditional requests, `HEAD` and `Want-Repr-Digest`, as the address of the file does. With
/// `download` in the query, the bytes are sent as an attachment.
#[utoipa::path(get, operation_id = "read_file_version", path = "/api/v1/files/{fid}/versions/{version}/content", tag = "history",
    params(("fid" = i64, Path, description = "File id"), ("version" = i64, Path, description = "Number of the version"),
        ("ticket" = Option<String>, Query, description = "As in the `url` of a version"),
        ("download" = Option<String>, Query, description = "The bytes are sent as an attachment")), responses(
    (status = 200, description = "The bytes", content_type = "*/*", body = Vec<u8>),
    (status = 206, description = "The bytes of a range", content_type = "*/*", body = Vec<u8>),
    (status = 304, description = "The client has these bytes"),
    (status = 404, description = "The bytes do not exist, or are hidden from the actor", body = Message),
    (status = 412, description = "The bytes are other bytes than expected", body = Message),
    (status = 416, description = "The range is outside the file", body = Message),
))]
pub async fn content(
    State(repository): State<Arc<Repository>>,
    Extension(actor): Extension<Actor>,
    Path((fid, version)): Path<(String, String)>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (fid, version) = (path_id("file", &fid)?, path_id("version", &version)?);
    let path = path_of(fid, version);
    let viewer = binary::viewer(&repository, actor, || path, uri.query())?;
    let anybody = repository.authenticator.anonymous()?;
    let find = move |read: &Read<'_>| -> Result<_, DbError> {
        let Some(file) = visible(read, &viewer, fid, version)? else {
            return Ok(None);
        };
        let is_public = visible(read, &anybody, fid, version)?.is_some();
        Ok(Some((file, is_public)))
    };
    let found = repository.db.read(find).await?;
    let missing = || not_found("version", format!("{version} of file {fid}"));
    let (file, is_public) = found.ok_or_else(missing)?;
    let download = binary::DownloadRequest {
        method,
        headers,
        query: uri.query(),
    };
    binary::send(&repository, &file, is_public, &download).await
}

/// A file at one of its versions, if the actor may have those bytes.
fn visible(
    read: &Read<'_>,
    actor: &Actor,
    fid: i64,
    version: i64,
) -> Result<Option<FileRecord>, DbError> {
    let Some(current) = read.file(fid)? else {
        return Ok(None);
    };
    match may_view_version(read, actor, &current, version)? {
        true => read.file_at_version(fid, version),
        false => Ok(None),
    }
}

fn path_of(fid: i64, version: i64) -> String {
    format!("/api/v1/files/{fid}/versions/{version}/content")
}

impl ViewerSnapshot<'_> {
    /// A file at one of its versions, if the viewer may have those bytes.
    pub fn file_version(&self, fid: i64, version: i64) -> Result<Option<FileVersion>, DbError> {
        let actor = &self.context.actor;
        let Some(file) = visible(self.read, actor, fid, version)? else {
            return Ok(None);
        };
        let current = self.read.file(fid)?.map(|file| file.version);
        let path = path_of(fid, version);
        let mut url = self.context.base.join(&path);
        if !actor.is_anonymous() {
            let ticket = self.context.repository.authenticator.ticket(actor, &path);
            url = format!("{url}?ticket={ticket}");
        }
        Ok(Some(FileVersion {
            fid,
            version,
            current: current == Some(version),
            made: iso(file.changed),
            filename: file.filename,
            mime: file.mime.into(),
            size: file.size,
            width: file.width,
            height: file.height,
            sha512: file.sha512,
            url,
        }))
    }
}
