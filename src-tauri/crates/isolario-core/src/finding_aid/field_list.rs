//! What an item says as a list in HTML, field by field.

use isolario_model::content::{Bundle, field_roles};
use isolario_model::formats::crosswalk::{FieldText, FieldTexts};
use isolario_model::formats::xml::escape;

/// What the fields of a type say, as a list. Where something stands is seen from the page.
pub(super) fn write(bundle: &Bundle, fields: &[FieldTexts]) -> String {
    let roles = field_roles();
    let structure = ["title", &roles.member_of, &roles.weight];
    let is_said = |field: &&FieldTexts| {
        let name = field.name.as_str();
        bundle.field(name).is_some() && !structure.contains(&name)
    };
    let said = fields.iter().filter(is_said);
    let rows: String = said.map(row).collect();
    match rows.is_empty() {
        true => rows,
        false => format!("<dl>\n{rows}</dl>\n"),
    }
}

fn row(field: &FieldTexts) -> String {
    let values: String = field.values.iter().map(value).collect();
    format!("<dt>{}</dt>{values}\n", escape(&field.label))
}

fn value(value: &FieldText) -> String {
    let text = escape(&value.text);
    match &value.role {
        Some(role) => format!("<dd dir=\"auto\">{text} ({})</dd>", escape(role)),
        None => format!("<dd dir=\"auto\">{text}</dd>"),
    }
}
