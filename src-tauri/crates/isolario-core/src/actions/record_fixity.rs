//! Stores the findings of a fixity audit, and adds an event when a finding changed.

use isolario_db::{Db, DbError, NewEvent, StoredVersion, Write};
use isolario_model::content::{EntityKind, FixityState, Verdict};
use isolario_model::origin::Origin;

/// What one reading of a version found.
#[derive(Debug, Clone)]
pub struct FixityReading {
    pub version: StoredVersion,
    pub verdict: Verdict,
    /// Unix seconds.
    pub at: i64,
}

/// Stores readings. A reading that finds another state than before adds an event of its file. Versions that were
/// removed or moved meanwhile are ignored. Nothing is repaired.
///
/// # Errors
/// What the database refuses.
pub async fn record_fixity(db: &Db, readings: Vec<FixityReading>) -> Result<(), DbError> {
    db.write(move |write| {
        readings
            .iter()
            .try_for_each(|reading| record(write, reading))
    })
    .await
}

fn record(write: &mut Write<'_>, reading: &FixityReading) -> Result<(), DbError> {
    let StoredVersion { fid, version, .. } = reading.version;
    if !write.version_is_at(&reading.version)? {
        return Ok(());
    }
    let before = write.set_fixity(fid, version, &reading.verdict, reading.at)?;
    let state = reading.verdict.state;
    if before.unwrap_or(FixityState::Intact) == state {
        return Ok(());
    }
    let label = write.filename(fid)?.unwrap_or_default();
    tracing::warn!(
        fid,
        version,
        state = state.name(),
        detail = reading.verdict.detail,
        "the state of the bytes of a file has changed"
    );
    write.record_event(&NewEvent {
        at: reading.at,
        actor: 0,
        origin: Origin::Fixity.name(),
        action: state.name(),
        kind: EntityKind::File,
        entity_id: fid,
        revision: Some(version),
        label: &label,
        parents: Vec::new(),
        batch: None,
    })
}
