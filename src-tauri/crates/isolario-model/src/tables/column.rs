//! The columns of a table: those of Islandora Workbench for what every item has, and the fields of the content model.

use std::collections::HashSet;
use std::sync::Arc;

use super::cell::{guard, join};
use crate::content::base_fields::base_field;
use crate::content::entity::{
    ASSIGNEE, MODERATION_STATE, PUBLISH_ON, REVIEW_NOTE, UNPUBLISH_ON, value_item,
};
use crate::content::{Bundle, ContentModel, Entity, EntityKind, FieldDefinition, Item};
use crate::fields::{FieldContext, TermNotation, field_type};

/// Columns whose name is not that of their field: the name, the field.
const RENAMED: [(&str, &str); 3] = [
    ("node_id", "nid"),
    ("published", "status"),
    ("url_alias", "path"),
];

/// Columns of what every item has, that are there unasked: first those before the fields, then those behind.
const FIRST: [&str; 2] = ["node_id", "title"];
const LAST: [&str; 1] = ["published"];

/// Columns of what every item has, that are there if asked for. Workbench does not load a table with all of them.
const FURTHER: [&str; 13] = [
    "type",
    "uuid",
    "langcode",
    "uid",
    "created",
    "changed",
    "promote",
    PUBLISH_ON,
    UNPUBLISH_ON,
    MODERATION_STATE,
    ASSIGNEE,
    REVIEW_NOTE,
    "url_alias",
];

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub name: String,
    /// The field whose values it has.
    field: String,
}

impl Column {
    fn new(name: &str) -> Column {
        let renamed = RENAMED.iter().find(|(column, _)| *column == name);
        Column {
            name: name.to_owned(),
            field: renamed.map_or(name, |(_, field)| field).to_owned(),
        }
    }

    /// The field whose values it has.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// The cell of an item: all values of the field, protected from being calculated. Numbers that the program itself
    /// writes are none that could be.
    pub fn cell(
        &self,
        entity: &Entity,
        bundle: &Bundle,
        context: &dyn FieldContext,
        terms: TermNotation,
    ) -> String {
        let known = base_field(EntityKind::Node, &self.field);
        let Some(definition) = known.or_else(|| bundle.field(&self.field)) else {
            return String::new();
        };
        let items = items(entity, definition);
        let kind = field_type(&definition.field_type);
        let values = items
            .iter()
            .map(|item| kind.cell(definition, item, context, terms));
        let values: Vec<String> = values.collect();
        let cell = match (definition.limit(), values.as_slice()) {
            (Some(1), [value]) => value.clone(),
            _ => join(&values),
        };
        match definition.field_type.as_str() {
            "integer" | "geolocation" => cell,
            _ => guard(&cell).into_owned(),
        }
    }
}

/// The items of a field. What identifies an item is no value of it.
fn items<'e>(entity: &'e Entity, definition: &FieldDefinition) -> std::borrow::Cow<'e, [Item]> {
    let made = match definition.name.as_str() {
        "nid" => value_item(entity.id),
        "uuid" => value_item(entity.uuid.as_str()),
        "type" => Item::from_iter([("target_id".to_owned(), entity.bundle.as_str().into())]),
        name => return entity.items(name).into(),
    };
    vec![made].into()
}

/// The columns of items of some node types, in the order of their forms. `asked` names others instead.
///
/// # Errors
/// A sentence for a column that there is not, and for one that is asked for twice.
pub fn columns(
    model: &ContentModel,
    asked: Option<&[String]>,
    types: &[Arc<Bundle>],
) -> Result<Vec<Column>, String> {
    let Some(asked) = asked else {
        let fields = fields(types).map(|field| field.name.as_str());
        let names = FIRST.into_iter().chain(fields).chain(LAST);
        return Ok(distinct(names).map(Column::new).collect());
    };
    let known: HashSet<String> = all_columns(model).map(|column| column.name).collect();
    let mut named = HashSet::new();
    let column = |name: &String| match known.contains(name) {
        false => Err(format!("There is no column \"{name}\".")),
        true if !named.insert(name.clone()) => {
            Err(format!("The column \"{name}\" is named twice."))
        }
        true => Ok(Column::new(name)),
    };
    asked.iter().map(column).collect()
}

/// Every column that can be asked for.
pub fn all_columns(model: &ContentModel) -> impl Iterator<Item = Column> {
    let types: Vec<Arc<Bundle>> = model.bundles_of(EntityKind::Node).cloned().collect();
    let fields = fields(&types).map(|field| field.name.as_str());
    let names = FIRST.into_iter().chain(fields).chain(LAST).chain(FURTHER);
    let columns: Vec<Column> = distinct(names).map(Column::new).collect();
    columns.into_iter()
}

fn fields(types: &[Arc<Bundle>]) -> impl Iterator<Item = &FieldDefinition> {
    types.iter().flat_map(|bundle| &bundle.fields)
}

fn distinct<'n>(names: impl Iterator<Item = &'n str>) -> impl Iterator<Item = &'n str> {
    let mut known = HashSet::new();
    names.filter(move |name| known.insert(*name))
}
