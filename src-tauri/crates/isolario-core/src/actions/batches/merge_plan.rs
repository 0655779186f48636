//! What a batch that merges terms is to do, as the database keeps it.

use serde::{Deserialize, Serialize};

use isolario_db::Batch;
use isolario_model::content::EntityKind;

/// The name of this kind of change.
pub const MERGE_TERMS: &str = "merge_terms";

/// Terms that become one with another term of their vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergePlan {
    /// The terms that go to the trash.
    pub terms: Vec<i64>,
    /// The term that stays.
    pub into: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
enum StoredMerge {
    MergeTerms(MergePlan),
}

impl MergePlan {
    /// Whether a term goes or stays.
    pub(super) fn includes(&self, tid: i64) -> bool {
        tid == self.into || self.terms.contains(&tid)
    }

    /// The term that stays, and then those that go.
    pub(super) fn members(&self) -> Vec<(EntityKind, i64)> {
        let terms = std::iter::once(&self.into).chain(&self.terms);
        terms.map(|tid| (EntityKind::Term, *tid)).collect()
    }

    /// The plan of a batch; `None` where it does something else, or takes another one back.
    pub fn of(batch: &Batch) -> Option<MergePlan> {
        if batch.undoes.is_some() {
            return None;
        }
        let StoredMerge::MergeTerms(plan) = serde_json::from_str(&batch.change).ok()?;
        Some(plan)
    }

    /// Whether a batch merges terms, or takes that back.
    pub fn is_of(batch: &Batch) -> bool {
        serde_json::from_str::<StoredMerge>(&batch.change).is_ok()
    }

    /// As the database keeps it.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(&StoredMerge::MergeTerms(self.clone()))
    }
}
