//! The read rate of the audit: as slow as the length of a pass allows, and never above the configured maximum.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::priority::Priority;

/// The longest sleep of a thread, so that it closes soon when it is asked to.
const LONGEST_SLEEP: Duration = Duration::from_millis(100);

/// Bytes per second for the rest of a pass, so that it ends in time. At most `most`.
pub(super) fn rate(bytes: u64, seconds: i64, most: f64) -> f64 {
    let seconds = u64::try_from(seconds).unwrap_or(0);
    if seconds == 0 {
        return most;
    }
    #[expect(clippy::cast_precision_loss, reason = "a rate need not be exact")]
    let needed = bytes as f64 / seconds as f64;
    needed.min(most)
}

/// Bytes a second.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rates {
    pub(super) usual: f64,
    /// The rate while a person waits for the pass.
    pub(super) most: f64,
}

/// Delays reads so that they keep a rate.
pub(super) struct ReadThrottle {
    started: Instant,
    /// When the bytes so far are due at this rate.
    due: Duration,
    rates: Rates,
    priority: Priority,
    closing: CancellationToken,
}

impl ReadThrottle {
    pub(super) fn new(
        rates: Rates,
        priority: Priority,
        closing: CancellationToken,
    ) -> ReadThrottle {
        ReadThrottle {
            started: Instant::now(),
            due: Duration::ZERO,
            rates,
            priority,
            closing,
        }
    }

    /// Waits until the bytes that were read are due; ends early when the program closes.
    pub(super) fn take(&mut self, bytes: u64) -> ControlFlow<()> {
        #[expect(clippy::cast_precision_loss, reason = "a rate need not be exact")]
        let seconds = |rate: f64| Duration::from_secs_f64((bytes as f64 / rate.max(1.0)).min(1e9));
        let is_prioritised = self.priority.is_on();
        self.due += seconds(if is_prioritised {
            self.rates.most
        } else {
            self.rates.usual
        });
        loop {
            if self.priority.is_on() && !is_prioritised {
                // What was slow is over: the rest is counted from here.
                self.due = self.due.min(self.started.elapsed());
            }
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
    use super::super::priority::Priority;
    use super::*;

    fn usual(usual: f64) -> Rates {
        Rates { usual, most: 1e12 }
    }

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
        let mut throttle = ReadThrottle::new(
            usual(1_000_000.0),
            Priority::default(),
            CancellationToken::new(),
        );
        let started = Instant::now();
        for _ in 0..10 {
            assert!(throttle.take(20_000).is_continue());
        }
        assert!(started.elapsed() >= Duration::from_millis(200));
    }

    #[test]
    fn closing_ends_every_wait() {
        let closing = CancellationToken::new();
        closing.cancel();
        let mut throttle = ReadThrottle::new(usual(1.0), Priority::default(), closing);
        assert!(throttle.take(1_000_000).is_break());
    }

    #[test]
    fn who_waits_is_served_at_once() {
        let priority = Priority::default();
        let mut throttle =
            ReadThrottle::new(usual(1.0), priority.clone(), CancellationToken::new());
        priority.set(true);
        assert!(throttle.take(1_000_000).is_continue());
    }
}
