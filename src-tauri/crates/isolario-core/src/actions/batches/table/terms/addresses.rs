//! The addresses of a term elsewhere: in the field for its external URI, or in the one for authority links.

use serde_json::{Value, json};

use crate::actions::request_body::definition_of;
use isolario_model::content::{Bundle, Entity, FieldDefinition, field_roles};

/// The field of a vocabulary that has the addresses of its terms.
pub(super) fn address_field(bundle: &Bundle) -> Option<&FieldDefinition> {
    let roles = field_roles();
    let mut fields = [&roles.authority_link, &roles.external_uri].into_iter();
    fields.find_map(|name| definition_of(bundle, name))
}

/// The addresses of a term.
pub(super) fn addresses_of(term: &Entity, field: &FieldDefinition) -> Vec<String> {
    let items = term.items(&field.name).iter();
    let addresses = items.filter_map(|item| Some(item.get("uri")?.as_str()?.to_owned()));
    addresses.collect()
}

/// Addresses as REST takes them. One that the term has already keeps its title and its source.
pub(super) fn values_of(
    addresses: &[String],
    field: &FieldDefinition,
    term: Option<&Entity>,
) -> Value {
    let present = term.map_or(&[][..], |term| term.items(&field.name));
    let values = addresses.iter().map(|address| {
        let known = present
            .iter()
            .find(|item| item.get("uri") == Some(&json!(address)));
        match known {
            Some(item) => json!(item),
            None if field.field_type == "authority_link" => {
                json!({ "uri": address, "source": "other" })
            }
            None => json!({ "uri": address }),
        }
    });
    values.collect()
}
