//! What a batch that imports a bag or the content of a site is to do, as the database keeps it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use isolario_db::Batch;

/// The name of the import of a bag.
pub const IMPORT_BAG: &str = "import_bag";
/// The name of the import from a site.
pub const IMPORT_SITE: &str = "import_site";

/// An import, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum ImportPlan {
    ImportBag(BagPlan),
    /// Its password is not kept, so it does not go on by itself after a restart.
    ImportSite {
        site: String,
    },
}

/// A bag that is imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BagPlan {
    /// The name of the bag, as people know it.
    pub name: String,
    /// Where it lies: absolute, or the name of a file in `imports/`, which is removed afterwards.
    pub place: PathBuf,
    /// What new UUIDs follow from; without it, items keep those of the bag.
    pub salt: Option<String>,
    /// What the files of a bag without items become members of.
    pub collection: Option<i64>,
}

impl ImportPlan {
    /// The plan of a batch; `None` where it does something else, or takes another one back.
    pub fn of(batch: &Batch) -> Option<ImportPlan> {
        match batch.undoes {
            Some(_) => None,
            None => serde_json::from_str(&batch.change).ok(),
        }
    }

    /// The name of what a batch does, where it imports or takes that back.
    pub fn act_of(batch: &Batch) -> Option<&'static str> {
        match serde_json::from_str(&batch.change).ok()? {
            ImportPlan::ImportBag(_) => Some(IMPORT_BAG),
            ImportPlan::ImportSite { .. } => Some(IMPORT_SITE),
        }
    }

    /// As the database keeps it.
    ///
    /// # Errors
    /// A path that is no UTF-8.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// The file in `imports/` that it reads.
    pub fn staged(&self) -> Option<&std::path::Path> {
        match self {
            ImportPlan::ImportBag(plan) if plan.place.is_relative() => Some(&plan.place),
            _ => None,
        }
    }

    /// Whether it goes on with what another one has begun.
    fn continues(&self, other: &ImportPlan) -> bool {
        match (self, other) {
            (ImportPlan::ImportBag(one), ImportPlan::ImportBag(other)) => {
                let is_new = one.salt.is_some() == other.salt.is_some();
                is_new && one.place == other.place && one.collection == other.collection
            }
            (one, other) => one == other,
        }
    }

    /// The batch among those that have not ended that this plan goes on with.
    pub(super) fn begun<'b>(&self, open: &'b [Batch]) -> Option<&'b Batch> {
        let mut open = open.iter();
        open.find(|batch| ImportPlan::of(batch).is_some_and(|plan| self.continues(&plan)))
    }
}
