//! The switch: how the local network is served now, and the wish that it be otherwise.

use std::net::SocketAddr;
use std::sync::Mutex;

use tokio::sync::{mpsc, oneshot, watch};

use super::{CertificateFacts, LanNames};
use crate::auth::hosts::host_of_address;

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

/// Why the switch did not do what was wished.
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

/// A wish on its way to the one who serves.
pub struct Wish {
    pub enabled: bool,
    pub done: oneshot::Sender<Result<LanState, SwitchError>>,
}

/// What the one who serves holds: the wishes to fulfil, and the state to publish.
pub struct Seat {
    pub wishes: mpsc::Receiver<Wish>,
    pub state: watch::Sender<LanState>,
}

/// The switch of one repository, for all doors.
pub struct Lan {
    wishes: mpsc::Sender<Wish>,
    state: watch::Receiver<LanState>,
    seat: Mutex<Option<Seat>>,
}

impl Lan {
    /// A switch that nobody serves yet.
    pub fn new(enabled: bool) -> Lan {
        let (state, published) = watch::channel(LanState {
            enabled,
            ..LanState::default()
        });
        let (wishes, waiting) = mpsc::channel(1);
        let seat = Seat {
            wishes: waiting,
            state,
        };
        Lan {
            wishes,
            state: published,
            seat: Mutex::new(Some(seat)),
        }
    }

    /// The seat of the one who serves; there is one.
    pub fn take_seat(&self) -> Option<Seat> {
        self.seat.lock().ok()?.take()
    }

    /// How it is now.
    pub fn state(&self) -> LanState {
        self.state.borrow().clone()
    }

    /// How it is now and from then on.
    pub fn follow(&self) -> watch::Receiver<LanState> {
        self.state.clone()
    }

    /// Switches it on or off, and keeps that in `config.toml`. Whoever may is asked before.
    ///
    /// # Errors
    /// In words; after `Refused` everything is as it was.
    pub async fn switch(&self, enabled: bool) -> Result<LanState, SwitchError> {
        let (done, answer) = oneshot::channel();
        let wish = Wish { enabled, done };
        let gone = |_| SwitchError::NobodyServes;
        self.wishes
            .send(wish)
            .await
            .map_err(|_| SwitchError::NobodyServes)?;
        answer.await.map_err(gone)?
    }
}
