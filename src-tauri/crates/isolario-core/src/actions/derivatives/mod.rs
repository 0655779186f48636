//! Derivatives of original files (docs/DERIVATIVES.md). `derivative_jobs` adds their jobs, `jobs` runs these, and the
//! action of an upload stores the derivatives.

mod prepare;
mod priority;
mod store_derivative;
mod visible_original;

use isolario_derive::kinds_for;

pub use super::derivative_jobs::FACTS;
pub use prepare::{DerivativeTask, Preparation, prepare};
pub use priority::{prioritise, retry};
pub(super) use store_derivative::beside;
pub use store_derivative::{DerivativeOutput, record_ending, stage, store_derivative, store_facts};
pub use visible_original::visible_original;

/// Whether a kind of derivative is made of files of a MIME type.
pub fn may_be_made(mime: &str, kind: &str) -> bool {
    kinds_for(mime).iter().any(|known| known.as_str() == kind)
}
