//! The content model as it is now. It changes while the program runs (`actions::content_model`).

use std::sync::Arc;

use tokio::sync::watch;

use isolario_config::Config;
use isolario_model::content::ContentModel;

/// Holds the content model. Whoever asks for it keeps what it was then.
pub struct CurrentModel {
    model: watch::Sender<Arc<ContentModel>>,
    listed_extensions_only: bool,
}

impl CurrentModel {
    /// Of a model that was read from the database.
    pub fn new(model: ContentModel, config: &Config) -> CurrentModel {
        let current = CurrentModel {
            model: watch::Sender::default(),
            listed_extensions_only: config.files.listed_extensions_only,
        };
        current.model.send_replace(current.with_any_file(model));
        current
    }

    fn with_any_file(&self, mut model: ContentModel) -> Arc<ContentModel> {
        if !self.listed_extensions_only {
            model.take_any_file();
        }
        Arc::new(model)
    }

    pub(super) fn get(&self) -> Arc<ContentModel> {
        Arc::clone(&self.model.borrow())
    }

    /// Changes may be told in another order than they were committed; the last one counts.
    pub(super) fn set(&self, model: ContentModel) {
        self.model.send_if_modified(|current| {
            let is_newer = model.revision > current.revision;
            if is_newer {
                *current = self.with_any_file(model);
            }
            is_newer
        });
    }

    pub(super) fn changes(&self) -> watch::Receiver<Arc<ContentModel>> {
        self.model.subscribe()
    }
}
