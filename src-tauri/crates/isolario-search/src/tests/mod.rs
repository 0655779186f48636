//! The index through its interface: what is found, by whom, after which changes and damages.

mod changes;
mod damage;
mod equality;
mod finding;
mod random;
mod relevance;
pub(crate) mod support;
mod walk;
