//! Begins to import a table.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::begin::{found, new_batch, refuse_many};
use super::super::import_plan::ImportPlan;
use super::super::table_plan::{TableOptions, TablePlan};
use super::columns::read_heading;
use super::problem::in_words;
use super::row_file::RowFile;
use crate::actions::Refusal;
use crate::repository::Repository;
use isolario_db::{Batch, DbError};
use isolario_disk::durable::sync_directory;
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, Denial};
use isolario_platform::files;

/// The folder of rows that wait, in the data directory.
pub const FOLDER: &str = "imports";

/// Writes down a batch that imports a table. Its first row is carried out when it is run.
///
/// # Errors
/// `Denied` for nobody; `Invalid` for a heading with problems; `TooMany` where the actor has many open batches.
pub async fn begin_table(
    repository: &Arc<Repository>,
    actor: &Actor,
    origin: Origin,
    name: String,
    rows: RowFile,
    options: TableOptions,
) -> Result<Batch, Refusal> {
    if actor.is_anonymous() {
        return Err(Denial::new("Sign in first.").into());
    }
    let options = rows.options(&options);
    let heading = read_heading(&repository.model(), &rows.heading, &options);
    heading.map_err(|problems| Refusal::Invalid(in_words(&problems)))?;
    let plan = TablePlan {
        name,
        file: String::new(),
        rows: 0,
        folder: None,
        options,
        vocabulary: None,
    };
    begin_rows(repository, actor, origin, plan, rows).await
}

/// Writes down a batch that carries rows out.
///
/// # Errors
/// `TooMany` where the actor has many open batches.
pub(super) async fn begin_rows(
    repository: &Arc<Repository>,
    actor: &Actor,
    origin: Origin,
    plan: TablePlan,
    rows: RowFile,
) -> Result<Batch, Refusal> {
    let folder = repository.directory.join(FOLDER);
    sync_directory(&folder).map_err(|error| Refusal::disk(&error))?;
    let number = i64::try_from(rows.rows).unwrap_or(i64::MAX);
    let actor = actor.clone();
    let begun = repository.db.write(move |write| {
        refuse_many(write, actor.uid)?;
        let file = rows.path.file_name().unwrap_or_default();
        let plan = TablePlan {
            file: file.to_string_lossy().into_owned(),
            rows: number,
            folder: rows.folder.clone(),
            ..plan
        };
        let text = plan.to_text().map_err(DbError::from)?;
        let id = write.add_batch(&new_batch(&actor, origin, text.clone(), None, 0))?;
        write.prepare_batch(id, &text, number)?;
        write.run_batch(id)?;
        Ok::<_, Refusal>((found(write, id)?, rows))
    });
    let (batch, rows) = begun.await?;
    rows.keep();
    Ok(batch)
}

/// Removes the rows, the unpacked files and the bags of imports that have ended.
///
/// # Errors
/// What the disk and the database refuse.
pub async fn remove_old_row_files(repository: &Arc<Repository>) -> Result<(), Refusal> {
    let open = repository.db.read(|read| read.open_batches()).await?;
    let tables: Vec<TablePlan> = open.iter().filter_map(TablePlan::of).collect();
    let names = tables.iter().flat_map(TablePlan::names);
    let mut used: HashSet<PathBuf> = names.map(PathBuf::from).collect();
    let imports = open.iter().filter_map(ImportPlan::of);
    used.extend(imports.filter_map(|plan| plan.staged().map(Path::to_owned)));
    let entries = match std::fs::read_dir(repository.directory.join(FOLDER)) {
        Ok(entries) => entries,
        Err(_) => return Ok(()),
    };
    for entry in entries.flatten() {
        if !used.contains(Path::new(&entry.file_name())) {
            remove(&entry.path()).map_err(|error| Refusal::disk(&error))?;
        }
    }
    Ok(())
}

/// Removes the rows and the unpacked files of an import, if it has ended.
pub fn remove_rows_of(repository: &Repository, batch: &Batch) {
    let plan = TablePlan::of(batch).filter(|_| batch.ended.is_some());
    for name in plan.iter().flat_map(TablePlan::names) {
        // What stays is looked for again at the next start.
        let _ = remove(&repository.directory.join(FOLDER).join(name));
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match std::fs::symlink_metadata(path)?.is_dir() {
        true => files::remove_dir_all(path),
        false => files::remove_file(path),
    }
}
