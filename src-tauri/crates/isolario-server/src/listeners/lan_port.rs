//! The port of the local network: found at the first switching on, and kept.

use tokio::net::TcpListener;

use super::listening::{BindError, bind_from};
use isolario_config::{Config, ConfigError};
use isolario_core::repository::Repository;

/// The port of a new repository, if it is free.
const FIRST_PORT: u16 = 8443;

/// Why the local network has no socket.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    #[error(transparent)]
    Bind(#[from] BindError),
    #[error(transparent)]
    Config(#[from] ConfigError),
}

/// Binds the configured port, or finds a free one and keeps it. One that is taken gives way for
/// this run only.
///
/// # Errors
/// When nothing can listen there.
pub async fn listen(repository: &Repository) -> Result<TcpListener, ListenError> {
    let rules = &repository.config.lan;
    let path = repository.directory.join("config.toml");
    // It may have been found since the program started.
    let kept = rules.port.or_else(|| Config::open(&path).ok()?.lan.port);
    let listener = bind_from(rules.address, kept.unwrap_or(FIRST_PORT)).await?;
    if let (None, Ok(bound)) = (kept, listener.local_addr()) {
        Config::store(&path, "lan", "port", i64::from(bound.port()))?;
    }
    Ok(listener)
}
