//! Finds the terms of a vocabulary that the terms of a file are: by UUID, or else by address, or else by name below the
//! same term.

use std::collections::{HashMap, HashSet};

use super::super::problem::{TableProblem, TableProblemCode, TableReason};
use super::concepts::uuid_of;
use super::order::in_order;
use super::planned::PARENT;
use super::source_term::{ParentName, SourceTerm, SourceTerms};
use crate::actions::view_entity::may_view;
use isolario_db::{DbError, Read};
use isolario_model::content::{Entity, EntityKind};
use isolario_model::policy::Actor;

/// Terms of one name or address that are compared.
const MOST_ALIKE: i64 = 100;

/// A term of the file or of the vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Place {
    /// By its place in the file.
    Row(usize),
    Term(i64),
}

/// The terms of a file, and which terms of the vocabulary they are.
pub(super) struct Matching {
    pub source: SourceTerms,
    actor: Actor,
    vocabulary: String,
    pub tids: Vec<Option<i64>>,
    /// What the file puts above each.
    pub parents: Vec<Option<Vec<Place>>>,
    names: HashMap<String, Vec<usize>>,
    uuids: HashMap<String, usize>,
    concepts: HashMap<String, usize>,
    /// The rows that are terms of the vocabulary.
    rows: HashMap<i64, usize>,
    /// Names of new terms, and what is above them.
    new: HashSet<(String, Vec<Place>)>,
}

impl Matching {
    /// Terms of a file of which nothing is known yet.
    pub fn new(source: SourceTerms, actor: Actor, vocabulary: String) -> Matching {
        let number = source.terms.len();
        let mut matching = Matching {
            source,
            actor,
            vocabulary,
            tids: vec![None; number],
            parents: vec![None; number],
            names: HashMap::new(),
            uuids: HashMap::new(),
            concepts: HashMap::new(),
            rows: HashMap::new(),
            new: HashSet::new(),
        };
        let mut doubled = Vec::new();
        for (row, term) in matching.source.terms.iter().enumerate() {
            matching
                .names
                .entry(term.name.clone())
                .or_default()
                .push(row);
            if let Some(concept) = &term.concept {
                matching.concepts.insert(concept.clone(), row);
            }
            if let Some(uuid) = &term.uuid
                && matching.uuids.insert(uuid.clone(), row).is_some()
            {
                doubled.push(TableProblem::of_cell(
                    term.row,
                    "uuid",
                    uuid,
                    TableProblemCode::RepeatedUuid,
                ));
            }
        }
        matching.source.problems.extend(doubled);
        matching
    }

