//! Gives jobs priority: those of items that a person looks at, and failed ones that are retried.

use super::visible_original;
use crate::actions::Refusal;
use crate::actions::derivative_jobs::{follow, original_of};
use crate::repository::Repository;
use isolario_db::DbError;
use isolario_model::content::{Derivative, DerivativeState};
use isolario_model::policy::{Actor, Operation, may};

/// Retries the job of a derivative, before others.
///
/// # Errors
/// `Missing` when the actor may view no such job; `Denied` when the actor may not change the media with the original;
/// `Conflict` while it is being made.
pub async fn retry(repository: &Repository, actor: &Actor, id: i64) -> Result<Derivative, Refusal> {
    let actor = actor.clone();
    let write = repository.db.write(move |write| {
        let missing = || Refusal::Missing(format!("There is no job {id}."));
        let derivative = write.derivative(id)?.ok_or_else(missing)?;
        let media = visible_original(write, &actor, &derivative)?;
        let media = media.ok_or_else(missing)?;
        may(&actor, Operation::Update, &write.subject(&actor, &media)?)?;
        if derivative.state == DerivativeState::Running {
            return Err(Refusal::Conflict("It is being made right now.".into()));
        }
        let at = now();
        write.retry_derivative(id, at, at)?;
        write.derivative(id)?.ok_or_else(missing)
    });
    let derivative = write.await?;
    repository.derivatives.wake();
    Ok(derivative)
}

/// Gives the jobs of the originals of these items priority. It adds the jobs of an original that has none yet, because
/// it is older than this feature.
///
/// # Errors
/// What the database refuses.
pub async fn prioritise(repository: &Repository, nids: Vec<i64>) -> Result<(), DbError> {
    let model = repository.model();
    let write = repository.db.write(move |write| -> Result<bool, DbError> {
        let (at, mut waiting) = (now(), false);
        for nid in nids {
            for media in write.media_of(nid)? {
                if write.derivatives_of(media.id)?.is_empty()
                    && original_of(write, &model, &media)?.is_some()
                {
                    follow(write, &model, &media, at)?;
                }
                waiting |= write.prioritise_derivatives(media.id, at)?;
            }
        }
        Ok(waiting)
    });
    if write.await? {
        repository.derivatives.wake();
    }
    Ok(())
}

fn now() -> i64 {
    chrono::Utc::now().timestamp()
}
