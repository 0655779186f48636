//! Bytes that are made while they are read.

use std::io;

use bytes::Bytes;
use futures_util::stream::{self, Stream, StreamExt};
use tokio::sync::mpsc;

/// Where the bytes go.
pub(crate) struct Output(mpsc::Sender<Bytes>);

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

/// The bytes that some work sends. They are made no faster than they are read, and no longer. A stream that ends with an
/// error is not whole.
pub(crate) fn made_while_read<E, W>(
    work: impl FnOnce(Output) -> W,
) -> impl Stream<Item = Result<Bytes, E>> + Send + 'static
where
    E: Send + 'static,
    W: Future<Output = Result<(), E>> + Send + 'static,
{
    let (sender, receiver) = mpsc::channel(1);
    let work = work(Output(sender));
    let failure = stream::once(work).filter_map(async |outcome| outcome.err().map(Err));
    let bytes = stream::unfold(receiver, async |mut receiver| {
        let chunk = receiver.recv().await?;
        Some((Ok(chunk), receiver))
    });
    stream::select(bytes, failure)
}
