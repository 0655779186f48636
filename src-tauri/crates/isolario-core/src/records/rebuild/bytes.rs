//! Verifies the bytes that the records name.

use std::io;
use std::path::Path;

use super::RebuildReport;
use crate::progress::ReportProgress;
use isolario_blobs::Blobs;
use isolario_config::Config;
use isolario_db::{Db, DbError};
use isolario_model::content::record::{FileHistory, FileVersion};

/// How many files one query of the database returns.
const BATCH: u32 = 100;

/// Reads the bytes of every version of every file and compares their checksums.
pub(super) async fn verify(
    db: &Db,
    data_directory: &Path,
    config: &Config,
    rebuilt: &mut RebuildReport,
    progress: &ReportProgress,
) -> io::Result<()> {
    let blobs = Blobs::open(data_directory, config)?;
    let mut after = 0;
    loop {
        progress(format!(
            "Reading the bytes of files: {} versions …",
            rebuilt.intact
        ));
        let files = db
            .read(move |read| read.histories_after(after, BATCH))
            .await;
        let files: Vec<FileHistory> =
            files.map_err(|error: DbError| io::Error::other(error.to_string()))?;
        let Some(last) = files.last() else {
            return Ok(());
        };
        after = last.fid;
        for file in &files {
            for version in &file.versions {
                match wrong_with(&blobs, version).await {
                    None => rebuilt.intact += 1,
                    Some(why) => rebuilt.damaged.push(format!(
                        "file {}, {}, version {}: {why}",
                        file.fid, file.uri, version.version
                    )),
                }
            }
        }
    }
}

async fn wrong_with(blobs: &Blobs, version: &FileVersion) -> Option<String> {
    match blobs.digest(&version.blob).await {
        Ok(found) if found.size != version.size => Some(format!(
            "it has {} bytes instead of {}",
            found.size, version.size
        )),
        Ok(found) if found.sha512 != version.sha512 => Some("its checksum is another".into()),
        Ok(_) => None,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some("it is missing".into()),
        Err(error) => Some(error.to_string()),
    }
}
