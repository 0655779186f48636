//! `[limits]`: what requests may cost. `docs/LIMITS.md` says what is answered beyond.

use std::time::Duration;

use serde::Deserialize;

/// What requests may cost.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Connections at the same time from other machines, and as many from this one.
    pub connections: usize,
    /// Connections at the same time from one other machine.
    pub connections_per_address: usize,
    /// Streams of changes at the same time of one account, and to one other machine.
    pub streams: usize,
    /// Within which a client has to agree on encryption.
    #[serde(rename = "handshake_seconds", deserialize_with = "seconds")]
    pub handshake_time: Duration,
    /// Bytes of the target of a request, query included.
    pub url_bytes: usize,
    /// Bytes of all header lines of a request.
    pub header_bytes: usize,
    /// Within which the head of a request has to come, and between two requests of a connection.
    #[serde(rename = "header_seconds", deserialize_with = "seconds")]
    pub header_time: Duration,
    /// While a client takes nothing of an answer.
    #[serde(rename = "answer_idle_seconds", deserialize_with = "seconds")]
    pub answer_idle_time: Duration,
    /// Bytes of a JSON body.
    pub json_bytes: usize,
    /// Levels of arrays and objects in a JSON body.
    pub json_depth: usize,
    /// Within which a JSON body has to come.
    #[serde(rename = "json_seconds", deserialize_with = "seconds")]
    pub json_time: Duration,
    /// Values of one field.
    pub values_per_field: usize,
    /// Bytes of an uploaded file; `None`: only the disk space bounds it.
    pub upload_bytes: Option<u64>,
    /// Silence of a sender in the middle of an upload.
    #[serde(rename = "upload_idle_seconds", deserialize_with = "seconds")]
    pub upload_idle_time: Duration,
    /// Within which an upload, or one part of it, has to come.
    #[serde(rename = "upload_seconds", deserialize_with = "seconds")]
    pub upload_time: Duration,
    /// Uploads at the same time.
    pub uploads: usize,
    /// Disk space that uploads do not use, in megabytes; on a small disk a twentieth of it.
    pub spare_megabytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connections: 512,
            connections_per_address: 64,
            streams: 8,
            handshake_time: Duration::from_secs(10),
            url_bytes: 8 * 1024,
            header_bytes: 32 * 1024,
            header_time: Duration::from_secs(30),
            answer_idle_time: Duration::from_secs(120),
            json_bytes: 16 * 1024 * 1024,
            json_depth: 32,
            json_time: Duration::from_secs(120),
            values_per_field: 2_000,
            upload_bytes: None,
            upload_idle_time: Duration::from_secs(120),
            upload_time: Duration::from_secs(24 * 60 * 60),
            uploads: 64,
            spare_megabytes: 256,
        }
    }
}

fn seconds<'de, D: serde::Deserializer<'de>>(source: D) -> Result<Duration, D::Error> {
    const YEAR: u64 = 365 * 24 * 60 * 60;
    let seconds = u64::deserialize(source)?;
    match (1..=YEAR).contains(&seconds) {
        true => Ok(Duration::from_secs(seconds)),
        false => Err(serde::de::Error::custom("expected seconds, at least 1")),
    }
}
