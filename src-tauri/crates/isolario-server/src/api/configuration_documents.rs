//! Caches the documents of the configuration: a loader of tables asks for all of them before each table.

use std::collections::HashMap;
use std::sync::Mutex;

use axum::body::Bytes;
use serde_json::Value;

use super::conditional;
use isolario_model::formats::json;

/// A document as it is sent.
#[derive(Debug, Clone)]
pub struct ConfigurationDocument {
    pub body: Bytes,
    pub etag: String,
}

/// The documents of one content model that were asked for, by path.
#[derive(Debug, Default)]
pub struct ConfigurationDocuments(Mutex<HashMap<String, ConfigurationDocument>>);

/// Most documents in the cache: a path can be written in more than one way.
const MOST: usize = 1024;

impl ConfigurationDocuments {
    /// The cached document of a path. If there is none, finds and caches it.
    pub fn or_find(
        &self,
        path: &str,
        find: impl FnOnce() -> Option<Value>,
    ) -> Option<ConfigurationDocument> {
        if let Ok(cached) = self.0.lock()
            && let Some(known) = cached.get(path)
        {
            return Some(known.clone());
        }
        let body = json::encode(&find()?);
        let document = ConfigurationDocument {
            etag: conditional::etag(0, &body),
            body: body.into(),
        };
        if let Ok(mut cached) = self.0.lock() {
            if cached.len() >= MOST {
                cached.clear();
            }
            cached.insert(path.to_owned(), document.clone());
        }
        Some(document)
    }
}
