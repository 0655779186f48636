//! Reads the table of events from an id on. A commit only wakes the listener, which then reads the table. So a slow
//! listener misses no event and delays nobody.

use tokio_util::sync::CancellationToken;

use isolario_db::{Db, DbError, Event, EventArrivals};

/// How many events are read at once.
const BATCH: u32 = 100;

/// A reader of the table of events.
pub struct Listener {
    db: Db,
    arrivals: EventArrivals,
    closing: CancellationToken,
    last: i64,
}

impl Listener {
    /// Listens for events after a number, or from now on, until the program closes.
    pub async fn open(
        db: Db,
        closing: CancellationToken,
        after: Option<i64>,
    ) -> Result<Listener, DbError> {
        // Before the table is read, so that no commit falls between.
        let arrivals = db.event_arrivals();
        let newest = db.read(|read| read.last_event()).await?;
        Ok(Listener {
            db,
            arrivals,
            closing,
            last: after.map_or(newest, |after| after.min(newest)),
        })
    }

    /// The number of the event after which the next ones come.
    pub fn last(&self) -> i64 {
        self.last
    }

    /// The next events, oldest first; waits until there are some. `None` when the program closes.
    pub async fn next(&mut self) -> Result<Option<Vec<Event>>, DbError> {
        loop {
            let after = self.last;
            let events = self
                .db
                .read(move |read| read.events_after(after, BATCH))
                .await?;
            if let Some(newest) = events.last() {
                self.last = newest.id;
                return Ok(Some(events));
            }
            if !self.wait().await {
                return Ok(None);
            }
        }
    }

    /// Waits for a commit. False when there will be none.
    async fn wait(&mut self) -> bool {
        tokio::select! {
            () = self.closing.cancelled() => false,
            is_open = self.arrivals.next() => is_open,
        }
    }
}
