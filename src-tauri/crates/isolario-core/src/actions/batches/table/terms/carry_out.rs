//! Makes or changes a term of a file, in the transaction of its part.

use super::super::prepared::PreparedRow;
use super::super::row_file::TableRow;
use super::planned::{PlannedParent, PlannedTerm, TermContext};
use crate::actions::create_entity::create_drafted;
use crate::actions::patch_entity::make;
use crate::actions::view_entity::may_view;
use crate::actions::{Author, Refusal};
use isolario_db::{DbError, Read, Write};
use isolario_model::content::{Bundle, ContentModel, Entity, EntityKind};
use isolario_model::policy::{Actor, Operation, permit};

/// Terms of one transaction.
pub(in super::super) struct TermRows<'a> {
    pub model: &'a ContentModel,
    pub actor: &'a Actor,
    pub bundle: &'a Bundle,
    pub batch: i64,
}

/// What became of a term.
pub(in super::super) enum TermOutcome {
    Created(Entity),
    /// With the revision before.
    Updated(Entity, i64),
    Same(Entity),
}

impl TermRows<'_> {
    /// Makes or changes the term of a row.
    ///
    /// # Errors
    /// What the policy, the rules of the fields and the database refuse.
    pub fn carry_out(
        &self,
        write: &mut Write<'_>,
        author: &Author,
        row: &TableRow,
    ) -> Result<TermOutcome, Refusal> {
        let text = row.cells.first().map_or("", String::as_str);
        let term: PlannedTerm = serde_json::from_str(text).map_err(DbError::from)?;
        let prepared = self.prepare(write, &term)?;
        Ok(match prepared {
            PreparedRow::Same(item) => TermOutcome::Same(*item),
            PreparedRow::Creates(item) => TermOutcome::Created(create_drafted(
                write, self.model, self.actor, *item, author,
            )?),
            PreparedRow::Updates(item, update) => {
                let before = item.revision;
                let permitted = permit(
                    self.actor,
                    Operation::Update,
                    &write.subject(self.actor, &item)?,
                )?;
                TermOutcome::Updated(
                    make(
                        write,
                        &permitted,
                        self.model,
                        *item,
                        &update,
                        (self.actor, author),
                    )?,
                    before,
                )
            }
        })
    }

    fn prepare(&self, read: &Read<'_>, term: &PlannedTerm) -> Result<PreparedRow, Refusal> {
        let item = match term.tid {
            Some(tid) => Some(self.visible(read, tid)?),
            None => None,
        };
        let mut parents = Vec::new();
        for parent in term.parents.iter().flatten() {
            parents.push(match parent {
                PlannedParent::Term(tid) => *tid,
                PlannedParent::New { place, name } => self.made(read, *place, name)?,
            });
        }
        let context = TermContext {
            read,
            model: self.model,
            actor: self.actor,
            bundle: self.bundle,
        };
        let request = context.request(term, item, &parents)?;
        context.prepare(request.map_err(|problem| Refusal::Invalid(problem.reason))?)
    }

    fn visible(&self, read: &Read<'_>, tid: i64) -> Result<Entity, Refusal> {
        match read.entity(EntityKind::Term, tid)? {
            Some(term) if may_view(read, self.actor, &term)? => Ok(term),
            _ => Err(Refusal::Missing(
                "It does not exist, or you may not see it.".into(),
            )),
        }
    }

    /// The term that an earlier row has made.
    fn made(&self, read: &Read<'_>, place: i64, name: &str) -> Result<i64, Refusal> {
        let items = read.batch_items(self.batch, place, 1)?;
        let made = items
            .iter()
            .find(|item| item.position == place && item.id > 0);
        let missing = || Refusal::Missing(format!("The term “{name}” above it was not imported."));
        made.map(|item| item.id).ok_or_else(missing)
    }
}
