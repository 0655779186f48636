//! `/islandora_workbench_integration/…`: what Islandora Workbench asks before it begins, and checksums of files.

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, header};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::openapi::refusals::Refused;
use super::v1::RequestContext;
use super::v1::parameters::{Parameters, choice, not_found};
use super::{ApiError, ErrorCode, binary};
use crate::api::app_state::AppState;
use isolario_blobs::Algorithm;
use isolario_core::actions::view_entity::may_view_file;
use isolario_db::Read;
use isolario_model::content::{EntityKind, FileRecord};
use isolario_model::policy::Actor;
use isolario_model::policy::permission::{may_view_checksums, may_view_configuration};

/// The release of the integration module whose addresses are here.
const MODULE: &str = "1.2.1";
/// The release of the reference's core whose interface this is.
const CORE: &str = "10.4.3";

/// Digest algorithms by the names that clients use.
const ALGORITHMS: [(&str, Algorithm); 4] = [
    ("md5", Algorithm::Md5),
    ("sha1", Algorithm::Sha1),
    ("sha256", Algorithm::Sha256),
    ("sha512", Algorithm::Sha512),
];

/// The routes of the integration.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(version))
        .routes(routes!(core_version))
        .routes(routes!(file_hash))
}

/// The release of the integration.
#[derive(Debug, Serialize, ToSchema)]
struct ModuleVersion {
    integration_module_version: &'static str,
}

/// Version of the integration with Islandora Workbench
#[utoipa::path(get, operation_id = "workbench_version", path = "/islandora_workbench_integration/version",
    tag = "configuration", responses((status = 200, body = ModuleVersion)))]
async fn version(context: RequestContext) -> Result<Json<ModuleVersion>, ApiError> {
    require_workbench(&context.actor)?;
    Ok(Json(ModuleVersion {
        integration_module_version: MODULE,
    }))
}

/// The release of the core.
#[derive(Debug, Serialize, ToSchema)]
struct CoreVersion {
    core_version: &'static str,
}

/// Version of the reference whose interface this is
#[utoipa::path(get, operation_id = "workbench_core_version", path = "/islandora_workbench_integration/core_version",
    tag = "configuration", responses((status = 200, body = CoreVersion)))]
async fn core_version(context: RequestContext) -> Result<Json<CoreVersion>, ApiError> {
    require_workbench(&context.actor)?;
    Ok(Json(CoreVersion { core_version: CORE }))
}

fn require_workbench(actor: &Actor) -> Result<(), ApiError> {
    may_view_configuration(actor).map_err(|denial| ApiError::denied(actor, denial))
}

/// Which checksum of which file.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct HashQuery {
    /// UUID of the file.
    #[param(required = true)]
    file_uuid: Option<String>,
    #[param(required = true, pattern = "^(md5|sha1|sha256|sha512)$")]
    algorithm: Option<String>,
}

/// A checksum of the bytes of a file, as they are stored now.
#[derive(Debug, Serialize, ToSchema)]
struct FileHash {
    /// Lower-case hexadecimal.
    checksum: String,
    file_uuid: String,
    algorithm: &'static str,
}

/// A checksum of the bytes of a file
///
/// The stored bytes are read again. For those who may view the file and have the permission `view checksums`.
#[utoipa::path(get, operation_id = "file_hash", path = "/islandora_workbench_integration/file_hash", tag = "files",
    params(HashQuery), responses((status = 200, description = "One checksum", body = Vec<FileHash>),
    Refused<400>, Refused<404>,
    (status = 503, description = "The bytes cannot be read", body = super::openapi::refusals::Message)))]
async fn file_hash(
    context: RequestContext,
    Parameters(query): Parameters<HashQuery>,
) -> Result<(HeaderMap, Json<[FileHash; 1]>), ApiError> {
    let (repository, actor) = (context.repository.clone(), context.actor.clone());
    may_view_checksums(&actor).map_err(|denial| ApiError::denied(&actor, denial))?;
    let algorithm = choice("algorithm", query.algorithm.as_ref(), &ALGORITHMS)?;
    let algorithm = algorithm
        .ok_or_else(|| ApiError::bad_request("The \"algorithm\" parameter is missing."))?;
    let uuid = query.file_uuid.unwrap_or_default();
    let asked = uuid.clone();
    let file = repository
        .db
        .read(move |read| visible_file(read, &actor, &asked))
        .await?;
    let bytes = binary::open(&repository, &file).await?;
    let sum = bytes.checksum(algorithm).await.map_err(|error| {
        let words = format!("The bytes of the file cannot be read: {error}.");
        ApiError::new(ErrorCode::DiskFailed, words)
    })?;
    let name = ALGORITHMS.iter().find(|(_, known)| *known == algorithm);
    let hash = FileHash {
        checksum: sum.hex(),
        file_uuid: uuid,
        algorithm: name.map_or("", |(name, _)| name),
    };
    let etag = HeaderValue::from_str(&format!("\"{}\"", hash.checksum)).ok();
    let headers = etag.map(|etag| (header::ETAG, etag)).into_iter().collect();
    Ok((headers, Json([hash])))
}

fn visible_file(read: &Read<'_>, actor: &Actor, uuid: &str) -> Result<FileRecord, ApiError> {
    let found = match read.id_of_uuid(EntityKind::File, uuid)? {
        Some(fid) => read.file(fid)?,
        None => None,
    };
    let file = found.ok_or_else(|| not_found("file", uuid))?;
    match may_view_file(read, actor, &file)? {
        true => Ok(file),
        false => Err(not_found("file", uuid)),
    }
}
