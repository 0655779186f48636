//! One product, from its row to what became of it.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, stream};
use serde_json::{Map, Value};
use tokio::sync::mpsc::Receiver;
use tokio::time::timeout;

use super::process::{Order, Process};
use super::verdict::{Verdict, too_slow, verdict};
use crate::actions::derivatives::{
    FACTS, Outlook, Product, Task, keep, keep_facts, note, prepare, stage,
};
use crate::actions::{Refusal, relocate};
use crate::blobs::Staged;
use crate::content::{Derivative, DerivativeState};
use crate::db::{DbError, Ending};
use crate::faults;
use crate::repository::Repository;

/// How often something is tried that came to a sudden end.
const TRIES: u32 = 3;
/// Longest time between two attempts, seconds.
const LONGEST_WAIT: i64 = 3600;
/// Bytes of facts.
const MOST_FACTS: usize = 256 * 1024;
/// Bytes of any other product.
const MOST_BYTES: u64 = 8 << 30;
/// A process that has nothing to say yet is not a sender who has gone.
const STILL_THERE: Duration = Duration::from_secs(20);

/// How long is waited at least for a process that may hardly use the processor.
const SHORTEST_PATIENCE: Duration = Duration::from_secs(60);

/// Why a product was not made.
enum Trouble {
    /// Nobody wants it any more.
    Gone,
    Left(String),
    Refused(String),
    Lacking(String),
    /// For good.
    Failed(String),
    /// Perhaps not the next time; a few times.
    Crashed(String),
    /// Not for anything that is wrong with the file.
    Hindered(String),
}

/// Makes a product, and notes what became of it.
pub async fn make(repository: &Arc<Repository>, derivative: Derivative) {
    let (id, attempts) = (derivative.id, derivative.attempts);
    let (task, trouble) = match prepare(repository, derivative).await {
        Ok(Outlook::Ready(task)) => {
            let outcome = make_task(repository, &task).await;
            (Some(task), outcome.err())
        }
        Ok(Outlook::Gone) => (None, Some(Trouble::Gone)),
        Ok(Outlook::Left(words)) => (None, Some(Trouble::Left(words))),
        Ok(Outlook::Homeless(words)) => (None, Some(Trouble::Failed(words))),
        Err(error) => (None, Some(Trouble::Hindered(error.to_string()))),
    };
    let Some(trouble) = trouble else { return };
    let noted = match ending(trouble, attempts) {
        Some(ending) => note(repository, id, task.as_deref(), ending).await,
        None => forget(repository, id).await.map_err(Refusal::from),
    };
    if let Err(error) = noted {
        tracing::error!(%error, "it could not be noted what became of a derivative");
    }
}

async fn forget(repository: &Repository, id: i64) -> Result<(), DbError> {
    let write = repository
        .db
        .write(move |write| write.forget_derivative(id));
    write.await
}

/// What is noted of a product that was not made; `None` where nobody wants to know.
fn ending(trouble: Trouble, attempts: u32) -> Option<Ending> {
    use DerivativeState::{Failed, Lacking, Left, Refused};
    Some(match trouble {
        Trouble::Gone => return None,
        Trouble::Left(words) => Ending::new(Left, Some(words)),
        Trouble::Refused(words) => Ending::new(Refused, Some(words)),
        Trouble::Failed(words) => Ending::new(Failed, Some(words)),
        Trouble::Lacking(words) => Ending::new(Lacking, Some(words)),
        Trouble::Crashed(words) if attempts + 1 >= TRIES => Ending {
            attempts: attempts + 1,
            ..Ending::new(Failed, Some(words))
        },
        Trouble::Crashed(words) | Trouble::Hindered(words) => again(words, attempts + 1),
    })
}

fn again(words: String, attempts: u32) -> Ending {
    Ending {
        attempts,
        due: chrono::Utc::now().timestamp() + wait_after(attempts),
        ..Ending::new(DerivativeState::Waiting, Some(words))
    }
}

/// Seconds until the next attempt: 4, 16, 64 … an hour.
fn wait_after(attempts: u32) -> i64 {
    let wait = 4_i64.checked_pow(attempts).unwrap_or(LONGEST_WAIT);
    wait.min(LONGEST_WAIT)
}

async fn make_task(repository: &Arc<Repository>, task: &Task) -> Result<(), Trouble> {
    faults::point("deriving");
    let (kind, mime) = (&task.derivative.kind, &task.file.mime);
    let bounds = repository.config.derivatives.bounds();
    // Others may want the processor, and the disk.
    let patience = (bounds.processor_time(kind, mime) * 4).max(SHORTEST_PATIENCE);
    let made = timeout(patience, run(repository, task)).await;
    let made = made.unwrap_or_else(|_| Err(Trouble::Failed(too_slow(kind, mime, &bounds))))?;
    let kept = match made {
        Made::Facts(facts) => keep_facts(repository, task, facts).await,
        Made::Staged(staged, product) => keep(repository, task, staged, &product).await,
    };
    kept.map_err(hindrance)
}

/// A product that waits to be kept.
enum Made {
    Facts(Map<String, Value>),
    Staged(Staged, Product),
}

