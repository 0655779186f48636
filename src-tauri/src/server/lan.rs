//! The one who serves the local network: fulfils the wishes of the switch, and follows the machine
//! when its addresses, its name or its certificate change.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::{JoinHandle, JoinSet};
use tokio_util::sync::CancellationToken;

use super::StartError;
use super::connections::{Entrance, Times, Unfinished, accept};
use super::crowd::Crowd;
use super::encryption::{Shown, encryption};
use super::lan_certificate::Presented;
use super::lan_port::listen;
use crate::api::{AppState, Interface};
use crate::cli::config::{Config, ConfigError};
use crate::durable::sync_directory;
use crate::lan::announcement::Announced;
use crate::lan::{
    Announcement, CertificateError, LanNames, LanServing, LanState, Seat, SwitchError, Wish,
};

/// How often the machine is looked at.
const LOOK: Duration = Duration::from_secs(5);

/// Serves the local network of one repository.
pub struct LanServer {
    repository: AppState,
    interface: Interface,
    crowd: Crowd,
    seat: Seat,
    open: Option<Open>,
    /// Listeners that finish what is in flight.
    ending: JoinSet<()>,
}

/// What stands while the local network is served.
struct Open {
    closing: CancellationToken,
    accepting: JoinHandle<Unfinished>,
    presented: Option<Presented>,
    shown: Option<Arc<Shown>>,
    announcement: Option<Announcement>,
    /// Why the network could not be told.
    unannounced: Option<String>,
    /// A name that somebody else had was given up for this one.
    renamed: Option<String>,
}

/// Begins as `config.toml` says, and goes on in the background until the program closes. Where the
/// network cannot be served this machine still is; the state says why.
pub async fn start(
    repository: AppState,
    interface: Interface,
    crowd: Crowd,
) -> Option<JoinHandle<()>> {
    let seat = repository.lan.take_seat()?;
    let mut server = LanServer {
        interface,
        crowd,
        seat,
        open: None,
        ending: JoinSet::new(),
        repository,
    };
    server.look().await;
    Some(tokio::spawn(server.run()))
}

