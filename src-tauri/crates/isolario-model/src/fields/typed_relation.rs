//! Linked agents: a reference to a person, family or corporate body, and what they did.

use serde_json::Value;

use super::cell::text_of;
use super::entity_reference::{
    address_of_target, check_target, index_target, points_nowhere, resolve_uuid, target_cell,
    written_target,
};
use super::property::property;
use super::{
    FieldContext, FieldType, Property, ReferenceLookup, Shape, Statement, TermNotation, Violation,
    WrittenItem,
};
use crate::content::{FieldDefinition, IndexValue, Item};

/// `{"target_id": 7, "rel_type": "relators:pht", …}`.
pub struct TypedRelation;

impl FieldType for TypedRelation {
    fn properties(&self) -> &'static [Property] {
        const {
            &[
                property("target_id", Shape::Integer),
                property("rel_type", Shape::Text),
            ]
        }
    }

    fn accept(
        &self,
        definition: &FieldDefinition,
        item: Item,
        references: &dyn ReferenceLookup,
    ) -> Result<Item, String> {
        resolve_uuid(definition, item, references)
    }

    fn is_empty(&self, item: &Item) -> bool {
        // An agent who did nothing is no contributor.
        let relator = item.get("rel_type").and_then(Value::as_str);
        points_nowhere(item) || relator.is_none_or(str::is_empty)
    }

    fn check(
        &self,
        definition: &FieldDefinition,
        item: &Item,
        references: &dyn ReferenceLookup,
    ) -> Vec<Violation> {
        check_target(definition, item, references)
            .into_iter()
            .collect()
    }

    fn write<'i>(
        &self,
        definition: &FieldDefinition,
        item: &'i Item,
        context: &dyn FieldContext,
    ) -> WrittenItem<'i> {
        written_target(definition, item, context)
    }

    fn cell(
        &self,
        definition: &FieldDefinition,
        item: &Item,
        context: &dyn FieldContext,
        terms: TermNotation,
    ) -> String {
        let target = target_cell(definition, item, context, terms);
        format!("{}:{target}", text_of(item, "rel_type"))
    }

    fn index(&self, definition: &FieldDefinition, item: &Item) -> Option<IndexValue> {
        index_target(definition, item)
    }

    fn statements(
        &self,
        definition: &FieldDefinition,
        item: &Item,
        context: &dyn FieldContext,
    ) -> Vec<Statement> {
        let Some(address) = address_of_target(definition, item, context) else {
            return Vec::new();
        };
        let relator = item
            .get("rel_type")
            .and_then(Value::as_str)
            .filter(|name| context.model().relators.contains_key(*name));
        let mut statements = vec![Statement::thing(address.clone())];
        statements.extend(relator.map(|name| Statement {
            predicate: Some(context.model().expand(name)),
            ..Statement::thing(address)
        }));
        statements
    }
}
