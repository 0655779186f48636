//! What every handler can reach: the repository, and the tasks that run beside it.

use std::net::SocketAddr;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRef;
use isolario_core::backup::BackupNow;
use isolario_core::events::Streams;
use isolario_core::fixity::Audit;
use isolario_core::repository::Repository;
use isolario_core::search::SearchNames;
use isolario_exchange::Imports;
use isolario_model::content::ContentModel;
use isolario_watch::Watch;

use super::RequestLog;
use super::configuration_documents::ConfigurationDocuments;
use super::model_cache::ModelCache;
use super::presence::Presence;
use crate::lan::Lan;

/// Since when and where a repository is served.
#[derive(Debug, Clone, Copy)]
pub struct Serving {
    /// Unix seconds.
    pub since: i64,
    /// What is spoken here is plain HTTP.
    pub address: SocketAddr,
}

impl Serving {
    /// From now on, at an address.
    pub fn at(address: SocketAddr) -> Serving {
        Serving {
            since: chrono::Utc::now().timestamp(),
            address,
        }
    }

    /// A sentence, where other machines are served without encryption.
    pub fn warning(&self) -> Option<String> {
        (!self.address.ip().is_loopback()).then(|| {
            format!(
                "Other machines can reach {} without encryption: whoever is on the way can read passwords and everything else. [lan] in config.toml serves them encrypted.",
                self.address
            )
        })
    }
}

/// A repository that is served, with the handles of its tasks.
pub struct App {
    pub repository: Arc<Repository>,
    pub request_log: RequestLog,
    /// Who listens to changes.
    pub streams: Streams,
    pub presence: Presence,
    /// The switch of the local network.
    pub lan: Lan,
    pub watch: Arc<Watch>,
    pub audit: Arc<Audit>,
    pub backup: Arc<BackupNow>,
    pub imports: Arc<Imports>,
    pub serving: Serving,
    configuration: ModelCache<ConfigurationDocuments>,
    search_names: ModelCache<SearchNames>,
}

impl App {
    /// The names by which people search.
    pub fn search_names(&self) -> Arc<SearchNames> {
        let model = self.repository.model();
        self.search_names.get(&model, SearchNames::of)
    }

    /// The documents of the configuration that were asked for.
    pub fn configuration(&self, model: &Arc<ContentModel>) -> Arc<ConfigurationDocuments> {
        self.configuration
            .get(model, |_| ConfigurationDocuments::default())
    }
}

/// The state of the router. Cheap to clone.
#[derive(Clone)]
pub struct AppState(Arc<App>);

impl AppState {
    /// Of a repository that is served at an address. Its tasks run once they are started.
    pub fn new(repository: Arc<Repository>, address: SocketAddr) -> AppState {
        AppState(Arc::new(App {
            request_log: RequestLog::open(&repository.directory, &repository.config.log),
            streams: Streams::default(),
            presence: Presence::default(),
            lan: Lan::new(repository.config.lan.enabled),
            watch: Arc::new(Watch::new(repository.clone())),
            audit: Arc::new(Audit::new(repository.clone())),
            backup: Arc::new(BackupNow::new(repository.clone())),
            imports: Arc::new(Imports::new(repository.clone())),
            serving: Serving::at(address),
            configuration: ModelCache::default(),
            search_names: ModelCache::default(),
            repository,
        }))
    }
}

impl Deref for AppState {
    type Target = App;

    fn deref(&self) -> &App {
        &self.0
    }
}

impl FromRef<AppState> for Arc<Repository> {
    fn from_ref(state: &AppState) -> Arc<Repository> {
        state.repository.clone()
    }
}
