//! What a row of a table asks for: found out in a snapshot, or in the transaction that carries it out.

use serde_json::{Map, Value, json};

use super::super::table_plan::TableOptions;
use super::columns::{ColumnUse, nearest};
use super::files::{FileFinder, NamedFile};
use super::problem::{TableProblem, TableProblemCode, TableReason};
use super::row_file::TableRow;
use crate::actions::Refusal;
use crate::actions::request_body::definition_of;
use crate::actions::response_context::ResponseContext;
use crate::actions::text_values::{NewTerm, TextValue, text_value};
use crate::actions::view_entity::may_view;
use isolario_db::{DbError, Read};
use isolario_model::content::{
    Bundle, ContentModel, Entity, EntityKind, FieldDefinition, Item, field_roles, model_roles,
};
use isolario_model::fields::{TermNotation, iso};
use isolario_model::policy::Actor;
use isolario_model::tables::{Column, split, unguard};

/// Finds the item of another row by its id.
pub(super) type FindParent<'a> = dyn Fn(&str) -> Result<Option<Parent>, DbError> + 'a;
/// Finds names of terms in some vocabularies that begin like another one.
pub(super) type FindAlike<'a> = dyn Fn(&[String], &str) -> Result<Vec<String>, DbError> + 'a;

/// What rows are read with.
pub(super) struct RowContext<'a> {
    pub read: &'a Read<'a>,
    pub model: &'a ContentModel,
    pub actor: &'a Actor,
    pub uses: &'a [ColumnUse],
    pub heading: &'a [String],
    pub options: &'a TableOptions,
    /// Finds the files that rows name.
    pub files: &'a FileFinder,
    /// Whether files are compared with those that items have.
    pub compares: bool,
    /// The items of earlier rows, as the table names them.
    pub parents: &'a FindParent<'a>,
    /// Names of terms in some vocabularies that are like another one.
    pub alike: &'a FindAlike<'a>,
}

/// The item of another row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parent {
    Item(i64),
    /// It is made before this one.
    Promised,
}

/// What a row asks for.
#[derive(Debug)]
pub(super) struct RowRequest {
    /// The item that is changed; `None` for a new one.
    pub item: Option<Entity>,
    /// Values as REST takes them, of the fields that are set.
    pub body: Map<String, Value>,
    /// Of an item that is changed: the fields that change.
    pub changes: Vec<CellChange>,
    /// What is wrong with cells. Their fields are not in the body.
    pub problems: Vec<TableProblem>,
    /// Terms that are made first, and where their values go.
    pub terms: Vec<(String, usize, NewTerm)>,
    /// Files that the item gets.
    pub files: Vec<NamedFile>,
}

/// A cell that differs from what the item has.
#[derive(Debug)]
pub(super) struct CellChange {
    pub column: String,
    pub before: String,
    pub after: String,
}

impl CellChange {
    /// An item gets a file.
    pub fn of_file(file: &NamedFile) -> CellChange {
        CellChange {
            column: file.heading.clone(),
            before: String::new(),
            after: file.text.clone(),
        }
    }
}

