//! The switch of the local network: its state, and commands that change it.

use std::net::SocketAddr;
use std::sync::Mutex;

use tokio::sync::{mpsc, oneshot, watch};

use super::{CertificateFacts, LanNames};
use isolario_auth::hosts::host_of_address;

/// How the local network is served.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LanState {
    /// Whether it should be, as `config.toml` says.
    pub enabled: bool,
    pub serving: Option<LanServing>,
    /// Why it is not served although it should be, or what of it does not work.
    pub problem: Option<String>,
    /// What has changed by itself and people should know: a new certificate and why.
    pub remark: Option<String>,
}

impl LanState {
    /// A sentence, where it is served without encryption.
    pub fn warning(&self) -> Option<String> {
        let plain = self.serving.as_ref()?.certificate.is_none();
        plain.then(|| {
            "The local network is served without encryption, as plain_http in config.toml wants it: whoever is on the network can read passwords and everything else.".to_owned()
        })
    }
}

/// The local network as it is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanServing {
    pub address: SocketAddr,
    pub names: LanNames,
    /// `None`: plain HTTP.
    pub certificate: Option<CertificateFacts>,
    /// Whether the network was told by mDNS.
    pub announced: bool,
}

impl LanServing {
    /// Addresses for people, the likeliest first. Without a slash at the end. `NAME.local` is among
    /// them when the network was told of it.
    pub fn urls(&self) -> Vec<String> {
        let scheme = match self.certificate {
            Some(_) => "https",
            None => "http",
        };
        let port = self.address.port();
        let addresses = self.names.addresses.iter().copied().map(host_of_address);
        let local = self.announced.then(|| self.names.local.clone());
        addresses
            .chain(local)
            .map(|host| format!("{scheme}://{host}:{port}"))
            .collect()
    }
}

/// Why the switch refused a command.
#[derive(Debug, thiserror::Error)]
pub enum SwitchError {
    /// As the machine or its configuration is, it cannot be served.
    #[error("{0}")]
    Refused(String),
    /// It is switched, but the next start will not know.
    #[error("{0}")]
    NotKept(String),
    #[error("This program does not serve.")]
    NobodyServes,
}

/// A command to the task that serves the local network.
pub struct SwitchCommand {
    pub enabled: bool,
    pub done: oneshot::Sender<Result<LanState, SwitchError>>,
}

/// The end of the switch that the serving task holds: it receives commands and publishes the state.
pub struct SwitchHandle {
    pub commands: mpsc::Receiver<SwitchCommand>,
    pub state: watch::Sender<LanState>,
}

/// The switch of one repository, for every origin.
pub struct Lan {
    commands: mpsc::Sender<SwitchCommand>,
    state: watch::Receiver<LanState>,
    handle: Mutex<Option<SwitchHandle>>,
}

impl Lan {
    /// A switch whose handle no task has taken yet.
    pub fn new(enabled: bool) -> Lan {
        let (state, published) = watch::channel(LanState {
            enabled,
            ..LanState::default()
        });
        let (commands, waiting) = mpsc::channel(1);
        let handle = SwitchHandle {
            commands: waiting,
            state,
        };
        Lan {
            commands,
            state: published,
            handle: Mutex::new(Some(handle)),
        }
    }

    /// The handle for the serving task. It can be taken once.
    pub fn take_handle(&self) -> Option<SwitchHandle> {
        self.handle.lock().ok()?.take()
    }

    /// The current state.
    pub fn state(&self) -> LanState {
        self.state.borrow().clone()
    }

    /// A receiver of the current state and of every later one.
    pub fn follow(&self) -> watch::Receiver<LanState> {
        self.state.clone()
    }

    /// Switches it on or off, and stores that in `config.toml`. The caller has asked the policy.
    ///
    /// # Errors
    /// In words; after `Refused` everything is as it was.
    pub async fn switch(&self, enabled: bool) -> Result<LanState, SwitchError> {
        let (done, answer) = oneshot::channel();
        let command = SwitchCommand { enabled, done };
        let gone = |_| SwitchError::NobodyServes;
        self.commands
            .send(command)
            .await
            .map_err(|_| SwitchError::NobodyServes)?;
        answer.await.map_err(gone)?
    }
}
