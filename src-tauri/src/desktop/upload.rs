//! A file of this disk, sent through the server's upload route. Its bytes never pass through the page.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use tauri::{
    State, Webview,
    ipc::{Channel, InvokeBody, JavaScriptChannelId, Request},
};
use tokio_util::sync::CancellationToken;

use super::{connection::own_path, embedded::EmbeddedServer, granted::GrantedPaths};
use isolario_program::app::{ErrorCode, LocalUpload};

/// The page draws at most this often.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// What the page asks for. `id` is the page's own, to cancel by.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct UploadRequest {
    id: String,
    path: PathBuf,
    nid: i64,
    media_type: String,
    use_tid: i64,
    content_location: String,
    mime: String,
    #[cfg_attr(test, ts(optional = nullable))]
    if_match: Option<String>,
    #[cfg_attr(test, ts(skip))]
    on_progress: JavaScriptChannelId,
}

/// Bytes.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Progress {
    sent: u64,
    total: u64,
}

/// The server's answer; `status` is 0 when the upload was cancelled.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UploadResponse {
    status: u16,
    location: Option<String>,
    #[cfg_attr(test, ts(as = "Option<String>"))]
    code: Option<ErrorCode>,
    message: Option<String>,
}

/// What is on its way, by the page's id.
#[derive(Default)]
pub struct Uploads(Mutex<HashMap<String, CancellationToken>>);

impl Uploads {
    fn begin(&self, id: &str) -> CancellationToken {
        let token = CancellationToken::new();
        self.locked().insert(id.to_owned(), token.clone());
        token
    }

    fn end(&self, id: &str) {
        self.locked().remove(id);
    }

    fn cancel(&self, id: &str) {
        if let Some(token) = self.locked().get(id) {
            token.cancel();
        }
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, HashMap<String, CancellationToken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sends one file and reports on the page's channel as the bytes go.
#[tauri::command]
pub async fn upload_file(
    request: Request<'_>,
    webview: Webview,
    embedded: State<'_, EmbeddedServer>,
    granted: State<'_, GrantedPaths>,
    uploads: State<'_, Uploads>,
) -> Result<UploadResponse, String> {
    let order = order(request.body())?;
    let path = granted.check(&order.path)?;
    let report = reporter(order.on_progress.channel_on(webview), size(&path).await?);
    let cancelled = uploads.begin(&order.id);
    let server = embedded.server().await?;
    let upload = LocalUpload {
        path,
        nid: order.nid,
        media_type: order.media_type,
        use_tid: order.use_tid,
        content_location: order.content_location,
        mime: order.mime,
        if_match: order.if_match,
    };
    let uploaded = tokio::select! {
        outcome = server.put_file(upload, report) => UploadResponse {
            status: outcome.status,
            location: outcome.location,
            code: outcome.code,
            message: outcome.message,
        },
        () = cancelled.cancelled() => UploadResponse {
            status: 0,
            location: None,
            code: None,
            message: None,
        },
    };
    uploads.end(&order.id);
    Ok(uploaded)
}

/// The server's answer to a file; `body` is JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PostResponse {
    status: u16,
    body: String,
}

/// Posts a file of this disk to an address of the embedded server.
#[tauri::command]
pub async fn post_file(
    path: PathBuf,
    url: String,
    mime: String,
    embedded: State<'_, EmbeddedServer>,
    granted: State<'_, GrantedPaths>,
) -> Result<PostResponse, String> {
    let path = granted.check(&path)?;
    let server = embedded.server().await?;
    let path_and_query = own_path(&url, server.address().port())?;
    let (status, body) = server.post_file(path_and_query, &path, &mime).await?;
    Ok(PostResponse { status, body })
}

/// Stops an upload; the server removes what had arrived. Harmless when it has ended already.
#[tauri::command]
pub fn cancel_upload(id: String, uploads: State<'_, Uploads>) {
    uploads.cancel(&id);
}

fn order(body: &InvokeBody) -> Result<UploadRequest, String> {
    match body {
        InvokeBody::Json(order) => {
            serde_json::from_value(order.clone()).map_err(|error| error.to_string())
        }
        InvokeBody::Raw(_) => Err("An upload is ordered in JSON.".to_owned()),
    }
}

async fn size(path: &std::path::Path) -> Result<u64, String> {
    match tokio::fs::metadata(path).await {
        Ok(metadata) if metadata.is_file() => Ok(metadata.len()),
        Ok(_) => Err(format!("{} is not a file.", path.display())),
        Err(error) => Err(format!("{} cannot be opened: {error}.", path.display())),
    }
}

/// Tells the page, but not for every chunk; the last byte is always told.
fn reporter(channel: Channel<Progress>, total: u64) -> impl Fn(u64) + Send + Sync + 'static {
    let last = Mutex::new(None::<Instant>);
    move |sent| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if sent < total && last.is_some_and(|at| at.elapsed() < REPORT_EVERY) {
            return;
        }
        *last = Some(Instant::now());
        // A page that was closed hears nothing any more; its upload is finished all the same.
        let _ = channel.send(Progress { sent, total });
    }
}
