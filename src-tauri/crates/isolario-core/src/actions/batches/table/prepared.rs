//! A row that is ready to be carried out, after all rules were asked.

use serde_json::{Map, Value};

use super::super::values::update_of;
use super::columns::ColumnUse;
use super::problem::TableProblem;
use super::row::{RowContext, RowRequest};
use super::row_file::TableRow;
use crate::actions::Refusal;
use crate::actions::create_entity::draft_of;
use crate::actions::patch_entity::{PreparedUpdate, known_bundle};
use crate::actions::permitted_references::PermittedReferences;
use crate::actions::request_body::read_fields;
use isolario_db::Read;
use isolario_model::content::{ContentModel, Entity, EntityKind};
use isolario_model::policy::{Actor, Operation, may};

/// What a row makes.
pub(super) enum PreparedRow {
    Creates(Box<Entity>),
    Updates(Box<Entity>, PreparedUpdate),
    /// The item is so already.
    Same(Box<Entity>),
}

/// Asks the policy and the rules of the fields whether a resource may be made of values, or get them. `body` has values
/// as REST takes them.
///
/// # Errors
/// `Denied`; what the values deserve.
pub(super) fn prepare_values(
    read: &Read<'_>,
    model: &ContentModel,
    actor: &Actor,
    kind: EntityKind,
    item: Option<Entity>,
    body: &Map<String, Value>,
) -> Result<PreparedRow, Refusal> {
    let Some(item) = item.map(Box::new) else {
        let takes_defaults = kind == EntityKind::Node;
        let made = draft_of(read, model, kind, body, takes_defaults, actor)?;
        return Ok(PreparedRow::Creates(Box::new(made)));
    };
    may(actor, Operation::Update, &read.subject(actor, &item)?)?;
    let references = PermittedReferences::new(read, actor);
    let sent = read_fields(known_bundle(model, &item)?, body, &references)?;
    references.settle(())?;
    let update = update_of(read, model, actor, &item, sent)?;
    Ok(match update.is_empty() {
        true => PreparedRow::Same(item),
        false => PreparedRow::Updates(item, update),
    })
}

impl RowContext<'_> {
    /// Asks the policy and the rules of the fields.
    ///
    /// # Errors
    /// `Denied`; what the values deserve.
    pub fn prepare(&self, request: RowRequest) -> Result<PreparedRow, Refusal> {
        let RowRequest { item, body, .. } = request;
        prepare_values(
            self.read,
            self.model,
            self.actor,
            EntityKind::Node,
            item,
            &body,
        )
    }

    /// The problems that a refusal is about.
    ///
    /// # Errors
    /// A refusal that concerns no single row.
    pub fn problems_of(
        &self,
        row: &TableRow,
        refusal: Refusal,
    ) -> Result<Vec<TableProblem>, Refusal> {
        TableProblem::of_refusal(row.number, refusal, |field| self.cell_of_field(row, field))
    }

    fn cell_of_field(&self, row: &TableRow, field: &str) -> (String, String) {
        let is_of = |column: &ColumnUse| match column {
            ColumnUse::Field(column) => column.field() == field,
            _ => false,
        };
        let index = self.uses.iter().position(is_of);
        let heading = index.and_then(|index| self.heading.get(index));
        let text = index.and_then(|index| row.cells.get(index));
        (
            heading.map_or(field, String::as_str).to_owned(),
            text.cloned().unwrap_or_default(),
        )
    }
}
