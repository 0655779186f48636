//! A bucket in a program that was built without buckets: there is none.

use std::convert::Infallible;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::Empty;

use crate::{FileGrowth, ObjectStart, StoreHealth};
use isolario_config::{BucketCredentials, BucketRules};

/// No bucket.
#[derive(Debug, Clone)]
pub struct NoBucket(Infallible);

impl NoBucket {
    /// Never runs.
    pub fn health(&self) -> StoreHealth {
        match self.0 {}
    }

    /// Refuses.
    ///
    /// # Errors
    /// Always.
    pub fn open(_: &BucketRules, _: &BucketCredentials) -> io::Result<NoBucket> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "this program was built without buckets",
        ))
    }
}

macro_rules! never {
    ($($name:ident($($argument:ty),*) -> $outcome:ty;)*) => {
        #[allow(clippy::unused_async, reason = "as those of a bucket that is there")]
        impl NoBucket {
            $(
                /// Never runs.
                ///
                /// # Errors
                /// None.
                pub async fn $name(&self, $(_: $argument),*) -> io::Result<$outcome> {
                    match self.0 {}
                }
            )*
        }
    };
}

never! {
    put(&str, Bytes) -> ();
    put_range(&str, &Arc<File>, Range<u64>) -> ();
    begin_upload(&str) -> String;
    put_parts(&str, &str, &Arc<File>, &FileGrowth) -> ();
    end_upload(&str, &str) -> ();
    start(&str, u64) -> ObjectStart;
    read(&str, Range<u64>) -> Empty<io::Result<Bytes>>;
    get(&str) -> Bytes;
    is_empty() -> bool;
    size(&str) -> u64;
    names_below(&str) -> Vec<String>;
    remove(&str) -> ();
    remove_below(&str) -> ();
}
