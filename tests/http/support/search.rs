//! Searches.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Request, TestServer};

impl TestServer {
    /// Waits until the index can be asked.
    pub fn until_searchable(&self) {
        let start = Instant::now();
        while self.get("/api/v1/search").send().status == 503 {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "no index is made"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// A search for what somebody typed, with further parameters.
    pub fn search(&self, typed: &str, parameters: &str) -> Request<'_> {
        self.until_searchable();
        self.get(&format!("/api/v1/search?q={}{parameters}", encoded(typed)))
    }

    /// The ids that the administrator finds, in their order.
    #[track_caller]
    pub fn found(&self, typed: &str) -> Vec<i64> {
        self.found_with(typed, "")
    }

    /// The ids that the administrator finds with further parameters.
    #[track_caller]
    pub fn found_with(&self, typed: &str, parameters: &str) -> Vec<i64> {
        let answer = self.search(typed, parameters).as_admin().send().expect(200);
        let answer = answer.json();
        assert_eq!(answer["current"], true, "{answer}");
        hits(&answer)
    }
}

/// The ids of the hits of an answer.
#[track_caller]
pub fn hits(answer: &Value) -> Vec<i64> {
    let hits = answer["hits"].as_array().expect("hits").iter();
    hits.map(|hit| hit["item"]["nid"].as_i64().expect("a nid"))
        .collect()
}

/// A text as it stands in an address.
pub fn encoded(text: &str) -> String {
    let bytes = text.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    bytes.collect()
}
