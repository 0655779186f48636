//! Keeps what is made of the content model until the model changes.

use std::sync::{Arc, Mutex, PoisonError};

use isolario_model::content::ContentModel;

/// What was made of a content model, and of which.
pub struct ModelCache<T>(Mutex<Option<(Arc<ContentModel>, Arc<T>)>>);

impl<T> Default for ModelCache<T> {
    fn default() -> ModelCache<T> {
        ModelCache(Mutex::default())
    }
}

impl<T> ModelCache<T> {
    /// What was made of this model. It is made anew for another one.
    pub fn get(&self, model: &Arc<ContentModel>, make: impl FnOnce(&ContentModel) -> T) -> Arc<T> {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*cached {
            Some((of, made)) if Arc::ptr_eq(of, model) => Arc::clone(made),
            _ => {
                let made = Arc::new(make(model));
                *cached = Some((Arc::clone(model), Arc::clone(&made)));
                made
            }
        }
    }
}
