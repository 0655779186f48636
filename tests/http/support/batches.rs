//! Changes of many items, from the request to their end.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::people::{ADMIN, Person};
use super::server::TestServer;

impl TestServer {
    /// What a change of many items would do.
    #[track_caller]
    pub fn preview_batch(&self, person: Person, items: Value, change: Value) -> Value {
        let body = json!({"items": items, "change": change});
        let request = self.post("/api/v1/batches/preview").signed_in(person);
        request.json(body).send().expect(200).json()
    }

    /// Changes many items, and waits until that has ended.
    #[track_caller]
    pub fn run_batch_as(&self, person: Person, items: Value, change: Value) -> Value {
        let body = json!({"items": items, "change": change});
        let request = self.post("/api/v1/batches").signed_in(person);
        self.batch_ended(&request.json(body).send().expect(202).json())
    }

    /// As `run_batch_as`, by the administrator.
    #[track_caller]
    pub fn run_batch(&self, items: Value, change: Value) -> Value {
        self.run_batch_as(ADMIN, items, change)
    }

    /// Takes a batch back, and waits until that has ended.
    #[track_caller]
    pub fn undo_batch(&self, batch: &Value) -> Value {
        let path = format!("/api/v1/batches/{}/undo", batch["id"]);
        self.batch_ended(&self.post(&path).as_admin().send().expect(202).json())
    }

    /// Waits until a batch has ended.
    #[track_caller]
    pub fn batch_ended(&self, begun: &Value) -> Value {
        let path = format!("/api/v1/batches/{}", begun["id"]);
        let started = Instant::now();
        loop {
            let batch = self.get(&path).as_admin().send().expect(200).json();
            if !batch["ended"].is_null() {
                return batch;
            }
            assert!(
                started.elapsed() < Duration::from_secs(60),
                "stuck: {batch}"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// How many items a batch has changed, and how many it could not change.
pub fn outcome(batch: &Value) -> [Option<u64>; 2] {
    ["changed", "refused"].map(|name| batch[name].as_u64())
}
