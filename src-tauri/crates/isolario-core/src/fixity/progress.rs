//! The progress of the audit. The database stores it, so that a restart continues the pass.

use serde::{Deserialize, Serialize};

use isolario_db::{Db, DbError, Read};
use isolario_model::policy::{Actor, permit_server};

const CURRENT: &str = "fixity.current_pass";
const LAST: &str = "fixity.last_pass";

/// The current pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CurrentPass {
    /// Unix seconds. Later versions belong to the next pass.
    pub started: i64,
    /// Versions and bytes that there were then.
    pub versions: i64,
    pub bytes: u64,
}

/// A pass that came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastPass {
    /// Unix seconds.
    pub started: i64,
    pub finished: i64,
    pub versions: i64,
    pub bytes: u64,
    /// Versions whose bytes were lost or had changed, at its end.
    pub amiss: i64,
}

/// The current and the last pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PassProgress {
    pub current: Option<CurrentPass>,
    pub last: Option<LastPass>,
}

/// Reads the progress of the audit.
pub(super) fn read(read: &Read<'_>) -> Result<PassProgress, DbError> {
    Ok(PassProgress {
        current: setting(read, CURRENT)?,
        last: setting(read, LAST)?,
    })
}

fn setting<T: serde::de::DeserializeOwned>(
    read: &Read<'_>,
    name: &str,
) -> Result<Option<T>, DbError> {
    let text = read.setting(name)?.filter(|text| text != "null");
    Ok(text.map(|text| serde_json::from_str(&text)).transpose()?)
}

pub(super) async fn load(db: &Db) -> Result<PassProgress, DbError> {
    db.read(read).await
}

/// Begins a pass.
pub(super) async fn begin(db: &Db, started: i64) -> Result<CurrentPass, DbError> {
    db.write(move |write| {
        let (versions, bytes) = write.stored_totals()?;
        let pass = CurrentPass {
            started,
            versions,
            bytes,
        };
        let permitted = permit_server(&Actor::program())?;
        write.set_setting(&permitted, CURRENT, &serde_json::to_string(&pass)?)?;
        Ok(pass)
    })
    .await
}

/// Ends the current pass.
pub(super) async fn finish(db: &Db, pass: CurrentPass, finished: i64) -> Result<(), DbError> {
    db.write(move |write| {
        let last = LastPass {
            started: pass.started,
            finished,
            versions: pass.versions,
            bytes: pass.bytes,
            amiss: write.fixity_counts(pass.started)?.amiss,
        };
        let permitted = permit_server(&Actor::program())?;
        write.set_setting(&permitted, LAST, &serde_json::to_string(&last)?)?;
        write.set_setting(&permitted, CURRENT, "null")
    })
    .await
}
