//! Writes all records again from the database: when they are lost, or newer than a database that is to be used.

use std::io;
use std::path::{Path, PathBuf};

use super::database::{free_name, is_contradicted, is_whole};
use super::fill::GAP;
use super::{RebuildError, database::disk};
use crate::records::path::RecordSubject;
use crate::records::read::{highest_ids, single};
use isolario_db::DATABASE;
use isolario_db::{Db, DbError};
use isolario_disk::durable::{self, PRIVATE_DIRECTORY};
use isolario_disk::regular_file;
use isolario_model::content::record::Record;
use isolario_model::policy::{Actor, permit_server};
use isolario_platform::files;

/// Renames the records and adds jobs for all new ones, which run when the repository is served. No id of the former
/// records is given again. The caller holds the lock of the directory. Returns a message about what was done.
///
/// # Errors
/// `RebuildError::NoDatabase`; what the disk refuses.
pub async fn renew(data_directory: &Path) -> Result<String, RebuildError> {
    if !is_whole(data_directory)? {
        return Err(RebuildError::NoDatabase(data_directory.to_owned()));
    }
    let records = crate::records::directory(data_directory);
    let (numbers, is_sound) = match single(&records, &RecordSubject::Numbers) {
        Some(Ok(Record::Numbers(numbers))) => (numbers, true),
        _ => (highest_ids(&records), false),
    };
    let gap = if is_contradicted(data_directory)? {
        GAP
    } else {
        0
    };
    let moved = move_aside(data_directory, is_sound).map_err(disk(data_directory))?;
    let db = Db::open(&data_directory.join(DATABASE))?;
    db.write(move |write| -> Result<(), DbError> {
        let permitted = permit_server(&Actor::program())?;
        write.put_numbers(&permitted, &numbers)?;
        write.skip_numbers(&permitted, gap)?;
        write.record_everything()
    })
    .await?;
    let mut words = "All records are written anew when the repository is served next.".to_owned();
    if let Some(path) = moved {
        words.push_str(&format!(" The former ones are in {} now.", path.display()));
    }
    Ok(words)
}

/// Writes the ids of the former records first, if these tell them. If this is interrupted, no start gives lower ids.
fn move_aside(data_directory: &Path, has_numbers: bool) -> io::Result<Option<PathBuf>> {
    let records = crate::records::directory(data_directory);
    if !records.exists() {
        return Ok(None);
    }
    let begun = data_directory.join("isolario-records.new");
    match files::remove_dir_all(&begun) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => durable::create(&begun, PRIVATE_DIRECTORY)?,
    }
    let numbers = RecordSubject::Numbers.path();
    if has_numbers {
        let former = regular_file::read(&records.join(&numbers))?;
        durable::write_synced(&begun.join(numbers), &former, durable::USUAL_FILE)?;
        durable::sync_directory(&begun)?;
    }
    let aside = free_name(data_directory, "isolario-records");
    files::rename(&records, &aside)?;
    files::rename(&begun, &records)?;
    durable::sync_directory(data_directory)?;
    Ok(Some(aside))
}
