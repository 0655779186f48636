//! Writes records: the current state of resources, files, accounts and roles, read in one snapshot. Each file is
//! written completely or not at all.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::path::RecordSubject;
use crate::repository::Repository;
use isolario_db::{DbError, Read};
use isolario_model::content::EntityKind;
use isolario_model::content::record::{FORMAT, Record, RecordFile};
use isolario_platform::files;

/// With more files than this, one sync of the whole file system is used.
const SYNCED_SINGLY: usize = 16;
/// Where files are written before they get their names.
const UNFINISHED: &str = ".unfinished";

/// A record and its path; without content if its subject no longer exists.
struct RecordPage {
    path: PathBuf,
    content: Option<Bytes>,
}

impl RecordPage {
    /// What the bucket gets of it.
    fn copy(&self) -> (String, Option<Bytes>) {
        (files::with_slashes(&self.path), self.content.clone())
    }
}

/// Writes the records of the current state of subjects, and the highest ids. They are on disk when this returns.
/// `subjects` are their names in the database (`node/5`).
///
/// # Errors
/// In words, for the log.
pub async fn write_records(repository: &Repository, subjects: Vec<String>) -> Result<(), String> {
    let _turn = repository.recording.lock().await;
    let pages = repository.db.read(move |read| pages(read, &subjects)).await;
    let pages = pages.map_err(|error: DbError| error.to_string())?;
    let copies = pages.iter().map(RecordPage::copy).collect();
    let directory = super::directory(&repository.directory);
    let written = tokio::task::spawn_blocking(move || write_pages(&directory, &pages));
    match written.await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => return Err(format!("Records cannot be written: {error}.")),
        Err(error) => return Err(error.to_string()),
    }
    let copied = repository.blobs.put_records(copies).await;
    copied.map_err(|error| format!("Records cannot be put into the bucket: {error}"))
}

fn pages(read: &Read<'_>, subjects: &[String]) -> Result<Vec<RecordPage>, DbError> {
    let subjects = subjects
        .iter()
        .filter_map(|name| RecordSubject::parse(name));
    // The numbers first: no record is ever newer than they say.
    let all = [RecordSubject::Numbers].into_iter().chain(subjects);
    all.map(|subject| page(read, &subject)).collect()
}

fn page(read: &Read<'_>, subject: &RecordSubject) -> Result<RecordPage, DbError> {
    let content = match record(read, subject)? {
        None => None,
        Some(record) => {
            let format = FORMAT;
            let mut text = serde_json::to_vec_pretty(&RecordFile { format, record })?;
            text.push(b'\n');
            Some(Bytes::from(text))
        }
    };
    Ok(RecordPage {
        path: subject.path(),
        content,
    })
}

fn record(read: &Read<'_>, subject: &RecordSubject) -> Result<Option<Record>, DbError> {
    Ok(match subject {
        RecordSubject::Numbered(EntityKind::File, fid) => {
            read.file_history(*fid)?.map(Record::File)
        }
        RecordSubject::Numbered(EntityKind::User, uid) => {
            read.account_record(*uid)?.map(Record::User)
        }
        RecordSubject::Numbered(kind, id) => read.entity_record(*kind, *id)?.map(Record::Entity),
        RecordSubject::Role(name) => read.role_record(name)?.map(Record::Role),
        RecordSubject::ContentModel => read.content_model()?.map(Record::ContentModel),
        RecordSubject::Identity => read.identity_record()?.map(Record::Identity),
        RecordSubject::SavedSearch(id) => read.saved_search_record(*id)?.map(Record::SavedSearch),
        RecordSubject::Redirect(id) => read.redirect(*id)?.map(Record::Redirect),
        RecordSubject::Numbers => Some(Record::Numbers(read.highest_numbers()?)),
    })
}

/// Syncs the contents before it renames the files. So a power cut leaves former or new records, and no incomplete ones.
fn write_pages(directory: &Path, pages: &[RecordPage]) -> io::Result<()> {
    let unfinished = directory.join(UNFINISHED);
    let _ = files::remove_dir_all(&unfinished);
    std::fs::create_dir_all(&unfinished)?;
    let temporary = |number: usize| unfinished.join(number.to_string());
    let contents = pages.iter().map(|page| page.content.as_deref());
    for (number, content) in contents.enumerate() {
        if let Some(content) = content {
            std::fs::write(temporary(number), content)?;
        }
    }
    let written = pages.iter().enumerate();
    let written = written.filter_map(|(number, page)| page.content.as_ref().map(|_| number));
    sync(directory, &written.map(temporary).collect::<Vec<_>>())?;
    let mut renamed = BTreeSet::from([directory.to_owned()]);
    for (number, page) in pages.iter().enumerate() {
        let place = directory.join(&page.path);
        renamed.extend(
            place
                .ancestors()
                .skip(1)
                .map(Path::to_owned)
                .take_while(|above| above != directory),
        );
        match page.content {
            Some(_) => adopt(&temporary(number), &place)?,
            None => remove(&place)?,
        }
    }
    sync(directory, &renamed.into_iter().collect::<Vec<_>>())?;
    files::remove_dir_all(&unfinished)
}

fn adopt(finished: &Path, place: &Path) -> io::Result<()> {
    std::fs::create_dir_all(place.parent().unwrap_or(place))?;
    files::rename(finished, place)
}

fn remove(place: &Path) -> io::Result<()> {
    match files::remove_file(place) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn sync(directory: &Path, paths: &[PathBuf]) -> io::Result<()> {
    if paths.len() > SYNCED_SINGLY
        && let Some(outcome) = files::sync_whole_disk(directory)
    {
        return outcome;
    }
    let mut existing = paths.iter().filter(|path| path.exists());
    existing.try_for_each(|path| files::sync_path(path))
}
