//! The control socket of a data directory, by which its owner's other programs send commands to the program that holds
//! the directory. Each connection carries one request as a line of JSON, lines of progress, and a line with the answer.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};

use crate::commands::{self, Command, Output, Progress};
use isolario_platform::channel::{Connection, Listener, connect};
use isolario_watch::Watch;

/// A request to the holder.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum ControlRequest {
    Command(Command),
    /// Bring the window to the front.
    ShowWindow,
}

/// Brings the window to the front; set once there is one.
pub type ShowWindow = Arc<OnceLock<Box<dyn Fn() + Send + Sync>>>;

/// Longest line that is asked, bytes.
const LONGEST: u64 = 1024 * 1024;
/// Longest conversation about the answer, bytes.
const LONGEST_ANSWER: u64 = 256 * 1024 * 1024;
const TIMEOUT: Duration = Duration::from_secs(30);
/// How often a long command says how far it is: a silent holder is given up.
const BETWEEN_LINES: Duration = Duration::from_millis(500);

/// A line from the holder.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum ResponseLine {
    Progress { progress: String },
    Output(Output),
}

/// The open socket of a holder; closing it removes it.
pub struct Control {
    listening: tokio::task::JoinHandle<()>,
}

impl Control {
    /// Listens in a data directory that this program holds.
    ///
    /// # Errors
    /// When the socket cannot be made.
    pub fn listen(
        directory: &Path,
        watch: Arc<Watch>,
        address: String,
        show_window: ShowWindow,
    ) -> std::io::Result<Control> {
        let listener = Listener::listen(directory)?;
        let listening = tokio::spawn(async move {
            let context = ControlContext {
                watch,
                address,
                show_window,
            };
            listen(listener, Arc::new(context)).await;
        });
        Ok(Control { listening })
    }

    /// Listens no longer.
    pub async fn close(self) {
        self.listening.abort();
        // Its end removes the address.
        let _ = self.listening.await;
    }
}

struct ControlContext {
    watch: Arc<Watch>,
    address: String,
    show_window: ShowWindow,
}

async fn listen(listener: Listener, context: Arc<ControlContext>) {
    loop {
        let connection = listener.accept().await;
        let context = context.clone();
        tokio::spawn(async move {
            if let Err(error) = answer(connection, &context).await {
                tracing::debug!(%error, "a command broke off");
            }
        });
    }
}

async fn answer(stream: Connection, context: &ControlContext) -> std::io::Result<()> {
    let (read, mut write) = tokio::io::split(stream);
    let mut line = String::new();
    let mut read = BufReader::new(read.take(LONGEST));
    tokio::time::timeout(TIMEOUT, read.read_line(&mut line)).await??;
    let output = match serde_json::from_str(&line) {
        Ok(ControlRequest::Command(command)) => {
            run_with_progress(&mut write, &context.watch, command).await?
        }
        Ok(ControlRequest::ShowWindow) => context.show_window(),
        Err(_) => Output::failed(
            "The running Isolario is of another version and does not know this command.",
        ),
    };
    tell(&mut write, &ResponseLine::Output(output)).await?;
    write.shutdown().await
}

/// Carries a command out and says how far it is. One whose asker has gone is broken off.
async fn run_with_progress(
    write: &mut (impl AsyncWrite + Unpin),
    watch: &Arc<Watch>,
    command: Command,
) -> std::io::Result<Output> {
    let progress = Progress::default();
    let work = commands::run(watch, command, &progress);
    tokio::pin!(work);
    loop {
        match tokio::time::timeout(BETWEEN_LINES, &mut work).await {
            Ok(output) => return Ok(output),
            Err(_) => {
                let progress = progress.now();
                tell(write, &ResponseLine::Progress { progress }).await?;
            }
        }
    }
}

async fn tell(write: &mut (impl AsyncWrite + Unpin), line: &ResponseLine) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(line)?;
    line.push(b'\n');
    tokio::time::timeout(TIMEOUT, write.write_all(&line)).await?
}

impl ControlContext {
    fn show_window(&self) -> Output {
        match self.show_window.get() {
            Some(show) => {
                show();
                Output::done("Isolario is open already; its window is in front now.")
            }
            None => Output::failed(format!(
                "Isolario is serving this repository without a window, at {}/ . Open that address in a browser, or stop the server first.",
                self.address
            )),
        }
    }
}

/// Asks the program that holds a data directory; `progress` hears how far it is.
///
/// # Errors
/// When nobody answers.
pub async fn ask(
    directory: &Path,
    request: &ControlRequest,
    progress: &Progress,
) -> std::io::Result<Output> {
    let mut stream = connect(directory)?;
    let mut line = serde_json::to_vec(request)?;
    line.push(b'\n');
    stream.write_all(&line).await?;
    let mut lines = BufReader::new(stream.take(LONGEST_ANSWER)).lines();
    loop {
        let line = tokio::time::timeout(TIMEOUT, lines.next_line()).await??;
        let line = line.ok_or(std::io::ErrorKind::UnexpectedEof)?;
        match serde_json::from_str(&line)? {
            ResponseLine::Progress { progress: now } => progress.set(now),
            ResponseLine::Output(output) => return Ok(output),
        }
    }
}
