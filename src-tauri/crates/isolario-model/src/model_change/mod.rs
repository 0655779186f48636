//! Changes of the content model by people: what may change, and what a change does.

mod difference;
mod rules;

pub use difference::{ModelChange, ModelDifference, differences};
pub use rules::broken_rules;

use std::sync::Arc;

use crate::content::{Bundle, ContentModel};

/// A model as people sent it, completed by what they do not decide: identities, removed fields, and what the program
/// has given.
pub fn completed(stored: &ContentModel, sent: ContentModel) -> ContentModel {
    let complete = |mut bundle: Arc<Bundle>| {
        let known = stored.bundle(bundle.kind, &bundle.id);
        let mine = Arc::make_mut(&mut bundle);
        mine.removed_fields.clear();
        match known {
            Some(known) => {
                mine.uuid.clone_from(&known.uuid);
                let fields = known.fields.iter().chain(&known.removed_fields);
                let removed = fields.filter(|field| mine.field(&field.name).is_none());
                mine.removed_fields = removed.cloned().collect();
            }
            None => mine.uuid = uuid::Uuid::new_v4().to_string(),
        }
        bundle
    };
    ContentModel {
        bundles: sent.bundles.into_iter().map(complete).collect(),
        relators: sent.relators,
        namespaces: sent.namespaces,
        given_terms: stored.given_terms.clone(),
        given_permissions: stored.given_permissions.clone(),
        given_parts: stored.given_parts.clone(),
        revision: stored.revision + 1,
    }
}

/// The parts of a model that people decide.
pub fn decided(model: &ContentModel) -> ContentModel {
    ContentModel {
        bundles: model.bundles.clone(),
        relators: model.relators.clone(),
        namespaces: model.namespaces.clone(),
        ..ContentModel::default()
    }
}
