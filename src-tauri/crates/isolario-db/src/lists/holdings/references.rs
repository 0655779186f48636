//! The references of items, for a report of what is held: one walk over them, by item.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::TermHoldings;
use crate::DbError;
use crate::lists::id_set::IdSet;
use crate::lists::snapshot::Lists;
use crate::lists::sql_parts::Query;
use crate::lists::visible::{Viewer, visible};

/// A field that items refer by.
pub(super) struct ReferenceField {
    pub(super) name: String,
    items: ItemCount,
    /// By term id.
    terms: HashMap<i64, ItemCount>,
}

/// How many items have something, of which one after the other is told, each as often as it has it.
#[derive(Debug, Clone, Copy, Default)]
struct ItemCount {
    last: i64,
    items: i64,
}

impl Lists<'_> {
    /// The fields by which items refer to anything, with the terms in them that the viewer sees.
    pub(super) fn reference_fields(
        &self,
        items: &IdSet,
        viewer: &Viewer,
    ) -> Result<Vec<ReferenceField>, DbError> {
        let mut query = Query::new(
            "SELECT v.id, v.field, v.target_kind = 'taxonomy_term', v.target_id FROM field_reference v
             WHERE v.kind = 'node'",
        );
        query.and(&items.has("v.id")).push("ORDER BY v.id");
        let mut fields: Vec<ReferenceField> = Vec::new();
        self.each_row(&query, |row| {
            let (id, name) = (row.get(0)?, row.get_ref(1)?.as_str()?);
            let at = fields.iter().position(|field| field.name == name);
            let at = at.unwrap_or_else(|| {
                fields.push(ReferenceField::new(name));
                fields.len() - 1
            });
            fields[at].items.add(id);
            if row.get(2)? {
                fields[at].terms.entry(row.get(3)?).or_default().add(id);
            }
            Ok(())
        })?;
        let terms: Vec<i64> = fields.iter().flat_map(ReferenceField::term_ids).collect();
        let live = self.live_terms(&IdSet::new(&terms), viewer)?;
        for field in &mut fields {
            field.terms.retain(|term, _| live.contains(*term));
        }
        Ok(fields)
    }

    fn live_terms(&self, among: &IdSet, viewer: &Viewer) -> Result<IdSet, DbError> {
        let mut query = Query::new("SELECT t.id FROM taxonomy_term t WHERE t.deleted IS NULL");
        query
            .and(&among.has("t.id"))
            .and(&visible("t", viewer.terms));
        Ok(IdSet::new(&self.rows(&query, |row| row.get(0))?))
    }
}

impl ReferenceField {
    fn new(name: &str) -> ReferenceField {
        ReferenceField {
            name: name.to_owned(),
            items: ItemCount::default(),
            terms: HashMap::new(),
        }
    }

    /// How many items have a value of it.
    pub(super) fn items(&self) -> i64 {
        self.items.items
    }

    fn term_ids(&self) -> impl Iterator<Item = i64> {
        self.terms.keys().copied()
    }

    /// The most used first.
    pub(super) fn into_terms(self) -> Vec<TermHoldings> {
        let terms = self.terms.into_iter().map(|(term, count)| TermHoldings {
            field: self.name.clone(),
            term,
            items: count.items,
        });
        let mut terms: Vec<_> = terms.collect();
        terms.sort_by_key(|used| (Reverse(used.items), used.term));
        terms
    }
}

impl ItemCount {
    fn add(&mut self, id: i64) {
        if self.last != id {
            *self = ItemCount {
                last: id,
                items: self.items + 1,
            };
        }
    }
}
