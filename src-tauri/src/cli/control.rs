//! The socket in a held data directory through which its owner's other programs ask the holder.
//! One request a connection, a line of JSON; then a line now and then about how far it is, and at the
//! end a line with the answer.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::WriteHalf;
use tokio::net::{UnixListener, UnixStream};

use super::commands::{self, Command, Output};
use super::progress::Progress;
use crate::repository::Repository;

/// What a holder can be asked.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Wish {
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
const PATIENCE: Duration = Duration::from_secs(30);
/// How often a long command says how far it is: a silent holder is given up.
const BETWEEN_LINES: Duration = Duration::from_millis(500);

/// A line from the holder.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
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
        repository: Arc<Repository>,
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
            let asked = Asked {
                repository,
                address,
                show_window,
            };
            listen(listener, owner, Arc::new(asked)).await;
        });
        Ok(Control { path, listening })
    }

    /// Listens no longer.
    pub fn close(self) {
        self.listening.abort();
        let _ = std::fs::remove_file(&self.path);
    }
}

struct Asked {
    repository: Arc<Repository>,
    address: String,
    show_window: ShowWindow,
}

async fn listen(listener: UnixListener, owner: u32, asked: Arc<Asked>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        // The socket's mode lets nobody else in; this holds where a file system ignores modes.
        let is_owner = |peer: tokio::net::unix::UCred| peer.uid() == owner || peer.uid() == 0;
        if stream.peer_cred().is_ok_and(is_owner) {
            let asked = asked.clone();
            tokio::spawn(async move {
                if let Err(error) = answer(stream, &asked).await {
                    tracing::debug!(%error, "a command broke off");
                }
            });
        }
    }
}

async fn answer(mut stream: UnixStream, asked: &Asked) -> std::io::Result<()> {
    let (read, mut write) = stream.split();
    let mut line = String::new();
    let mut read = BufReader::new(read.take(LONGEST));
    tokio::time::timeout(PATIENCE, read.read_line(&mut line)).await??;
    let output = match serde_json::from_str(&line) {
        Ok(Wish::Command(command)) => accompany(&mut write, &asked.repository, command).await?,
        Ok(Wish::ShowWindow) => asked.show_window(),
        Err(_) => Output::failed(
            "The running Isolario is of another version and does not know this command.",
        ),
    };
    tell(&mut write, &Line::Output(output)).await?;
    write.shutdown().await
}

/// Carries a command out and says how far it is. One whose asker has gone is broken off.
async fn accompany(
    write: &mut WriteHalf<'_>,
    repository: &Arc<Repository>,
    command: Command,
) -> std::io::Result<Output> {
    let progress = Progress::default();
    let work = commands::run(repository, command, &progress);
    tokio::pin!(work);
    loop {
        match tokio::time::timeout(BETWEEN_LINES, &mut work).await {
            Ok(output) => return Ok(output),
            Err(_) => {
                let progress = progress.now();
                tell(write, &Line::Progress { progress }).await?;
            }
        }
    }
}

async fn tell(write: &mut WriteHalf<'_>, line: &Line) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(line)?;
    line.push(b'\n');
    tokio::time::timeout(PATIENCE, write.write_all(&line)).await?
}

impl Asked {
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
pub async fn ask(directory: &Path, wish: &Wish, progress: &Progress) -> std::io::Result<Output> {
    let mut stream = {
        let socket = with_short_path(directory, |socket| {
            std::os::unix::net::UnixStream::connect(socket)
        })?;
        socket.set_nonblocking(true)?;
        UnixStream::from_std(socket)?
    };
    let mut line = serde_json::to_vec(wish)?;
    line.push(b'\n');
    stream.write_all(&line).await?;
    let mut lines = BufReader::new(stream.take(LONGEST_ANSWER)).lines();
    loop {
        let line = tokio::time::timeout(PATIENCE, lines.next_line()).await??;
        let line = line.ok_or(std::io::ErrorKind::UnexpectedEof)?;
        match serde_json::from_str(&line)? {
            Line::Progress { progress: now } => progress.set(now),
            Line::Output(output) => return Ok(output),
        }
    }
}

/// Addresses of sockets are about a hundred bytes at most; a longer directory is reached through a
/// descriptor of it.
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
