//! Ends connections whose clients do not read the answers to their requests.

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A connection that ends with an error when the peer accepts no byte of an answer for too long. Reads have no timeout
/// here.
pub struct IdleTimeout<S> {
    stream: S,
    limit: Duration,
    /// Runs while the other end takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> IdleTimeout<S> {
    /// `stream`, with a time limit for each write.
    pub fn new(stream: S, limit: Duration) -> IdleTimeout<S> {
        IdleTimeout {
            stream,
            limit,
            stalled: None,
        }
    }

    /// The outcome of a write, or an error when the write has been pending for too long.
    fn in_time<T>(&mut self, context: &mut Context<'_>, sent: Poll<Result<T>>) -> Poll<Result<T>> {
        if sent.is_ready() {
            self.stalled = None;
            return sent;
        }
        let limit = self.limit;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(limit)));
        stalled.as_mut().poll(context).map(|()| {
            Err(Error::new(
                ErrorKind::TimedOut,
                "an answer was not taken in time",
            ))
        })
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for IdleTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for IdleTimeout<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.in_time(context, sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    const LIMIT: Duration = Duration::from_millis(200);

    #[tokio::test]
    async fn each_bit_that_is_taken_gives_time_for_the_next() {
        let (here, mut there) = duplex(4);
        let mut here = IdleTimeout::new(here, LIMIT);
        here.write_all(b"full").await.expect("there is room");
        for _ in 0..3 {
            let waits = poll_fn(|context| {
                Poll::Ready(
                    Pin::new(&mut here)
                        .poll_write(context, b"more")
                        .is_pending(),
                )
            });
            assert!(waits.await, "the other end has time");
            tokio::time::sleep(LIMIT * 2).await;
            there.read_exact(&mut [0; 4]).await.expect("sent");
            here.write_all(b"more").await.expect("there is room again");
        }
        let late = here.write_all(b"more").await.expect_err("nobody reads");
        assert_eq!(late.kind(), ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn who_has_nothing_to_take_is_not_hurried() {
        let (here, mut there) = duplex(4);
        let mut here = IdleTimeout::new(here, LIMIT);
        here.write_all(b"full").await.expect("there is room");
        tokio::time::sleep(LIMIT * 2).await;
        there.write_all(b"next").await.expect("there is room");
        here.read_exact(&mut [0; 4]).await.expect("still open");
    }
}
