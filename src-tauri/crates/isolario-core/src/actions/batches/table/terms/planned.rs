//! A term of a file once it is known what it becomes, and the values that it asks for.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::super::prepared::{PreparedRow, prepare_values};
use super::super::problem::{TableProblem, TableProblemCode};
use super::super::row::CellChange;
use super::addresses::{address_field, addresses_of, values_of};
use crate::actions::Refusal;
use crate::actions::request_body::definition_of;
use isolario_db::{DbError, Read};
use isolario_model::content::{
    Bundle, ContentModel, Entity, EntityKind, FieldDefinition, field_roles,
};
use isolario_model::policy::Actor;
use isolario_model::tables::join;

/// The field with the terms above a term.
pub(super) const PARENT: &str = "parent";

/// A term of a file, as its row waits for the batch.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PlannedTerm {
    pub row: u64,
    /// The term that is changed; `None` for a new one.
    pub tid: Option<i64>,
    pub uuid: Option<String>,
    pub name: String,
    pub other_names: Option<Vec<String>>,
    pub description: Option<String>,
    pub parents: Option<Vec<PlannedParent>>,
    pub addresses: Option<Vec<String>>,
    pub weight: Option<i64>,
    /// Whether names and addresses are added to those that there are.
    pub adds: bool,
}

/// A term above another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum PlannedParent {
    Term(i64),
    /// One that an earlier row makes, by the place of the row.
    New {
        place: i64,
        name: String,
    },
}

/// What terms are prepared with.
pub(super) struct TermContext<'a> {
    pub read: &'a Read<'a>,
    pub model: &'a ContentModel,
    pub actor: &'a Actor,
    pub bundle: &'a Bundle,
}

/// The values that a term asks for.
pub(super) struct TermRequest {
    /// The term that is changed; `None` for a new one.
    pub item: Option<Entity>,
    /// Values as REST takes them, of the fields that differ.
    pub body: Map<String, Value>,
    pub changes: Vec<CellChange>,
}

impl TermRequest {
    fn set(
        &mut self,
        column: &str,
        field: &str,
        (before, after): (&[String], &[String]),
        values: Value,
    ) {
        if before == after {
            return;
        }
        self.body.insert(field.to_owned(), values);
        self.changes.push(CellChange {
            column: column.to_owned(),
            before: join(before),
            after: join(after),
        });
    }
}

