//! Fields of items by name: which of their values a list tells, and which it is narrowed by.

use serde_json::{Map, Value};

use super::parameters::{refused, text};
use super::request_context::ViewerSnapshot;
use crate::api::ApiError;
use isolario_db::{DateSpan, DbError, FieldPresence, FieldShape, FieldSort};
use isolario_model::content::{ContentModel, EntityKind, FieldDefinition};
use isolario_model::fields::days_of;

/// More fields than this narrow no list.
const MOST: usize = 10;

/// Names with commas between them. That a field is there is for whoever uses them to say.
///
/// # Errors
/// 400 where there are more than `most`.
pub fn field_names(
    name: &str,
    value: Option<&String>,
    most: usize,
) -> Result<Vec<String>, ApiError> {
    let names: Vec<String> = text(value)
        .unwrap_or_default()
        .split(',')
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect();
    match names.len() > most {
        true => Err(refused(name, &format!("at most {most} names of fields"))),
        false => Ok(names),
    }
}

/// The values of some fields of a node, as it has them; `None` where none were asked for. Fields that it
/// does not have are left out.
///
/// # Errors
/// What the database refuses.
pub fn values_of(
    snapshot: &ViewerSnapshot<'_>,
    nid: i64,
    names: &[String],
) -> Result<Option<Map<String, Value>>, DbError> {
    if names.is_empty() {
        return Ok(None);
    }
    let Some(node) = snapshot.read.entity(EntityKind::Node, nid)? else {
        return Ok(None);
    };
    let values = names.iter().filter_map(|name| {
        let items = node.items(name).to_vec();
        let items = Value::Array(items.into_iter().map(Value::Object).collect());
        (items != Value::Array(Vec::new())).then(|| (name.clone(), items))
    });
    Ok(Some(values.collect()))
}

/// The time that `date` names.
///
/// # Errors
/// 400 for what is no date.
pub fn span(model: &ContentModel, date: Option<&String>) -> Result<Option<DateSpan>, ApiError> {
    let Some(date) = text(date) else {
        return Ok(None);
    };
    let (first, last) =
        days_of(date).ok_or_else(|| refused("date", "a date or an interval in EDTF"))?;
    let dates = definitions(model).filter(|field| field.field_type == "edtf");
    let mut fields: Vec<String> = dates.map(|field| field.name.clone()).collect();
    fields.sort_unstable();
    fields.dedup();
    Ok(Some(DateSpan {
        fields,
        first,
        last,
    }))
}

/// What `has` and `lacks` ask for.
///
/// # Errors
/// 400 for a field that no node type has.
pub fn having(
    model: &ContentModel,
    has: Option<&String>,
    lacks: Option<&String>,
) -> Result<Vec<FieldPresence>, ApiError> {
    let context = [("has", has, true), ("lacks", lacks, false)];
    let mut all = Vec::new();
    for (name, value, has) in context {
        for field in field_names(name, value, MOST)? {
            let definition = definitions(model).find(|known| known.name == field);
            let definition = definition.ok_or_else(|| {
                ApiError::bad_request(format!("There is no field \"{field}\" of items."))
            })?;
            all.push(FieldPresence {
                shape: shape_of(definition),
                field,
                has,
            });
        }
    }
    Ok(all)
}

/// A field that lists can be sorted by; `None` where `sort` names none.
///
/// # Errors
/// 400 for a field that no node type has, and for one whose values have no order that people know.
pub fn sort_field(
    model: &ContentModel,
    sort: Option<&String>,
) -> Result<Option<FieldSort>, ApiError> {
    let Some(field) = text(sort).filter(|sort| sort.starts_with("field_")) else {
        return Ok(None);
    };
    let definition = definitions(model).find(|known| known.name == field);
    let definition = definition
        .ok_or_else(|| ApiError::bad_request(format!("There is no field \"{field}\" of items.")))?;
    let is_sortable = match definition.target_kind() {
        Some(kind) => kind == EntityKind::Term,
        None => SORTABLE.contains(&definition.field_type.as_str()),
    };
    if !is_sortable {
        return Err(ApiError::bad_request(format!(
            "Items cannot be sorted by \"{field}\"."
        )));
    }
    Ok(Some(FieldSort {
        field: field.to_owned(),
        shape: shape_of(definition),
    }))
}

/// Field types with an order, beside references to terms.
const SORTABLE: [&str; 6] = [
    "string",
    "list_string",
    "edtf",
    "integer",
    "boolean",
    "timestamp",
];

/// The fields of all node types. Some stand there twice.
fn definitions(model: &ContentModel) -> impl Iterator<Item = &FieldDefinition> {
    let bundles = model.bundles_of(EntityKind::Node);
    bundles.flat_map(|bundle| bundle.fields.iter())
}

fn shape_of(definition: &FieldDefinition) -> FieldShape {
    if definition.target_kind().is_some() {
        return FieldShape::Reference;
    }
    match definition.field_type.as_str() {
        "edtf" => FieldShape::Date,
        "boolean" | "integer" | "timestamp" => FieldShape::Number,
        _ => FieldShape::Text,
    }
}
