//! Signals, as every Unix has them.

use std::future::poll_fn;
use std::io;
use std::task::Poll;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Ctrl+C, the system's wish to end the program, and the end of its terminal, unless it was started to outlive that
/// (`nohup`).
pub struct EndSignals(Vec<Signal>);

impl EndSignals {
    /// Listens from now on.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn listen() -> io::Result<EndSignals> {
        let mut kinds = vec![SignalKind::interrupt(), SignalKind::terminate()];
        if !is_ignored(SignalKind::hangup()) {
            kinds.push(SignalKind::hangup());
        }
        let signals = kinds.into_iter().map(signal).collect::<io::Result<_>>();
        Ok(EndSignals(signals?))
    }

    /// Waits for the next of them.
    pub async fn received(&mut self) {
        poll_fn(|context| {
            let mut signals = self.0.iter_mut();
            match signals.any(|signal| signal.poll_recv(context).is_ready()) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        })
        .await;
    }
}

/// Whether whoever started the program had it ignore a signal, as proc(5) tells.
#[cfg(target_os = "linux")]
#[expect(clippy::disallowed_methods, reason = "the system tells it in /proc")]
fn is_ignored(kind: SignalKind) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (kind.as_raw_value() - 1) & 1 == 1)
}

/// The system does not tell.
#[cfg(not(target_os = "linux"))]
fn is_ignored(_: SignalKind) -> bool {
    false
}
