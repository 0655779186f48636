//! The kinds of jobs.

use std::collections::BTreeMap;

use super::inventories::write_inventories;
use crate::records::write_records;
use crate::repository::Repository;
use isolario_db::{INVENTORY, Job, RECORD};

/// The outcome of a job, with its error as a message.
pub(super) type JobOutcome = (Job, Result<(), String>);

/// Runs jobs, those of each kind together.
pub(super) async fn do_all(repository: &Repository, jobs: Vec<Job>) -> Vec<JobOutcome> {
    let mut by_kind: BTreeMap<String, Vec<Job>> = BTreeMap::new();
    for job in jobs {
        by_kind.entry(job.kind.clone()).or_default().push(job);
    }
    let mut outcomes = Vec::new();
    for (kind, jobs) in by_kind {
        let outcome = do_kind(repository, &kind, &jobs).await;
        if let Err(error) = &outcome {
            tracing::error!(kind, error, "work failed and will be tried again");
        }
        outcomes.extend(jobs.into_iter().map(|job| (job, outcome.clone())));
    }
    outcomes
}

async fn do_kind(repository: &Repository, kind: &str, jobs: &[Job]) -> Result<(), String> {
    let subjects = jobs.iter().map(|job| job.subject.clone()).collect();
    match kind {
        RECORD => write_records(repository, subjects).await,
        INVENTORY => write_inventories(repository, subjects).await,
        unknown => Err(format!("This program knows no work of the kind {unknown}.")),
    }
}
