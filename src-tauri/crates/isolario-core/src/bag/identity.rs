//! UUIDs that follow from others, so that a run that goes on finds what the last one has made.

use aws_lc_rs::digest::{Context, SHA512};
use uuid::{Builder, Uuid};

/// The UUID of what is made of something, by a text that is its own for each import.
#[must_use]
pub fn derived_uuid(salt: &str, of: &str) -> Uuid {
    let mut sum = Context::new(&SHA512);
    sum.update(salt.as_bytes());
    sum.update(b"\n");
    sum.update(of.as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&sum.finish().as_ref()[..16]);
    Builder::from_random_bytes(bytes).into_uuid()
}
