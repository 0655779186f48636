//! The log of requests: time, method, path, status, who by which access token and origin, bytes and milliseconds. Never a query, a
//! header or a body: nothing secret.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;

use super::request_counts::{RequestCount, RequestCounts};
use isolario_config::LogRules;
use isolario_disk::log_file::LogFile;

/// One entry of the log.
#[derive(Debug, Clone, Serialize)]
pub struct LoggedRequest {
    pub at: DateTime<Utc>,
    pub method: String,
    /// Without the query.
    pub path: String,
    pub status: u16,
    /// User id; 0 for nobody.
    pub user: i64,
    /// Number of the access token that it came with.
    pub token: Option<i64>,
    pub origin: &'static str,
    /// Where it came from; remembered, not written.
    pub from: IpAddr,
    /// Bytes of the response's body that were sent.
    pub bytes: u64,
    pub milliseconds: u128,
}

impl LoggedRequest {
    /// Whether it is remembered among the last ones; every request is written.
    fn tells_something(&self) -> bool {
        let looks = self.method == "GET" && self.path.starts_with(LOOKED_AT);
        !looks && !self.path.starts_with(PAGE)
    }
}

/// How many requests are remembered.
const REMEMBERED: usize = 200;
/// Polled by pages that show the other requests.
const LOOKED_AT: &str = "/api/v1/server";
/// The files of the page itself.
const PAGE: &str = "/assets/";

/// What is remembered.
#[derive(Default)]
struct RequestHistory {
    /// The newest first.
    requests: VecDeque<LoggedRequest>,
    counts: RequestCounts,
}

/// The log of one repository. Cheap to clone.
#[derive(Clone)]
pub struct RequestLog {
    recent: Arc<Mutex<RequestHistory>>,
    /// `None`: requests are remembered only.
    file: Option<LogFile>,
}

impl RequestLog {
    /// Begins a log in `logs/` of a data directory.
    pub fn open(data_directory: &Path, rules: &LogRules) -> RequestLog {
        let open = || {
            LogFile::open(
                data_directory,
                "requests",
                rules.megabytes,
                rules.kept_files,
            )
        };
        RequestLog {
            recent: Arc::default(),
            file: rules.requests.then(open),
        }
    }

    /// Notes a request.
    pub fn note(&self, request: LoggedRequest) {
        if let Some(file) = &self.file {
            file.add(text_of(&request));
        }
        if request.tells_something()
            && let Ok(mut recent) = self.recent.lock()
        {
            recent.counts.add(request.at.timestamp(), request.status);
            recent.requests.truncate(REMEMBERED - 1);
            recent.requests.push_front(request);
        }
    }

    /// The last requests, the newest first.
    pub fn recent(&self) -> Vec<LoggedRequest> {
        let recent = self.recent.lock();
        let all =
            |recent: MutexGuard<'_, RequestHistory>| recent.requests.iter().cloned().collect();
        recent.map_or_else(|_| Vec::new(), all)
    }

    /// How many requests there were in the hour before `now` (Unix seconds).
    pub fn last_hour(&self, now: i64) -> RequestCount {
        let recent = self.recent.lock();
        recent.map_or_else(
            |_| RequestCount::default(),
            |recent| recent.counts.last_hour(now),
        )
    }

    /// Waits until everything noted so far is written.
    pub fn flush(&self) {
        if let Some(file) = &self.file {
            file.flush();
        }
    }
}

fn text_of(request: &LoggedRequest) -> String {
    let token = request.token.map(|id| format!(" token={id}"));
    format!(
        "{} {} {} {} user={}{} origin={} bytes={} ms={}\n",
        request.at.to_rfc3339_opts(SecondsFormat::Millis, true),
        request.method,
        request.path,
        request.status,
        request.user,
        token.unwrap_or_default(),
        request.origin,
        request.bytes,
        request.milliseconds,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(path: &str) -> LoggedRequest {
        LoggedRequest {
            at: DateTime::UNIX_EPOCH,
            method: "GET".into(),
            path: path.into(),
            status: 200,
            user: 1,
            token: None,
            origin: "rest",
            from: IpAddr::from([127, 0, 0, 1]),
            bytes: 7,
            milliseconds: 3,
        }
    }

    #[test]
    fn a_request_is_one_line() {
        let directory = tempfile::tempdir().expect("a directory");
        let log = RequestLog::open(directory.path(), &LogRules::default());
        log.note(request("/node/1"));
        log.flush();
        let text = std::fs::read_to_string(directory.path().join("logs/requests.log"));
        let line = "1970-01-01T00:00:00.000Z GET /node/1 200 user=1 origin=rest bytes=7 ms=3\n";
        assert_eq!(text.expect("written"), line);
        assert_eq!(log.recent().len(), 1);
        let by_service = LoggedRequest {
            token: Some(7),
            ..request("/node/2")
        };
        assert!(text_of(&by_service).contains(" user=1 token=7 origin=rest "));
    }

    #[test]
    fn the_last_requests_are_remembered() {
        let directory = tempfile::tempdir().expect("a directory");
        let log = RequestLog::open(directory.path(), &LogRules::default());
        (0..REMEMBERED + 5).for_each(|number| log.note(request(&format!("/node/{number}"))));
        let recent = log.recent();
        assert_eq!(recent.len(), REMEMBERED);
        assert_eq!(recent[0].path, format!("/node/{}", REMEMBERED + 4));
        log.note(request("/api/v1/server/requests"));
        log.note(request("/assets/index.js"));
        assert_eq!(log.recent()[0].path, recent[0].path);
    }
}
