//! What documents take from terms, and from the collections above an item, each read once in a snapshot.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use isolario_db::{DbError, Read};
use isolario_model::content::{Entity, EntityKind, field_roles};
use isolario_search::{LinkedKind, Source};

/// What documents take from a term.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TermFacts {
    pub name: String,
    pub alternative_names: Vec<String>,
    /// The code of a language.
    pub code: Option<String>,
    /// The external URI.
    pub uri: Option<String>,
    pub published: bool,
    pub owner: i64,
}

impl TermFacts {
    /// Of a state of a term.
    pub fn of(term: &Entity) -> TermFacts {
        let roles = field_roles();
        let values = |field: &String| {
            let items = term.items(field).to_vec().into_iter();
            items.filter_map(|item| item.get("value")?.as_str().map(str::to_owned))
        };
        let uri = term.items(&roles.external_uri).first();
        TermFacts {
            name: term.label().to_owned(),
            alternative_names: roles.alternative_names.iter().flat_map(values).collect(),
            code: term.text(&roles.code).map(str::to_owned),
            uri: uri.and_then(|item| item.get("uri")?.as_str().map(str::to_owned)),
            published: term.is_published(),
            owner: term.owner(),
        }
    }

    /// The name, and the others behind it.
    pub fn names(&self) -> String {
        let names = std::iter::once(self.name.as_str());
        let others = self.alternative_names.iter().map(String::as_str);
        names.chain(others).collect::<Vec<_>>().join("; ")
    }

    /// Whose a text or value of it is.
    pub fn source(&self) -> Source {
        Source::Linked {
            kind: LinkedKind::Term,
            published: self.published,
            owner: self.owner,
        }
    }
}

/// The live terms of a snapshot.
#[derive(Default)]
pub(crate) struct TermCache(RefCell<HashMap<i64, Option<Rc<TermFacts>>>>);

impl TermCache {
    /// A live term.
    pub fn term(&self, read: &Read<'_>, tid: i64) -> Result<Option<Rc<TermFacts>>, DbError> {
        if let Some(known) = self.0.borrow().get(&tid) {
            return Ok(known.clone());
        }
        let term = read.entity(EntityKind::Term, tid)?;
        let facts = term.map(|term| Rc::new(TermFacts::of(&term)));
        self.0.borrow_mut().insert(tid, facts.clone());
        Ok(facts)
    }
}