impl RowContext<'_> {
    /// What a row asks for; the problem of one whose item or type there is not.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn request(&self, row: &TableRow) -> Result<Result<RowRequest, TableProblem>, DbError> {
        let item = match self.item_of(row)? {
            Ok(item) => item,
            Err(problem) => return Ok(Err(problem)),
        };
        let bundle = match self.bundle_of(row, item.as_ref()) {
            Ok(bundle) => bundle,
            Err(problem) => return Ok(Err(*problem)),
        };
        let mut request = RowRequest {
            body: Map::from_iter([("type".to_owned(), json!([{"target_id": bundle.id}]))]),
            item,
            changes: Vec::new(),
            problems: Vec::new(),
            terms: Vec::new(),
            files: Vec::new(),
        };
        for (index, (column, text)) in self.uses.iter().zip(&row.cells).enumerate() {
            let cell = Cell {
                row: row.number,
                heading: self.heading.get(index).map_or("", String::as_str),
                text,
            };
            let read = match column {
                ColumnUse::Field(column) => self.field(&mut request, bundle, column, &cell),
                _ => Ok(None),
            };
            request.problems.extend(read?);
        }
        let (files, problems) = self.files_of(row, request.item.as_ref())?;
        request.problems.extend(problems);
        request.files = files;
        self.describe_by_file(&mut request, bundle)?;
        let parent = self.place(&mut request, row)?;
        request.problems.extend(parent);
        let meanwhile = self.refuse_meanwhile(row, &request);
        request.problems.extend(meanwhile);
        Ok(Ok(request))
    }

    fn cell_of<'r>(&self, row: &'r TableRow, wanted: &ColumnUse) -> Option<(&str, &'r str)> {
        let index = self.uses.iter().position(|column| column == wanted)?;
        let text = row.cells.get(index)?.trim();
        let heading = self.heading.get(index).map_or("", String::as_str);
        (!text.is_empty()).then_some((heading, text))
    }

    fn item_of(&self, row: &TableRow) -> Result<Result<Option<Entity>, TableProblem>, DbError> {
        let Some((heading, text)) = self.cell_of(row, &ColumnUse::Node) else {
            return Ok(Ok(None));
        };
        let wrong =
            |reason: TableProblemCode| TableProblem::of_cell(row.number, heading, text, reason);
        let Ok(nid) = text.parse::<i64>() else {
            return Ok(Err(wrong(TableProblemCode::NotAnItemNumber)));
        };
        Ok(match self.read.entity(EntityKind::Node, nid)? {
            Some(item) if may_view(self.read, self.actor, &item)? => Ok(Some(item)),
            _ => Err(wrong(TableProblemCode::UnknownItem)),
        })
    }

    fn bundle_of(
        &self,
        row: &TableRow,
        item: Option<&Entity>,
    ) -> Result<&Bundle, Box<TableProblem>> {
        let said = self.cell_of(row, &ColumnUse::Type);
        let usual = model_roles().bundles.item.as_str();
        let name = match (item, said) {
            (Some(item), _) => item.bundle.as_str(),
            (None, Some((_, name))) => name,
            (None, None) => usual,
        };
        let found = self.model.bundle(EntityKind::Node, name);
        found.map(AsRef::as_ref).ok_or_else(|| {
            let (heading, _) = said.unwrap_or_default();
            let types = self.model.bundles_of(EntityKind::Node);
            Box::new(TableProblem {
                suggestion: nearest(name, types.map(|bundle| bundle.id.as_str())),
                ..TableProblem::of_cell(row.number, heading, name, TableProblemCode::UnknownType)
            })
        })
    }

    /// Reads a cell of a field. One that says what the item has already asks for nothing.
    fn field(
        &self,
        request: &mut RowRequest,
        bundle: &Bundle,
        column: &Column,
        cell: &Cell<'_>,
    ) -> Result<Option<TableProblem>, DbError> {
        let Some(definition) = definition_of(bundle, column.field()) else {
            let reason = TableProblemCode::FieldNotInType.of(&bundle.id);
            return Ok((!cell.is_empty()).then(|| cell.problem(reason)));
        };
        let change = match &request.item {
            None if cell.is_empty() => return Ok(None),
            None => None,
            Some(item) => match self.change(item, bundle, column, cell) {
                None => return Ok(None),
                change => change,
            },
        };
        let mut values = Vec::new();
        let separator = self.options.separator.as_deref();
        for text in texts(definition, cell, separator) {
            let value = match text_value(self.read, definition, &text) {
                Ok(TextValue::Item(value)) => {
                    like_before(request.item.as_ref(), definition, values.len(), value)
                }
                Ok(TextValue::NewTerm(term)) => {
                    // A model that is made by mistake would be nothing.
                    if !self.options.creates_terms || definition.name == field_roles().model {
                        return self.no_term(definition, cell, &term).map(Some);
                    }
                    request
                        .terms
                        .push((definition.name.clone(), values.len(), term));
                    Value::Null
                }
                Err(Refusal::Database(error)) => return Err(error),
                Err(refusal) => {
                    let problem = cell.problem(&refusal);
                    let detail = (text != cell.text.trim()).then_some(text);
                    return Ok(Some(TableProblem { detail, ..problem }));
                }
            };
            values.push(value);
        }
        let present = request.item.as_ref();
        if present.is_none_or(|item| !has(item, definition, &values)) {
            request.changes.extend(change);
            request.body.insert(definition.name.clone(), values.into());
        }
        Ok(None)
    }

    /// How a cell differs from what the item has; `None` where it does not, in any notation of terms.
    fn change(
        &self,
        item: &Entity,
        bundle: &Bundle,
        column: &Column,
        cell: &Cell<'_>,
    ) -> Option<CellChange> {
        let context = ResponseContext {
            read: self.read,
            model: self.model,
            actor: self.actor,
            base: "",
        };
        let present = |terms| column.cell(item, bundle, &context, terms);
        let mut notations = TermNotation::ALL.into_iter();
        let same = |(_, terms)| as_compared(unguard(&present(terms))) == as_compared(cell.text);
        if notations.any(same) {
            return None;
        }
        Some(CellChange {
            column: cell.heading.to_owned(),
            before: present(TermNotation::Names),
            after: cell.text.to_owned(),
        })
    }

    fn no_term(
        &self,
        definition: &FieldDefinition,
        cell: &Cell<'_>,
        term: &NewTerm,
    ) -> Result<TableProblem, DbError> {
        let alike = (self.alike)(&definition.target_bundles, &term.name)?;
        let reason = TableProblemCode::UnknownTerm.of(format!("{}:{}", term.vocabulary, term.name));
        Ok(TableProblem {
            suggestion: nearest(&term.name, alike.iter().map(String::as_str)),
            ..cell.problem(reason)
        })
    }

    /// Puts a new item that the table puts into no collection into that of its parent row, or of the import.
    fn place(
        &self,
        request: &mut RowRequest,
        row: &TableRow,
    ) -> Result<Option<TableProblem>, DbError> {
        let field = &field_roles().member_of;
        if request.item.is_some() || request.body.contains_key(field) {
            return Ok(None);
        }
        let parent = match self.cell_of(row, &ColumnUse::Parent) {
            None => self.options.collection.map(Parent::Item),
            Some((heading, id)) => match (self.parents)(id)? {
                None => {
                    let reason = TableProblemCode::UnknownParentRow;
                    return Ok(Some(TableProblem::of_cell(row.number, heading, id, reason)));
                }
                known => known,
            },
        };
        if let Some(Parent::Item(nid)) = parent {
            let value = json!([{ "target_id": nid }]);
            request.body.insert(field.clone(), value);
        }
        Ok(None)
    }

    fn refuse_meanwhile(&self, row: &TableRow, request: &RowRequest) -> Option<TableProblem> {
        let (heading, then) = self.cell_of(row, &ColumnUse::Changed)?;
        let item = request.item.as_ref()?;
        let now = item.integer("changed").map(iso).unwrap_or_default();
        if request.changes.is_empty() || self.options.overwrites || then == now {
            return None;
        }
        let reason = TableProblemCode::ChangedMeanwhile.of(now);
        Some(TableProblem::of_cell(row.number, heading, then, reason))
    }
}

