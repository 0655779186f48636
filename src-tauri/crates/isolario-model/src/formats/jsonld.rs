//! Resources as linked data: one `@graph` of the resource and of everything it names.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::content::base_fields::base_fields;
use crate::content::{
    Bundle, ContentModel, Entity, EntityKind, FieldDefinition, FileRecord, Item, Target,
    field_roles,
};
use crate::fields::{FieldContext, Statement, field_type};

const PERSON: &str = "schema:Person";
const PERSON_NAME: &str = "schema:name";
const SAME_AS: &str = "schema:sameAs";
const DESCRIBED_BY: &str = "iana:describedby";

/// A node, media or term. A media is about its file, so the file's address is its subject.
pub fn write_entity(entity: &Entity, bundle: &Bundle, context: &dyn FieldContext) -> Value {
    let model = context.model();
    let mut graph = Graph::new(subject_of(entity, bundle, context));
    for name in &bundle.rdf_types {
        graph.add_type(model.expand(name));
    }
    if let Some(definition) = type_field(entity.kind) {
        for target in targets(entity, definition, EntityKind::Term, context) {
            target
                .uri
                .iter()
                .for_each(|uri| graph.add_type(uri.clone()));
        }
    }
    for (definition, predicates) in mapped_fields(entity, bundle) {
        let items = items_of(entity, definition);
        add_field(&mut graph, definition, &predicates, &items, context);
    }
    add_whole(&mut graph, entity, context);
    graph.into_document()
}

/// A file: nothing but its type and address, as the reference has it.
pub fn write_file(record: &FileRecord, context: &dyn FieldContext) -> Value {
    let address = context.absolute(&context.file_path(&record.uri));
    json!({
        "@graph": [{ "@id": address, "@type": context.absolute("/rest/type/file/file") }],
        "uri": [{ "value": address }],
    })
}

/// A person, by name only.
pub fn write_user(uid: i64, name: &str, context: &dyn FieldContext) -> Value {
    let mut graph = Graph::new(context.absolute(&EntityKind::User.path(uid)));
    let model = context.model();
    graph.add_type(model.expand(PERSON));
    graph.add(&model.expand(PERSON_NAME), json!({ "@value": name }));
    graph.into_document()
}

struct Graph {
    subject: String,
    types: Vec<String>,
    properties: BTreeMap<String, Vec<Value>>,
    /// Named things and their types.
    named: BTreeMap<String, Vec<String>>,
}

impl Graph {
    fn new(subject: String) -> Graph {
        Graph {
            subject,
            types: Vec::new(),
            properties: BTreeMap::new(),
            named: BTreeMap::new(),
        }
    }

    fn add_type(&mut self, name: String) {
        if !self.types.contains(&name) {
            self.types.push(name);
        }
    }

    fn add(&mut self, predicate: &str, object: Value) {
        let objects = self.properties.entry(predicate.to_owned()).or_default();
        if !objects.contains(&object) {
            objects.push(object);
        }
    }

    fn into_document(self) -> Value {
        let mut subject = Map::new();
        subject.insert("@id".into(), self.subject.clone().into());
        if !self.types.is_empty() {
            subject.insert("@type".into(), self.types.into());
        }
        for (predicate, objects) in self.properties {
            subject.insert(predicate, objects.into());
        }
        let mut graph = vec![Value::Object(subject)];
        let named = self.named.into_iter();
        graph.extend(
            named
                .filter(|(id, _)| *id != self.subject)
                .map(|(id, types)| json!({ "@id": id, "@type": types })),
        );
        json!({ "@graph": graph })
    }
}

fn subject_of(entity: &Entity, bundle: &Bundle, context: &dyn FieldContext) -> String {
    let file = bundle.file_field().and_then(|field| {
        let id = entity.reference(&field.name)?;
        context.target(EntityKind::File, id)
    });
    match file.as_ref().and_then(|file| file.file.as_ref()) {
        Some(file) => context.absolute(&context.file_path(&file.uri)),
        None => context.absolute(&entity.kind.path(entity.id)),
    }
}

