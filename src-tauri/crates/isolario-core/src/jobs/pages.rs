//! Makes the pages of files into items: runs the processes that count them, cut them out or draw them, one page after
//! the other.

use std::sync::Arc;

use super::derivatives::{DerivativeError, DerivativeResult, FilePart, may_derive, produce};
use crate::actions::Refusal;
use crate::actions::batches::pages::{
    PageFile, PageStep, PageTask, PageUse, counted, next_step, pages_in, refuse_page, store_page,
};
use crate::actions::derivatives::FACTS;
use crate::repository::Repository;
use isolario_derive::Kind;
use isolario_model::content::FileRecord;
use isolario_model::policy::Actor;

/// How often a page is tried whose process ended unexpectedly.
const TRIES: u32 = 3;

/// Takes the next step of a batch that makes pages. Returns whether more are left.
///
/// # Errors
/// What ends the batch.
pub(super) async fn make_next(
    repository: &Arc<Repository>,
    actor: &Actor,
    id: i64,
) -> Result<bool, Refusal> {
    if !may_derive(repository) {
        let words = "Derivatives are switched off, and so are the pages of files.";
        return Err(Refusal::Conflict(words.into()));
    }
    // Each page takes much of the memory and of the processor, so files take turns.
    let turn = repository.page_turn.acquire().await;
    let _turn = turn.map_err(|error| Refusal::Busy(error.to_string()))?;
    let step = match next_step(repository, actor, id).await? {
        PageStep::Count(file) => {
            let Some(pages) = unless_ended(repository, id, count(repository, &file)).await else {
                return Ok(false);
            };
            counted(repository, actor, id, pages?).await?
        }
        step => step,
    };
    let PageStep::Make(task) = step else {
        return Ok(false);
    };
    let Some(made) = unless_ended(repository, id, make(repository, &task)).await else {
        return Ok(false);
    };
    match made {
        Ok(files) => store_page(repository, actor, &task, files).await,
        Err(error @ DerivativeError::Hindered(_)) => Err(Refusal::Storage(error.into_words())),
        Err(error) => {
            refuse_page(repository, &task, &error.into_words()).await?;
            Ok(true)
        }
    }
}

/// The outcome of some work; none when the batch was ended or the program closes meanwhile. Its processes are killed.
async fn unless_ended<T>(
    repository: &Arc<Repository>,
    id: i64,
    work: impl Future<Output = T>,
) -> Option<T> {
    let mut changes = repository.batches.changes();
    let ended = async {
        loop {
            let batch = repository.db.read(move |read| read.batch(id)).await;
            // Where the database cannot be asked, the work goes on, and meets with that itself.
            if batch.is_ok_and(|batch| batch.is_none_or(|batch| batch.ended.is_some())) {
                return;
            }
            if changes.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    };
    tokio::select! {
        outcome = work => Some(outcome),
        () = ended => None,
        () = repository.closing.cancelled() => None,
    }
}

async fn count(repository: &Arc<Repository>, file: &FileRecord) -> Result<i64, Refusal> {
    let facts = match produce(repository, FACTS, file, FilePart::default()).await {
        Ok(DerivativeResult::Facts(facts)) => facts,
        Ok(DerivativeResult::Staged(..)) => return Err(uncounted("")),
        Err(error) => return Err(Refusal::Invalid(error.into_words())),
    };
    let damage = facts.get("damage").and_then(serde_json::Value::as_str);
    pages_in(&facts).ok_or_else(|| uncounted(damage.unwrap_or_default()))
}

fn uncounted(why: &str) -> Refusal {
    let words = format!("The pages of the file cannot be counted. {why}");
    Refusal::Invalid(words.trim_end().to_owned())
}

/// The files of a page, the one without which it is none the last.
async fn make(
    repository: &Arc<Repository>,
    task: &PageTask,
) -> Result<Vec<(PageUse, PageFile)>, DerivativeError> {
    if task.original.is_cut() {
        let own = file(repository, task, Kind::Page).await?;
        return Ok(vec![(PageUse::Original, own)]);
    }
    let (picture, thumbnail, text) = tokio::join!(
        file(repository, task, Kind::Service),
        file(repository, task, Kind::Thumbnail),
        file(repository, task, Kind::Text),
    );
    let rules = &repository.config.derivatives;
    let mut files = vec![(PageUse::Thumbnail, thumbnail?)];
    match text {
        Ok(text) if rules.makes(Kind::Text.as_str()) => files.push((PageUse::Text, text)),
        // Many pages say nothing.
        Ok(_) | Err(DerivativeError::Refused(_)) => {}
        Err(error) => return Err(error),
    }
    files.push((PageUse::Picture, picture?));
    Ok(files)
}

async fn file(
    repository: &Arc<Repository>,
    task: &PageTask,
    kind: Kind,
) -> Result<PageFile, DerivativeError> {
    let number = usize::try_from(task.number).unwrap_or(usize::MAX);
    let mut tries = 1;
    loop {
        let file = &task.original.file;
        let part = FilePart {
            adjustment: None,
            page: Some(number),
        };
        match produce(repository, kind.as_str(), file, part).await {
            Ok(DerivativeResult::Staged(staged, output)) => return Ok((staged, output)),
            Ok(DerivativeResult::Facts(_)) => return Err(DerivativeError::Gone),
            Err(DerivativeError::Crashed(_)) if tries < TRIES => tries += 1,
            Err(error) => return Err(error),
        }
    }
}
