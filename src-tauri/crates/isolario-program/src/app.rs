//! The server: one repository, its listening sockets, and an end that loses nothing.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub use isolario_server::api::ErrorCode;
pub use isolario_server::api::local_upload::{LocalUpload, LocalUploadOutcome};

use crate::control::{Control, ShowWindow};
use isolario_auth::hosts::{AllowedHosts, authority_of, host_of};
use isolario_config::{Config, ConfigError};
use isolario_core::actions::plain_file::plain_file;
use isolario_core::actions::resumable_upload::expire_now_and_then;
use isolario_core::data_directory::{DataDirectory, OpenError, OpenRepository, place};
use isolario_core::fixity;
use isolario_core::repository::Repository;
use isolario_server::api::AppState;
use isolario_server::api::Interface;
use isolario_server::listeners::{
    BindError, ConnectionLimiter, ConnectionLimits, ListenerContext, accept, bind, bind_from, lan,
    reachable_at,
};
use isolario_watch::rules::adopt_configured;

/// The port of a new repository, if it is free.
const FIRST_PORT: u16 = 8460;

/// What the one who starts the server decides.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Data directory; the platform's own place when `None`.
    pub data: Option<PathBuf>,
    /// Instead of the configured address and port.
    pub listen: Option<SocketAddr>,
    /// Instead of the configured public address.
    pub base_url: Option<String>,
    /// Whether nothing is made of original files, whatever is configured.
    pub no_derivatives: bool,
}

