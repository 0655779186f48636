//! Says when a connection of HTTP/2 has been idle for long.

use std::time::Duration;

use tokio::sync::watch;

/// Counts the streams of a connection: those that are open, and all that there were.
pub struct OpenStreams(watch::Sender<(usize, u64)>);

/// A stream that is open until this is dropped.
pub struct OpenStream(watch::Sender<(usize, u64)>);

/// Watches the streams of a connection.
pub struct StreamWatch(watch::Receiver<(usize, u64)>);

impl OpenStreams {
    /// No streams so far.
    pub fn new() -> (OpenStreams, StreamWatch) {
        let (sender, receiver) = watch::channel((0, 0));
        (OpenStreams(sender), StreamWatch(receiver))
    }

    /// Counts one more.
    pub fn begin(&self) -> OpenStream {
        self.0.send_modify(|(open, all)| {
            *open += 1;
            *all += 1;
        });
        OpenStream(self.0.clone())
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.send_modify(|(open, _)| *open -= 1);
    }
}

impl StreamWatch {
    /// Returns when no stream was open for so long, and none began.
    pub async fn idle_for(&mut self, limit: Duration) {
        loop {
            // Who counts lives as long as the connection.
            let _ = self.0.wait_for(|(open, _)| *open == 0).await;
            if tokio::time::timeout(limit, self.0.changed()).await.is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(50);

    #[tokio::test]
    async fn a_connection_is_idle_from_the_end_of_its_last_stream() {
        let (streams, mut watch) = OpenStreams::new();
        let stream = streams.begin();
        drop(streams.begin());
        let waited = tokio::time::timeout(LIMIT * 4, watch.idle_for(LIMIT)).await;
        assert!(waited.is_err(), "one is open");
        drop(stream);
        watch.idle_for(LIMIT).await;
    }
}
