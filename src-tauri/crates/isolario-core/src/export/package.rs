//! A table with files of its items, as a folder or a ZIP. All that it holds is known before its first byte, so the length
//! of the ZIP is known, too, and a download that broke off goes on where it was.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aws_lc_rs::digest::{Context, SHA256};
use bytes::Bytes;
use chrono::DateTime;
use futures_util::Stream;
use serde::{Deserialize, Serialize};

use super::rows::ExportedItem;
use super::xlsx_table::XlsxTable;
use super::{CountRows, Export, ExportError, TableFormat};
use crate::actions::Refusal;
use crate::actions::relocate::open_wherever;
use crate::byte_stream::made_while_read;
use crate::container::{Container, FolderContainer, Spool, Spooled, ZipContainer, ZipLength};
use crate::csv_table::CsvTable;
use crate::repository::Repository;
use isolario_blobs::local_copy::write_copy;
use isolario_model::content::FileRecord;

/// The name of the table, and of the folder in a ZIP that holds it.
const NAME: &str = "items";
/// The checksums of the files, as `sha512sum --check` reads them in that folder.
const CHECKSUMS: &str = "manifest-sha512.txt";

/// A table that waits on the disk until the files are written.
enum WaitingTable {
    Csv(Box<CsvTable>, Spool),
    Xlsx(Box<XlsxTable>),
}

impl WaitingTable {
    fn new(export: &Export) -> Result<WaitingTable, ExportError> {
        let staging = staging(&export.repository);
        let mut table = match export.format {
            TableFormat::Csv { with_bom } => {
                WaitingTable::Csv(Box::new(CsvTable::new(with_bom)), Spool::new(&staging)?)
            }
            TableFormat::Xlsx => {
                let table = XlsxTable::new(&staging, export.heading())?;
                return Ok(WaitingTable::Xlsx(Box::new(table)));
            }
        };
        table.add(&export.heading())?;
        Ok(table)
    }

    fn add(&mut self, row: &Vec<String>) -> Result<(), ExportError> {
        match self {
            WaitingTable::Csv(table, spool) => {
                table.add(row)?;
                Ok(spool.write(&table.take()?)?)
            }
            WaitingTable::Xlsx(table) => table.add(row),
        }
    }

    /// Its name and its bytes. `changed`: the newest change of its items (Unix seconds).
    async fn finish(self, changed: i64) -> io::Result<(String, Spooled)> {
        match self {
            WaitingTable::Csv(_, spool) => Ok((format!("{NAME}.csv"), spool.finish()?)),
            WaitingTable::Xlsx(table) => {
                let finished = tokio::task::spawn_blocking(move || {
                    table.finish(changed).and_then(Spooled::from_file)
                });
                let table = finished.await.map_err(io::Error::other)??;
                Ok((format!("{NAME}.xlsx"), table))
            }
        }
    }
}

fn staging(repository: &Repository) -> PathBuf {
    repository.directory.join("staging")
}

/// A file that comes along.
#[derive(Serialize, Deserialize)]
struct PackagedFile {
    /// Of its item, from 1.
    row: u64,
    /// Beside the table.
    place: String,
    file: FileRecord,
}

/// A table and files that are known, and are yet to be written.
pub struct Package {
    repository: Arc<Repository>,
    rows: u64,
    /// A line of JSON for each file.
    files: Spooled,
    table: (String, Spooled),
    checksums: Spooled,
    /// Bytes of the ZIP.
    pub length: u64,
    /// The newest change of what it holds (Unix seconds).
    changed: i64,
    /// A hash that says what the bytes of the ZIP are.
    pub version: String,
}

