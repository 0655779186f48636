//! Says that events were committed.

use std::sync::Arc;

use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::Event;

/// Wakes who follows the table of events. It does not say which events there are: who is woken reads the table.
#[derive(Debug)]
pub struct EventArrivals(Receiver<Arc<Event>>);

impl EventArrivals {
    pub(super) fn of(events: Receiver<Arc<Event>>) -> EventArrivals {
        EventArrivals(events)
    }

    /// Waits for an event. All that have arrived since the last call are one arrival, so after thousands of changes the
    /// table is read once. False when there will be none.
    pub async fn next(&mut self) -> bool {
        let received = self.0.recv().await;
        self.0 = self.0.resubscribe();
        !matches!(received, Err(RecvError::Closed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isolario_model::content::EntityKind;
    use tokio::sync::broadcast;

    fn event(id: i64) -> Arc<Event> {
        Arc::new(Event {
            id,
            at: 0,
            actor: 1,
            origin: "rest".into(),
            action: "update".into(),
            kind: EntityKind::Node,
            entity_id: 1,
            revision: None,
            label: String::new(),
            parents: Vec::new(),
            batch: None,
        })
    }

    #[tokio::test]
    async fn many_events_are_one_arrival() {
        let (sender, receiver) = broadcast::channel(4);
        let mut arrivals = EventArrivals::of(receiver);
        for count in [3, 9] {
            (0..count).for_each(|id| drop(sender.send(event(id))));
            assert!(arrivals.next().await);
            let waits = tokio::select! {
                biased;
                _ = arrivals.next() => false,
                () = std::future::ready(()) => true,
            };
            assert!(waits, "{count} events");
        }
        drop(sender);
        assert!(!arrivals.next().await);
    }
}