/// Why the server did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Another program holds the data directory.
    #[error("{0}")]
    Held(OpenError),
    #[error("{0}")]
    Open(OpenError),
    #[error("{0}")]
    Config(#[from] ConfigError),
    #[error("{0} is no address of a web server. It looks like https://repository.example.org")]
    BaseUrl(String),
    #[error(transparent)]
    Bind(#[from] BindError),
    #[error("The socket for commands cannot be made in {path}: {error}.", path = path.display())]
    Control {
        path: PathBuf,
        error: std::io::Error,
    },
}

impl From<OpenError> for StartError {
    fn from(error: OpenError) -> StartError {
        match error {
            OpenError::Held { .. } => StartError::Held(error),
            other => StartError::Open(other),
        }
    }
}

/// A running server. `stop` ends it; dropping it breaks off what is in flight.
pub struct App {
    open: OpenRepository,
    state: AppState,
    interface: Interface,
    address: SocketAddr,
    host: String,
    control: Control,
    show_window: ShowWindow,
    accepting: JoinHandle<()>,
    lan: Option<JoinHandle<()>>,
    jobs: JoinHandle<()>,
    search: JoinHandle<()>,
    derivatives: JoinHandle<()>,
    schedule: JoinHandle<()>,
    backups: JoinHandle<()>,
    audit: Option<JoinHandle<()>>,
    /// Writes the audit log until it is told to stop.
    audit_log: (JoinHandle<()>, CancellationToken),
    watch: JoinHandle<()>,
}

impl App {
    /// Opens the repository and serves it in background tasks of the current runtime.
    ///
    /// # Errors
    /// In plain words.
    pub async fn start(options: Options) -> Result<App, StartError> {
        let mut directory = DataDirectory::hold(&place(options.data)?)?;
        directory.config.derivatives.enabled &= !options.no_derivatives;
        if let Some(url) = options.base_url {
            directory.config.base_url = Some(url);
        }
        check_base_url(&mut directory.config)?;
        let listener = listen(&mut directory, options.listen).await?;
        let address = listener.local_addr().map_err(|error| BindError {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            error,
        })?;
        let hosts = allowed_hosts(&directory.config, address.ip());
        let open = directory.open(hosts).await?;
        App::serve(open, listener, address).await
    }

    async fn serve(
        open: OpenRepository,
        listener: TcpListener,
        address: SocketAddr,
    ) -> Result<App, StartError> {
        let repository = open.repository.clone();
        let show_window = ShowWindow::default();
        let host = reachable_at(address);
        let state = AppState::new(repository.clone(), address);
        let control = Control::listen(
            &repository.directory,
            state.watch.clone(),
            format!("http://{host}"),
            show_window.clone(),
        )
        .map_err(|error| StartError::Control {
            path: repository.directory.clone(),
            error,
        })?;
        let interface = Interface::new(state.clone());
        let limiter = ConnectionLimiter::new(&repository.config.limits);
        let context = ListenerContext {
            interface: interface.clone(),
            limiter: limiter.clone(),
            limits: ConnectionLimits::new(&repository.config.limits),
            encryption: None,
            closing: repository.closing.clone(),
        };
        tokio::spawn(expire_now_and_then(repository.clone()));
        let accepting = tokio::spawn(async { accept(listener, context).await.finish().await });
        let lan = lan::start(state.clone(), interface.clone(), limiter).await;
        isolario_core::jobs::resume_batches(&repository).await;
        isolario_exchange::resume_imports(&repository).await;
        let jobs = tokio::spawn(isolario_core::jobs::run(repository.clone()));
        let search = tokio::spawn(isolario_core::search::run(repository.clone()));
        let derivatives = tokio::spawn(isolario_core::jobs::make_derivatives(repository.clone()));
        let schedule = tokio::spawn(isolario_core::schedule::run(repository.clone()));
        let backups = tokio::spawn(isolario_core::backup::run_schedule(repository.clone()));
        let audit = fixity::start(&state.audit);
        let stop_log = CancellationToken::new();
        let follow = isolario_core::audit_log::follow(repository.clone(), stop_log.clone());
        let audit_log = (tokio::spawn(follow), stop_log);
        if let Err(error) = adopt_configured(&state.watch).await {
            tracing::error!(%error, "the watched folders of config.toml could not be noted");
        }
        let watch = tokio::spawn(isolario_watch::run(state.watch.clone()));
        Ok(App {
            open,
            state,
            interface,
            address,
            host,
            control,
            show_window,
            accepting,
            lan,
            jobs,
            search,
            derivatives,
            schedule,
            backups,
            audit,
            audit_log,
            watch,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The public address if one is configured, else the one on this machine. No trailing slash.
    pub fn base_url(&self) -> String {
        let public = self.repository().config.base_url.clone();
        public.unwrap_or_else(|| format!("http://{}", self.host))
    }

    /// The key that lets the window in.
    pub fn window_key(&self) -> &str {
        self.repository().authenticator.window_key()
    }

    /// What is served.
    pub fn repository(&self) -> &Arc<Repository> {
        &self.open.repository
    }

    /// What is served, with the handles of its tasks.
    pub fn state(&self) -> &AppState {
        &self.state
    }

    /// What to do when another start of the program asks for the window.
    pub fn on_show_window(&self, show: impl Fn() + Send + Sync + 'static) {
        // A second window of one server would have no other front than the first.
        let _ = self.show_window.set(Box::new(show));
    }

    /// Uploads a file of this machine through the upload route, for the window. `progress` hears the
    /// bytes read so far.
    pub async fn put_file(
        &self,
        upload: LocalUpload,
        progress: impl Fn(u64) + Send + Sync + 'static,
    ) -> LocalUploadOutcome {
        let client = self.interface.local_client(&self.host, self.window_key());
        client.put_file(upload, progress).await
    }

    /// Fetches an address of this server, given by path and query, into a file of this machine.
    ///
    /// # Errors
    /// A sentence for the person at the window.
    pub async fn save_file(&self, path_and_query: &str, target: &Path) -> Result<(), String> {
        let client = self.interface.local_client(&self.host, self.window_key());
        client.save_file(path_and_query, target).await
    }

    /// Posts a file of this machine to an address of this server, given by path and query. Returns status and body.
    ///
    /// # Errors
    /// A sentence for the person at the window.
    pub async fn post_file(
        &self,
        path_and_query: &str,
        source: &Path,
        mime: &str,
    ) -> Result<(u16, String), String> {
        let client = self.interface.local_client(&self.host, self.window_key());
        client.post_file(path_and_query, source, mime).await
    }

    /// Where the bytes of a file lie as a plain file, for the window; `None` when they belong to the storage root.
    ///
    /// # Errors
    /// A sentence for the person at the window.
    pub async fn plain_file(&self, fid: i64) -> Result<Option<PathBuf>, String> {
        let repository = self.repository();
        let actor = repository.authenticator.window(self.window_key()).await;
        let actor = actor.map_err(|error| error.to_string())?;
        plain_file(repository, &actor, fid)
            .await
            .map_err(|refusal| refusal.to_string())
    }

    /// Takes no more requests, finishes those in flight (within 20 seconds), writes the records that wait (within 20
    /// more) and closes everything. Returns how many records are left for the next start.
    pub async fn stop(self) -> i64 {
        self.repository().closing.cancel();
        if let Err(error) = self.accepting.await {
            tracing::error!(%error, "the server ended badly");
        }
        if let Some(lan) = self.lan {
            // It finishes what is in flight, too.
            let _ = lan.await;
        }
        // It has its own bound for files that are being taken; a panic of its was logged.
        let _ = self.watch.await;
        let _ = self.jobs.await;
        let _ = self.search.await;
        let _ = self.derivatives.await;
        let _ = self.schedule.await;
        let _ = self.backups.await;
        if let Some(audit) = self.audit {
            // It breaks off by itself; a panic of its was logged.
            let _ = audit.await;
        }
        let left = isolario_core::jobs::finish(&self.open.repository).await;
        // After the last change.
        let (audit_log, stop_log) = self.audit_log;
        stop_log.cancel();
        let _ = audit_log.await;
        self.control.close().await;
        let state = self.state.clone();
        // The threads of the logs have a disk to wait for.
        let flush = move || {
            state.request_log.flush();
            state.repository.authenticator.failed_sign_ins().flush();
        };
        let _ = tokio::task::spawn_blocking(flush).await;
        left
    }
}

fn check_base_url(config: &mut Config) -> Result<(), StartError> {
    let Some(url) = &config.base_url else {
        return Ok(());
    };
    let plain = url.trim_end_matches('/').to_owned();
    let web = plain.starts_with("http://") || plain.starts_with("https://");
    let host = authority_of(&plain).and_then(host_of);
    if !web || host.is_none() {
        return Err(StartError::BaseUrl(url.clone()));
    }
    config.base_url = Some(plain);
    Ok(())
}

fn allowed_hosts(config: &Config, bound: IpAddr) -> AllowedHosts {
    let public = config.base_url.as_deref().and_then(authority_of);
    let public = public.and_then(host_of).map(str::to_owned);
    let configured = config.server.allowed_hosts.iter().cloned();
    AllowedHosts::new(bound, configured.chain(public))
}

/// Binds the address asked for, or the configured one. Without a configured port the first free one
/// is found and kept; a configured one that is taken gives way for this run only.
async fn listen(
    directory: &mut DataDirectory,
    asked_for: Option<SocketAddr>,
) -> Result<TcpListener, StartError> {
    if let Some(address) = asked_for {
        return Ok(bind(address).await?);
    }
    let rules = &directory.config.server;
    let kept = rules.port;
    let listener = bind_from(rules.address, kept.unwrap_or(FIRST_PORT)).await?;
    if let (None, Ok(bound)) = (kept, listener.local_addr()) {
        directory.keep_port(bound.port())?;
    }
    Ok(listener)
}
