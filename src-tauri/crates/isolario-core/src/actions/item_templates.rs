//! Item templates of collections: keeping them, finding those for a place, and filling new items with defaults.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::permitted_references::PermittedReferences;
use super::request_body::read_fields;
use super::{Author, Refusal, validation, write_entity};
use isolario_db::{Db, DbError, Read, Viewer};
use isolario_model::content::base_fields::base_field;
use isolario_model::content::item_template::ItemTemplate;
use isolario_model::content::{
    Bundle, ContentModel, Entity, EntityKind, TermRole, Values, field_roles, uri_of,
};
use isolario_model::fields::{Violation, ViolationCode, check_items};
use isolario_model::policy::permission::may_set;
use isolario_model::policy::{Actor, Operation, may, permit};

/// Longest name of a template, in characters.
pub const LONGEST_NAME: usize = 128;
/// How many templates a collection may keep.
pub const MOST_TEMPLATES: usize = 50;

/// A template as a client sends it. Without values it is removed.
#[derive(Debug, Clone)]
pub struct TemplateDraft {
    /// `None` for the defaults.
    pub name: Option<String>,
    pub bundle: String,
    pub values: Map<String, Value>,
}

/// A template and the collection that keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct CollectionTemplate {
    pub nid: i64,
    /// The title of the collection.
    pub title: String,
    pub template: ItemTemplate,
}

/// The templates for items in a collection: its own and those of the collections above, the nearest first. Of several
/// with the same name, or without any, only the nearest. As far as the viewer may view the collections.
///
/// # Errors
/// What the database refuses.
pub fn templates_for(
    read: &Read<'_>,
    viewer: &Viewer,
    nid: i64,
) -> Result<Vec<CollectionTemplate>, DbError> {
    let Some(place) = read.place(nid, viewer)? else {
        return Ok(Vec::new());
    };
    let mut levels = read.ancestors(nid, viewer)?;
    levels.push((nid, place.title));
    let mut found: Vec<CollectionTemplate> = Vec::new();
    let mut names: HashSet<Option<String>> = HashSet::new();
    for (nid, title) in levels.into_iter().rev() {
        let Some(collection) = read.entity(EntityKind::Node, nid)? else {
            continue;
        };
        for template in collection.templates() {
            if names.insert(template.name.clone()) {
                let title = title.clone();
                found.push(CollectionTemplate {
                    nid,
                    title,
                    template,
                });
            }
        }
    }
    Ok(found)
}

/// Keeps a template with a collection, which becomes a revision of it.
///
/// # Errors
/// `Missing` where the actor may view no such item; `Denied` where they may not change it; `Invalid` and
/// `InvalidFields` for what is no template.
pub async fn put_template(
    db: &Db,
    model: &Arc<ContentModel>,
    nid: i64,
    sent: TemplateDraft,
    actor: &Actor,
    mut author: Author,
) -> Result<(), Refusal> {
    let template = {
        let (model, actor) = (model.clone(), actor.clone());
        db.read(move |read| check(read, &model, nid, sent, &actor))
            .await?
    };
    author.log = Some(match &template.name {
        None => "Defaults for new items".to_owned(),
        Some(name) => format!("Template {name}"),
    });
    let (model, actor) = (model.clone(), actor.clone());
    db.write(move |write| {
        let mut collection = write
            .entity(EntityKind::Node, nid)?
            .ok_or_else(|| missing(nid))?;
        let permitted = permit(
            &actor,
            Operation::Update,
            &write.subject(&actor, &collection)?,
        )?;
        let before = collection.templates();
        collection.put_template(template);
        let after = collection.templates();
        if after == before {
            return Ok(());
        }
        if after.len() > MOST_TEMPLATES {
            let words = format!("A collection keeps at most {MOST_TEMPLATES} templates.");
            return Err(Refusal::Invalid(words));
        }
        write_entity::update(write, &permitted, &model, collection, &author)?;
        Ok(())
    })
    .await
}

fn missing(nid: i64) -> Refusal {
    Refusal::Missing(format!("There is no item {nid}."))
}

