//! What is above an item: the collections that it is in, at any depth. Who may not see a node on the way does not learn
//! where the way leads.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::terms::TermCache;
use isolario_db::{DbError, Read};
use isolario_model::content::{Entity, EntityKind, TermRole, field_roles, uri_of};
use isolario_search::{LinkedKind, Source};

/// Nodes above an item that are followed. More ways up than these lead nowhere.
const MOST_STEPS: usize = 2_000;

/// What those below a node take from it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ParentFacts {
    pub title: String,
    pub is_collection: bool,
    published: bool,
    owner: i64,
    parents: Vec<i64>,
}

impl ParentFacts {
    /// Of a state of a node.
    pub fn of(read: &Read<'_>, terms: &TermCache, node: &Entity) -> Result<ParentFacts, DbError> {
        let roles = field_roles();
        let model = match node.reference(&roles.model) {
            Some(tid) => terms.term(read, tid)?,
            None => None,
        };
        let uri = model.as_ref().and_then(|model| model.uri.as_deref());
        Ok(ParentFacts {
            title: node.label().to_owned(),
            is_collection: uri == Some(uri_of(TermRole::Collection)),
            published: node.is_published(),
            owner: node.owner(),
            parents: node.references(&roles.member_of),
        })
    }
}

/// Who sees all nodes on a way up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Way {
    Published,
    /// All that is hidden on it has this owner.
    OwnedBy(i64),
    /// What is hidden on it has several owners.
    Hidden,
}

impl Way {
    fn through(self, facts: &ParentFacts) -> Way {
        match self {
            way if facts.published => way,
            Way::Published => Way::OwnedBy(facts.owner),
            Way::OwnedBy(owner) if owner == facts.owner => self,
            _ => Way::Hidden,
        }
    }

    fn source(self) -> Source {
        let (published, owner) = match self {
            Way::Published => (true, 0),
            Way::OwnedBy(owner) => (false, owner),
            // Nobody is the owner of all.
            Way::Hidden => (false, 0),
        };
        Source::Linked {
            kind: LinkedKind::Item,
            published,
            owner,
        }
    }
}

/// A node above an item, and who may know that the item is below it.
pub(crate) struct Ancestor {
    pub nid: i64,
    pub facts: Rc<ParentFacts>,
    pub source: Source,
}

/// The parents of a snapshot.
#[derive(Default)]
pub(crate) struct ParentCache(RefCell<HashMap<i64, Option<Rc<ParentFacts>>>>);

impl ParentCache {
    fn parent(
        &self,
        read: &Read<'_>,
        terms: &TermCache,
        nid: i64,
    ) -> Result<Option<Rc<ParentFacts>>, DbError> {
        if let Some(known) = self.0.borrow().get(&nid) {
            return Ok(known.clone());
        }
        let node = read.entity(EntityKind::Node, nid)?;
        let facts = node.map(|node| ParentFacts::of(read, terms, &node));
        let facts = facts.transpose()?.map(Rc::new);
        self.0.borrow_mut().insert(nid, facts.clone());
        Ok(facts)
    }

    /// The nodes that an item is in itself.
    pub fn direct(
        &self,
        read: &Read<'_>,
        terms: &TermCache,
        node: &Entity,
    ) -> Result<Vec<Ancestor>, DbError> {
        let parents = node.references(&field_roles().member_of).into_iter();
        let parents = parents.map(|nid| {
            let facts = self.parent(read, terms, nid)?;
            Ok(facts.map(|facts| Ancestor {
                nid,
                source: Way::Published.through(&facts).source(),
                facts,
            }))
        });
        parents.filter_map(Result::transpose).collect()
    }

    /// Everything above a node, once for each group of those who may know of it.
    pub fn above(
        &self,
        read: &Read<'_>,
        terms: &TermCache,
        node: &Entity,
    ) -> Result<Vec<Ancestor>, DbError> {
        let parents = node.references(&field_roles().member_of).into_iter();
        let mut next: Vec<(i64, Way)> = parents.map(|nid| (nid, Way::Published)).collect();
        let mut met: HashSet<(i64, Way)> = HashSet::new();
        let mut above = Vec::new();
        while let Some((nid, way)) = next.pop() {
            let Some(facts) = self.parent(read, terms, nid)? else {
                continue;
            };
            let way = way.through(&facts);
            if nid == node.id || met.len() >= MOST_STEPS || !met.insert((nid, way)) {
                continue;
            }
            next.extend(facts.parents.iter().map(|parent| (*parent, way)));
            above.push(Ancestor {
                nid,
                source: way.source(),
                facts,
            });
        }
        Ok(above)
    }
}
