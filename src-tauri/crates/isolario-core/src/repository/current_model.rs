//! The content model as it is now. It changes while the program runs (`actions::content_model`).

use std::sync::{Arc, PoisonError, RwLock};

use isolario_model::content::ContentModel;

/// Holds the content model. Whoever asks for it keeps what it was then.
pub struct CurrentModel(RwLock<Arc<ContentModel>>);

impl CurrentModel {
    /// Of a model that was read from the database.
    pub fn new(model: ContentModel) -> CurrentModel {
        CurrentModel(RwLock::new(Arc::new(model)))
    }

    pub(super) fn get(&self) -> Arc<ContentModel> {
        let model = self.0.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&model)
    }

    pub(super) fn set(&self, model: ContentModel) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(model);
    }
}
