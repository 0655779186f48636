//! Runs one job of a derivative, and records its outcome.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, stream};
use serde_json::{Map, Value};
use tokio::sync::mpsc::Receiver;
use tokio::time::timeout;

use super::process::{FilePart, Process, ProcessRequest};
use super::sandbox::ProcessLimits;
use super::verdict::{Verdict, too_slow, verdict};
use crate::actions::derivatives::{
    DerivativeOutput, DerivativeTask, FACTS, Preparation, prepare, record_ending, stage,
    store_derivative, store_facts,
};
use crate::actions::{Refusal, relocate};
use crate::repository::Repository;
use isolario_blobs::StagedBlob;
use isolario_db::{DbError, Ending};
use isolario_disk::faults;
use isolario_model::content::{Derivative, DerivativeState, FileRecord};

/// How often a job is tried whose process ended unexpectedly.
const TRIES: u32 = 3;
/// Longest time between two attempts, seconds.
const LONGEST_WAIT: i64 = 3600;
/// Bytes of facts.
const MOST_FACTS: usize = 256 * 1024;
/// Bytes of any other derivative.
const MOST_BYTES: u64 = 8 << 30;
/// How often an empty chunk is sent, so that a process without output does not count as a stalled upload.
const STILL_THERE: Duration = Duration::from_secs(20);

/// The shortest time limit of a process, which may get little of the processor.
const SHORTEST_TIMEOUT: Duration = Duration::from_secs(60);

/// Why a derivative was not made.
pub(in crate::jobs) enum DerivativeError {
    /// The job was removed.
    Gone,
    Left(String),
    Refused(String),
    Lacking(String),
    /// A permanent fault.
    Failed(String),
    /// A temporary fault, which is tried again a few times.
    Crashed(String),
    /// A fault that does not come from the file.
    Hindered(String),
}

impl DerivativeError {
    /// The reason.
    pub(in crate::jobs) fn into_words(self) -> String {
        match self {
            DerivativeError::Gone => "The file is gone.".into(),
            DerivativeError::Left(words)
            | DerivativeError::Refused(words)
            | DerivativeError::Lacking(words)
            | DerivativeError::Failed(words)
            | DerivativeError::Crashed(words)
            | DerivativeError::Hindered(words) => words,
        }
    }
}

