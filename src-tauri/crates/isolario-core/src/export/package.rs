//! A table with files of its items, as a folder or a ZIP.

use std::io;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::Stream;
use tokio_util::io::ReaderStream;

use super::rows::ExportedItem;
use super::xlsx_table::XlsxTable;
use super::{CountRows, Export, ExportError, TableFormat};
use crate::actions::Refusal;
use crate::byte_stream::made_while_read;
use crate::container::{Container, FolderContainer, Spool, ZipContainer};
use crate::csv_table::CsvTable;
use isolario_blobs::local_copy::write_copy;

/// The name of the table, and of the folder in a ZIP that holds it.
const NAME: &str = "items";
/// The checksums of the files, as `sha512sum --check` reads them in that folder.
const CHECKSUMS: &str = "manifest-sha512.txt";
/// Bytes that are read at once.
const CHUNK: usize = 256 * 1024;

/// A table that waits on the disk until the files are written.
enum WaitingTable {
    Csv(Box<CsvTable>, Spool),
    Xlsx(Box<XlsxTable>),
}

impl WaitingTable {
    fn new(export: &Export) -> Result<WaitingTable, ExportError> {
        let staging = export.repository.directory.join("staging");
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

    async fn put_into(self, container: &mut Container) -> Result<(), ExportError> {
        match self {
            WaitingTable::Csv(_, spool) => {
                let table = spool.finish()?;
                let (name, size) = (format!("{NAME}.csv"), table.digest.size);
                Ok(container.add(&name, size, table.into_stream()).await?)
            }
            WaitingTable::Xlsx(table) => {
                let finished = tokio::task::spawn_blocking(|| table.finish()).await;
                let file = finished.map_err(io::Error::other)??;
                let (name, size) = (format!("{NAME}.xlsx"), file.metadata()?.len());
                let file: tokio::fs::File = file.into();
                let bytes = ReaderStream::with_capacity(file, CHUNK);
                Ok(container.add(&name, size, bytes).await?)
            }
        }
    }
}

impl Export {
    /// The bytes of a ZIP with the table and the files. They are made while they are read. A stream that ends with an
    /// error is no whole ZIP.
    pub fn into_zip(
        self,
        tell: Arc<CountRows>,
    ) -> impl Stream<Item = Result<Bytes, ExportError>> + Send + 'static {
        made_while_read(async move |output| {
            let staging = self.repository.directory.join("staging");
            let zip = ZipContainer::new(output, &staging)?;
            let container = Container::Zip(zip, NAME.to_owned());
            self.write_package(container, &*tell).await
        })
    }

    /// Writes a ZIP on this machine. It is complete or untouched.
    ///
    /// # Errors
    /// What the export refuses, and what the disk does.
    pub async fn into_zip_file(self, target: &Path, tell: Arc<CountRows>) -> io::Result<()> {
        write_copy(target, Box::pin(self.into_zip(tell))).await
    }

    /// Writes a folder on this machine, or goes on with one. It gets its name when it is whole.
    ///
    /// # Errors
    /// As `into_zip_file`; `AlreadyExists` where something has the name.
    pub async fn into_folder(self, target: &Path, tell: Arc<CountRows>) -> Result<(), ExportError> {
        let container = Container::Folder(FolderContainer::open(target)?);
        self.write_package(container, &*tell).await
    }

    async fn write_package(
        mut self,
        mut container: Container,
        tell: &CountRows,
    ) -> Result<(), ExportError> {
        let mut table = WaitingTable::new(&self)?;
        let mut checksums = Spool::new(&self.repository.directory.join("staging"))?;
        let mut done = 0;
        while let Some(items) = self.next().await? {
            for ExportedItem { row, files } in items {
                table.add(&row)?;
                done += 1;
                for (place, file) in files {
                    let blobs = &self.repository.blobs;
                    if let Some(words) = container.add_stored(&place, &file, blobs).await? {
                        let words = format!("{} is damaged: {words}", file.uri);
                        return Err(Refusal::Storage(words).into());
                    }
                    checksums.write(format!("{}  {place}\n", file.sha512).as_bytes())?;
                    tell(done);
                }
            }
            tell(done);
        }
        table.put_into(&mut container).await?;
        let checksums = checksums.finish()?;
        let size = checksums.digest.size;
        if size > 0 {
            container
                .add(CHECKSUMS, size, checksums.into_stream())
                .await?;
        }
        Ok(container.finish().await?)
    }
}
