//! Records why a file was not ingested.

use super::{WatchedFolder, now};
use isolario_core::actions::Refusal;
use isolario_db::DbError;
use isolario_model::content::{WatchState, WatchedFile};
use isolario_model::fields::Violation;

/// Longest time between two attempts, milliseconds.
const LONGEST_WAIT: i64 = 300_000;

/// Writes the outcome for a file that is not ingested to its row.
///
/// # Errors
/// What the database refuses.
pub async fn settle(
    watched: &WatchedFolder,
    id: i64,
    change: impl FnOnce(&mut WatchedFile) + Send + 'static,
) -> Result<(), DbError> {
    let db = &watched.repository.db;
    db.write(move |write| -> Result<(), DbError> {
        let Some(mut row) = write.watched_file(id)? else {
            return Ok(());
        };
        row.changed = now();
        change(&mut row);
        write.update_watched_file(&row)
    })
    .await
}

/// Lets a file that has changed settle again.
///
/// # Errors
/// What the database refuses.
pub async fn back_to_seen(watched: &WatchedFolder, id: i64) -> Result<(), DbError> {
    let wait = watched.rule.settle_time();
    settle(watched, id, move |row| {
        (row.state, row.since, row.due) = (WatchState::Seen, now(), now() + wait);
    })
    .await
}

/// Writes the reason of a refusal to the row. A temporary fault is tried again. Others need a person.
///
/// # Errors
/// What the database refuses.
pub async fn note_refusal(
    watched: &WatchedFolder,
    file: WatchedFile,
    refusal: Refusal,
) -> Result<(), DbError> {
    let looks = watched.folder.look(&file.path);
    if !looks.is_ok_and(|look| look == Some(file.look)) {
        return back_to_seen(watched, file.id).await;
    }
    let words = words_of(&refusal);
    let passes = matches!(
        refusal,
        Refusal::Database(_)
            | Refusal::Disk(_)
            | Refusal::Storage(_)
            | Refusal::Busy(_)
            | Refusal::TooSlow(_)
            | Refusal::Conflict(_)
            | Refusal::Lost(_)
    );
    settle(watched, file.id, move |row| {
        row.reason = Some(words);
        if passes {
            row.attempts += 1;
            row.state = WatchState::Settled;
            row.due = now() + wait_after(row.attempts);
        } else {
            (row.state, row.untidy) = (WatchState::Failed, true);
        }
    })
    .await
}

/// Milliseconds until the next attempt: 2, 4, 8 … seconds, at most five minutes.
fn wait_after(attempts: u32) -> i64 {
    let wait = 2_i64.checked_pow(attempts.min(20)).unwrap_or(LONGEST_WAIT);
    wait.saturating_mul(1000).min(LONGEST_WAIT)
}

/// The reason, for the person who put the file there.
pub fn words_of(refusal: &Refusal) -> String {
    match refusal {
        Refusal::InvalidFields(violations) => {
            let lines = violations.iter().map(Violation::to_string);
            lines.collect::<Vec<_>>().join(" ")
        }
        Refusal::NotFound { kind, id } => {
            format!("There is no {} {id} any more.", kind.target_type())
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use isolario_model::fields::ViolationCode;

    use super::*;

    #[test]
    fn attempts_wait_longer_up_to_five_minutes() {
        let waits: Vec<i64> = (1..5).map(wait_after).collect();
        assert_eq!(waits, [2_000, 4_000, 8_000, 16_000]);
        assert_eq!(wait_after(u32::MAX), LONGEST_WAIT);
    }

    #[test]
    fn reasons_are_for_people() {
        let message = "This value should not be null.";
        let refusal = Refusal::from(Violation::of_field(
            "title",
            ViolationCode::Required,
            message,
        ));
        assert_eq!(words_of(&refusal), "title: This value should not be null.");
    }
}
