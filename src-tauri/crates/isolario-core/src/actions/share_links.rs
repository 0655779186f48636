//! Share links: made for one item each, shown once, and revoked.

use chrono::{DateTime, Utc};

use super::access_tokens::refuse_access_token;
use super::account_rules::{as_of_now, check_line, refuse};
use super::{Author, Refusal};
use isolario_auth::{hash_of_link_key, new_link_key};
use isolario_db::{Db, DbError, NewShareLink, Read, ShareLink};
use isolario_model::content::{Entity, EntityKind};
use isolario_model::fields::ViolationCode;
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, Operation, PermittedChange, Subject, may, may_view, permit};

/// Longest name of a share link, in characters.
const LONGEST_NAME: usize = 60;
/// Most share links of one item.
const MOST_LINKS: i64 = 100;

/// A share link that somebody asks for.
#[derive(Debug, Clone)]
pub struct ShareLinkDraft {
    /// The item that it shows, with everything below it (node id).
    pub nid: i64,
    /// Whom or what it is for.
    pub name: String,
    pub expires: DateTime<Utc>,
}

/// Makes a share link, if the actor may when it comes to that; its number and its key, which is kept nowhere.
///
/// # Errors
/// `Refusal::NotFound` for an item that is not there for the actor; `Refusal::Denied`; `Refusal::InvalidAccount` for a
/// name that is taken or cannot be one, and a time that has passed; `Refusal::TooMany`.
pub async fn add_share_link(
    db: &Db,
    actor: &Actor,
    origin: Origin,
    draft: ShareLinkDraft,
) -> Result<(i64, String), Refusal> {
    refuse_access_token(actor, "share link")?;
    check_line("name", &draft.name, LONGEST_NAME)?;
    let (actor, author) = (actor.clone(), Author::new(actor, origin));
    if draft.expires.timestamp() <= author.at {
        return refuse(
            "expires",
            ViolationCode::OutOfRange,
            "This time has passed.",
        );
    }
    let key = new_link_key();
    let new = NewShareLink {
        nid: draft.nid,
        name: draft.name,
        uid: actor.uid,
        hash: hash_of_link_key(&key),
        created: author.at,
        expires: draft.expires.timestamp(),
    };
    let id = db.write(move |write| -> Result<i64, Refusal> {
        let actor = as_of_now(write, &actor)?;
        let item = visible_item(write, &actor, new.nid)?;
        let subject = write.subject(&actor, &item)?;
        let permitted = permit(&actor, Operation::Share, &subject)?;
        refuse_one_more(write, &new)?;
        let id = write.insert_share_link(&permitted, &new)?;
        write.record_event(&author.event(
            "issue_link",
            (EntityKind::Node, item.id),
            item.label(),
        ))?;
        Ok(id)
    });
    Ok((id.await?, key))
}

fn visible_item(read: &Read<'_>, actor: &Actor, nid: i64) -> Result<Entity, Refusal> {
    let missing = Refusal::NotFound {
        kind: EntityKind::Node,
        id: nid,
    };
    let Some(item) = read.entity(EntityKind::Node, nid)? else {
        return Err(missing);
    };
    match may_view(actor, &read.subject(actor, &item)?, &[]) {
        Ok(()) => Ok(item),
        Err(_) => Err(missing),
    }
}

/// Whether the actor may share an item (node id), and so know of its share links.
///
/// # Errors
/// `Refusal::NotFound` for an item that is not there for the actor; `Refusal::Denied`.
pub fn may_share_item(read: &Read<'_>, actor: &Actor, nid: i64) -> Result<(), Refusal> {
    let item = visible_item(read, actor, nid)?;
    Ok(may(actor, Operation::Share, &read.subject(actor, &item)?)?)
}

fn refuse_one_more(read: &Read<'_>, new: &NewShareLink) -> Result<(), Refusal> {
    let (count, has_name) = read.share_links_of(new.nid, &new.name)?;
    if has_name {
        let words = format!("There is already a link {} to this item.", new.name);
        return refuse("name", ViolationCode::NotUnique, words);
    }
    if count >= MOST_LINKS {
        return Err(Refusal::TooMany(format!(
            "This item has {MOST_LINKS} links. Revoke one first."
        )));
    }
    Ok(())
}

/// Revokes a share link, if the actor may when it comes to that: their own; those of others, who
/// may share the item or administers accounts. From then on it shows nothing.
///
/// # Errors
/// `Refusal::Missing` where there is none, or none that the actor may know of; `Refusal::Denied`.
pub async fn revoke_share_link(
    db: &Db,
    actor: &Actor,
    origin: Origin,
    id: i64,
) -> Result<(), Refusal> {
    let (actor, author) = (actor.clone(), Author::new(actor, origin));
    db.write(move |write| {
        let actor = as_of_now(write, &actor)?;
        let missing = || Refusal::Missing(format!("There is no link {id}."));
        let link = write.share_link(id)?.ok_or_else(missing)?;
        let item = match write.entity(EntityKind::Node, link.nid)? {
            Some(item) => item,
            None => write
                .deleted_entity(EntityKind::Node, link.nid)?
                .ok_or_else(missing)?,
        };
        let permitted = permit_end(write, &actor, &link, &item)?.ok_or_else(missing)?;
        write.delete_share_link(&permitted, &link)?;
        write.record_event(&author.event(
            "revoke_link",
            (EntityKind::Node, item.id),
            item.label(),
        ))?;
        Ok(())
    })
    .await
}

/// Permits that a link is revoked; `None` for whoever may not know of it.
fn permit_end<'t>(
    read: &Read<'t>,
    actor: &Actor,
    link: &ShareLink,
    item: &Entity,
) -> Result<Option<PermittedChange<'t>>, DbError> {
    let subject = read.subject(actor, item)?;
    let maker = Subject::of_account(link.uid, true);
    let as_item = permit(actor, Operation::Share, &subject);
    let permitted = as_item.or_else(|_| permit(actor, Operation::Update, &maker));
    Ok(permitted.ok())
}
