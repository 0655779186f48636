//! A channel by a named pipe. Its access list is that which the system gives: the owner and administrators may write to
//! it, and a command has to be written. Nobody reaches it from another machine.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::Path;
use std::time::Duration;

use tokio::net::windows::named_pipe::{
    ClientOptions, NamedPipeClient, NamedPipeServer, ServerOptions,
};
use tokio::sync::Mutex;

/// The end of a connection that listened.
pub type Connection = NamedPipeServer;

/// All ends that listen are taken (winerror.h).
const ERROR_PIPE_BUSY: i32 = 231;
/// After a failure it is tried again.
const RETRY: Duration = Duration::from_millis(100);
/// How often a pipe is asked for that is busy.
const TRIES: u32 = 50;

/// Listens at the address of a directory.
#[derive(Debug)]
pub struct Listener {
    name: String,
    /// The end that the next connection gets.
    next: Mutex<Option<NamedPipeServer>>,
}

impl Listener {
    /// Listens for a directory. Whoever calls this knows that nobody else does.
    ///
    /// # Errors
    /// What the system refuses, and when somebody else listens already.
    pub fn listen(directory: &Path) -> io::Result<Listener> {
        let name = name_of(directory)?;
        let first = ServerOptions::new()
            .first_pipe_instance(true)
            .create(&name)?;
        Ok(Listener {
            name,
            next: Mutex::new(Some(first)),
        })
    }

    /// Waits for a connection.
    pub async fn accept(&self) -> Connection {
        loop {
            match self.try_accept().await {
                Ok(connection) => return connection,
                Err(_) => tokio::time::sleep(RETRY).await,
            }
        }
    }

    async fn try_accept(&self) -> io::Result<Connection> {
        let mut next = self.next.lock().await;
        let server = match next.take() {
            Some(server) => server,
            None => ServerOptions::new().create(&self.name)?,
        };
        let server = next.insert(server);
        server.connect().await?;
        let following = ServerOptions::new().create(&self.name)?;
        Ok(std::mem::replace(server, following))
    }
}

/// Connects to whoever listens for a directory.
///
/// # Errors
/// When nobody does.
pub fn connect(directory: &Path) -> io::Result<NamedPipeClient> {
    let name = name_of(directory)?;
    for _ in 0..TRIES {
        match ClientOptions::new().open(&name) {
            Err(error) if error.raw_os_error() == Some(ERROR_PIPE_BUSY) => {
                std::thread::sleep(RETRY)
            }
            outcome => return outcome,
        }
    }
    Err(io::ErrorKind::TimedOut.into())
}

/// The name of the pipe of a directory, whatever the path by which it is named.
fn name_of(directory: &Path) -> io::Result<String> {
    let mut hasher = DefaultHasher::new();
    directory.canonicalize()?.hash(&mut hasher);
    Ok(format!(r"\\.\pipe\isolario-{:016x}", hasher.finish()))
}
