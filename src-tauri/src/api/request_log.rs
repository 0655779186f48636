//! Notes every request once its answer has been sent: time, method, path, status, who, through which
//! door, bytes and milliseconds. Never a query, a header or a body: nothing secret.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::net::IpAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use chrono::{DateTime, SecondsFormat, Utc};
use hyper::body::{Frame, SizeHint};
use serde::Serialize;

use super::Peer;
use super::authentication::Asked;
use super::router::AppState;
use crate::cli::config::LogRules;
use crate::repository::Door;

/// One request, as it is noted.
#[derive(Debug, Clone, Serialize)]
pub struct LoggedRequest {
    pub at: DateTime<Utc>,
    pub method: String,
    /// Without the query.
    pub path: String,
    pub status: u16,
    /// User id; 0 for nobody.
    pub user: i64,
    pub door: &'static str,
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
/// Asked again and again by those who look at the other requests.
const LOOKED_AT: &str = "/api/v1/server";
/// The files of the page itself.
const PAGE: &str = "/assets/";
/// How many lines may wait for the disk; beyond, lines are left out rather than requests held up.
const WAITING: usize = 16_384;
/// How long lines gather: waking a thread and writing costs more than answering a request.
const GATHERING: Duration = Duration::from_millis(100);

/// The log of one repository. Cheap to clone.
#[derive(Clone)]
pub struct RequestLog {
    recent: Arc<Mutex<VecDeque<LoggedRequest>>>,
    lines: SyncSender<Line>,
}

enum Line {
    Request(LoggedRequest),
    /// Answered when everything before is on its way to the disk.
    Flush(SyncSender<()>),
}

impl RequestLog {
    /// Begins a log in `logs/` of a data directory. A log that cannot be written is said once, and
    /// costs no request.
    pub fn open(data_directory: &Path, rules: &LogRules) -> RequestLog {
        let (lines, waiting) = sync_channel(WAITING);
        let directory = data_directory.join("logs");
        let written = rules.requests.then(|| Rotated {
            directory,
            limit: rules.megabytes.max(1) * 1_000_000,
            kept: rules.kept_files,
        });
        let writer = move || write_lines(&waiting, written.as_ref());
        let name = "request log".to_owned();
        if let Err(error) = std::thread::Builder::new().name(name).spawn(writer) {
            tracing::error!(%error, "requests are not logged");
        }
        RequestLog {
            recent: Arc::default(),
            lines,
        }
    }

    /// Notes a request.
    pub fn note(&self, request: LoggedRequest) {
        if request.tells_something()
            && let Ok(mut recent) = self.recent.lock()
        {
            recent.truncate(REMEMBERED - 1);
            recent.push_front(request.clone());
        }
        // A full queue drops the line; see `WAITING`.
        let _ = self.lines.try_send(Line::Request(request));
    }

    /// The last requests, the newest first.
    pub fn recent(&self) -> Vec<LoggedRequest> {
        let recent = self.recent.lock();
        recent.map_or_else(|_| Vec::new(), |recent| recent.iter().cloned().collect())
    }

    /// Waits until everything noted so far is written.
    pub fn flush(&self) {
        let (done, written) = sync_channel(1);
        if self.lines.send(Line::Flush(done)).is_ok() {
            let _ = written.recv();
        }
    }
}

/// A log file that is put aside when it is full.
struct Rotated {
    directory: PathBuf,
    /// Bytes.
    limit: u64,
    /// Full files that are kept.
    kept: usize,
}

fn write_lines(waiting: &Receiver<Line>, rotated: Option<&Rotated>) {
    let mut file = None;
    let mut said = false;
    while let Ok(first) = waiting.recv() {
        if matches!(first, Line::Request(_)) {
            std::thread::sleep(GATHERING);
        }
        let (text, flushed) = gathered(std::iter::once(first).chain(waiting.try_iter()));
        if let Some(rotated) = rotated
            && let Err(error) = rotated.write(&mut file, &text)
            && !said
        {
            said = true;
            tracing::error!(%error, "the request log cannot be written");
        }
        drop(flushed);
    }
}

/// The text of the lines, and those who wait for it to be written.
fn gathered(lines: impl Iterator<Item = Line>) -> (String, Vec<SyncSender<()>>) {
    let (mut text, mut waiting) = (String::new(), Vec::new());
    for line in lines.take(WAITING) {
        match line {
            Line::Request(request) => text.push_str(&text_of(&request)),
            Line::Flush(done) => waiting.push(done),
        }
    }
    (text, waiting)
}

fn text_of(request: &LoggedRequest) -> String {
    format!(
        "{} {} {} {} user={} door={} bytes={} ms={}\n",
        request.at.to_rfc3339_opts(SecondsFormat::Millis, true),
        request.method,
        request.path,
        request.status,
        request.user,
        request.door,
        request.bytes,
        request.milliseconds,
    )
}

impl Rotated {
    fn write(&self, file: &mut Option<(File, u64)>, lines: &str) -> std::io::Result<()> {
        if file.as_ref().is_some_and(|(_, size)| *size >= self.limit) {
            *file = None;
            self.put_aside()?;
        }
        if file.is_none() {
            *file = Some(self.open()?);
        }
        if let Some((file, size)) = file {
            file.write_all(lines.as_bytes())?;
            *size += lines.len() as u64;
        }
        Ok(())
    }

