//! The server inside the window's own process.

use tokio::sync::{RwLock, RwLockReadGuard};

use isolario_program::app::App;

/// The embedded server, until the window is closed. Whoever uses it keeps the guard for as long,
/// and stopping waits for every guard: what is in flight is finished first.
pub struct EmbeddedServer(RwLock<Option<App>>);

impl EmbeddedServer {
    /// Holds a server that has started.
    pub fn new(server: App) -> Self {
        Self(RwLock::new(Some(server)))
    }

    /// The running server, or a sentence for the person at the window.
    pub async fn server(&self) -> Result<RwLockReadGuard<'_, App>, String> {
        RwLockReadGuard::try_map(self.0.read().await, Option::as_ref)
            .map_err(|_| "Isolario is closing.".to_owned())
    }

    /// Finishes what is in flight and stops. Doing it twice is harmless.
    pub async fn stop(&self) {
        if let Some(server) = self.0.write().await.take() {
            server.stop().await;
        }
    }
}
