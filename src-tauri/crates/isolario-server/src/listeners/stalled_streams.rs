//! Ends streams of HTTP/2 whose clients take nothing of the answer. The connection and its other streams go on.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use hyper::rt::Executor;
use tokio::time::{Instant, sleep};

tokio::task_local! {
    static PROGRESS: Arc<Progress>;
}

/// How far the answer of a stream is.
#[derive(Default)]
struct Progress {
    /// How often more of it was asked for.
    asked: AtomicU64,
    /// Whether the client has to take something before more is asked for.
    given: AtomicBool,
}

/// Runs each stream of a connection as a task, and drops it when its client takes nothing for too long. A stream that is
/// dropped is reset.
#[derive(Clone)]
pub struct StreamExecutor {
    limit: Duration,
}

impl StreamExecutor {
    /// `limit` is how long a client may take nothing.
    pub fn new(limit: Duration) -> StreamExecutor {
        StreamExecutor { limit }
    }
}

impl<F> Executor<F> for StreamExecutor
where
    F: Future + Send + 'static,
{
    fn execute(&self, stream: F) {
        let progress = Arc::<Progress>::default();
        let run = run(stream, progress.clone(), self.limit);
        tokio::spawn(PROGRESS.scope(progress, run));
    }
}

async fn run<F: Future>(stream: F, progress: Arc<Progress>, limit: Duration) {
    let mut stream = pin!(stream);
    let mut timer = pin!(sleep(limit));
    let mut seen = 0;
    poll_fn(|context| {
        if stream.as_mut().poll(context).is_ready() {
            return Poll::Ready(());
        }
        let asked = progress.asked.load(Ordering::Relaxed);
        if asked != seen || !progress.given.load(Ordering::Relaxed) {
            seen = asked;
            timer.as_mut().reset(Instant::now() + limit);
        }
        timer.as_mut().poll(context)
    })
    .await;
}

/// The body of an answer, which notes its progress, and keeps something until it has been taken.
pub struct TakenBody<K> {
    body: Body,
    progress: Option<Arc<Progress>>,
    _kept: K,
}

impl<K> TakenBody<K> {
    /// The body of the answer of this task's stream.
    pub fn new(body: Body, kept: K) -> TakenBody<K> {
        let progress = PROGRESS.try_with(Arc::clone).ok();
        TakenBody {
            body,
            progress,
            _kept: kept,
        }
    }
}

impl<K: Unpin> HttpBody for TakenBody<K> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let Some(progress) = &self.progress {
            progress.asked.fetch_add(1, Ordering::Relaxed);
            progress.given.store(polled.is_ready(), Ordering::Relaxed);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
