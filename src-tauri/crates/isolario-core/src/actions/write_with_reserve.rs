//! Changes that free disk space. A full disk must accept them, because nothing else frees space there.

use super::Refusal;
use crate::repository::Repository;
use isolario_db::Write;

/// Commits a change that deletes something. On a full disk it uses the disk space that is reserved for deletions.
///
/// # Errors
/// Those of the change; `Database` when no space is left.
pub(super) async fn write_with_reserve<T, F>(
    repository: &Repository,
    change: F,
) -> Result<T, Refusal>
where
    F: FnOnce(&mut Write<'_>) -> Result<T, Refusal> + Clone + Send + 'static,
    T: Send + 'static,
{
    loop {
        let outcome = repository.db.write(change.clone()).await;
        let lacks_space =
            matches!(&outcome, Err(Refusal::Database(error)) if error.may_lack_space());
        if !lacks_space || !repository.blobs.release_reserve().await {
            return outcome;
        }
    }
}
