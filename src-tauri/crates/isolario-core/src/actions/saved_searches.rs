//! Saved searches: queries of lists that people keep under a name. That a query makes sense is for the channel to say,
//! which knows how lists are asked for.

use super::Refusal;
use super::account_rules::{as_of_now, check_line, refuse};
use isolario_db::{Db, NewSavedSearch, Read};
use isolario_model::content::record::SavedSearch;
use isolario_model::fields::ViolationCode;
use isolario_model::policy::{Actor, SavedSearchFacts, may_view_saved_search, permit_saved_search};

/// Longest name of a saved search, in characters.
const LONGEST_NAME: usize = 100;
/// Longest query of a saved search, in bytes.
const LONGEST_QUERY: usize = 4096;
/// Most saved searches of one account.
const MOST_SEARCHES: i64 = 200;

/// A saved search that somebody asks for.
#[derive(Debug, Clone)]
pub struct SavedSearchDraft {
    pub name: String,
    pub query: String,
    pub is_public: bool,
}

/// What changes; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct SavedSearchChange {
    pub name: Option<String>,
    pub query: Option<String>,
    pub is_public: Option<bool>,
}

/// Saves a search, if the actor may when it comes to that; its number.
///
/// # Errors
/// `Refusal::Denied`; `Refusal::InvalidAccount` for a name or a query that cannot be one; `Refusal::TooMany`.
pub async fn save_search(db: &Db, actor: &Actor, draft: SavedSearchDraft) -> Result<i64, Refusal> {
    check(Some(&draft.name), Some(&draft.query))?;
    let (actor, created) = (actor.clone(), now());
    db.write(move |write| {
        let actor = as_of_now(write, &actor)?;
        let new = NewSavedSearch {
            owner: actor.uid,
            name: draft.name,
            query: draft.query,
            is_public: draft.is_public,
            created,
        };
        let after = SavedSearchFacts {
            owner: new.owner,
            is_public: new.is_public,
        };
        let permitted = permit_saved_search(&actor, None, Some(after))?;
        refuse_one_more(write, new.owner)?;
        Ok(write.insert_saved_search(&permitted, &new)?)
    })
    .await
}

/// Changes a saved search, if the actor may when it comes to that.
///
/// # Errors
/// `Refusal::Missing` where there is none, or none that the actor may see; `Refusal::Denied`; `Refusal::InvalidAccount`.
pub async fn change_saved_search(
    db: &Db,
    actor: &Actor,
    id: i64,
    change: SavedSearchChange,
) -> Result<(), Refusal> {
    check(change.name.as_ref(), change.query.as_ref())?;
    let (actor, changed) = (actor.clone(), now());
    db.write(move |write| {
        let actor = as_of_now(write, &actor)?;
        let former = visible_search(&actor, write.saved_search(id)?, id)?;
        let before = facts(&former);
        let search = SavedSearch {
            name: change.name.unwrap_or(former.name),
            query: change.query.unwrap_or(former.query),
            is_public: change.is_public.unwrap_or(former.is_public),
            changed,
            ..former
        };
        let permitted = permit_saved_search(&actor, Some(before), Some(facts(&search)))?;
        Ok(write.update_saved_search(&permitted, &search)?)
    })
    .await
}

/// Deletes a saved search, if the actor may when it comes to that.
///
/// # Errors
/// As `change_saved_search`.
pub async fn delete_saved_search(db: &Db, actor: &Actor, id: i64) -> Result<(), Refusal> {
    let (actor, at) = (actor.clone(), now());
    db.write(move |write| {
        let actor = as_of_now(write, &actor)?;
        let search = visible_search(&actor, write.saved_search(id)?, id)?;
        let permitted = permit_saved_search(&actor, Some(facts(&search)), None)?;
        Ok(write.delete_saved_search(&permitted, id, at)?)
    })
    .await
}

/// Restores a saved search that was deleted, as it was, if the actor may when it comes to that.
///
/// # Errors
/// As `change_saved_search`; `Refusal::Conflict` for one that is not deleted; `Refusal::TooMany`.
pub async fn restore_saved_search(db: &Db, actor: &Actor, id: i64) -> Result<(), Refusal> {
    let actor = actor.clone();
    db.write(move |write| {
        let actor = as_of_now(write, &actor)?;
        let search = visible_search(&actor, write.saved_search_record(id)?, id)?;
        let facts = Some(facts(&search));
        let permitted = permit_saved_search(&actor, facts, facts)?;
        if search.deleted.is_none() {
            return Err(Refusal::Conflict(format!(
                "The saved search {id} is not deleted."
            )));
        }
        refuse_one_more(write, search.owner)?;
        Ok(write.update_saved_search(&permitted, &search)?)
    })
    .await
}

fn now() -> i64 {
    chrono::Utc::now().timestamp()
}

fn facts(search: &SavedSearch) -> SavedSearchFacts {
    SavedSearchFacts {
        owner: search.owner,
        is_public: search.is_public,
    }
}

/// Whether the actor may see a saved search.
pub fn is_visible(actor: &Actor, search: &SavedSearch) -> bool {
    may_view_saved_search(actor, facts(search))
}

fn visible_search(
    actor: &Actor,
    found: Option<SavedSearch>,
    id: i64,
) -> Result<SavedSearch, Refusal> {
    let missing = || Refusal::Missing(format!("There is no saved search {id}."));
    found
        .filter(|search| is_visible(actor, search))
        .ok_or_else(missing)
}

fn check(name: Option<&String>, query: Option<&String>) -> Result<(), Refusal> {
    if let Some(name) = name {
        check_line("name", name, LONGEST_NAME)?;
    }
    if query.is_some_and(|query| query.len() > LONGEST_QUERY) {
        let words = format!("A query may not be longer than {LONGEST_QUERY} bytes.");
        return refuse("query", ViolationCode::TooLong, words);
    }
    Ok(())
}

fn refuse_one_more(read: &Read<'_>, owner: i64) -> Result<(), Refusal> {
    match read.saved_searches_of(owner)? < MOST_SEARCHES {
        true => Ok(()),
        false => Err(Refusal::TooMany(format!(
            "This account has {MOST_SEARCHES} saved searches. Delete one first."
        ))),
    }
}
