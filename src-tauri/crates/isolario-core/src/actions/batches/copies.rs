//! Copies of items, for a batch that duplicates them.

use super::super::create_entity::with_defaults;
use super::super::patch_entity::known_bundle;
use super::super::permitted_references::PermittedReferences;
use super::super::{Refusal, validation};
use isolario_db::Read;
use isolario_model::content::base_fields::base_field;
use isolario_model::content::{Bundle, ContentModel, Entity, FieldDefinition};
use isolario_model::policy::Actor;
use isolario_model::policy::permission::{may_create, may_set};

/// What stands for the title of the item in the title of its copy.
const TITLE: &str = "{title}";
/// Base fields of an item that its copy has as well.
const COPIED_BASE_FIELDS: [&str; 2] = ["langcode", "status"];

/// Checks the pattern of the titles of copies.
///
/// # Errors
/// `Invalid` for one without `{title}`, or that leaves no room for it.
pub(super) fn check_pattern(pattern: &str) -> Result<(), Refusal> {
    let words = if !pattern.contains(TITLE) {
        "The title of a copy holds the title of the item: {title}."
    } else if pattern.chars().count() >= LONGEST_TITLE {
        "The title of a copy is too long."
    } else if pattern.chars().any(char::is_control) {
        "The title of a copy may not hold control characters."
    } else {
        return Ok(());
    };
    Err(Refusal::Invalid(words.into()))
}

const LONGEST_TITLE: usize = 255;

/// A copy of an item, which the actor will own, before it is created. It has the values of the item that the actor may
/// set, but neither its media nor its members.
///
/// # Errors
/// `Denied` where the actor may not create such items; `InvalidFields` for values that break a rule by now.
pub(super) fn copy_of(
    read: &Read<'_>,
    model: &ContentModel,
    actor: &Actor,
    item: &Entity,
    pattern: &str,
) -> Result<Entity, Refusal> {
    let bundle = known_bundle(model, item)?;
    let collections = read.subject(actor, item)?.collections;
    may_create(actor, bundle.kind, &bundle.id, &collections)?;
    let mut copy = with_defaults(bundle, actor.uid);
    for field in copied_fields(bundle) {
        if may_set(actor, bundle.kind, &field.name, &collections).is_ok() {
            copy.set(&field.name, item.items(&field.name).to_vec());
        }
    }
    copy.set_value("title", title_of_copy(pattern, item.label()));
    let references = PermittedReferences::new(read, actor);
    let violations = validation::validate_all(bundle, &copy, &references);
    references.settle(())?;
    validation::refuse(violations)?;
    Ok(copy)
}

fn copied_fields(bundle: &Bundle) -> impl Iterator<Item = &FieldDefinition> {
    let base = COPIED_BASE_FIELDS.into_iter();
    let base = base.filter_map(|name| base_field(bundle.kind, name));
    let own = bundle.fields.iter().filter(|field| !field.computed);
    base.chain(own)
}

/// A long title is cut, so that the rest of the pattern stays.
fn title_of_copy(pattern: &str, title: &str) -> String {
    let others = pattern.replace(TITLE, "").chars().count();
    let places = pattern.matches(TITLE).count().max(1);
    let room = LONGEST_TITLE.saturating_sub(others) / places;
    let title: String = title.chars().take(room).collect();
    pattern.replace(TITLE, title.trim_end())
}
