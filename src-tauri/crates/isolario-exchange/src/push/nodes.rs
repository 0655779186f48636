//! Sends nodes: new ones with what they need and then with all their fields, sent ones with the fields that have changed
//! here since.

use isolario_model::content::entity::ALIASES;
use isolario_model::content::{Bundle, Entity, EntityKind, field_roles};
use reqwest::Method;
use serde_json::{Map, Value, json};

use super::Push;
use super::body::{body_of, is_needed};
use crate::remote::path_of;
use crate::report::Outcome;
use crate::site::SiteError;
use crate::stop::Stop;

/// A node as the site has it.
struct RemoteNode {
    id: i64,
    fields: Map<String, Value>,
}

impl Push<'_> {
    /// Sends an item, and before it those of the items that it is a member of.
    pub(super) async fn push_item(&mut self, nid: i64, items: &[i64]) -> Result<(), Stop> {
        let mut stack = vec![nid];
        while let Some(&top) = stack.last() {
            if self.nodes.contains_key(&top) {
                stack.pop();
                continue;
            }
            let node = self
                .repository
                .db
                .read_here(|read| read.entity(EntityKind::Node, top))?;
            let Some(node) = node else {
                let reason = "There is no such item here.";
                self.report.lose_unread(EntityKind::Node, top, reason);
                self.report.count(EntityKind::Node, Outcome::Failed);
                self.nodes.insert(top, None);
                continue;
            };
            let mut parents = node.references(&field_roles().member_of).into_iter();
            let first = parents.find(|parent| {
                items.contains(parent)
                    && !self.nodes.contains_key(parent)
                    && !stack.contains(parent)
            });
            if let Some(parent) = first {
                stack.push(parent);
                continue;
            }
            let remote = self.push_node(&node).await?;
            self.nodes.insert(top, remote);
            if let Some(remote) = remote {
                self.push_media(&node, remote).await?;
            }
        }
        Ok(())
    }

    /// The node of the site that a node was sent as, now or before.
    pub(super) fn sent_node(&self, nid: i64) -> Result<Option<i64>, Stop> {
        if let Some(remote) = self.nodes.get(&nid) {
            return Ok(*remote);
        }
        let site = self.site.address();
        let pushed = self
            .repository
            .db
            .read_here(|read| read.pushed(site, EntityKind::Node, nid))?;
        Ok(pushed.map(|pushed| pushed.remote))
    }

    async fn push_node(&mut self, node: &Entity) -> Result<Option<i64>, Stop> {
        let model = self.repository.model();
        let Some(bundle) = model.bundle(node.kind, &node.bundle) else {
            self.fail(node, "Its bundle is not in the content model.");
            return Ok(None);
        };
        match self.pushed(node)? {
            Some(pushed) if pushed.revision == node.revision => {
                self.report.count(node.kind, Outcome::Unchanged);
                Ok(Some(pushed.remote))
            }
            Some(pushed) => {
                self.update(node, bundle, pushed.remote, pushed.revision)
                    .await
            }
            None => self.create(node, bundle).await,
        }
    }

    async fn create(&mut self, node: &Entity, bundle: &Bundle) -> Result<Option<i64>, Stop> {
        let mut body = body_of(node);
        body.insert("uuid".into(), json!([{"value": node.uuid}]));
        let fields = self.fields(bundle, node);
        let (needed, rest): (Vec<_>, Vec<_>) = fields
            .into_iter()
            .partition(|definition| is_needed(node, definition));
        for definition in needed {
            let items = self.items(node, definition).await?;
            body.insert(definition.name.clone(), items);
        }
        let sent = self
            .site
            .send(Method::POST, "/node?_format=json", &body.into())
            .await;
        let remote = match sent {
            Ok((json, location)) => remote_node(json, location),
            Err(error) => {
                let reason = self.endure(error)?;
                self.fail(node, reason);
                return Ok(None);
            }
        };
        let Some(remote) = remote else {
            self.fail(node, "The site took it and does not say its number.");
            return Ok(None);
        };
        // Without this note a push that breaks off here would send the node again.
        self.note(node, remote.id, None).await?;
        self.send_fields(node, &rest, &remote).await?;
        self.send_aliases(node, remote.id, &[]).await?;
        self.report.count(node.kind, Outcome::New);
        Ok(Some(remote.id))
    }

    async fn update(
        &mut self,
        node: &Entity,
        bundle: &Bundle,
        remote: i64,
        sent: i64,
    ) -> Result<Option<i64>, Stop> {
        let there = match self.site.json(&path_of(node.kind, remote)).await {
            Ok(Some(answer)) => remote_node(answer.json, None),
            Ok(None) => {
                self.fail(node, "It was sent before, and is not there any more.");
                return Ok(None);
            }
            Err(error) => {
                let reason = self.endure(error)?;
                self.fail(node, reason);
                return Ok(None);
            }
        };
        let Some(there) = there.filter(|there| there.id == remote) else {
            self.fail(node, SiteError::NotJson.to_string());
            return Ok(None);
        };
        let former = self
            .repository
            .db
            .read_here(|read| read.at_revision(node, sent))?;
        let mut with_emptied = node.clone();
        for name in former.iter().flat_map(|former| former.values.keys()) {
            with_emptied.values.entry(name.clone()).or_default();
        }
        let is_changed = |name: &str| {
            let before = former.as_ref().map_or(&[][..], |former| former.items(name));
            before != node.items(name)
        };
        let fields = self.fields(bundle, &with_emptied);
        let changed: Vec<_> = fields
            .into_iter()
            .filter(|field| is_changed(&field.name))
            .collect();
        let known: Vec<String> = former
            .iter()
            .flat_map(Entity::aliases)
            .map(str::to_owned)
            .collect();
        self.send_aliases(node, remote, &known).await?;
        if self.send_fields(node, &changed, &there).await? {
            self.note(node, remote, None).await?;
        }
        self.report.count(node.kind, Outcome::Changed);
        Ok(Some(remote))
    }

    /// Gives a node of the site the aliases that it has here, except those that were sent before.
    async fn send_aliases(
        &mut self,
        node: &Entity,
        remote: i64,
        known: &[String],
    ) -> Result<(), Stop> {
        for alias in node
            .aliases()
            .filter(|alias| !known.iter().any(|one| one == alias))
        {
            let path = node.kind.path(remote);
            let body = json!({"path": [{"value": path}], "alias": [{"value": alias}]});
            let address = "/entity/path_alias?_format=json";
            if let Err(error) = self.site.send(Method::POST, address, &body).await {
                let reason = self.endure(error)?;
                self.lose(node, Some(ALIASES), reason);
            }
        }
        Ok(())
    }

    /// Sends fields of a node: all of them in one request, or one by one where the site refuses one. Returns whether the
    /// site answered all of that.
    async fn send_fields(
        &mut self,
        node: &Entity,
        fields: &[&isolario_model::content::FieldDefinition],
        remote: &RemoteNode,
    ) -> Result<bool, Stop> {
        let mut values = Vec::new();
        for definition in fields {
            if remote.fields.contains_key(&definition.name) {
                values.push((definition.name.clone(), self.items(node, definition).await?));
            } else if !node.items(&definition.name).is_empty() {
                self.report
                    .miss(node.kind, &node.bundle, Some(&definition.name));
            }
        }
        if values.is_empty() {
            return Ok(true);
        }
        let path = path_of(node.kind, remote.id);
        let mut body = body_of(node);
        body.extend(values.clone());
        match self.site.send(Method::PATCH, &path, &body.into()).await {
            Ok(_) => return Ok(true),
            Err(error) => self.endure(error)?,
        };
        let mut is_answered = true;
        for (name, items) in values {
            let mut body = body_of(node);
            body.insert(name.clone(), items);
            if let Err(error) = self.site.send(Method::PATCH, &path, &body.into()).await {
                is_answered &= matches!(error, SiteError::Refused { .. });
                let reason = self.endure(error)?;
                self.lose(node, Some(&name), reason);
            }
        }
        Ok(is_answered)
    }
}

fn remote_node(json: Value, location: Option<String>) -> Option<RemoteNode> {
    let fields = match json {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    let first = fields
        .get(EntityKind::Node.id_field())
        .and_then(|items| items.get(0));
    let said = first.and_then(|item| item.get("value")?.as_i64());
    let id = said.or_else(|| id_in(&location?))?;
    Some(RemoteNode { id, fields })
}

/// The number at the end of an address.
pub(super) fn id_in(location: &str) -> Option<i64> {
    let path = location.split(['?', '#']).next()?;
    path.trim_end_matches('/').rsplit('/').next()?.parse().ok()
}