/// Makes a derivative, and records the outcome.
pub async fn make(repository: &Arc<Repository>, derivative: Derivative) {
    let (id, attempts) = (derivative.id, derivative.attempts);
    let (task, error) = match prepare(repository, derivative).await {
        Ok(Preparation::Ready(task)) => {
            let outcome = make_task(repository, &task).await;
            (Some(task), outcome.err())
        }
        Ok(Preparation::Gone) => (None, Some(DerivativeError::Gone)),
        Ok(Preparation::Left(words)) => (None, Some(DerivativeError::Left(words))),
        Ok(Preparation::Unstorable(words)) => (None, Some(DerivativeError::Failed(words))),
        Err(error) => (None, Some(DerivativeError::Hindered(error.to_string()))),
    };
    let Some(error) = error else { return };
    let noted = match ending(error, attempts) {
        Some(ending) => record_ending(repository, id, task.as_deref(), ending).await,
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

/// The outcome to store for a derivative that was not made; `None` if its job was removed.
fn ending(error: DerivativeError, attempts: u32) -> Option<Ending> {
    use DerivativeState::{Failed, Lacking, Left, Refused};
    Some(match error {
        DerivativeError::Gone => return None,
        DerivativeError::Left(words) => Ending::new(Left, Some(words)),
        DerivativeError::Refused(words) => Ending::new(Refused, Some(words)),
        DerivativeError::Failed(words) => Ending::new(Failed, Some(words)),
        DerivativeError::Lacking(words) => Ending::new(Lacking, Some(words)),
        DerivativeError::Crashed(words) if attempts + 1 >= TRIES => Ending {
            attempts: attempts + 1,
            ..Ending::new(Failed, Some(words))
        },
        DerivativeError::Crashed(words) | DerivativeError::Hindered(words) => {
            again(words, attempts + 1)
        }
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

async fn make_task(
    repository: &Arc<Repository>,
    task: &DerivativeTask,
) -> Result<(), DerivativeError> {
    faults::point("deriving");
    let Derivative {
        kind, adjustment, ..
    } = &task.derivative;
    let part = FilePart {
        adjustment: adjustment.clone(),
        page: None,
    };
    let kept = match produce(repository, kind, &task.file, part).await? {
        DerivativeResult::Facts(facts) => store_facts(repository, task, facts).await,
        DerivativeResult::Staged(staged, product) => {
            store_derivative(repository, task, staged, &product).await
        }
    };
    kept.map_err(hindrance)
}

/// Runs the process that makes a derivative of a file or of one of its pages, and ends it when its time is over.
pub(in crate::jobs) async fn produce(
    repository: &Arc<Repository>,
    kind: &str,
    file: &FileRecord,
    part: FilePart,
) -> Result<DerivativeResult, DerivativeError> {
    let bounds = ProcessLimits::of(&repository.config.derivatives);
    // Others may want the processor, and the disk.
    let limit = (bounds.processor_time(kind, &file.mime) * 4).max(SHORTEST_TIMEOUT);
    let made = timeout(limit, run(repository, kind, file, part)).await;
    made.unwrap_or_else(|_| Err(DerivativeError::Failed(too_slow(kind, &file.mime, &bounds))))
}

/// A derivative that is not stored yet.
pub(in crate::jobs) enum DerivativeResult {
    Facts(Map<String, Value>),
    Staged(StagedBlob, DerivativeOutput),
}

async fn run(
    repository: &Arc<Repository>,
    kind: &str,
    file: &FileRecord,
    part: FilePart,
) -> Result<DerivativeResult, DerivativeError> {
    let mime = &file.mime;
    let bounds = ProcessLimits::of(&repository.config.derivatives);
    let input = relocate::open_wherever(repository, file).await;
    let unreadable =
        |error: io::Error| DerivativeError::Hindered(format!("The file cannot be read: {error}."));
    let input = input.map_err(unreadable)?.input().await;
    let input = input.map_err(unreadable)?;
    let mut process = Process::start(ProcessRequest {
        kind: kind.to_owned(),
        mime: mime.to_string(),
        filename: file.filename.clone(),
        part,
        bounds,
        input,
    });
    let taken = take(repository, kind, &mut process.output).await?;
    let end = process.end().await;
    let end = end.map_err(|error| {
        DerivativeError::Hindered(format!("No process could be started: {error}."))
    })?;
    match (verdict(kind, mime, &bounds, &end), taken) {
        (Verdict::Made(product), ProcessOutput::Staged(staged)) => {
            Ok(DerivativeResult::Staged(staged, product))
        }
        (Verdict::Made(_), ProcessOutput::Facts(bytes)) => {
            facts_in(&bytes).map(DerivativeResult::Facts)
        }
        (Verdict::Made(_), ProcessOutput::Nothing) => Err(DerivativeError::Crashed(
            "Nothing was made of the file.".into(),
        )),
        (Verdict::Refused(words), _) => Err(DerivativeError::Refused(words)),
        (Verdict::Lacking(words), _) => Err(DerivativeError::Lacking(words)),
        (Verdict::Failed(words), _) => Err(DerivativeError::Failed(words)),
        (Verdict::Crashed(words), _) => Err(DerivativeError::Crashed(words)),
    }
}

/// The output of a process.
enum ProcessOutput {
    Nothing,
    Facts(Vec<u8>),
    Staged(StagedBlob),
}

async fn take(
    repository: &Repository,
    kind: &str,
    output: &mut Receiver<io::Result<Bytes>>,
) -> Result<ProcessOutput, DerivativeError> {
    // A process may be long at work before anything comes.
    let Some(first) = output.recv().await else {
        return Ok(ProcessOutput::Nothing);
    };
    if kind == FACTS {
        return collect(first, output).await.map(ProcessOutput::Facts);
    }
    let rest = chunks(output);
    let chunks = stream::StreamExt::chain(stream::iter([first]), rest);
    let staged = stage(repository, Box::pin(chunks)).await;
    staged.map(ProcessOutput::Staged).map_err(hindrance)
}

async fn collect(
    first: io::Result<Bytes>,
    output: &mut Receiver<io::Result<Bytes>>,
) -> Result<Vec<u8>, DerivativeError> {
    let (mut bytes, mut next) = (Vec::new(), Some(first));
    while let Some(chunk) = next {
        let chunk = chunk.map_err(|error| DerivativeError::Hindered(error.to_string()))?;
        bytes.extend_from_slice(&chunk);
        if bytes.len() > MOST_FACTS {
            return Err(DerivativeError::Failed(
                "The file says too much about itself.".into(),
            ));
        }
        next = output.recv().await;
    }
    Ok(bytes)
}

/// The output of the process, with empty chunks while there is none.
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

fn facts_in(bytes: &[u8]) -> Result<Map<String, Value>, DerivativeError> {
    serde_json::from_slice(bytes).map_err(|error| {
        DerivativeError::Crashed(format!(
            "What the file says about itself makes no sense: {error}."
        ))
    })
}

/// The error of a derivative that the upload action refused.
fn hindrance(refusal: Refusal) -> DerivativeError {
    let words = refusal.to_string();
    match refusal {
        Refusal::Database(_)
        | Refusal::Disk(_)
        | Refusal::Storage(_)
        | Refusal::Busy(_)
        | Refusal::TooSlow(_)
        | Refusal::Conflict(_)
        | Refusal::Lost(_) => DerivativeError::Hindered(words),
        Refusal::NotFound { .. } => DerivativeError::Gone,
        _ => DerivativeError::Failed(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_crashes_is_tried_a_few_times() {
        let crash = |attempts| ending(DerivativeError::Crashed("It fell.".into()), attempts);
        let states: Vec<_> = (0..3)
            .map(|attempts| crash(attempts).map(|end| end.state))
            .collect();
        let (waiting, failed) = (DerivativeState::Waiting, DerivativeState::Failed);
        assert_eq!(states, [Some(waiting), Some(waiting), Some(failed)]);
    }

    #[test]
    fn what_another_program_is_missing_for_has_not_failed() {
        let lacking = ending(DerivativeError::Lacking("There is no ffmpeg.".into()), 0);
        let words = Some("There is no ffmpeg.".into());
        let waits_for_it = Ending::new(DerivativeState::Lacking, words);
        assert_eq!(lacking, Some(waits_for_it));
    }

    #[test]
    fn a_full_disk_never_ends_the_attempts() {
        let hindered = ending(
            DerivativeError::Hindered("The disk is full.".into()),
            4_000_000,
        );
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
