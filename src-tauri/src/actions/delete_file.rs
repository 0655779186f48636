//! Taking a file out of the interface (interface, Endpoints, DELETE). Media that use it keep the id;
//! its bytes stay, and its address is never given to another.

use super::upload_file::record;
use super::{Author, Refusal};
use crate::content::EntityKind;
use crate::db::Db;

/// Deletes a file that the actor may delete. With `expected`, only at that version of its bytes.
///
/// # Errors
/// `NotFound` when it has gone meanwhile; `Lost` when the version is another.
pub async fn delete_file(
    db: &Db,
    fid: i64,
    author: Author,
    expected: Option<i64>,
) -> Result<(), Refusal> {
    db.write(move |write| {
        let (kind, id) = (EntityKind::File, fid);
        let file = write.file(fid)?.ok_or(Refusal::NotFound { kind, id })?;
        if expected.is_some_and(|version| version != file.version) {
            return Err(Refusal::Lost(
                "Somebody else has changed this since you read it. Nothing was changed.".into(),
            ));
        }
        write.delete_file(fid, author.at)?;
        Ok(record(write, &author, "delete", fid, &file.filename)?)
    })
    .await
}
