//! Finds the terms of a site that mean what terms here mean, and makes those that are missing.

use isolario_model::content::{Entity, EntityKind, field_roles};
use reqwest::{Method, Url};
use serde_json::{Value, json};

use super::Push;
use super::body::body_of;
use super::nodes::id_in;
use crate::remote::RemoteEntity;
use crate::report::Outcome;
use crate::stop::Stop;

/// How many terms above a term are sent with it at most.
const DEEPEST: usize = 30;

/// Whether a site has a term.
enum Lookup {
    Found(i64),
    Missing,
    /// The site does not say.
    Impossible,
}

impl Push<'_> {
    /// The term of the site for a term here; `None` where there is none, and none can be made.
    pub(super) async fn term(&mut self, tid: i64) -> Result<Option<i64>, Stop> {
        let mut stack = vec![tid];
        while let Some(&top) = stack.last() {
            if self.terms.contains_key(&top) {
                stack.pop();
                continue;
            }
            let term = self
                .repository
                .db
                .read_here(|read| read.entity(EntityKind::Term, top))?;
            let Some(term) = term else {
                self.terms.insert(top, None);
                continue;
            };
            match self.find(&term).await? {
                Lookup::Found(found) => {
                    self.report.count(EntityKind::Term, Outcome::Unchanged);
                    self.terms.insert(top, Some(found));
                    continue;
                }
                // A second term for the same thing would do harm there.
                Lookup::Impossible => {
                    self.fail(&term, "The site has no lookup of terms (/term_from_uri).");
                    self.terms.insert(top, None);
                    continue;
                }
                Lookup::Missing => {}
            }
            let parent = term.reference("parent");
            let parent =
                parent.filter(|parent| !self.terms.contains_key(parent) && !stack.contains(parent));
            if let Some(parent) = parent.filter(|_| stack.len() < DEEPEST) {
                stack.push(parent);
                continue;
            }
            let made = self.make(&term).await?;
            self.terms.insert(top, made);
        }
        Ok(self.terms.get(&tid).copied().flatten())
    }

    /// As it was sent before, by its URI, or by its name.
    async fn find(&mut self, term: &Entity) -> Result<Lookup, Stop> {
        if let Some(pushed) = self.pushed(term)? {
            return Ok(Lookup::Found(pushed.remote));
        }
        let fields = field_roles();
        for field in [&fields.external_uri, &fields.authority_link] {
            let uri = term.items(field).first();
            if let Some(uri) = uri.and_then(|item| item.get("uri")?.as_str()) {
                match self
                    .look_up("/term_from_uri", &[("uri", uri)], term)
                    .await?
                {
                    Lookup::Missing => {}
                    found => return Ok(found),
                }
            }
        }
        let query = [("vocab", term.bundle.as_str()), ("name", term.label())];
        self.look_up("/term_from_term_name", &query, term).await
    }

    async fn look_up(
        &mut self,
        path: &str,
        query: &[(&str, &str)],
        term: &Entity,
    ) -> Result<Lookup, Stop> {
        let path = with_query(path, query);
        let answer = match self.site.json(&path).await {
            Ok(answer) => answer.map(|answer| answer.json),
            Err(error) => {
                self.endure(error)?;
                None
            }
        };
        let Some(Value::Array(found)) = answer else {
            return Ok(Lookup::Impossible);
        };
        let found = found.into_iter();
        let found = found.filter_map(|json| RemoteEntity::read(EntityKind::Term, json));
        let mut found = found.filter(|one| one.bundle == term.bundle);
        Ok(found
            .next()
            .map_or(Lookup::Missing, |one| Lookup::Found(one.id)))
    }

    async fn make(&mut self, term: &Entity) -> Result<Option<i64>, Stop> {
        let mut body = body_of(term);
        body.insert("uuid".into(), json!([{"value": term.uuid}]));
        let fields = field_roles();
        for name in [
            "name",
            "description",
            "weight",
            &fields.external_uri,
            &fields.authority_link,
        ] {
            let items = term.items(name);
            if !items.is_empty() {
                body.insert(
                    name.to_owned(),
                    items.iter().cloned().map(Value::Object).collect(),
                );
            }
        }
        let parent = term
            .reference("parent")
            .and_then(|parent| self.terms.get(&parent).copied().flatten());
        if let Some(parent) = parent {
            body.insert("parent".into(), json!([{"target_id": parent}]));
        }
        let sent = self
            .site
            .send(Method::POST, "/taxonomy/term?_format=json", &body.into())
            .await;
        let made = match sent {
            Ok((json, location)) => {
                let made = RemoteEntity::read(EntityKind::Term, json).map(|made| made.id);
                made.or_else(|| id_in(&location?))
            }
            Err(error) => {
                let reason = self.endure(error)?;
                self.fail(term, reason);
                return Ok(None);
            }
        };
        match made {
            Some(made) => {
                self.note(term, made, None).await?;
                self.report.count(EntityKind::Term, Outcome::New);
            }
            None => self.fail(term, "The site took it and does not say its number."),
        }
        Ok(made)
    }
}

fn with_query(path: &str, query: &[(&str, &str)]) -> String {
    // Only its query is used.
    let Ok(mut url) = Url::parse("http://a/") else {
        return path.to_owned();
    };
    let mut pairs = url.query_pairs_mut();
    pairs.extend_pairs(query).append_pair("_format", "json");
    drop(pairs);
    format!("{path}?{}", url.query().unwrap_or_default())
}
