//! An export as a stream of bytes, which is made while it is read.

use std::io;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use chrono::Utc;
use futures_util::{Stream, StreamExt};
use tokio_util::io::ReaderStream;

use super::rows::ExportedItem;
use super::xlsx_table::XlsxTable;
use super::{CountRows, Export, ExportError, TableFormat};
use crate::byte_stream::{Output, made_while_read};
use crate::csv_table::CsvTable;
use isolario_blobs::local_copy::write_copy;

/// Bytes that are read at once.
const CHUNK: usize = 256 * 1024;

impl Export {
    /// The bytes of the table. They are made no faster than they are read, and no longer. A stream that ends with an error
    /// is no whole table.
    pub fn into_stream(
        self,
        tell: Arc<CountRows>,
    ) -> impl Stream<Item = Result<Bytes, ExportError>> + Send + 'static {
        made_while_read(async move |mut output| self.write(&mut output, &*tell).await)
    }

    /// Writes the table to a file on this machine. The file is complete or untouched.
    ///
    /// # Errors
    /// What the export refuses, and what the disk does.
    pub async fn into_file(self, target: &Path, tell: Arc<CountRows>) -> io::Result<()> {
        write_copy(target, Box::pin(self.into_stream(tell))).await
    }

    async fn write(mut self, output: &mut Output, tell: &CountRows) -> Result<(), ExportError> {
        match self.format {
            TableFormat::Csv { with_bom } => self.write_csv(with_bom, output, tell).await,
            TableFormat::Xlsx => self.write_xlsx(output, tell).await,
        }
    }

    async fn write_csv(
        &mut self,
        with_bom: bool,
        output: &mut Output,
        tell: &CountRows,
    ) -> Result<(), ExportError> {
        let mut table = CsvTable::new(with_bom);
        table.add(self.heading())?;
        let mut done = 0;
        while let Some(rows) = self.next().await? {
            for ExportedItem { row, .. } in &rows {
                table.add(row)?;
            }
            done += rows.len() as u64;
            tell(done);
            output.send(table.take()?).await?;
        }
        Ok(output.send(table.take()?).await?)
    }

    /// The file is made whole before its first byte is sent: what XLSX cannot hold is refused, not broken off.
    async fn write_xlsx(
        &mut self,
        output: &mut Output,
        tell: &CountRows,
    ) -> Result<(), ExportError> {
        let directory = self.repository.directory.join("staging");
        let mut table = XlsxTable::new(&directory, self.heading())?;
        let mut done = 0;
        while let Some(rows) = self.next().await? {
            for ExportedItem { row, .. } in &rows {
                table.add(row)?;
            }
            done += rows.len() as u64;
            tell(done);
        }
        let finished =
            tokio::task::spawn_blocking(move || table.finish(Utc::now().timestamp())).await;
        let file: tokio::fs::File = finished.map_err(io::Error::other)??.into();
        let mut chunks = ReaderStream::with_capacity(file, CHUNK);
        while let Some(chunk) = chunks.next().await {
            output.send(chunk?).await?;
        }
        Ok(())
    }
}