/// A cell of a row.
pub(super) struct Cell<'a> {
    pub row: u64,
    pub heading: &'a str,
    pub text: &'a str,
}

impl Cell<'_> {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// A problem of it.
    pub fn problem(&self, reason: impl Into<TableReason>) -> TableProblem {
        TableProblem::of_cell(self.row, self.heading, self.text, reason)
    }
}

/// The values of a cell, each as a text. Where a field has one value at most, a `|` is a part of it.
fn texts(definition: &FieldDefinition, cell: &Cell<'_>, separator: Option<&str>) -> Vec<String> {
    let texts = match (definition.limit(), separator) {
        (Some(1), _) => vec![cell.text.to_owned()],
        (_, Some(separator)) if separator != "|" => {
            cell.text.split(separator).map(str::to_owned).collect()
        }
        _ => split(cell.text),
    };
    let keeps_space = ["text", "text_long", "string_long", "text_with_summary"];
    let trims = !keeps_space.contains(&definition.field_type.as_str());
    let trimmed = texts.into_iter().map(|text| match trims {
        true => text.trim().to_owned(),
        false => text,
    });
    trimmed.filter(|text| !text.trim().is_empty()).collect()
}

/// Whether an item has these values, in other words.
fn has(item: &Entity, definition: &FieldDefinition, values: &[Value]) -> bool {
    let items = item.items(&definition.name);
    let same = |(item, value): (&Item, &Value)| {
        let said = value.as_object();
        said.is_some_and(|said| {
            said.iter()
                .all(|(name, value)| item.get(name) == Some(value))
        })
    };
    items.len() == values.len() && items.iter().zip(values).all(same)
}

/// A formatted text keeps its format.
fn like_before(
    item: Option<&Entity>,
    definition: &FieldDefinition,
    index: usize,
    mut value: Value,
) -> Value {
    let before = item.map_or(&[][..], |item| item.items(&definition.name));
    let before = before.get(index).or(before.first());
    let format = before.and_then(|before| before.get("format"));
    if let (Some(format), Some(object)) = (format, value.as_object_mut()) {
        object.entry("format").or_insert_with(|| format.clone());
    }
    value
}

/// Spreadsheets write other line ends, and none keeps the space at the end.
fn as_compared(cell: &str) -> String {
    unguard(cell).replace("\r\n", "\n").trim().to_owned()
}
