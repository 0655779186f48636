//! Serves the local network: executes the commands of the switch, and follows the machine when its addresses, its
//! name or its certificate change.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::{JoinHandle, JoinSet};
use tokio_util::sync::CancellationToken;

use super::connection_limiter::ConnectionLimiter;
use super::connection_limits::ConnectionLimits;
use super::connections::{DrainingConnections, ListenerContext, accept};
use super::encryption::{CertificateResolver, encryption};
use super::lan_certificate::CurrentCertificate;
use super::lan_port::{ListenError, listen};
use crate::api::AppState;
use crate::api::Interface;
use crate::lan::announcement::ServiceDescription;
use crate::lan::{
    Announcement, CertificateError, LanNames, LanServing, LanState, SwitchCommand, SwitchError,
    SwitchHandle,
};
use isolario_config::{Config, ConfigError};
use isolario_disk::durable::sync_directory;

/// How often the machine is looked at.
const LOOK: Duration = Duration::from_secs(5);

/// Serves the local network of one repository.
pub struct LanServer {
    app: AppState,
    interface: Interface,
    limiter: ConnectionLimiter,
    handle: SwitchHandle,
    open: Option<LanListener>,
    /// Listeners that finish what is in flight.
    ending: JoinSet<()>,
}

/// What exists only while the local network is served.
struct LanListener {
    closing: CancellationToken,
    accepting: JoinHandle<DrainingConnections>,
    current: Option<CurrentCertificate>,
    resolver: Option<Arc<CertificateResolver>>,
    announcement: Option<Announcement>,
    /// Why the network could not be told.
    unannounced: Option<String>,
    /// A name that somebody else had was given up for this one.
    renamed: Option<String>,
}

/// Begins as `config.toml` says, and goes on in the background until the program closes. Where the
/// network cannot be served this machine still is; the state says why.
pub async fn start(
    app: AppState,
    interface: Interface,
    limiter: ConnectionLimiter,
) -> Option<JoinHandle<()>> {
    let handle = app.lan.take_handle()?;
    let mut server = LanServer {
        interface,
        limiter,
        handle,
        open: None,
        ending: JoinSet::new(),
        app,
    };
    server.look().await;
    Some(tokio::spawn(server.run()))
}