async fn run(repository: &Arc<Repository>, task: &Task) -> Result<Made, Trouble> {
    let (kind, mime) = (&task.derivative.kind, &task.file.mime);
    let bounds = repository.config.derivatives.bounds();
    let blobs = &repository.blobs;
    let open = |blob: String| async move { blobs.open_blob(&blob).await };
    let input = relocate::wherever(&repository.db, &task.file, open).await;
    let unreadable =
        |error: io::Error| Trouble::Hindered(format!("The file cannot be read: {error}."));
    let input = input.and_then(|blob| blob.input()).map_err(unreadable)?;
    let mut process = Process::start(Order {
        kind: kind.clone(),
        mime: mime.clone(),
        filename: task.file.filename.clone(),
        bounds,
        input,
    });
    let taken = take(repository, kind, &mut process.output).await?;
    let end = process.end().await;
    let end =
        end.map_err(|error| Trouble::Hindered(format!("No process could be started: {error}.")))?;
    match (verdict(kind, mime, &bounds, &end), taken) {
        (Verdict::Made(product), Taken::Staged(staged)) => Ok(Made::Staged(staged, product)),
        (Verdict::Made(_), Taken::Facts(bytes)) => facts_in(&bytes).map(Made::Facts),
        (Verdict::Made(_), Taken::Nothing) => {
            Err(Trouble::Crashed("Nothing was made of the file.".into()))
        }
        (Verdict::Refused(words), _) => Err(Trouble::Refused(words)),
        (Verdict::Lacking(words), _) => Err(Trouble::Lacking(words)),
        (Verdict::Failed(words), _) => Err(Trouble::Failed(words)),
        (Verdict::Crashed(words), _) => Err(Trouble::Crashed(words)),
    }
}

/// What came out of a process.
enum Taken {
    Nothing,
    Facts(Vec<u8>),
    Staged(Staged),
}

async fn take(
    repository: &Repository,
    kind: &str,
    output: &mut Receiver<io::Result<Bytes>>,
) -> Result<Taken, Trouble> {
    // A process may be long at work before anything comes.
    let Some(first) = output.recv().await else {
        return Ok(Taken::Nothing);
    };
    if kind == FACTS {
        return collect(first, output).await.map(Taken::Facts);
    }
    let rest = chunks(output);
    let chunks = stream::StreamExt::chain(stream::iter([first]), rest);
    let staged = stage(repository, Box::pin(chunks)).await;
    staged.map(Taken::Staged).map_err(hindrance)
}

async fn collect(
    first: io::Result<Bytes>,
    output: &mut Receiver<io::Result<Bytes>>,
) -> Result<Vec<u8>, Trouble> {
    let (mut bytes, mut next) = (Vec::new(), Some(first));
    while let Some(chunk) = next {
        let chunk = chunk.map_err(|error| Trouble::Hindered(error.to_string()))?;
        bytes.extend_from_slice(&chunk);
        if bytes.len() > MOST_FACTS {
            return Err(Trouble::Failed(
                "The file says too much about itself.".into(),
            ));
        }
        next = output.recv().await;
    }
    Ok(bytes)
}

/// The product as it comes, with signs of life between.
fn chunks(output: &mut Receiver<io::Result<Bytes>>) -> impl Stream<Item = io::Result<Bytes>> {
    stream::unfold((output, 0), |(output, before)| async move {
        let next = match timeout(STILL_THERE, output.recv()).await {
            Ok(next) => next?,
            Err(_) => Ok(Bytes::new()),
        };
        let size = before + next.as_ref().map_or(0, |chunk| chunk.len() as u64);
        let next = match size > MOST_BYTES {
            true => Err(io::Error::other("it would be too large")),
            false => next,
        };
        Some((next, (output, size)))
    })
}

fn facts_in(bytes: &[u8]) -> Result<Map<String, Value>, Trouble> {
    serde_json::from_slice(bytes).map_err(|error| {
        Trouble::Crashed(format!(
            "What the file says about itself makes no sense: {error}."
        ))
    })
}

/// A product that was refused by the door that all uploads take.
fn hindrance(refusal: Refusal) -> Trouble {
    let words = refusal.to_string();
    match refusal {
        Refusal::Database(_)
        | Refusal::Storage(_)
        | Refusal::Busy(_)
        | Refusal::TooSlow(_)
        | Refusal::Conflict(_)
        | Refusal::Lost(_) => Trouble::Hindered(words),
        Refusal::NotFound { .. } => Trouble::Gone,
        _ => Trouble::Failed(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_crashes_is_tried_a_few_times() {
        let crash = |attempts| ending(Trouble::Crashed("It fell.".into()), attempts);
        let states: Vec<_> = (0..3)
            .map(|attempts| crash(attempts).map(|end| end.state))
            .collect();
        let (waiting, failed) = (DerivativeState::Waiting, DerivativeState::Failed);
        assert_eq!(states, [Some(waiting), Some(waiting), Some(failed)]);
    }

    #[test]
    fn what_another_program_is_missing_for_has_not_failed() {
        let lacking = ending(Trouble::Lacking("There is no ffmpeg.".into()), 0);
        let words = Some("There is no ffmpeg.".into());
        let waits_for_it = Ending::new(DerivativeState::Lacking, words);
        assert_eq!(lacking, Some(waits_for_it));
    }

    #[test]
    fn a_full_disk_never_ends_the_attempts() {
        let hindered = ending(Trouble::Hindered("The disk is full.".into()), 4_000_000);
        assert_eq!(
            hindered.map(|end| end.state),
            Some(DerivativeState::Waiting)
        );
    }

    #[test]
    fn attempts_wait_longer_up_to_an_hour() {
        let waits: Vec<i64> = (1..4).map(wait_after).collect();
        assert_eq!(waits, [4, 16, 64]);
        assert_eq!(wait_after(u32::MAX), LONGEST_WAIT);
    }
}
