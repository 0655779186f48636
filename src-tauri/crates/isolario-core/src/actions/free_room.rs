//! Changes by which room is made on the disk. A full disk has to take them, or nothing could be done about it.

use super::Refusal;
use crate::repository::Repository;
use isolario_db::Write;

/// Carries out a change that deletes something: on a full disk with the room that is kept back for it.
///
/// # Errors
/// Those of the change; `Database` when there is no room at all.
pub(super) async fn free_room<T, F>(repository: &Repository, change: F) -> Result<T, Refusal>
where
    F: FnOnce(&mut Write<'_>) -> Result<T, Refusal> + Clone + Send + 'static,
    T: Send + 'static,
{
    loop {
        let outcome = repository.db.write(change.clone()).await;
        let lacks_room = matches!(&outcome, Err(Refusal::Database(error)) if error.may_lack_room());
        if !lacks_room || !repository.blobs.give_up_room().await {
            return outcome;
        }
    }
}
