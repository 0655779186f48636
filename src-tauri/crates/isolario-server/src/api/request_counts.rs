//! How many requests there were in the last hour. They are counted by minute, so that one more costs the same however
//! many there were.

const MINUTES: usize = 60;

/// The requests of a span of time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RequestCount {
    pub requests: u64,
    /// Of these, with a status from 400 to 499.
    pub refused: u64,
    /// Of these, with a status from 500 on.
    pub failed: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Minute {
    /// Since the epoch.
    number: i64,
    count: RequestCount,
}

/// The requests of the last 60 minutes.
#[derive(Debug)]
pub struct RequestCounts([Minute; MINUTES]);

impl Default for RequestCounts {
    fn default() -> RequestCounts {
        RequestCounts([Minute::default(); MINUTES])
    }
}

impl RequestCounts {
    /// Counts a request that was answered at a time (Unix seconds).
    pub fn add(&mut self, at: i64, status: u16) {
        let number = at.div_euclid(60);
        let place = usize::try_from(number.rem_euclid(60)).unwrap_or_default();
        let minute = &mut self.0[place];
        if minute.number != number {
            *minute = Minute {
                number,
                ..Minute::default()
            };
        }
        minute.count.requests += 1;
        minute.count.refused += u64::from((400..500).contains(&status));
        minute.count.failed += u64::from(status >= 500);
    }

    /// The requests of the hour before `now` (Unix seconds).
    pub fn last_hour(&self, now: i64) -> RequestCount {
        let last = now.div_euclid(60);
        let recent = |minute: &&Minute| (0..60).contains(&(last - minute.number));
        let add = |sum: RequestCount, minute: &Minute| RequestCount {
            requests: sum.requests + minute.count.requests,
            refused: sum.refused + minute.count.refused,
            failed: sum.failed + minute.count.failed,
        };
        self.0
            .iter()
            .filter(recent)
            .fold(RequestCount::default(), add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_is_counted_and_what_was_before_is_forgotten() {
        let mut counts = RequestCounts::default();
        let start = 1_000_000_020;
        for (after, status) in [(0, 200), (30, 404), (600, 503), (3_000, 304)] {
            counts.add(start + after, status);
        }
        let count = |now: i64| {
            let RequestCount {
                requests,
                refused,
                failed,
            } = counts.last_hour(now);
            [requests, refused, failed]
        };
        assert_eq!(count(start + 3_000), [4, 1, 1]);
        assert_eq!(count(start + 3_660), [2, 0, 1]);
        assert_eq!(count(start + 7_000), [0, 0, 0]);
        assert_eq!(count(start - 120), [0, 0, 0], "the clock went back");
        counts.add(start + 3_600, 200);
        assert_eq!(counts.last_hour(start + 3_600).requests, 3);
    }
}