/// Why the local network is not served.
#[derive(Debug, thiserror::Error)]
enum OpenError {
    #[error(transparent)]
    Listen(#[from] ListenError),
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    #[error("TLS cannot be spoken: {0}.")]
    Tls(#[from] tokio_rustls::rustls::Error),
    #[error("The system does not tell its addresses: {0}.")]
    Addresses(std::io::Error),
}

impl LanServer {
    async fn run(mut self) {
        let closing = self.app.repository.closing.clone();
        let mut look = tokio::time::interval(LOOK);
        loop {
            tokio::select! {
                () = closing.cancelled() => break,
                command = self.handle.commands.recv() => match command {
                    Some(command) => self.execute(command).await,
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

    async fn execute(&mut self, command: SwitchCommand) {
        let outcome = match command.enabled {
            true => self.switch_on().await,
            false => self.switch_off().await,
        };
        // The sender of the command may no longer wait for the outcome.
        let _ = command
            .done
            .send(outcome.map(|()| self.handle.state.borrow().clone()));
    }

    async fn switch_on(&mut self) -> Result<(), SwitchError> {
        if self.open.is_none() {
            let opened = self.open().await;
            opened.map_err(|error| SwitchError::Refused(error.to_string()))?;
        }
        if let Err(error) = self.store(true) {
            self.close().await;
            return Err(SwitchError::Refused(error.to_string()));
        }
        self.handle.state.send_modify(|state| state.enabled = true);
        tracing::info!("the local network is served");
        Ok(())
    }

    /// It is off from now on even when that cannot be kept.
    async fn switch_off(&mut self) -> Result<(), SwitchError> {
        self.close().await;
        let kept = self.store(false);
        let was_enabled = self.handle.state.borrow().enabled;
        self.handle.state.send_replace(LanState {
            enabled: was_enabled && kept.is_err(),
            ..LanState::default()
        });
        kept.map_err(|error| {
            SwitchError::NotKept(format!(
                "The local network is not served any more, but the next start will serve it again: {error}"
            ))
        })
    }

    fn store(&self, enabled: bool) -> Result<(), ConfigError> {
        let path = self.app.repository.directory.join("config.toml");
        Config::store(&path, "lan", "enabled", enabled)?;
        sync_directory(&self.app.repository.directory)
            .map_err(|error| ConfigError::File { path, error })
    }

    async fn open(&mut self) -> Result<(), OpenError> {
        let rules = &self.app.repository.config.lan;
        let names = LanNames::now(rules).map_err(OpenError::Addresses)?;
        let listener = listen(&self.app.repository).await?;
        let address = listener.local_addr().map_err(OpenError::Addresses)?;
        let current = match rules.plain_http {
            true => None,
            false => Some(CurrentCertificate::now(&self.app.repository, &names)?),
        };
        let resolver = current
            .as_ref()
            .map(|current| CertificateResolver::new(&current.certificate));
        let closing = self.app.repository.closing.child_token();
        let context = ListenerContext {
            interface: self.interface.clone(),
            limiter: self.limiter.clone(),
            limits: ConnectionLimits::new(&self.app.repository.config.limits),
            encryption: resolver.clone().map(encryption).transpose()?,
            closing: closing.clone(),
        };
        let serving = LanServing {
            address,
            certificate: current
                .as_ref()
                .map(|current| current.certificate.facts.clone()),
            names,
            announced: false,
        };
        let (announcement, unannounced) = self.announce(&serving);
        self.open = Some(LanListener {
            closing,
            accepting: tokio::spawn(accept(listener, context)),
            current,
            resolver,
            announcement,
            unannounced: unannounced.clone(),
            renamed: None,
        });
        self.publish(serving, unannounced);
        Ok(())
    }

    fn announce(&self, serving: &LanServing) -> (Option<Announcement>, Option<String>) {
        let config = &self.app.repository.config;
        if !config.lan.announce {
            return (None, None);
        }
        let announced = ServiceDescription {
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

    /// Allows the names of the local network as hosts, and publishes the state.
    fn publish(&self, serving: LanServing, problem: Option<String>) {
        let own = self.app.repository.authenticator.hosts();
        own.set_lan(serving.names.hosts());
        let remark = self.open.as_ref().and_then(LanListener::remark);
        let announced = self
            .open
            .as_ref()
            .is_some_and(|open| open.announcement.is_some());
        self.handle.state.send_if_modified(|state| {
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
        self.app.repository.authenticator.hosts().set_lan([]);
        open.closing.cancel();
        match open.accepting.await {
            Ok(unfinished) => {
                self.ending.spawn(unfinished.finish());
            }
            Err(error) => tracing::error!(%error, "the local network was left badly"),
        }
        self.handle.state.send_modify(|state| state.serving = None);
        if let Some(announcement) = open.announcement {
            announcement.end().await;
        }
    }

    /// Follows the machine, or tries what failed before: an address may have come, a file be right now.
    async fn look(&mut self) {
        if self.open.is_some() {
            return self.follow_machine();
        }
        if !self.handle.state.borrow().enabled {
            return;
        }
        if let Err(error) = self.open().await {
            let problem = Some(error.to_string());
            let is_new = self.handle.state.send_if_modified(|state| {
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
        let Some(mut serving) = self.handle.state.borrow().serving.clone() else {
            return;
        };
        let Some(open) = &mut self.open else { return };
        let Ok(mut names) = LanNames::now(&self.app.repository.config.lan) else {
            return;
        };
        if let Some(renamed) = &open.renamed {
            names.local = renamed.clone();
        }
        let problem = match (&mut open.current, &open.resolver) {
            (Some(current), Some(resolver)) => match current.follow(&self.app.repository, &names) {
                Ok(changed) => {
                    if changed {
                        resolver.replace(&current.certificate);
                        serving.certificate = Some(current.certificate.facts.clone());
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

impl LanListener {
    fn remark(&self) -> Option<String> {
        self.current
            .as_ref()
            .and_then(|current| current.remark.clone())
    }
}

/// Never, while nothing is announced.
async fn renamed(open: &mut Option<LanListener>) -> String {
    match open.as_mut().and_then(|open| open.announcement.as_mut()) {
        Some(announcement) => announcement.renamed().await,
        None => std::future::pending().await,
    }
}
