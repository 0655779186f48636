//! Files of this machine through the same router as everybody's: the window sends and fetches
//! without a socket in between, and is checked, told and logged like any client.

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use axum::{
    Router,
    body::{Body, Bytes},
    http::{HeaderValue, Method, Request, Response, StatusCode, header, request::Builder},
};
use futures_util::StreamExt;
use http_body_util::BodyExt;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use super::{AppState, ErrorCode, router};
use isolario_blobs::local_copy::write_copy;
use isolario_blobs::local_source::LocalSource;

/// An answer that is told in a sentence is never longer than this.
const LONGEST_ANSWER: usize = 64 * 1024;
/// An answer that the page reads.
const LONGEST_JSON: usize = 4 * 1024 * 1024;

/// A file on disk and where it goes: interface, Endpoints, `PUT /node/{id}/media/{type}/{use}`.
pub struct LocalUpload {
    pub path: PathBuf,
    pub nid: i64,
    pub media_type: String,
    pub use_tid: i64,
    /// `scheme://path`, in plain UTF-8.
    pub content_location: String,
    pub mime: String,
    /// The ETag that a replacement expects.
    pub if_match: Option<String>,
}

/// What the route answered; `code` and `message` are those of an error.
pub struct LocalUploadOutcome {
    pub status: u16,
    pub location: Option<String>,
    pub code: Option<ErrorCode>,
    pub message: Option<String>,
}

/// A client within the program: the window's key, and the host name that its requests name.
pub struct LocalClient<'a> {
    pub app: AppState,
    /// Those of `router::routes`.
    pub routes: Router,
    pub host: &'a str,
    pub window_key: &'a str,
}

impl LocalClient<'_> {
    /// Streams a file through the upload route; `progress` hears the bytes read so far.
    /// Dropping the future breaks the upload off as a lost connection would.
    pub async fn put_file(
        self,
        upload: LocalUpload,
        progress: impl Fn(u64) + Send + Sync + 'static,
    ) -> LocalUploadOutcome {
        match self.send(upload, progress).await {
            Ok(response) => outcome(response).await,
            Err(sentence) => LocalUploadOutcome {
                status: StatusCode::BAD_REQUEST.as_u16(),
                location: None,
                code: None,
                message: Some(sentence),
            },
        }
    }

    /// Fetches a file by the path and query of its address and writes it to `target`.
    pub async fn save_file(self, path_and_query: &str, target: &Path) -> Result<(), String> {
        let request = self
            .request(Method::GET, path_and_query)
            .body(Body::empty())
            .map_err(|error| error.to_string())?;
        let response = self.answer(request).await;
        if response.status() != StatusCode::OK {
            let (_, message) = error_of(response).await;
            return Err(message);
        }
        write_copy(target, response.into_body().into_data_stream())
            .await
            .map_err(|error| format!("{} cannot be written: {error}.", target.display()))
    }

    /// Posts a file to the path and query of an address. Returns the status and the body of the answer.
    pub async fn post_file(
        self,
        path_and_query: &str,
        source: &Path,
        mime: &str,
    ) -> Result<(u16, String), String> {
        let opened = LocalSource::open(source).await;
        let bytes =
            opened.map_err(|error| format!("{} cannot be opened: {error}.", source.display()))?;
        let request = self
            .request(Method::POST, path_and_query)
            .header(header::CONTENT_TYPE, value(mime)?)
            .header(header::CONTENT_LENGTH, bytes.size())
            .body(Body::from_stream(bytes.into_stream()))
            .map_err(|error| error.to_string())?;
        let response = self.answer(request).await;
        let status = response.status().as_u16();
        let body = http_body_util::Limited::new(response.into_body(), LONGEST_JSON);
        let body = body.collect().await.map_err(|error| error.to_string())?;
        Ok((
            status,
            String::from_utf8_lossy(&body.to_bytes()).into_owned(),
        ))
    }

    async fn send(
        self,
        upload: LocalUpload,
        progress: impl Fn(u64) + Send + Sync + 'static,
    ) -> Result<Response<Body>, String> {
        let source = LocalSource::open(&upload.path)
            .await
            .map_err(|error| format!("{} cannot be opened: {error}.", upload.path.display()))?;
        let mut request = self
            .request(Method::PUT, &route(&upload))
            .header(header::CONTENT_TYPE, value(&upload.mime)?)
            .header(header::CONTENT_LOCATION, value(&upload.content_location)?)
            .header(header::CONTENT_LENGTH, source.size());
        if let Some(tag) = &upload.if_match {
            request = request.header(header::IF_MATCH, value(tag)?);
        }
        let body = Body::from_stream(counted(source, progress));
        let request = request.body(body).map_err(|error| error.to_string())?;
        Ok(self.answer(request).await)
    }

    fn request(&self, method: Method, path_and_query: &str) -> Builder {
        Request::builder()
            .method(method)
            .uri(path_and_query)
            .header(header::HOST, self.host)
            .header(header::AUTHORIZATION, format!("Window {}", self.window_key))
    }

    async fn answer(self, request: Request<Body>) -> Response<Body> {
        router::answer(&self.app, self.routes, request).await
    }
}

fn route(upload: &LocalUpload) -> String {
    let media_type = utf8_percent_encode(&upload.media_type, NON_ALPHANUMERIC);
    format!("/node/{}/media/{media_type}/{}", upload.nid, upload.use_tid)
}

/// Raw UTF-8, which a header may carry though browsers refuse it.
fn value(text: &str) -> Result<HeaderValue, String> {
    HeaderValue::from_bytes(text.as_bytes())
        .map_err(|_| format!("{text:?} has characters that no address may have."))
}

fn counted(
    source: LocalSource,
    progress: impl Fn(u64) + Send + Sync + 'static,
) -> impl futures_util::Stream<Item = std::io::Result<Bytes>> + Send + 'static {
    let sent = AtomicU64::new(0);
    source.into_stream().inspect(move |chunk| {
        if let Ok(chunk) = chunk {
            let size = chunk.len() as u64;
            progress(sent.fetch_add(size, Ordering::Relaxed) + size);
        }
    })
}

async fn outcome(response: Response<Body>) -> LocalUploadOutcome {
    let status = response.status();
    let location = response.headers().get(header::LOCATION);
    let location = location
        .and_then(|url| url.to_str().ok())
        .map(str::to_owned);
    let (code, message) = match status.is_success() {
        true => (None, None),
        false => {
            let (code, message) = error_of(response).await;
            (code, Some(message))
        }
    };
    LocalUploadOutcome {
        status: status.as_u16(),
        location,
        code,
        message,
    }
}

/// The members of an error that the window needs.
#[derive(Deserialize)]
struct ErrorBody {
    code: ErrorCode,
    message: String,
}

/// The code and the message of an error, or its status in words.
async fn error_of(response: Response<Body>) -> (Option<ErrorCode>, String) {
    let status = response.status();
    let body = http_body_util::Limited::new(response.into_body(), LONGEST_ANSWER);
    let bytes = body.collect().await.map(|body| body.to_bytes());
    let body = bytes
        .ok()
        .and_then(|bytes| serde_json::from_slice::<ErrorBody>(&bytes).ok());
    body.map_or_else(
        || (None, status.to_string()),
        |body| (Some(body.code), body.message),
    )
}
