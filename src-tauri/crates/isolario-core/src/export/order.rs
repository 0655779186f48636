//! What is asked of an export, and the columns that follow from it.

use std::sync::Arc;

use super::ExportedFiles;
use crate::actions::Refusal;
use crate::actions::batches::{ItemSource, below};
use crate::actions::view_entity::visible_target;
use crate::repository::Repository;
use isolario_db::{DbError, ItemFilter, ItemSort, Lists, Order, Read, Viewer};
use isolario_model::content::{Bundle, ContentModel, EntityKind, model_roles};
use isolario_model::fields::TermNotation;
use isolario_model::policy::Actor;
use isolario_model::tables::{Column, columns};

/// Which items are exported, and how.
#[derive(Debug, Clone)]
pub struct ExportOrder {
    /// The items; of a list, in the order of ids.
    pub source: ItemSource,
    /// Names of columns; `None` for those of the types of the items.
    pub columns: Option<Vec<String>>,
    pub terms: TermNotation,
    pub format: TableFormat,
    pub files: ExportedFiles,
}

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    Csv {
        /// Whether a mark says that it is UTF-8: Excel takes it for another encoding otherwise.
        with_bom: bool,
    },
    Xlsx,
}

impl ExportOrder {
    /// The items of a list, in the order of their ids.
    pub fn list(filter: ItemFilter) -> ItemSource {
        let order = Order {
            sort: ItemSort::Nid,
            descending: false,
        };
        ItemSource::List(Box::new(filter), order)
    }

    /// The columns of the table.
    pub(super) async fn columns(
        &self,
        repository: &Arc<Repository>,
        actor: &Actor,
    ) -> Result<Vec<Column>, Refusal> {
        let (order, actor) = (self.clone(), actor.clone());
        let model = repository.model();
        let chosen = repository.db.read_lists(move |read| {
            order.require_collection(read, &actor)?;
            let types = match order.columns {
                Some(_) => Vec::new(),
                None => order.types(read, &model, &actor)?,
            };
            columns(&model, order.columns.as_deref(), &types).map_err(Refusal::Malformed)
        });
        chosen.await
    }

    fn require_collection(&self, read: &Read<'_>, actor: &Actor) -> Result<(), Refusal> {
        let ItemSource::List(filter, _) = &self.source else {
            return Ok(());
        };
        let Some(id) = filter.collection else {
            return Ok(());
        };
        let kind = EntityKind::Node;
        let found = visible_target(read, actor, kind, id)?;
        found.map(drop).ok_or(Refusal::NotFound { kind, id })
    }

    /// The node types of the items; without an item, the one of most.
    fn types(
        &self,
        read: &Lists<'_>,
        model: &ContentModel,
        actor: &Actor,
    ) -> Result<Vec<Arc<Bundle>>, DbError> {
        let viewer = Viewer::of(actor);
        let mut types = Vec::new();
        for bundle in model.bundles_of(EntityKind::Node) {
            if self.has_type(read, &viewer, &bundle.id)? {
                types.push(bundle.clone());
            }
        }
        if types.is_empty() {
            let usual = model.bundle(EntityKind::Node, &model_roles().bundles.item);
            types.extend(usual.cloned());
        }
        Ok(types)
    }

    fn has_type(&self, read: &Lists<'_>, viewer: &Viewer, bundle: &str) -> Result<bool, DbError> {
        match &self.source {
            ItemSource::List(filter, _)
                if filter.bundle.as_deref().is_some_and(|only| only != bundle) =>
            {
                Ok(false)
            }
            ItemSource::List(filter, order) => {
                let list = ((**filter).clone(), order.clone());
                list_has_type(read, viewer, list, bundle)
            }
            ItemSource::Ids(ids) => {
                for (kind, id) in ids {
                    let target = read.target(*kind, *id)?;
                    if target.is_some_and(|target| target.bundle == bundle) {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            ItemSource::WithBelow(nid) => {
                let target = read.target(EntityKind::Node, *nid)?;
                if target.is_some_and(|target| target.bundle == bundle) {
                    return Ok(true);
                }
                list_has_type(read, viewer, below(*nid), bundle)
            }
            ItemSource::Trash(_) | ItemSource::Merge(_) => Ok(false),
        }
    }
}

fn list_has_type(
    read: &Lists<'_>,
    viewer: &Viewer,
    (filter, order): (ItemFilter, Order),
    bundle: &str,
) -> Result<bool, DbError> {
    let filter = ItemFilter {
        bundle: Some(bundle.to_owned()),
        ..filter
    };
    let page = read.item_page(&filter, viewer, order, None, 1)?;
    Ok(!page.rows.is_empty())
}
