//! How far a long command is, and the line of the terminal that shows it.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// How far a command is, in a few words. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Progress(Arc<Mutex<String>>);

impl Progress {
    /// Says it anew.
    pub fn set(&self, words: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = words;
    }

    /// What was said last; empty in the beginning.
    pub fn now(&self) -> String {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// As a function.
    pub fn say(&self) -> Arc<dyn Fn(String) + Send + Sync> {
        let progress = self.clone();
        Arc::new(move |words| progress.set(words))
    }

    /// Shows it while work goes on, if somebody watches.
    pub async fn shown_during<T>(&self, work: impl Future<Output = T>) -> T {
        if !std::io::stderr().is_terminal() {
            return work.await;
        }
        tokio::pin!(work);
        loop {
            match tokio::time::timeout(POLL_INTERVAL, &mut work).await {
                Ok(done) => {
                    show("");
                    return done;
                }
                Err(_) => show(&self.now()),
            }
        }
    }
}

/// Writes over the last line of the terminal.
fn show(words: &str) {
    let mut terminal = std::io::stderr().lock();
    // A terminal that has gone away is no reason to fail.
    let _ = write!(terminal, "\r\x1b[K{words}").and_then(|()| terminal.flush());
}