impl Export {
    /// Chooses what the actor may view now.
    ///
    /// # Errors
    /// What the export refuses, and what the disk does.
    pub async fn into_package(mut self) -> Result<Package, ExportError> {
        let staging = staging(&self.repository);
        let (mut files, mut checksums) = (Spool::new(&staging)?, Spool::new(&staging)?);
        let (mut table, mut length) = (WaitingTable::new(&self)?, ZipLength::default());
        let (mut rows, mut changed) = (0, 0);
        while let Some(items) = self.next().await? {
            for item in items {
                let ExportedItem { row, .. } = &item;
                table.add(row)?;
                rows += 1;
                changed = item.changed.max(changed);
                for (place, file) in item.files {
                    length.add(&format!("{NAME}/{place}"), file.size);
                    checksums.write(format!("{}  {place}\n", file.sha512).as_bytes())?;
                    let file = PackagedFile {
                        row: rows,
                        place,
                        file,
                    };
                    let mut line = serde_json::to_vec(&file).map_err(io::Error::other)?;
                    line.push(b'\n');
                    files.write(&line)?;
                }
            }
        }
        let (files, checksums) = (files.finish()?, checksums.finish()?);
        let (name, table) = table.finish(changed).await?;
        length.add(&format!("{NAME}/{name}"), table.digest.size);
        if checksums.digest.size > 0 {
            length.add(&format!("{NAME}/{CHECKSUMS}"), checksums.digest.size);
        }
        let mut version = Context::new(&SHA256);
        for part in [&files, &table] {
            version.update(part.digest.sha512.as_bytes());
        }
        version.update(&changed.to_le_bytes());
        Ok(Package {
            length: length.total(),
            version: hex::encode(&version.finish().as_ref()[..16]),
            repository: self.repository,
            table: (name, table),
            rows,
            files,
            checksums,
            changed,
        })
    }
}

impl Package {
    /// The bytes of a ZIP with the table and the files, from `first` on. They are made while they are read. A stream that
    /// ends with an error is no whole ZIP.
    pub fn into_zip(
        self,
        first: u64,
        tell: Arc<CountRows>,
    ) -> impl Stream<Item = Result<Bytes, ExportError>> + Send + 'static {
        made_while_read(async move |output| {
            let changed = DateTime::from_timestamp(self.changed, 0).unwrap_or_default();
            let zip = ZipContainer::new(output, &staging(&self.repository), changed, first)?;
            let container = Container::Zip(zip, NAME.to_owned());
            self.write(container, &*tell).await
        })
    }

    /// Writes a ZIP on this machine. It is complete or untouched.
    ///
    /// # Errors
    /// What the disk says, and which file is damaged.
    pub async fn into_zip_file(self, target: &Path, tell: Arc<CountRows>) -> io::Result<()> {
        write_copy(target, Box::pin(self.into_zip(0, tell))).await
    }

    /// Writes a folder on this machine, or goes on with one. It gets its name when it is whole.
    ///
    /// # Errors
    /// As `into_zip_file`; `AlreadyExists` where something has the name.
    pub async fn into_folder(self, target: &Path, tell: Arc<CountRows>) -> Result<(), ExportError> {
        let container = Container::Folder(FolderContainer::open(target)?);
        self.write(container, &*tell).await
    }

    async fn write(self, mut container: Container, tell: &CountRows) -> Result<(), ExportError> {
        let repository = &self.repository;
        for line in self.files.into_reader().lines() {
            let PackagedFile { row, place, file } =
                serde_json::from_str(&line?).map_err(io::Error::other)?;
            let bytes = open_wherever(repository, &file);
            let checksums = &repository.checksums_in_zips;
            let added = container.add_stored(&place, &file, bytes, checksums);
            if let Some(words) = added.await? {
                let words = format!("{} is damaged: {words}", file.uri);
                return Err(Refusal::Storage(words).into());
            }
            tell(row);
        }
        let ((name, table), checksums) = (self.table, self.checksums);
        let size = table.digest.size;
        container.add(&name, size, table.into_stream()).await?;
        let size = checksums.digest.size;
        if size > 0 {
            let bytes = checksums.into_stream();
            container.add(CHECKSUMS, size, bytes).await?;
        }
        tell(self.rows);
        Ok(container.finish().await?)
    }
}