/// Why the local network is not served.
#[derive(Debug, thiserror::Error)]
enum OpenError {
    #[error(transparent)]
    Listen(#[from] StartError),
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    #[error("TLS cannot be spoken: {0}.")]
    Tls(#[from] tokio_rustls::rustls::Error),
    #[error("The system does not tell its addresses: {0}.")]
    Addresses(std::io::Error),
}

impl LanServer {
    async fn run(mut self) {
        let closing = self.repository.closing.clone();
        let mut look = tokio::time::interval(LOOK);
        loop {
            tokio::select! {
                () = closing.cancelled() => break,
                wish = self.seat.wishes.recv() => match wish {
                    Some(wish) => self.fulfil(wish).await,
                    None => break,
                },
                _ = look.tick() => self.look().await,
                name = renamed(&mut self.open) => self.take_name(name),
                Some(_) = self.ending.join_next() => {}
            }
        }
        self.close().await;
        while self.ending.join_next().await.is_some() {}
    }

    async fn fulfil(&mut self, wish: Wish) {
        let outcome = match wish.enabled {
            true => self.switch_on().await,
            false => self.switch_off().await,
        };
        // Whoever wished may have gone; it is done all the same.
        let _ = wish
            .done
            .send(outcome.map(|()| self.seat.state.borrow().clone()));
    }

    async fn switch_on(&mut self) -> Result<(), SwitchError> {
        if self.open.is_none() {
            let opened = self.open().await;
            opened.map_err(|error| SwitchError::Refused(error.to_string()))?;
        }
        if let Err(error) = self.keep(true) {
            self.close().await;
            return Err(SwitchError::Refused(error.to_string()));
        }
        self.seat.state.send_modify(|state| state.enabled = true);
        tracing::info!("the local network is served");
        Ok(())
    }

    /// It is off from now on even when that cannot be kept.
    async fn switch_off(&mut self) -> Result<(), SwitchError> {
        self.close().await;
        let kept = self.keep(false);
        let was_enabled = self.seat.state.borrow().enabled;
        self.seat.state.send_replace(LanState {
            enabled: was_enabled && kept.is_err(),
            ..LanState::default()
        });
        kept.map_err(|error| {
            SwitchError::NotKept(format!(
                "The local network is not served any more, but the next start will serve it again: {error}"
            ))
        })
    }

    fn keep(&self, enabled: bool) -> Result<(), ConfigError> {
        let path = self.repository.directory.join("config.toml");
        Config::keep(&path, "lan", "enabled", &enabled.to_string())?;
        sync_directory(&self.repository.directory)
            .map_err(|error| ConfigError::File { path, error })
    }

    async fn open(&mut self) -> Result<(), OpenError> {
        let rules = &self.repository.config.lan;
        let names = LanNames::now(rules).map_err(OpenError::Addresses)?;
        let listener = listen(&self.repository).await?;
        let address = listener.local_addr().map_err(OpenError::Addresses)?;
        let presented = match rules.plain_http {
            true => None,
            false => Some(Presented::now(&self.repository, &names)?),
        };
        let shown = presented
            .as_ref()
            .map(|presented| Shown::new(&presented.certificate));
        let closing = self.repository.closing.child_token();
        let entrance = Entrance {
            interface: self.interface.clone(),
            crowd: self.crowd.clone(),
            times: Times::new(&self.repository.config.limits),
            encryption: shown.clone().map(encryption).transpose()?,
            closing: closing.clone(),
        };
        let serving = LanServing {
            address,
            certificate: presented
                .as_ref()
                .map(|presented| presented.certificate.facts.clone()),
            names,
            announced: false,
        };
        let (announcement, unannounced) = self.announce(&serving);
        self.open = Some(Open {
            closing,
            accepting: tokio::spawn(accept(listener, entrance)),
            presented,
            shown,
            announcement,
            unannounced: unannounced.clone(),
            renamed: None,
        });
        self.publish(serving, unannounced);
        Ok(())
    }

    fn announce(&self, serving: &LanServing) -> (Option<Announcement>, Option<String>) {
        let config = &self.repository.config;
        if !config.lan.announce {
            return (None, None);
        }
        let announced = Announced {
            repository: &config.name,
            local: &serving.names.local,
            address: config.lan.address,
            port: serving.address.port(),
            encrypted: serving.certificate.is_some(),
        };
        match Announcement::begin(&announced) {
            Ok(announcement) => (Some(announcement), None),
            Err(words) => {
                tracing::warn!("{words}");
                (None, Some(words))
            }
        }
    }

    /// From now on these names are answered to, and everybody may know.
    fn publish(&self, serving: LanServing, problem: Option<String>) {
        let own = self.repository.authenticator.hosts();
        own.set_lan(serving.names.hosts());
        let remark = self.open.as_ref().and_then(Open::remark);
        let announced = self
            .open
            .as_ref()
            .is_some_and(|open| open.announcement.is_some());
        self.seat.state.send_if_modified(|state| {
            let former = state.clone();
            state.problem = problem;
            state.remark = remark.or(state.remark.take());
            state.serving = Some(LanServing {
                announced,
                ..serving
            });
            *state != former
        });
    }

    /// Closes the entrance, and tells the network so. Requests in flight may finish.
    async fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        self.repository.authenticator.hosts().set_lan([]);
        open.closing.cancel();
        match open.accepting.await {
            Ok(unfinished) => {
                self.ending.spawn(unfinished.finish());
            }
            Err(error) => tracing::error!(%error, "the local network was left badly"),
        }
        self.seat.state.send_modify(|state| state.serving = None);
        if let Some(announcement) = open.announcement {
            announcement.end().await;
        }
    }

    /// Follows the machine, or tries what failed before: an address may have come, a file be right now.
    async fn look(&mut self) {
        if self.open.is_some() {
            return self.follow_machine();
        }
        if !self.seat.state.borrow().enabled {
            return;
        }
        if let Err(error) = self.open().await {
            let problem = Some(error.to_string());
            let is_new = self.seat.state.send_if_modified(|state| {
                let is_new = state.problem != problem;
                state.problem = problem;
                is_new
            });
            if is_new {
                tracing::error!("the local network is not served: {error}");
            }
        }
    }

    /// The machine may have moved to another network, and certificates come to their end.
    fn follow_machine(&mut self) {
        let Some(mut serving) = self.seat.state.borrow().serving.clone() else {
            return;
        };
        let Some(open) = &mut self.open else { return };
        let Ok(mut names) = LanNames::now(&self.repository.config.lan) else {
            return;
        };
        if let Some(renamed) = &open.renamed {
            names.local = renamed.clone();
        }
        let problem = match (&mut open.presented, &open.shown) {
            (Some(presented), Some(shown)) => match presented.follow(&self.repository, &names) {
                Ok(changed) => {
                    if changed {
                        shown.replace(&presented.certificate);
                        serving.certificate = Some(presented.certificate.facts.clone());
                    }
                    None
                }
                Err(error) => Some(error.to_string()),
            },
            _ => None,
        };
        let problem = problem.or_else(|| open.unannounced.clone());
        serving.names = names;
        self.publish(serving, problem);
    }

    fn take_name(&mut self, name: String) {
        tracing::warn!("another machine is called as this one; this one is {name} from now on");
        if let Some(open) = &mut self.open {
            open.renamed = Some(name);
        }
        self.follow_machine();
    }
}

impl Open {
    fn remark(&self) -> Option<String> {
        self.presented
            .as_ref()
            .and_then(|presented| presented.remark.clone())
    }
}

/// Never, while nothing is announced.
async fn renamed(open: &mut Option<Open>) -> String {
    match open.as_mut().and_then(|open| open.announcement.as_mut()) {
        Some(announcement) => announcement.renamed().await,
        None => std::future::pending().await,
    }
}
