//! A channel by a Unix socket.

use std::fs::{Permissions, set_permissions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::net::unix::UCred;
use tokio::net::{UnixListener, UnixStream};

/// Both ends of a connection.
pub type Connection = UnixStream;

/// Name of the socket.
const NAME: &str = "control.sock";
/// After a failure it is tried again.
const RETRY: Duration = Duration::from_millis(100);

/// Listens at the address in a directory. Dropping it removes the address.
#[derive(Debug)]
pub struct Listener {
    path: PathBuf,
    socket: UnixListener,
    owner: u32,
}

impl Listener {
    /// Listens in a directory. Whoever calls this knows that nobody else does.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn listen(directory: &Path) -> io::Result<Listener> {
        let path = directory.join(NAME);
        // One that a crash left behind.
        let _ = std::fs::remove_file(&path);
        let socket = with_short_path(directory, |socket| UnixListener::bind(socket))?;
        set_permissions(&path, Permissions::from_mode(0o600))?;
        let owner = std::fs::metadata(&path)?.uid();
        Ok(Listener {
            path,
            socket,
            owner,
        })
    }

    /// Waits for a connection of the owner, or of the system's administrator.
    pub async fn accept(&self) -> Connection {
        loop {
            match self.socket.accept().await {
                // The mode of the socket lets nobody else in; this holds where a file system ignores modes.
                Ok((stream, _)) if stream.peer_cred().is_ok_and(|peer| self.may(&peer)) => {
                    return stream;
                }
                Ok(_) => {}
                Err(_) => tokio::time::sleep(RETRY).await,
            }
        }
    }

    fn may(&self, peer: &UCred) -> bool {
        peer.uid() == self.owner || peer.uid() == 0
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Connects to whoever listens in a directory.
///
/// # Errors
/// When nobody does.
pub fn connect(directory: &Path) -> io::Result<Connection> {
    let connect = |socket: &Path| std::os::unix::net::UnixStream::connect(socket);
    let socket = with_short_path(directory, connect)?;
    socket.set_nonblocking(true)?;
    UnixStream::from_std(socket)
}

/// Addresses of sockets are about a hundred bytes at most. A longer directory is reached through a descriptor of it,
/// where the system has names for those.
#[expect(clippy::disallowed_methods, reason = "the directory itself")]
fn with_short_path<T>(
    directory: &Path,
    use_it: impl FnOnce(&Path) -> io::Result<T>,
) -> io::Result<T> {
    const LONGEST_ADDRESS: usize = 100;
    let path = directory.join(NAME);
    if path.as_os_str().len() <= LONGEST_ADDRESS || !cfg!(target_os = "linux") {
        return use_it(&path);
    }
    let open = std::fs::File::open(directory)?;
    use_it(Path::new(&format!(
        "/proc/self/fd/{}/{NAME}",
        open.as_raw_fd()
    )))
}
