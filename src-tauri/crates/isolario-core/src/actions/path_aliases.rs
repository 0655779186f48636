//! Aliases: addresses that a resource has beside its own. They are values of the resource, so each change of one is a
//! revision, is undone as any other, and goes to the trash and back with the resource.

use std::sync::Arc;

use super::{Author, Refusal, validation, write_entity};
use isolario_db::{Db, PathAlias, Read};
use isolario_model::content::base_fields::base_field;
use isolario_model::content::entity::ALIASES;
use isolario_model::content::{ContentModel, Entity, EntityKind, Item, Target, address};
use isolario_model::fields::{ReferenceLookup, Violation, ViolationCode, check_items};
use isolario_model::policy::permission::may_set;
use isolario_model::policy::{Actor, Operation, permit};

/// Gives a resource one alias more, if the actor may when it comes to that; returns it as kept.
///
/// # Errors
/// `Denied`; `NotFound`; `InvalidFields` for an alias that cannot be one, or that another resource has.
pub async fn add_alias(
    db: &Db,
    model: &Arc<ContentModel>,
    (kind, id): (EntityKind, i64),
    alias: String,
    actor: &Actor,
    author: Author,
) -> Result<PathAlias, Refusal> {
    let alias = alias.trim().trim_end_matches('/').to_owned();
    let change = move |aliases: &mut Vec<Item>| {
        if !aliases
            .iter()
            .any(|item| item.get("alias") == Some(&alias.as_str().into()))
        {
            aliases.push(Item::from_iter([(
                "alias".to_owned(),
                alias.as_str().into(),
            )]));
        }
        Some(alias)
    };
    let kept = change_aliases(db, model, (kind, id), actor, author, change).await?;
    let missing = || Refusal::Missing("The alias is gone already.".into());
    kept.ok_or_else(missing)
}

/// Takes an alias from its resource, if the actor may when it comes to that.
///
/// # Errors
/// `Missing`; `Denied`.
pub async fn remove_alias(
    db: &Db,
    model: &Arc<ContentModel>,
    id: i64,
    actor: &Actor,
    author: Author,
) -> Result<(), Refusal> {
    let missing = || Refusal::Missing(format!("There is no path alias {id}."));
    let found = db.read_here(|read| read.path_alias(id).map_err(Refusal::from))?;
    let alias = found.ok_or_else(missing)?;
    let resource = (alias.kind, alias.entity_id);
    let change = move |aliases: &mut Vec<Item>| {
        aliases.retain(|item| item.get("alias") != Some(&alias.alias.as_str().into()));
        None
    };
    change_aliases(db, model, resource, actor, author, change).await?;
    Ok(())
}

/// Changes the aliases of a resource; returns the one that the change names.
async fn change_aliases<F>(
    db: &Db,
    model: &Arc<ContentModel>,
    (kind, id): (EntityKind, i64),
    actor: &Actor,
    author: Author,
    change: F,
) -> Result<Option<PathAlias>, Refusal>
where
    F: FnOnce(&mut Vec<Item>) -> Option<String> + Send + 'static,
{
    let (model, actor) = (model.clone(), actor.clone());
    db.write(move |write| {
        let found = write.entity(kind, id)?;
        let mut entity = found.ok_or(Refusal::NotFound { kind, id })?;
        let subject = write.subject(&actor, &entity)?;
        may_set(&actor, kind, ALIASES, &subject.collections)?;
        let permitted = permit(&actor, Operation::Update, &subject)?;
        let mut aliases = entity.items(ALIASES).to_vec();
        let named = change(&mut aliases);
        if aliases != entity.items(ALIASES) {
            refuse_wrong(kind, &aliases)?;
            entity.set(ALIASES, aliases);
            refuse_taken(write, &entity)?;
            write_entity::update(write, &permitted, &model, entity, &author)?;
        }
        match named {
            Some(alias) => Ok(write.alias_by_key(&address::key(&alias))?),
            None => Ok(None),
        }
    })
    .await
}

fn refuse_wrong(kind: EntityKind, aliases: &[Item]) -> Result<(), Refusal> {
    let Some(definition) = base_field(kind, ALIASES) else {
        return Err(Refusal::Invalid("Files and users have no aliases.".into()));
    };
    validation::refuse(check_items(definition, aliases, &NoReferences))
}

/// Aliases refer to nothing.
struct NoReferences;

impl ReferenceLookup for NoReferences {
    fn target(&self, _: EntityKind, _: i64) -> Option<Target> {
        None
    }

    fn id_of_uuid(&self, _: EntityKind, _: &str) -> Option<i64> {
        None
    }
}

/// Refuses an alias that another resource has, or that leads elsewhere.
///
/// # Errors
/// `InvalidFields`.
pub(super) fn refuse_taken(read: &Read<'_>, entity: &Entity) -> Result<(), Refusal> {
    for (index, alias) in entity.aliases().enumerate() {
        let key = address::key(alias);
        let taken = match read.alias_by_key(&key)? {
            Some(found) => (found.kind, found.entity_id) != (entity.kind, entity.id),
            None => read.destination(&key)?.is_some(),
        };
        if taken {
            let message = format!("The alias {alias} is already in use.");
            let violation = Violation::at("alias", ViolationCode::NotUnique, message);
            return Err(violation.in_field(ALIASES, index).into());
        }
    }
    Ok(())
}
