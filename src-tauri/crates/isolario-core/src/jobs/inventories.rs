//! Brings the inventories of objects in a bucket up to date, after the commit that has made a version.

use std::io;

use uuid::Uuid;

use crate::actions::ingest::signature;
use crate::repository::Repository;
use isolario_blobs::ObjectVersion;
use isolario_db::{DbError, Read};
use isolario_model::content::FileUri;

/// Brings the inventories of the objects of files (UUIDs) up to date.
pub(super) async fn write_inventories(
    repository: &Repository,
    files: Vec<String>,
) -> Result<(), String> {
    for file in files {
        let written = write_inventory(repository, &file).await;
        written.map_err(|error| format!("the inventory of file {file}: {error}"))?;
    }
    Ok(())
}

async fn write_inventory(repository: &Repository, file: &str) -> io::Result<()> {
    let uuid = Uuid::parse_str(file).map_err(io::Error::other)?;
    let versions = async || {
        let file = file.to_owned();
        let read = repository.db.read(move |read| versions_of(read, &file));
        read.await
            .map_err(|error: DbError| io::Error::other(error.to_string()))
    };
    repository.blobs.write_inventories(uuid, versions).await
}

/// The path of a file and its versions, in their order; none of a file that is gone.
fn versions_of(read: &Read<'_>, uuid: &str) -> Result<(String, Vec<ObjectVersion>), DbError> {
    let stored = read.versions_of_uuid(uuid)?;
    let file = match stored.first() {
        Some(first) => read.file_history(first.fid)?,
        None => None,
    };
    let Some(file) = file else {
        return Ok(Default::default());
    };
    let path = FileUri::parse(&file.uri).map_or_else(String::new, |uri| uri.path);
    let versions = file.versions.into_iter().map(|version| {
        Ok(ObjectVersion {
            signature: signature(read, version.version, version.author, version.made)?,
            blob: version.blob,
            sha512: version.sha512,
        })
    });
    Ok((path, versions.collect::<Result<_, DbError>>()?))
}