    /// Finds what the terms of some rows are by UUID and address, and what is above them.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn refer(&mut self, read: &Read<'_>, rows: std::ops::Range<usize>) -> Result<(), DbError> {
        for row in rows {
            let Some(term) = self.source.terms.get(row).cloned() else {
                return Ok(());
            };
            if let Some(tid) = self.known(read, &term)? {
                self.claim(row, tid);
            }
            let Some(names) = &term.parents else { continue };
            let mut parents = Vec::new();
            for name in names {
                match self.parent(read, name)? {
                    Ok(parent) if !parents.contains(&parent) => parents.push(parent),
                    Ok(_) => {}
                    Err(reason) => self.tell(row, PARENT, text_of(name), reason),
                }
            }
            self.parents[row] = Some(parents);
        }
        Ok(())
    }

    /// The rows in an order in which each comes after those above it.
    pub fn rows_in_order(&mut self) -> Vec<usize> {
        let parents = &self.parents;
        let above = |row: usize| {
            let places = parents[row]
                .iter()
                .flatten()
                .filter_map(|place| match place {
                    Place::Row(row) => Some(*row),
                    Place::Term(_) => None,
                });
            Ok::<_, std::convert::Infallible>(places.collect())
        };
        let Ok(order) = in_order(0..parents.len(), above, |_| true);
        order.members
    }

    /// Finds what the terms of some rows are by name. Those above them must be known.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn name(&mut self, read: &Read<'_>, rows: &[usize]) -> Result<(), DbError> {
        for row in rows {
            if self.tids[*row].is_some() {
                continue;
            }
            let name = self.source.terms[*row].name.clone();
            let alike = self.alike(read, *row, &name)?;
            match alike.as_slice() {
                [] => {}
                [tid] => {
                    self.claim(*row, *tid);
                    continue;
                }
                _ => self.tell(*row, "name", &name, TableProblemCode::AmbiguousName),
            }
            let mut above: Vec<Place> = self.parents[*row]
                .iter()
                .flatten()
                .map(|place| self.place(*place))
                .collect();
            above.sort_unstable();
            if !name.is_empty() && !self.new.insert((name.clone(), above)) {
                self.tell(*row, "name", &name, TableProblemCode::RepeatedTerm);
            }
        }
        Ok(())
    }

    /// The rows in the order in which they are carried out: each after those above it, also by the terms of the
    /// vocabulary between them.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn order(&mut self, read: &Read<'_>) -> Result<Vec<usize>, DbError> {
        let above = |place: Place| {
            let said = match place {
                Place::Row(row) => self.parents[row].clone(),
                Place::Term(_) => None,
            };
            let tid = match place {
                Place::Row(row) => self.tids[row],
                Place::Term(tid) => Some(tid),
            };
            let places = match (said, tid) {
                (Some(said), _) => said,
                (None, None) => Vec::new(),
                (None, Some(tid)) => {
                    let term = read.entity(EntityKind::Term, tid)?;
                    let above = term.map(|term| term.references(PARENT)).unwrap_or_default();
                    above.into_iter().map(Place::Term).collect()
                }
            };
            Ok::<_, DbError>(places.into_iter().map(|place| self.row_of(place)).collect())
        };
        let rows = (0..self.parents.len()).map(Place::Row);
        let order = in_order(rows, above, |place| matches!(place, Place::Row(_)))?;
        for place in order.circles {
            if let Place::Row(row) = place {
                self.tell(row, PARENT, "", TableProblemCode::CircularTerm);
            }
        }
        let rows = order.members.into_iter().filter_map(|place| match place {
            Place::Row(row) => Some(row),
            Place::Term(_) => None,
        });
        Ok(rows.collect())
    }

    /// A term of the file as the term of the vocabulary that it is.
    pub fn place(&self, place: Place) -> Place {
        match place {
            Place::Row(row) => self.tids[row].map_or(place, Place::Term),
            Place::Term(_) => place,
        }
    }

    fn row_of(&self, place: Place) -> Place {
        match place {
            Place::Term(tid) => self.rows.get(&tid).map_or(place, |row| Place::Row(*row)),
            Place::Row(_) => place,
        }
    }

    fn tell(&mut self, row: usize, column: &str, value: &str, reason: impl Into<TableReason>) {
        let number = self.source.terms[row].row;
        self.source
            .problems
            .push(TableProblem::of_cell(number, column, value, reason));
    }

    fn claim(&mut self, row: usize, tid: i64) {
        match self.rows.insert(tid, row) {
            None => self.tids[row] = Some(tid),
            Some(first) => {
                self.rows.insert(tid, first);
                let above = self.source.terms[first].row;
                let reason = TableProblemCode::SameTerm.of(above.to_string());
                let name = self.source.terms[row].name.clone();
                self.tell(row, "name", &name, reason);
            }
        }
    }

    /// The term that a term of the file is, by UUID or address.
    fn known(&mut self, read: &Read<'_>, term: &SourceTerm) -> Result<Option<i64>, DbError> {
        if let Some(uuid) = &term.uuid
            && let Some(tid) = self.by_uuid(read, uuid)?
        {
            return Ok(Some(tid));
        }
        for address in term.addresses.iter().flatten() {
            match self.by_address(read, address)?.as_slice() {
                [] => {}
                [tid] => return Ok(Some(*tid)),
                _ => {
                    let reason = TableProblemCode::AmbiguousAddress;
                    self.source
                        .problems
                        .push(TableProblem::of_cell(term.row, "uri", address, reason));
                }
            }
        }
        Ok(None)
    }

    fn by_uuid(&self, read: &Read<'_>, uuid: &str) -> Result<Option<i64>, DbError> {
        let found = read.id_of_uuid(EntityKind::Term, uuid)?;
        let term = found.map(|tid| self.visible(read, tid)).transpose()?;
        Ok(term.flatten().map(|term| term.id))
    }

    fn by_address(&self, read: &Read<'_>, address: &str) -> Result<Vec<i64>, DbError> {
        let mut found = read.terms_by_uri(address, MOST_ALIKE)?;
        found.extend(read.terms_by_authority(address, MOST_ALIKE)?);
        found.sort_unstable();
        found.dedup();
        let mut own = Vec::new();
        for tid in found {
            own.extend(self.visible(read, tid)?.map(|term| term.id));
        }
        Ok(own)
    }

    fn visible(&self, read: &Read<'_>, tid: i64) -> Result<Option<Entity>, DbError> {
        match read.entity(EntityKind::Term, tid)? {
            Some(term) if term.bundle == self.vocabulary && may_view(read, &self.actor, &term)? => {
                Ok(Some(term))
            }
            _ => Ok(None),
        }
    }

    fn named(&self, read: &Read<'_>, name: &str) -> Result<Vec<Entity>, DbError> {
        let mut terms = Vec::new();
        for tid in read.terms_by_name(Some(&self.vocabulary), name, MOST_ALIKE)? {
            terms.extend(self.visible(read, tid)?.filter(|term| term.label() == name));
        }
        Ok(terms)
    }

    /// The terms of the vocabulary that have the name of a row, and lie where it does.
    fn alike(&self, read: &Read<'_>, row: usize, name: &str) -> Result<Vec<i64>, DbError> {
        let mut named = self.named(read, name)?;
        named.retain(|term| !self.rows.contains_key(&term.id));
        let is_above = |term: &Entity, place: &Place| match self.place(*place) {
            Place::Term(tid) => term.references(PARENT).contains(&tid),
            Place::Row(_) => false,
        };
        match &self.parents[row] {
            Some(parents) if !parents.is_empty() => {
                named.retain(|term| parents.iter().any(|place| is_above(term, place)));
            }
            None if named.len() == 1 && !self.source.are_concepts => {}
            _ => named.retain(|term| term.references(PARENT).is_empty()),
        }
        Ok(named.into_iter().map(|term| term.id).collect())
    }

    /// What a term names as one above it, or why there is none.
    fn parent(
        &self,
        read: &Read<'_>,
        name: &ParentName,
    ) -> Result<Result<Place, TableProblemCode>, DbError> {
        let missing = || Err(TableProblemCode::UnknownParentTerm);
        Ok(match name {
            ParentName::Name(name) => match self.names.get(name).map(Vec::as_slice) {
                Some([row]) => Ok(Place::Row(*row)),
                Some(_) => Err(TableProblemCode::AmbiguousRow),
                None => match self.named(read, name)?.as_slice() {
                    [] => missing(),
                    [term] => Ok(Place::Term(term.id)),
                    _ => Err(TableProblemCode::AmbiguousName),
                },
            },
            ParentName::Uuid(uuid) => match self.uuids.get(uuid) {
                Some(row) => Ok(Place::Row(*row)),
                None => self
                    .by_uuid(read, uuid)?
                    .map_or_else(missing, |tid| Ok(Place::Term(tid))),
            },
            ParentName::Concept(id) => match (self.concepts.get(id), uuid_of(id)) {
                (Some(row), _) => Ok(Place::Row(*row)),
                (None, Some(uuid)) => self
                    .by_uuid(read, &uuid)?
                    .map_or_else(missing, |tid| Ok(Place::Term(tid))),
                (None, None) => match self.by_address(read, id)?.as_slice() {
                    [] => missing(),
                    [tid] => Ok(Place::Term(*tid)),
                    _ => Err(TableProblemCode::AmbiguousAddress),
                },
            },
        })
    }
}

fn text_of(name: &ParentName) -> &str {
    match name {
        ParentName::Name(text) | ParentName::Uuid(text) | ParentName::Concept(text) => text,
    }
}