/// The field whose terms say what the thing is: the model of a node, the use of a media.
fn type_field(kind: EntityKind) -> Option<&'static str> {
    match kind {
        EntityKind::Node => Some(&field_roles().model),
        EntityKind::Media => Some(&field_roles().media_use),
        _ => None,
    }
}

fn targets(
    entity: &Entity,
    field: &str,
    kind: EntityKind,
    context: &dyn FieldContext,
) -> Vec<Arc<Target>> {
    let ids = entity.references(field).into_iter();
    ids.filter_map(|id| context.target(kind, id)).collect()
}

pub(super) fn mapped_fields<'a>(
    entity: &Entity,
    bundle: &'a Bundle,
) -> Vec<(&'a FieldDefinition, Vec<&'a str>)> {
    let base = base_fields(entity.kind).iter().filter_map(|definition| {
        let predicates = bundle.base_predicates.get(&definition.name)?;
        Some((definition, predicates))
    });
    let configured = bundle
        .fields
        .iter()
        .map(|definition| (definition, &definition.predicates));
    // Numbers of our own making mean nothing elsewhere.
    base.chain(configured)
        .filter(|(definition, _)| definition.name != entity.kind.id_field())
        .map(|(definition, predicates)| {
            (definition, predicates.iter().map(String::as_str).collect())
        })
        .collect()
}

fn items_of(entity: &Entity, definition: &FieldDefinition) -> Vec<Item> {
    entity.items(&definition.name).to_vec()
}

fn add_field(
    graph: &mut Graph,
    definition: &FieldDefinition,
    predicates: &[&str],
    items: &[Item],
    context: &dyn FieldContext,
) {
    if predicates.is_empty() {
        return;
    }
    let kind = field_type(&definition.field_type);
    let translatable = literal_definition(definition);
    for item in items {
        for statement in kind.statements(&translatable, item, context) {
            add_statement(graph, predicates, statement, context.model());
        }
        name_target(graph, definition, item, context);
    }
}

/// Titles and names are in the resource's language.
fn literal_definition(definition: &FieldDefinition) -> FieldDefinition {
    let mut definition = definition.clone();
    definition.translatable |= matches!(definition.name.as_str(), "title" | "name" | "description");
    definition
}

fn add_statement(
    graph: &mut Graph,
    predicates: &[&str],
    statement: Statement,
    model: &ContentModel,
) {
    match statement.predicate {
        Some(predicate) => graph.add(&predicate, statement.object),
        None => predicates
            .iter()
            .for_each(|name| graph.add(&model.expand(name), statement.object.clone())),
    }
}

fn name_target(
    graph: &mut Graph,
    definition: &FieldDefinition,
    item: &Item,
    context: &dyn FieldContext,
) {
    let id = item.get("target_id").and_then(Value::as_i64);
    let target = definition
        .target_kind()
        .zip(id)
        .and_then(|(kind, id)| context.target(kind, id));
    if let Some(target) = target {
        let types = types_of(&target, context.model());
        if !types.is_empty() {
            graph
                .named
                .insert(context.absolute(&target.kind.path(target.id)), types);
        }
    }
}

fn types_of(target: &Target, model: &ContentModel) -> Vec<String> {
    if target.kind == EntityKind::User {
        return vec![model.expand(PERSON)];
    }
    model
        .bundle(target.kind, &target.bundle)
        .map_or_else(Vec::new, |bundle| {
            bundle
                .rdf_types
                .iter()
                .map(|name| model.expand(name))
                .collect()
        })
}

fn add_whole(graph: &mut Graph, entity: &Entity, context: &dyn FieldContext) {
    let address = context.absolute(&entity.kind.path(entity.id));
    let model = context.model();
    match entity.kind {
        EntityKind::Node => graph.add(&model.expand(SAME_AS), json!({ "@id": address })),
        EntityKind::Media => graph.add(&model.expand(DESCRIBED_BY), json!({ "@id": address })),
        _ => {}
    }
}
