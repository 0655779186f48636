//! What keeps a bucket from being given up while something is on its way there.

use tokio::sync::OwnedRwLockReadGuard;

/// Held while a blob is put into the bucket and not yet settled.
pub(super) type InFlight = OwnedRwLockReadGuard<()>;