    fn open(&self) -> std::io::Result<(File, u64)> {
        std::fs::create_dir_all(&self.directory)?;
        let mut options = OpenOptions::new();
        let file = options
            .create(true)
            .append(true)
            .mode(0o600)
            .open(self.path(0))?;
        let size = file.metadata()?.len();
        Ok((file, size))
    }

    /// `requests.log` becomes `requests.1.log`, and so on; the oldest goes.
    fn put_aside(&self) -> std::io::Result<()> {
        if self.kept == 0 {
            return std::fs::remove_file(self.path(0));
        }
        for number in (0..self.kept).rev() {
            let from = self.path(number);
            if from.exists() {
                std::fs::rename(from, self.path(number + 1))?;
            }
        }
        Ok(())
    }

    fn path(&self, number: usize) -> PathBuf {
        self.directory.join(match number {
            0 => "requests.log".to_owned(),
            _ => format!("requests.{number}.log"),
        })
    }
}

/// The layer. It stands outside of all others.
pub async fn record(State(repository): State<AppState>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().to_string();
    let path = request.uri().path().to_owned();
    let from = Peer::address_of(request.extensions());
    let response = next.run(request).await;
    let asked = response.extensions().get::<Asked>().cloned();
    let entry = LoggedRequest {
        at: chrono::Utc::now(),
        method,
        path,
        status: response.status().as_u16(),
        user: asked.as_ref().map_or(0, |asked| asked.uid),
        door: asked.map_or(Door::Rest, |asked| asked.door).name(),
        from,
        bytes: 0,
        milliseconds: 0,
    };
    let noted = Noted {
        entry: Some(entry),
        started,
        log: repository.request_log.clone(),
    };
    response.map(|body| Body::new(Counted { body, noted }))
}

/// Writes the entry when the body it belongs to has been sent or given up.
struct Noted {
    entry: Option<LoggedRequest>,
    started: Instant,
    log: RequestLog,
}

impl Drop for Noted {
    fn drop(&mut self) {
        if let Some(mut entry) = self.entry.take() {
            entry.milliseconds = self.started.elapsed().as_millis();
            self.log.note(entry);
        }
    }
}

struct Counted {
    body: Body,
    noted: Noted,
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &polled
            && let Some(data) = frame.data_ref()
            && let Some(entry) = &mut self.noted.entry
        {
            entry.bytes += data.len() as u64;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
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
            door: "rest",
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
        let line = "1970-01-01T00:00:00.000Z GET /node/1 200 user=1 door=rest bytes=7 ms=3\n";
        assert_eq!(text.expect("written"), line);
        assert_eq!(log.recent().len(), 1);
    }

    #[test]
    fn full_files_are_put_aside_and_the_oldest_goes() {
        let directory = tempfile::tempdir().expect("a directory");
        let rotated = Rotated {
            directory: directory.path().to_owned(),
            limit: 10,
            kept: 2,
        };
        let mut file = None;
        for number in 0..4 {
            rotated
                .write(&mut file, &format!("line number {number}\n"))
                .expect("written");
        }
        let read = |name: &str| std::fs::read_to_string(directory.path().join(name)).ok();
        assert_eq!(read("requests.log"), Some("line number 3\n".into()));
        assert_eq!(read("requests.2.log"), Some("line number 1\n".into()));
        assert_eq!(read("requests.3.log"), None);
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