impl TermContext<'_> {
    /// What a term asks for. `parents` are those of its terms above that are there.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn request(
        &self,
        term: &PlannedTerm,
        item: Option<Entity>,
        parents: &[i64],
    ) -> Result<Result<TermRequest, TableProblem>, DbError> {
        let mut request = TermRequest {
            item,
            body: Map::from_iter([("vid".to_owned(), json!([{"target_id": self.bundle.id}]))]),
            changes: Vec::new(),
        };
        if let (None, Some(uuid)) = (&request.item, &term.uuid) {
            request
                .body
                .insert("uuid".into(), json!([{ "value": uuid }]));
        }
        let named = |item: &Entity| vec![item.label().to_owned()];
        let before = request.item.as_ref().map(named).unwrap_or_default();
        let name = [term.name.clone()];
        request.set(
            "name",
            "name",
            (&before, &name),
            json!([{ "value": term.name }]),
        );
        if let Some(problem) = self.other_names(&mut request, term) {
            return Ok(Err(problem));
        }
        describe(&mut request, term);
        if let Some(problem) = self.addresses(&mut request, term) {
            return Ok(Err(problem));
        }
        weigh(&mut request, term);
        self.place(&mut request, term, parents)?;
        Ok(Ok(request))
    }

    /// Asks the policy and the rules of the fields.
    ///
    /// # Errors
    /// `Denied`; what the values deserve.
    pub fn prepare(&self, request: TermRequest) -> Result<PreparedRow, Refusal> {
        let TermRequest { item, body, .. } = request;
        prepare_values(
            self.read,
            self.model,
            self.actor,
            EntityKind::Term,
            item,
            &body,
        )
    }

    fn other_names(&self, request: &mut TermRequest, term: &PlannedTerm) -> Option<TableProblem> {
        let names = term.other_names.as_ref()?;
        let mut fields = field_roles().alternative_names.iter();
        let Some(field) = fields.find_map(|name| definition_of(self.bundle, name)) else {
            let reason = TableProblemCode::NoNamesField;
            let text = join(names);
            return (!names.is_empty())
                .then(|| TableProblem::of_cell(term.row, "alternative_names", &text, reason));
        };
        let before = request
            .item
            .as_ref()
            .map_or_else(Vec::new, |item| names_of(item, field));
        let after = match term.adds {
            true => with_others(&before, names),
            false => names.clone(),
        };
        let values = after.iter().map(|name| json!({ "value": name })).collect();
        request.set("alternative_names", &field.name, (&before, &after), values);
        None
    }

    fn addresses(&self, request: &mut TermRequest, term: &PlannedTerm) -> Option<TableProblem> {
        let addresses = term.addresses.as_ref()?;
        let Some(field) = address_field(self.bundle) else {
            let reason = TableProblemCode::NoAddressField;
            let text = join(addresses);
            // That a concept has an address is no wish to keep it.
            let is_problem = !addresses.is_empty() && !term.adds;
            return is_problem.then(|| TableProblem::of_cell(term.row, "uri", &text, reason));
        };
        let before = request
            .item
            .as_ref()
            .map_or_else(Vec::new, |item| addresses_of(item, field));
        let mut after = match term.adds {
            true => with_others(&before, addresses),
            false => addresses.clone(),
        };
        if let (true, Some(most)) = (term.adds, field.limit()) {
            after.truncate(most.max(before.len()));
        }
        let values = values_of(&after, field, request.item.as_ref());
        request.set("uri", &field.name, (&before, &after), values);
        None
    }

    fn place(
        &self,
        request: &mut TermRequest,
        term: &PlannedTerm,
        parents: &[i64],
    ) -> Result<(), DbError> {
        let Some(wanted) = &term.parents else {
            return Ok(());
        };
        let present = request
            .item
            .as_ref()
            .map_or_else(Vec::new, |item| item.references(PARENT));
        let new = wanted.iter().filter_map(|parent| match parent {
            PlannedParent::New { name, .. } => Some(name.clone()),
            PlannedParent::Term(_) => None,
        });
        let new: Vec<String> = new.collect();
        if present == parents && (new.is_empty() || parents.len() == wanted.len()) {
            return Ok(());
        }
        let before = self.labels(&present)?;
        let mut after = self.labels(parents)?;
        if parents.len() < wanted.len() {
            after.extend(new);
        }
        let values = parents
            .iter()
            .map(|tid| json!({ "target_id": tid }))
            .collect();
        request.set(PARENT, PARENT, (&before, &after), values);
        if before == after {
            // Another term of the same name.
            let values = parents
                .iter()
                .map(|tid| json!({ "target_id": tid }))
                .collect();
            request.body.insert(PARENT.into(), values);
            request.changes.push(CellChange {
                column: PARENT.into(),
                before: join(&before),
                after: join(&after),
            });
        }
        Ok(())
    }

    fn labels(&self, tids: &[i64]) -> Result<Vec<String>, DbError> {
        let labels = tids.iter().map(|tid| {
            let term = self.read.entity(EntityKind::Term, *tid)?;
            Ok(term.map_or_else(|| tid.to_string(), |term| term.label().to_owned()))
        });
        labels.collect()
    }
}

fn describe(request: &mut TermRequest, term: &PlannedTerm) {
    let Some(words) = &term.description else {
        return;
    };
    let field = "description";
    let present = request
        .item
        .as_ref()
        .and_then(|item| item.items(field).first().cloned());
    let before = present
        .as_ref()
        .and_then(|item| item.get("value")?.as_str().map(str::to_owned));
    let before: Vec<String> = before.into_iter().filter(|text| !text.is_empty()).collect();
    let after: Vec<String> = Some(words.clone())
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect();
    let as_compared = |texts: &[String]| texts.concat().replace("\r\n", "\n").trim().to_owned();
    if as_compared(&before) == as_compared(&after) {
        return;
    }
    let mut value = Map::from_iter([("value".to_owned(), json!(words))]);
    if let Some(format) = present.as_ref().and_then(|item| item.get("format")) {
        value.insert("format".into(), format.clone());
    }
    let values = match words.is_empty() {
        true => json!([]),
        false => json!([value]),
    };
    request.set(field, field, (&before, &after), values);
}

fn weigh(request: &mut TermRequest, term: &PlannedTerm) {
    let Some(weight) = term.weight else {
        return;
    };
    let present = request
        .item
        .as_ref()
        .and_then(|item| item.integer("weight"));
    let texts = ([present.unwrap_or(0).to_string()], [weight.to_string()]);
    request.set(
        "weight",
        "weight",
        (&texts.0, &texts.1),
        json!([{ "value": weight }]),
    );
}

fn names_of(item: &Entity, field: &FieldDefinition) -> Vec<String> {
    let items = item.items(&field.name).iter();
    let texts = items.filter_map(|item| Some(item.get("value")?.as_str()?.to_owned()));
    texts.collect()
}

/// Texts, with those others that they lack.
fn with_others(texts: &[String], others: &[String]) -> Vec<String> {
    let mut all = texts.to_vec();
    for other in others {
        if !all.contains(other) {
            all.push(other.clone());
        }
    }
    all
}
