//! The control socket of a data directory, by which its owner's other programs send commands to the program that holds
//! the directory. Each connection carries one request as a line of JSON, lines of progress, and a line with the answer.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::WriteHalf;
use tokio::net::{UnixListener, UnixStream};

use crate::commands::{self, Command, Output, Progress};
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
    path: PathBuf,
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
        let path = directory.join("control.sock");
        // One that a crash left behind; the lock says that nobody listens on it.
        let _ = std::fs::remove_file(&path);
        let listener = with_short_path(directory, |socket| UnixListener::bind(socket))?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
        let owner = std::fs::metadata(&path)?.uid();
        let listening = tokio::spawn(async move {
            let context = ControlContext {
                watch,
                address,
                show_window,
            };
            listen(listener, owner, Arc::new(context)).await;
        });
        Ok(Control { path, listening })
    }

    /// Listens no longer.
    pub fn close(self) {
        self.listening.abort();
        let _ = std::fs::remove_file(&self.path);
    }
}

struct ControlContext {
    watch: Arc<Watch>,
    address: String,
    show_window: ShowWindow,
}

async fn listen(listener: UnixListener, owner: u32, context: Arc<ControlContext>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        // The socket's mode lets nobody else in; this holds where a file system ignores modes.
        let is_owner = |peer: tokio::net::unix::UCred| peer.uid() == owner || peer.uid() == 0;
        if stream.peer_cred().is_ok_and(is_owner) {
            let context = context.clone();
            tokio::spawn(async move {
                if let Err(error) = answer(stream, &context).await {
                    tracing::debug!(%error, "a command broke off");
                }
            });
        }
    }
}

async fn answer(mut stream: UnixStream, context: &ControlContext) -> std::io::Result<()> {
    let (read, mut write) = stream.split();
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
    write: &mut WriteHalf<'_>,
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

async fn tell(write: &mut WriteHalf<'_>, line: &ResponseLine) -> std::io::Result<()> {
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
    let mut stream = {
        let socket = with_short_path(directory, |socket| {
            std::os::unix::net::UnixStream::connect(socket)
        })?;
        socket.set_nonblocking(true)?;
        UnixStream::from_std(socket)?
    };
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

/// Addresses of sockets are about a hundred bytes at most; a longer directory is reached through a
/// descriptor of it.
#[expect(clippy::disallowed_methods, reason = "the data directory itself")]
fn with_short_path<T>(
    directory: &Path,
    use_it: impl FnOnce(&Path) -> std::io::Result<T>,
) -> std::io::Result<T> {
    const LONGEST_ADDRESS: usize = 100;
    let path = directory.join("control.sock");
    if path.as_os_str().len() <= LONGEST_ADDRESS {
        return use_it(&path);
    }
    let open = std::fs::File::open(directory)?;
    let descriptor = std::os::fd::AsRawFd::as_raw_fd(&open);
    use_it(Path::new(&format!(
        "/proc/self/fd/{descriptor}/control.sock"
    )))
}
