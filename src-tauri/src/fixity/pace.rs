//! How fast the audit reads: as slowly as the pass allows, never faster than the configuration does.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

/// A thread that is asked to close must not sleep longer than this.
const LONGEST_SLEEP: Duration = Duration::from_millis(100);

/// Bytes a second for what is left of a pass: so that it ends in time, but not faster than `most`.
pub(super) fn rate(bytes: u64, seconds: i64, most: f64) -> f64 {
    let seconds = u64::try_from(seconds).unwrap_or(0);
    if seconds == 0 {
        return most;
    }
    #[expect(clippy::cast_precision_loss, reason = "a rate need not be exact")]
    let needed = bytes as f64 / seconds as f64;
    needed.min(most)
}

/// Lets bytes pass at a rate.
pub(super) struct Pace {
    started: Instant,
    /// When the bytes so far should have been read.
    due: Duration,
    /// Bytes a second.
    rate: f64,
    closing: CancellationToken,
}

impl Pace {
    pub(super) fn new(rate: f64, closing: CancellationToken) -> Pace {
        Pace {
            started: Instant::now(),
            due: Duration::ZERO,
            rate: rate.max(1.0),
            closing,
        }
    }

    /// Waits until bytes that were read should have been; breaks off when the program closes.
    pub(super) fn take(&mut self, bytes: u64) -> ControlFlow<()> {
        #[expect(clippy::cast_precision_loss, reason = "a rate need not be exact")]
        let seconds = (bytes as f64 / self.rate).min(1e9);
        self.due += Duration::from_secs_f64(seconds);
        loop {
            if self.closing.is_cancelled() {
                return ControlFlow::Break(());
            }
            let ahead = self.due.saturating_sub(self.started.elapsed());
            if ahead.is_zero() {
                return ControlFlow::Continue(());
            }
            std::thread::sleep(ahead.min(LONGEST_SLEEP));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_takes_its_time_and_keeps_the_limit() {
        assert!((rate(90_000, 90, 5000.0) - 1000.0).abs() < 1e-9);
        assert!((rate(90_000_000, 90, 5000.0) - 5000.0).abs() < 1e-9);
        for late in [0, -5] {
            assert!((rate(90, late, 5000.0) - 5000.0).abs() < 1e-9);
        }
    }

    #[test]
    fn bytes_pass_no_faster_than_the_rate() {
        let mut pace = Pace::new(1_000_000.0, CancellationToken::new());
        let started = Instant::now();
        for _ in 0..10 {
            assert!(pace.take(20_000).is_continue());
        }
        assert!(started.elapsed() >= Duration::from_millis(200));
    }

    #[test]
    fn closing_ends_every_wait() {
        let closing = CancellationToken::new();
        closing.cancel();
        assert!(Pace::new(1.0, closing).take(1_000_000).is_break());
    }
}
