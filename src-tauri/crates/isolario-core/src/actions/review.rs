//! Who an item on its way to publication is assigned to.

use super::Refusal;
use super::validation::refuse;
use super::view_entity::may_view;
use isolario_auth::actor_of;
use isolario_db::{DbError, Read, UserFilter};
use isolario_model::content::entity::ASSIGNEE;
use isolario_model::content::{Entity, UserRecord};
use isolario_model::fields::{Violation, ViolationCode};
use isolario_model::policy::{Operation, SignIn, may};

/// Most accounts that are offered.
const MOST_OFFERED: usize = 500;

/// The accounts that an item can be assigned to, by name, at most 500: those that see it and change it.
pub fn assignable(read: &Read<'_>, item: &Entity) -> Result<Vec<UserRecord>, DbError> {
    let active = UserFilter {
        active: Some(true),
        ..UserFilter::default()
    };
    let accounts = read.user_page(&active, None, MOST_OFFERED)?.rows;
    let mut found = Vec::new();
    for account in accounts {
        if works_on(read, &account, item)? {
            found.push(account);
        }
    }
    Ok(found)
}

/// Refuses that an item is assigned to somebody who cannot do its next step.
///
/// # Errors
/// `Refusal::InvalidFields`.
pub(super) fn refuse_unfit_assignee(read: &Read<'_>, item: &Entity) -> Result<(), Refusal> {
    let Some(uid) = item.reference(ASSIGNEE) else {
        return Ok(());
    };
    let account = read.credentials(uid)?.map(|found| found.user);
    let fits = match account.filter(|account| account.active) {
        Some(account) => works_on(read, &account, item)?,
        None => false,
    };
    match fits {
        true => Ok(()),
        false => refuse(vec![Violation::of_field(
            ASSIGNEE,
            ViolationCode::OutOfRange,
            "Assigned to: this person may not see the item and change it.",
        )]),
    }
}

fn works_on(read: &Read<'_>, account: &UserRecord, item: &Entity) -> Result<bool, DbError> {
    // When the account was changed does not matter: nobody signs in.
    let person = actor_of(read, account, SignIn::Credentials(0))?;
    let changes = may(&person, Operation::Update, &read.subject(&person, item)?).is_ok();
    Ok(changes && may_view(read, &person, item)?)
}
