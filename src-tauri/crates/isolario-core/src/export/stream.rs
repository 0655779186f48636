//! An export as a stream of bytes, which is made while it is read.

use std::io;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::{self, Stream, StreamExt};
use tokio::sync::mpsc;

use super::csv_table::CsvTable;
use super::{CountRows, Export, ExportError, TableFormat};
use isolario_blobs::local_copy::write_copy;

/// Where the bytes of an export go.
pub(super) struct Output(mpsc::Sender<Bytes>);

impl Output {
    /// Sends some bytes, as soon as the reader takes them.
    pub async fn send(&mut self, bytes: impl Into<Bytes>) -> io::Result<()> {
        let bytes = bytes.into();
        if bytes.is_empty() {
            return Ok(());
        }
        let sent = self.0.send(bytes).await;
        sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Export {
    /// The bytes of the table. They are made no faster than they are read, and no longer. A stream that ends with an error
    /// is no whole table.
    pub fn into_stream(
        self,
        tell: Arc<CountRows>,
    ) -> impl Stream<Item = Result<Bytes, ExportError>> + Send + 'static {
        let (sender, receiver) = mpsc::channel(1);
        let work = async move { self.write(&mut Output(sender), &*tell).await };
        let failure = stream::once(work).filter_map(async |outcome| outcome.err().map(Err));
        let bytes = stream::unfold(receiver, async |mut receiver| {
            let chunk = receiver.recv().await?;
            Some((Ok(chunk), receiver))
        });
        stream::select(bytes, failure)
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
            TableFormat::Csv { with_bom } => {
                let mut table = CsvTable::new(with_bom);
                table.add(&self.heading())?;
                let mut done = 0;
                while let Some(rows) = self.next().await? {
                    for row in &rows {
                        table.add(row)?;
                    }
                    done += rows.len() as u64;
                    tell(done);
                    output.send(table.take()?).await?;
                }
                output.send(table.take()?).await?;
                Ok(())
            }
        }
    }
}
