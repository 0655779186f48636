//! `/api/v1/known-bytes`: what the repository has already, for somebody who is about to bring files.

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::parameters::{LONGEST_PAGE, Parameters, ids, refused};
use super::request_context::RequestContext;
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use crate::api::openapi::values::{Checksums, Ids};
use isolario_blobs::Algorithm;

/// How many checksums one request may name: more would be too long an address.
const MOST_CHECKSUMS: usize = 40;

/// Of which files.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct KnownBytesQuery {
    /// Sizes in bytes with commas between them, at most 200. Only files of a size that is known need a checksum.
    #[param(value_type = Option<Ids>)]
    sizes: Option<String>,
    /// SHA-512 in lower-case hexadecimal with commas between them, at most 40.
    #[param(value_type = Option<Checksums>)]
    sha512: Option<String>,
}

/// Bytes that an item holds already.
#[derive(Debug, Serialize, ToSchema)]
pub struct KnownBytes {
    #[schema(pattern = "^[0-9a-f]{128}$")]
    sha512: String,
    /// The item whose file came first.
    nid: i64,
    title: String,
}

/// What is known of the files that were asked about.
#[derive(Debug, Serialize, ToSchema)]
pub struct KnownBytesList {
    /// Those of the sizes which a file has.
    sizes: Vec<i64>,
    /// Those of the checksums whose bytes are here.
    known: Vec<KnownBytes>,
}

/// Look up files that the repository has
///
/// Bytes are known if an item that the actor may view has them as a current file.
#[utoipa::path(get, operation_id = "list_known_bytes", path = "/api/v1/known-bytes", tag = "files",
    params(KnownBytesQuery), responses(
    (status = 200, body = KnownBytesList),
    (status = 400, description = "A parameter has a value that it cannot have", body = Message)))]
pub async fn list(
    context: RequestContext,
    Parameters(query): Parameters<KnownBytesQuery>,
) -> Result<Json<KnownBytesList>, ApiError> {
    let sizes = ids("sizes", query.sizes.as_ref())?;
    if sizes.len() > LONGEST_PAGE {
        return Err(refused("sizes", "at most 200 sizes"));
    }
    let checksums = checksums(query.sha512.as_ref())?;
    context
        .read(move |snapshot| {
            let (mut list, viewer) = (KnownBytesList::new(), &snapshot.viewer);
            for size in sizes {
                if snapshot.read.holds_size(size, viewer)? {
                    list.sizes.push(size);
                }
            }
            for sha512 in checksums {
                let holder = snapshot.read.holder_of(&sha512, viewer)?;
                list.known.extend(holder.map(|holder| KnownBytes {
                    sha512,
                    nid: holder.nid,
                    title: holder.title,
                }));
            }
            Ok(Json(list))
        })
        .await
}

impl KnownBytesList {
    fn new() -> KnownBytesList {
        KnownBytesList {
            sizes: Vec::new(),
            known: Vec::new(),
        }
    }
}

fn checksums(value: Option<&String>) -> Result<Vec<String>, ApiError> {
    let Some(text) = value else {
        return Ok(Vec::new());
    };
    let found: Vec<String> = text.split(',').map(str::to_owned).collect();
    let long = 2 * Algorithm::Sha512.size();
    let is_one = |sum: &String| {
        sum.len() == long
            && sum
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    if found.len() > MOST_CHECKSUMS || !found.iter().all(is_one) {
        let expected = "at most 40 SHA-512 in lower-case hexadecimal with commas between them";
        return Err(refused("sha512", expected));
    }
    Ok(found)
}
