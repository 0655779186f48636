//! Throttles derivatives while others make changes. Jobs then run a small part of the time only.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use tokio::time::Instant;

use crate::repository::Repository;
use isolario_model::origin::Origin;

/// How long after a change other changes are expected.
const QUIET: Duration = Duration::from_secs(1);
/// While others make changes, the pause is so many times as long as the job took.
const REST: u32 = 30;
/// The longest pause.
const LONGEST_REST: Duration = Duration::from_secs(300);

/// The time of the last change of others, and the rest between jobs while they make changes.
#[derive(Default)]
pub struct WorkThrottle(Mutex<ThrottleState>);

#[derive(Default)]
struct ThrottleState {
    last_change: Option<Instant>,
    /// The job that has begun while others make changes, or the end of the pause after it.
    resting: Rest,
}

#[derive(Default)]
enum Rest {
    #[default]
    No,
    /// One job runs, the others wait.
    WhileOneWorks,
    Until(Instant),
}

impl WorkThrottle {
    /// Records that others have changed something.
    pub fn others_change(&self) {
        self.state(|state| state.last_change = Some(Instant::now()));
    }

    /// Whether a job without priority may begin. If so, it counts as begun.
    pub fn may_begin(&self) -> bool {
        self.state(|state| state.may_begin(Instant::now()))
    }

    /// Records how long a finished job took.
    pub fn worked(&self, time: Duration) {
        self.state(|state| state.worked(Instant::now(), time));
    }

    fn state<T>(&self, change: impl FnOnce(&mut ThrottleState) -> T) -> T {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state)
    }
}

impl ThrottleState {
    fn may_begin(&mut self, now: Instant) -> bool {
        let busy = self.last_change.is_some_and(|last| now < last + QUIET);
        if !busy {
            self.resting = Rest::No;
            return true;
        }
        match self.resting {
            Rest::WhileOneWorks => false,
            Rest::Until(end) if now < end => false,
            _ => {
                self.resting = Rest::WhileOneWorks;
                true
            }
        }
    }

    fn worked(&mut self, now: Instant, time: Duration) {
        let rest = time.saturating_mul(REST).min(LONGEST_REST);
        self.resting = Rest::Until(now + rest);
    }
}

/// Records the changes of others until the program closes.
pub async fn listen(repository: Arc<Repository>, throttle: Arc<WorkThrottle>) {
    let mut events = repository.db.events();
    loop {
        match events.recv().await {
            Ok(event) if event.origin == Origin::Derivative.name() => {}
            Ok(_) | Err(RecvError::Lagged(_)) => throttle.others_change(),
            Err(RecvError::Closed) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORK: Duration = Duration::from_millis(100);

    fn later(start: Instant, milliseconds: u64) -> Instant {
        start + Duration::from_millis(milliseconds)
    }

    #[test]
    fn work_rests_while_others_change_things() {
        let (mut state, start) = (ThrottleState::default(), Instant::now());
        assert!(state.may_begin(start) && state.may_begin(start));
        state.last_change = Some(start);
        assert!(state.may_begin(start));
        assert!(!state.may_begin(start), "one at a time");
        state.worked(start, WORK);
        assert!(!state.may_begin(later(start, 900)));
        let quiet = later(start, 1_000);
        assert!(state.may_begin(quiet) && state.may_begin(quiet));
    }

    #[test]
    fn work_is_done_though_others_never_rest() {
        let (mut state, start) = (ThrottleState::default(), Instant::now());
        let mut begun = 0;
        for step in 0..100 {
            let now = later(start, step * 500);
            state.last_change = Some(now);
            if state.may_begin(now) {
                begun += 1;
                state.worked(now, WORK);
            }
        }
        assert_eq!(begun, 17, "a tenth of a second every three");
    }
}
