//! Makes or changes one resource of the repository, so that it is as on the site.

use std::collections::BTreeMap;

use isolario_core::actions::batches::{note_changed, note_made};
use isolario_core::actions::create_entity::{Creation, create_entity_and};
use isolario_core::actions::patch_entity::patch_entity_and;
use isolario_core::actions::request_body::definition_of;
use isolario_core::actions::{Precondition, Refusal};
use isolario_db::{DbError, Read, Write};
use isolario_model::content::{Bundle, Entity, EntityKind, Item, Values, field_roles};
use isolario_model::origin::Origin;
use serde_json::{Map, Value, json};

use super::{Import, bearable};
use crate::mapping::{Arrival, Mapped, Mapping, align};
use crate::merge::{Merge, imported_values, merge};
use crate::remote::RemoteEntity;
use crate::report::Outcome;
use crate::stop::Stop;

/// How often a resource is made or changed that somebody else changes at the same time, or whose fields are refused.
const TRIES: u32 = 3;

impl Import<'_> {
    /// Makes the resource of the repository as the one of the site. Says what it is here.
    pub(super) async fn take(&mut self, remote: RemoteEntity) -> Result<Arrival, Stop> {
        let model = self.repository.model();
        let Some(bundle) = model.bundle(remote.kind, &remote.bundle) else {
            self.report.miss(remote.kind, &remote.bundle, None);
            return Ok(self.fail(&remote, format!("There is no {} here.", remote.bundle)));
        };
        if remote.kind == EntityKind::Term
            && let Some(here) = self.same_term(&remote)?
        {
            self.report.count(remote.kind, Outcome::Unchanged);
            return Ok(Arrival::Here(here));
        }
        if remote.kind == EntityKind::Media {
            self.bring_files(&remote, bundle).await?;
        }
        let mapped = self.map(&remote, bundle)?;
        for field in &mapped.unknown {
            self.report.miss(remote.kind, &remote.bundle, Some(field));
        }
        for (field, reason) in &mapped.lost {
            self.report.lose(&remote, Some(field), reason);
        }
        if mapped.is_waiting {
            self.waiting.insert((remote.kind, remote.id));
        }
        match self.here(&remote)? {
            Some(here) => self.update(&remote, bundle, mapped, here).await,
            None => self.create(&remote, bundle, mapped).await,
        }
    }

    fn fail(&mut self, remote: &RemoteEntity, reason: impl Into<String>) -> Arrival {
        self.report.count(remote.kind, Outcome::Failed);
        self.report.lose(remote, None, reason);
        Arrival::Failed
    }

    /// The resource here that has the same UUID.
    pub(super) fn here(&self, remote: &RemoteEntity) -> Result<Option<Entity>, DbError> {
        let (kind, uuid) = (remote.kind, &remote.uuid);
        self.repository
            .db
            .read_here(|read| match read.id_of_uuid(kind, uuid)? {
                Some(id) => read.entity(kind, id),
                None => Ok(None),
            })
    }

    /// The term here that means the same as one of the site with another UUID: by its URI, or by its name if not both
    /// have one.
    fn same_term(&self, remote: &RemoteEntity) -> Result<Option<i64>, DbError> {
        let fields = field_roles();
        let uri = |field: &str| Some(remote.first(field)?.get("uri")?.as_str()?.to_owned());
        let (external, authority) = (uri(&fields.external_uri), uri(&fields.authority_link));
        let (kind, name) = (EntityKind::Term, remote.label());
        self.repository.db.read_here(|read| {
            if read.id_of_uuid(kind, &remote.uuid)?.is_some() {
                return Ok(None);
            }
            let by_uri = external
                .as_deref()
                .map(|uri| read.term_by_uri(uri))
                .transpose()?;
            let by_authority = authority
                .as_deref()
                .map(|uri| read.term_by_authority(uri))
                .transpose()?;
            for found in [by_uri, by_authority].into_iter().flatten().flatten() {
                let target = read.target(kind, found)?;
                if target.is_some_and(|target| target.bundle == remote.bundle) {
                    return Ok(Some(found));
                }
            }
            let Some(found) = read.term_by_name(&remote.bundle, &name)? else {
                return Ok(None);
            };
            let target = read.target(kind, found)?;
            let has_uri = target.is_some_and(|target| target.uri.is_some());
            let is_another = self.is_of_another(read, found)?;
            Ok((!is_another && (external.is_none() || !has_uri)).then_some(found))
        })
    }

    /// Whether a term here is another term of the site: two places may have the same name.
    fn is_of_another(&self, read: &Read<'_>, tid: i64) -> Result<bool, DbError> {
        let term = read.entity(EntityKind::Term, tid)?;
        let log = term
            .as_ref()
            .and_then(|term| term.text(term.kind.revision_log_field()));
        let site = self.site.address();
        let is_from_there = log
            .and_then(|log| log.strip_prefix(site))
            .is_some_and(|rest| rest.starts_with('/'));
        Ok(is_from_there || self.taken_terms.contains(&tid))
    }

    fn map(&self, remote: &RemoteEntity, bundle: &Bundle) -> Result<Mapped, DbError> {
        self.repository.db.read_here(|read| {
            let mapping = Mapping {
                read,
                actor: &self.actor,
                bundle,
                arrived: &self.arrived,
                is_last: self.is_last,
            };
            mapping.map(remote)
        })
    }

    async fn create(
        &mut self,
        remote: &RemoteEntity,
        bundle: &Bundle,
        mapped: Mapped,
    ) -> Result<Arrival, Stop> {
        let (kind, uuid) = (remote.kind, &remote.uuid);
        let is_taken = self
            .repository
            .db
            .read_here(|read| read.uuid_is_taken(kind, uuid))?;
        if is_taken {
            return Ok(self.fail(remote, "It lies in the trash here, or was purged."));
        }
        if self.is_check {
            self.report.count(kind, Outcome::New);
            return Ok(Arrival::Planned);
        }
        let mut body = self.body(remote, mapped.values.clone());
        body.insert("uuid".into(), json!([{"value": uuid}]));
        let mut tries = 0;
        loop {
            tries += 1;
            let creation = Creation::new(kind, Value::Object(body.clone()).to_string().into());
            let (db, model) = (&self.repository.db, &self.repository.model());
            let (author, batch) = (self.author(), self.batch);
            let note = move |write: &mut Write<'_>, made: &Entity| match batch {
                Some(batch) => Ok(note_made(write, batch, made)?),
                None => Ok(()),
            };
            let made = create_entity_and(db, model, creation, &self.actor, author, note).await;
            let refusal = match made {
                Ok(entity) => {
                    self.report.count(kind, Outcome::New);
                    return Ok(Arrival::Here(entity.id));
                }
                Err(refusal) => refusal,
            };
            let reason = refusal.to_string();
            if tries == TRIES || !self.leave_out(remote, bundle, &refusal, &mut body) {
                bearable(refusal)?;
                return Ok(self.fail(remote, reason));
            }
        }
    }

    /// Takes refused fields out of a body. Returns false where that is no remedy.
    fn leave_out(
        &mut self,
        remote: &RemoteEntity,
        bundle: &Bundle,
        refusal: &Refusal,
        body: &mut Map<String, Value>,
    ) -> bool {
        let Refusal::InvalidFields(violations) = refusal else {
            return false;
        };
        let mut is_remedy = false;
        for violation in violations {
            let is_field = definition_of(bundle, &violation.field)
                .is_some_and(|definition| !definition.required);
            if is_field && body.shift_remove(&violation.field).is_some() {
                self.report
                    .lose(remote, Some(&violation.field), &violation.message);
                is_remedy = true;
            }
        }
        is_remedy
    }

    /// A body with these values, as the interface takes it.
    fn body(
        &self,
        remote: &RemoteEntity,
        values: BTreeMap<String, Vec<Item>>,
    ) -> Map<String, Value> {
        let kind = remote.kind;
        let mut body = Map::new();
        let bundle = json!([{"target_id": remote.bundle}]);
        body.insert(kind.bundle_field().into(), bundle);
        let from = format!("{}{}", self.site.address(), kind.path(remote.id));
        body.insert(kind.revision_log_field().into(), json!([{"value": from}]));
        let values = values.into_iter().map(|(name, items)| {
            let items = items.into_iter().map(Value::Object).collect();
            (name, Value::Array(items))
        });
        body.extend(values);
        body
    }

    async fn update(
        &mut self,
        remote: &RemoteEntity,
        bundle: &Bundle,
        mapped: Mapped,
        here: Entity,
    ) -> Result<Arrival, Stop> {
        let (kind, arrival) = (remote.kind, Arrival::Here(here.id));
        if here.bundle != remote.bundle {
            return Ok(self.fail(remote, format!("It is {} here, and stays so.", here.bundle)));
        }
        let are_new_bytes = match kind {
            EntityKind::Media => self.refresh_bytes(remote, bundle, &here).await?,
            _ => false,
        };
        let mut here = here;
        for _ in 0..TRIES {
            here = self.here(remote)?.unwrap_or(here);
            let Merge { changes, conflicts } = self.merge(bundle, &mapped.values, &here)?;
            for field in &conflicts {
                let reason = "It was changed there and here. What is here stays.";
                self.report.lose(remote, Some(field), reason);
            }
            let is_changed = !changes.is_empty() || mapped.is_planned || are_new_bytes;
            if changes.is_empty() || self.is_check {
                let outcome = if is_changed {
                    Outcome::Changed
                } else {
                    Outcome::Unchanged
                };
                // What is completed at the end was counted before.
                if !self.is_last || is_changed {
                    self.report.count(kind, outcome);
                }
                return Ok(arrival);
            }
            match self.patch(remote, &here, changes).await {
                Ok(()) => {
                    if !self.is_last {
                        self.report.count(kind, Outcome::Changed);
                    }
                    return Ok(arrival);
                }
                Err(Refusal::Lost(_)) => {}
                Err(refusal) => {
                    let reason = bearable(refusal)?;
                    self.report.count(kind, Outcome::Failed);
                    self.report.lose(remote, None, reason);
                    return Ok(arrival);
                }
            }
        }
        self.report
            .lose(remote, None, "Somebody changes it all the time.");
        Ok(arrival)
    }

    fn merge(&self, bundle: &Bundle, site: &Values, here: &Entity) -> Result<Merge, DbError> {
        let site = align(bundle, site.clone(), &here.values);
        let is_same = |(name, items): (&String, &Vec<Item>)| here.items(name) == items.as_slice();
        if site.iter().all(is_same) {
            return Ok(Merge::default());
        }
        let (kind, id) = (here.kind, here.id);
        let states = self
            .repository
            .db
            .read_here(|read| read.states_by_origin(kind, id, Origin::Import.name()))?;
        let imported = imported_values(&states);
        Ok(merge(
            &align(bundle, site, &imported),
            &here.values,
            &imported,
        ))
    }

    async fn patch(
        &self,
        remote: &RemoteEntity,
        here: &Entity,
        changes: BTreeMap<String, Vec<Item>>,
    ) -> Result<(), Refusal> {
        let body = Value::Object(self.body(remote, changes)).to_string();
        let (db, model) = (&self.repository.db, &self.repository.model());
        let expected = Precondition::Revisions(vec![here.revision]);
        let (author, batch, before) = (self.author(), self.batch, here.revision);
        let note = move |write: &mut Write<'_>, changed: &Entity| match batch {
            Some(batch) => Ok(note_changed(write, batch, changed, before)?),
            None => Ok(()),
        };
        patch_entity_and(
            db,
            model,
            here.clone(),
            body.into(),
            &self.actor,
            author,
            (expected, note),
        )
        .await?;
        Ok(())
    }
}
