//! Reads and discards the rest of a request body that was not read.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::http::{HeaderMap, header};
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

/// Bytes that are discarded at most, and the time for them.
const LONGEST: usize = 64 * 1024 * 1024;
const TIMEOUT: Duration = Duration::from_secs(30);

/// A body whose rest is read and discarded when it is dropped, within limits. Many clients read the response only after
/// they have sent the whole body, and they lose it when the connection closes before (RFC 9112, 9.6). The body of a
/// client that waits for permission to send (RFC 9110, 10.1.1) is not read.
pub struct DrainingBody {
    body: Option<Incoming>,
    /// Whether the sender waits for `100 Continue`, which the first read of the body sends.
    waits: bool,
    closing: CancellationToken,
}

impl DrainingBody {
    /// Takes the body of a request with these headers, until the program closes.
    pub fn new(headers: &HeaderMap, body: Incoming, closing: CancellationToken) -> DrainingBody {
        DrainingBody {
            body: Some(body),
            waits: headers.contains_key(header::EXPECT),
            closing,
        }
    }
}

impl Body for DrainingBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        self.waits = false;
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        let frame = ready!(Pin::new(body).poll_frame(context));
        if !matches!(frame, Some(Ok(_))) {
            self.body = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Incoming::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let left = self.body.as_ref().map(Incoming::size_hint);
        left.unwrap_or_else(|| SizeHint::with_exact(0))
    }
}

impl Drop for DrainingBody {
    fn drop(&mut self) {
        let left = self.body.take().filter(|body| !body.is_end_stream());
        let Some(body) = left.filter(|_| !self.waits) else {
            return;
        };
        // Without a runtime nobody serves the connection either.
        if let Ok(runtime) = Handle::try_current() {
            let closing = self.closing.clone();
            runtime.spawn(async move {
                let reading = tokio::time::timeout(TIMEOUT, read_away(body));
                closing.run_until_cancelled(reading).await
            });
        }
    }
}

async fn read_away(mut body: Incoming) {
    let mut read = 0;
    while let Some(Ok(frame)) = body.frame().await {
        read += frame.data_ref().map_or(0, Bytes::len);
        if read > LONGEST {
            break;
        }
    }
}
