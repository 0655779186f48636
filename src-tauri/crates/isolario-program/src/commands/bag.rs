//! Writes an item with everything below it as a bag.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Output, Progress};
use isolario_core::bag::{Bag, BagError, BagSummary};
use isolario_core::repository::Repository;
use isolario_model::policy::Actor;

/// Which item goes where.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BagCommand {
    pub item: i64,
    /// Absolute; a ZIP if it is named so, otherwise a folder.
    pub target: PathBuf,
}

impl BagCommand {
    /// Carries it out.
    pub async fn run(self, repository: &Arc<Repository>, progress: &Progress) -> Output {
        match self.written(repository, progress).await {
            Ok(BagSummary { items, files, .. }) => Output::done(format!(
                "{}: a bag of {items} items in {files} files.",
                self.target.display()
            )),
            Err(error) => Output::failed(format!("There is no whole bag: {error}")),
        }
    }

    async fn written(
        &self,
        repository: &Arc<Repository>,
        progress: &Progress,
    ) -> Result<BagSummary, BagError> {
        let base = local_base(repository);
        let bag = Bag::begin(repository, &Actor::program(), self.item, &base).await?;
        match self.target.extension() {
            Some(extension) if extension.eq_ignore_ascii_case("zip") => {
                bag.into_zip_file(&self.target, progress.say()).await
            }
            _ => bag.into_folder(&self.target, progress.say()).await,
        }
    }
}

/// Where the repository is on this machine.
pub(super) fn local_base(repository: &Repository) -> String {
    let server = &repository.config.server;
    match server.port {
        Some(port) => format!("http://{}:{port}", server.address),
        None => format!("http://{}", server.address),
    }
}