fn check(
    read: &Read<'_>,
    model: &ContentModel,
    nid: i64,
    sent: TemplateDraft,
    actor: &Actor,
) -> Result<ItemTemplate, Refusal> {
    let place = read.place(nid, &Viewer::of(actor))?;
    let place = place.ok_or_else(|| missing(nid))?;
    let collection = read.entity(EntityKind::Node, nid)?;
    let collection = collection.ok_or_else(|| missing(nid))?;
    let subject = read.subject(actor, &collection)?;
    may(actor, Operation::Update, &subject)?;
    if !place.is_collection {
        return Err(Refusal::Invalid("Only collections keep templates.".into()));
    }
    let bundle = model
        .bundle(EntityKind::Node, &sent.bundle)
        .ok_or_else(|| Refusal::Invalid(format!("There is no content type {:?}.", sent.bundle)))?;
    Ok(ItemTemplate {
        name: sent.name.map(|name| checked_name(&name)).transpose()?,
        values: checked_values(read, bundle, &sent.values, actor, &subject.collections)?,
        bundle: sent.bundle,
    })
}

fn checked_name(name: &str) -> Result<String, Refusal> {
    let name = name.trim();
    let fault = if name.is_empty() {
        (ViolationCode::Required, "A template has a name.".to_owned())
    } else if name.chars().count() > LONGEST_NAME {
        let words = format!("The name may not be longer than {LONGEST_NAME} characters.");
        (ViolationCode::TooLong, words)
    } else if name.chars().any(char::is_control) {
        let words = "The name may not hold control characters.".to_owned();
        (ViolationCode::ControlCharacter, words)
    } else {
        return Ok(name.to_owned());
    };
    Err(Violation::of_field("name", fault.0, fault.1).into())
}

fn checked_values(
    read: &Read<'_>,
    bundle: &Bundle,
    sent: &Map<String, Value>,
    actor: &Actor,
    collections: &[i64],
) -> Result<Values, Refusal> {
    let references = PermittedReferences::new(read, actor);
    let mut values = Values::new();
    let mut violations = Vec::new();
    for (definition, items) in read_fields(bundle, sent, &references)? {
        let name = definition.name.as_str();
        if !ItemTemplate::may_have(definition, base_field(bundle.kind, name).is_some()) {
            let words = format!("{}: templates have no values for it.", definition.label);
            violations.push(Violation::of_field(
                name,
                ViolationCode::NotPermitted,
                words,
            ));
        } else if !items.is_empty() {
            may_set(actor, bundle.kind, name, collections)?;
            violations.extend(check_items(definition, &items, &references));
            values.insert(name.to_owned(), items);
        }
    }
    references.settle(())?;
    validation::refuse(violations)?;
    Ok(values)
}

/// Fills a new item with the defaults of the first of its collections that has some. Fields that the request names stay
/// as they are, and so does a collection. Values that the actor could not have sent are left out.
///
/// # Errors
/// What the database refuses.
pub(super) fn fill_defaults(
    read: &Read<'_>,
    bundle: &Bundle,
    entity: &mut Entity,
    said: &HashSet<String>,
    actor: &Actor,
) -> Result<(), DbError> {
    if entity.kind != EntityKind::Node || is_collection(read, entity)? {
        return Ok(());
    }
    let Some(defaults) = defaults_for(read, entity, actor)? else {
        return Ok(());
    };
    let references = PermittedReferences::new(read, actor);
    for (name, items) in defaults.values {
        let base = base_field(bundle.kind, &name);
        let Some(definition) = base.or_else(|| bundle.field(&name)) else {
            continue;
        };
        if said.contains(&name) || !ItemTemplate::may_have(definition, base.is_some()) {
            continue;
        }
        let fits = |item: &_| check_items(definition, std::slice::from_ref(item), &references);
        let items = items.into_iter().filter(|item| fits(item).is_empty());
        let items: Vec<_> = items
            .take(definition.limit().unwrap_or(usize::MAX))
            .collect();
        if !items.is_empty() {
            entity.set(&name, items);
        }
    }
    references.settle(())
}

fn defaults_for(
    read: &Read<'_>,
    entity: &Entity,
    actor: &Actor,
) -> Result<Option<ItemTemplate>, DbError> {
    let viewer = Viewer::of(actor);
    for parent in entity.references(&field_roles().member_of) {
        // A book's pages do not get what is meant for books.
        let place = read.place(parent, &viewer)?;
        if !place.is_some_and(|place| place.is_collection) {
            continue;
        }
        let kept = templates_for(read, &viewer, parent)?.into_iter();
        let mut defaults = kept.filter(|kept| kept.template.name.is_none());
        if let Some(found) = defaults.next() {
            return Ok(Some(found.template));
        }
    }
    Ok(None)
}

fn is_collection(read: &Read<'_>, entity: &Entity) -> Result<bool, DbError> {
    let Some(model) = entity.reference(&field_roles().model) else {
        return Ok(false);
    };
    let uri = read.external_uri(model)?;
    Ok(uri.as_deref() == Some(uri_of(TermRole::Collection)))
}
