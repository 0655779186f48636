//! Who made a version of a file, as its bytes carry it along.

use isolario_blobs::Signature;
use isolario_db::{DbError, Read};

/// The signature of an account under a version that it made at a time (Unix seconds).
pub fn signature(read: &Read<'_>, version: i64, uid: i64, at: i64) -> Result<Signature, DbError> {
    let (name, address) = match read.user(uid)? {
        Some(user) => (user.name, Some(format!("urn:uuid:{}", user.uuid))),
        None => (format!("user {uid}"), None),
    };
    let message = match version {
        1 => "Stored",
        _ => "Replaced",
    };
    Ok(Signature {
        name,
        address,
        message: message.to_owned(),
        at,
    })
}
