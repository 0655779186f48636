//! Who may find an item, and which items were asked for beside the words.

use isolario_model::policy::Visibility;
use tantivy::Term;
use tantivy::schema::Field;

use super::columns;
use super::postings::Within;
use crate::access::{Access, Accesses, Visibilities, VisibleBelow, is_one_of};
use crate::bits::Bits;
use crate::error::SearchError;
use crate::index::schema::ID;
use crate::index::snapshot::Segment;

/// More ids than so many are compared with the column of ids instead of being looked up.
const FEW_IDS: usize = 256;

/// The items to which a search is restricted. It is no choice of a facet: all counts are within it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Restriction {
    /// All items.
    #[default]
    None,
    /// The items of these ids.
    Ids(Vec<i64>),
    /// The items with this value of a facet: what is below a collection.
    Value {
        /// The name of the facet.
        facet: String,
        /// The value.
        value: String,
    },
}

/// Documents that an actor may find, and what of them they may search.
pub struct ReadablePart {
    pub visible: Bits,
    pub accesses: Accesses,
}

impl ReadablePart {
    /// Those of some documents with more to be searched, and the others.
    fn divided(self, documents: &Bits, more: Accesses) -> Vec<ReadablePart> {
        let (mut inside, mut outside) = (self.visible.clone(), self.visible);
        inside.keep(documents);
        outside.remove(documents);
        let parts = [(inside, more), (outside, self.accesses)];
        let parts = parts.into_iter().filter(|(visible, _)| !visible.is_empty());
        let parts = parts.map(|(visible, accesses)| ReadablePart { visible, accesses });
        parts.collect()
    }
}

impl Segment<'_> {
    /// The documents that an actor may find. Nothing else is ever read for them.
    pub fn visible(&self, visibility: &Visibilities) -> Result<Bits, SearchError> {
        let mut visible = self.allowed(visibility.items)?;
        for below in &visibility.below {
            let mut seen = self.below(below)?;
            seen.keep(&self.allowed(below.items)?);
            visible.add(&seen);
        }
        Ok(visible)
    }

    /// The documents that an actor may find, in groups by what they may search of them. No document is in two groups.
    pub fn readable_parts(
        &self,
        visibility: &Visibilities,
    ) -> Result<Vec<ReadablePart>, SearchError> {
        let mut parts = vec![ReadablePart {
            visible: self.visible(visibility)?,
            accesses: visibility.accesses(),
        }];
        for below in &visibility.below {
            let (documents, there) = (self.below(below)?, visibility.there(below));
            let divided = parts.into_iter().flat_map(|part| {
                let more = part.accesses.with(&there, below);
                part.divided(&documents, more)
            });
            parts = divided.collect();
        }
        Ok(parts)
    }

    /// What is below a node, whoever may know of it, and the node.
    fn below(&self, below: &VisibleBelow) -> Result<Bits, SearchError> {
        let value = below.id.to_string();
        let everyone = Visibilities::EVERYTHING;
        let mut found = Bits::none(self.reader.max_doc());
        for facet in &below.facets {
            let value = std::slice::from_ref(&value);
            found.add(&self.with_value(&everyone.accesses(), facet, value)?);
        }
        let itself = self.fields.id_term(below.id);
        self.add_term(&itself, Within::of(self.alive), &mut found)?;
        Ok(found)
    }

    /// The documents of the items that a rule lets be seen.
    fn allowed(&self, items: Visibility) -> Result<Bits, SearchError> {
        let mut visible = self.alive.clone();
        let owned = |uid| Term::from_field_i64(self.fields.owner, uid);
        match items {
            Visibility::Everything => {}
            Visibility::Nothing => visible = Bits::none(visible.bound()),
            Visibility::OwnedBy(uid) => visible.keep(&self.with_term(&owned(uid))?),
            Visibility::Published => visible.remove(&self.unpublished()?),
            Visibility::PublishedOrOwnedBy(uid) => {
                let mut hidden = self.unpublished()?;
                hidden.remove(&self.with_term(&owned(uid))?);
                visible.remove(&hidden);
            }
        }
        Ok(visible)
    }

    fn unpublished(&self) -> Result<Bits, SearchError> {
        self.with_term(&unpublished(self.fields.unpublished))
    }

    /// The documents that have one of some values of a facet which the actor may know of.
    pub fn with_value(
        &self,
        accesses: &Accesses,
        facet: &str,
        values: &[String],
    ) -> Result<Bits, SearchError> {
        let mut found = Bits::none(self.reader.max_doc());
        let mut add = |access: Access, value: &str| {
            let term = self.fields.facet_term(access, facet, value);
            self.add_term(&term, Within::of(self.alive), &mut found)
        };
        for value in values {
            for access in &accesses.all {
                add(*access, value)?;
            }
            for (access, places) in &accesses.places {
                if is_one_of(places, value) {
                    add(*access, value)?;
                }
            }
        }
        Ok(found)
    }

    /// Leaves those to which a search is restricted.
    pub fn restrict(
        &self,
        accesses: &Accesses,
        restriction: &Restriction,
        documents: &mut Bits,
    ) -> Result<(), SearchError> {
        match restriction {
            Restriction::None => {}
            Restriction::Value { facet, value } => {
                documents.keep(&self.with_value(accesses, facet, std::slice::from_ref(value))?);
            }
            Restriction::Ids(ids) if ids.len() <= FEW_IDS => {
                let mut found = Bits::none(documents.bound());
                for id in ids {
                    self.add_term(&self.fields.id_term(*id), Within::of(documents), &mut found)?;
                }
                documents.keep(&found);
            }
            Restriction::Ids(ids) => {
                let ids: std::collections::HashSet<i64> = ids.iter().copied().collect();
                let mut found = Bits::none(documents.bound());
                let column = columns::numbers(self, ID)?.values;
                columns::for_each(&column, &column, documents, |document, id, _| {
                    if ids.contains(&id) {
                        found.insert(document);
                    }
                });
                *documents = found;
            }
        }
        Ok(())
    }
}

fn unpublished(field: Field) -> Term {
    Term::from_field_u64(field, 1)
}
