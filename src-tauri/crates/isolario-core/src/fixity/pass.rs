//! One pass. It verifies once every version that existed when it began.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Audit;
use super::progress::{self, CurrentPass};
use super::throttle::{Rates, ReadThrottle, rate};
use crate::actions::record_fixity::{FixityReading, record_fixity};
use crate::repository::Repository;
use isolario_blobs::FileDigest;
use isolario_db::{DbError, StoredVersion};
use isolario_model::content::FixityState;

const PAGE: u32 = 64;
/// How long intact readings wait to be stored together.
const KEPT_TOGETHER: Duration = Duration::from_secs(30);
/// Small files cost a seek and a row, not only their bytes.
const LEAST: u64 = 64 * 1024;

/// Continues a pass to its end, or until the program closes.
pub(super) async fn run(audit: &Audit, current: &CurrentPass, length: i64) -> Result<(), DbError> {
    let repository = &audit.repository;
    let mut throttle = Some(throttle(audit, current, length));
    let mut readings = Readings::new(repository.clone());
    let (mut place, before) = ((0, 0), current.started);
    loop {
        let db = &repository.db;
        let page: Vec<StoredVersion> = db
            .read(move |read| read.due_versions(place, before, PAGE))
            .await?;
        let Some(last) = page.last() else { break };
        place = (last.fid, last.version);
        for version in page {
            let reading = read(repository, version, &mut throttle).await;
            match reading {
                Some(reading) => readings.add(reading).await?,
                None => return readings.store().await,
            }
        }
    }
    readings.store().await?;
    progress::finish(&repository.db, *current, now()).await?;
    audit.reset_priority();
    Ok(())
}

fn now() -> i64 {
    chrono::Utc::now().timestamp()
}

/// The rate for a whole pass: what was done before a restart only leaves more time.
fn throttle(audit: &Audit, current: &CurrentPass, length: i64) -> ReadThrottle {
    let repository = &audit.repository;
    let least = u64::try_from(current.versions).unwrap_or(0) * LEAST;
    let most = repository.config.fixity.max_mb_per_second * 1e6;
    let left = current.started + length - now();
    let rates = Rates {
        usual: rate(current.bytes.max(least), left, most),
        most,
    };
    ReadThrottle::new(rates, audit.priority(), repository.closing.clone())
}

/// Verifies the bytes of a version; `None` when the program closes.
async fn read(
    repository: &Arc<Repository>,
    version: StoredVersion,
    throttle: &mut Option<ReadThrottle>,
) -> Option<FixityReading> {
    let mut own = throttle.take()?;
    let blobs = repository.blobs.clone();
    let reading = tokio::task::spawn_blocking(move || {
        let known = FileDigest {
            size: version.size,
            sha512: version.sha512.clone(),
        };
        let verdict = blobs.verify(&version.blob, &known, &mut |bytes| own.take(bytes))?;
        let rest = LEAST.saturating_sub(version.size);
        let reading = FixityReading {
            version,
            verdict,
            at: now(),
        };
        own.take(rest).is_continue().then_some((reading, own))
    });
    let (reading, own) = reading.await.ok()??;
    *throttle = Some(own);
    Some(reading)
}

/// Readings that wait to be stored.
struct Readings {
    repository: Arc<Repository>,
    waiting: Vec<FixityReading>,
    since: Instant,
}

impl Readings {
    fn new(repository: Arc<Repository>) -> Readings {
        Readings {
            repository,
            waiting: Vec::new(),
            since: Instant::now(),
        }
    }

    /// What is amiss is told at once.
    async fn add(&mut self, reading: FixityReading) -> Result<(), DbError> {
        let is_urgent = reading.verdict.state != FixityState::Intact;
        self.waiting.push(reading);
        let is_full = self.waiting.len() >= PAGE as usize;
        if is_urgent || is_full || self.since.elapsed() > KEPT_TOGETHER {
            self.store().await?;
        }
        Ok(())
    }

    async fn store(&mut self) -> Result<(), DbError> {
        let readings = std::mem::take(&mut self.waiting);
        self.since = Instant::now();
        match readings.is_empty() {
            true => Ok(()),
            false => record_fixity(&self.repository.db, readings).await,
        }
    }
}
