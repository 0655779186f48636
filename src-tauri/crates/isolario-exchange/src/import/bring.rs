//! Reads resources of the site and brings them, after what they refer to.

use isolario_model::content::EntityKind;

use super::Import;
use crate::mapping::{self, Arrival};
use crate::remote::{RemoteEntity, RemoteReference};
use crate::report::Outcome;
use crate::stop::Stop;

/// How many resources wait for one another at most. A longer chain is completed at the end.
const DEEPEST: usize = 100;

impl Import<'_> {
    /// A resource of the site. `None` where there is none, or none that is shown, which the report says.
    pub(super) async fn fetch(
        &mut self,
        kind: EntityKind,
        id: i64,
    ) -> Result<Option<RemoteEntity>, Stop> {
        match self.site.entity(kind, id).await {
            Ok(found) => {
                self.patience.reset();
                Ok(found)
            }
            Err(error) => {
                let error = self.endure(error)?;
                self.report.count(kind, Outcome::Failed);
                self.report.lose_unread(kind, id, error.to_string());
                self.arrived.insert((kind, id), Arrival::Failed);
                Ok(None)
            }
        }
    }

    /// Brings a resource, and before it what it refers to.
    pub(super) async fn bring(&mut self, first: RemoteEntity) -> Result<(), Stop> {
        let mut stack = vec![first];
        while let Some(top) = stack.last() {
            if self.arrived.contains_key(&(top.kind, top.id)) {
                stack.pop();
                continue;
            }
            let needed = self.needed(top, &stack);
            if let Some(reference) = needed.filter(|_| stack.len() < DEEPEST) {
                match self.fetch(reference.kind, reference.id).await? {
                    Some(remote) => stack.push(remote),
                    None => self.do_without(&reference)?,
                }
            } else if let Some(remote) = stack.pop() {
                let key = (remote.kind, remote.id);
                let arrival = self.take(remote).await?;
                if let (EntityKind::Term, Arrival::Here(tid)) = (key.0, arrival) {
                    self.taken_terms.insert(tid);
                }
                self.arrived.insert(key, arrival);
            }
        }
        Ok(())
    }

    /// Brings what a resource refers to.
    pub(super) async fn bring_references(
        &mut self,
        of: &RemoteEntity,
        kinds: &[EntityKind],
    ) -> Result<(), Stop> {
        for reference in self.references(of, kinds) {
            if self.is_known(&reference) {
                continue;
            }
            match self.fetch(reference.kind, reference.id).await? {
                Some(remote) => self.bring(remote).await?,
                None => self.do_without(&reference)?,
            }
        }
        Ok(())
    }

    fn is_known(&self, reference: &RemoteReference) -> bool {
        // What the site does not show has no UUID, and asking for it is useless.
        reference.uuid.is_none() || self.arrived.contains_key(&(reference.kind, reference.id))
    }

    fn references(&self, of: &RemoteEntity, kinds: &[EntityKind]) -> Vec<RemoteReference> {
        let model = self.repository.model();
        let bundle = model.bundle(of.kind, &of.bundle);
        bundle.map_or_else(Vec::new, |bundle| mapping::references(bundle, of, kinds))
    }

    /// The first thing that a resource refers to and that has to come before it.
    fn needed(&self, of: &RemoteEntity, stack: &[RemoteEntity]) -> Option<RemoteReference> {
        let kinds: &[EntityKind] = match self.is_whole {
            true => &[EntityKind::Term, EntityKind::Node],
            false => &[EntityKind::Term],
        };
        let mut references = self.references(of, kinds).into_iter();
        references.find(|reference| {
            let waits = |one: &RemoteEntity| (one.kind, one.id) == (reference.kind, reference.id);
            !self.is_known(reference) && !stack.iter().any(waits)
        })
    }

    /// Something that the site refers to and does not give may be here already.
    fn do_without(&mut self, reference: &RemoteReference) -> Result<(), Stop> {
        let uuid = reference.uuid.clone().unwrap_or_default();
        let (kind, id) = (reference.kind, reference.id);
        let here = self
            .repository
            .db
            .read_here(|read| read.id_of_uuid(kind, &uuid))?;
        let arrival = here.map_or(Arrival::Failed, Arrival::Here);
        self.arrived.insert((kind, id), arrival);
        Ok(())
    }
}
