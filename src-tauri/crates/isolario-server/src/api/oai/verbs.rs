//! What the verbs answer (OAI-PMH 2.0, section 4).

use std::sync::Arc;

use axum::http::header;

use super::answer::{VerbAnswer, datestamp, element};
use super::arguments::{ListArguments, OaiRequest};
use super::error::OaiError;
use super::token::{ListToken, SetsToken};
use crate::api::v1::RequestContext;
use crate::api::{ApiError, ErrorCode};
use isolario_core::actions::response_context::ResponseContext;
use isolario_core::actions::view_entity::may_view;
use isolario_core::harvest::last_complete_second;
use isolario_core::repository::Repository;
use isolario_db::{DbError, HarvestEntry, HarvestRange, Read};
use isolario_model::content::{Bundle, ContentModel, Entity, EntityKind};
use isolario_model::formats::crosswalk::{RecordContext, RecordFormat};
use isolario_model::formats::xml::escape;
use isolario_model::policy::{Actor, may_be_harvested};

const URN: &str = "urn:uuid:";
const SET: &str = "collection-";

type Answered = Result<Result<VerbAnswer, OaiError>, ApiError>;

/// Answers a request as anybody may see it.
pub async fn answer(context: RequestContext, address: &str, asked: OaiRequest) -> Answered {
    let repository = &context.repository;
    let anonymous = repository.authenticator.anonymous()?;
    may_be_harvested(&anonymous).map_err(|denial| ApiError::denied(&anonymous, denial))?;
    let second = second(repository, &asked).await?;
    let address = address.to_owned();
    context
        .read(move |snapshot| {
            let config = &snapshot.context.repository.config;
            let harvester = Harvester {
                read: snapshot.read,
                repository: &snapshot.context.repository,
                model: snapshot.model(),
                anonymous: &anonymous,
                base: config
                    .base_url
                    .as_deref()
                    .unwrap_or(&snapshot.context.base.0),
                second,
            };
            Ok(match asked {
                OaiRequest::Identify => Ok(harvester.identify(&address)?),
                OaiRequest::ListMetadataFormats { identifier } => harvester.formats(identifier)?,
                OaiRequest::ListSets(token) => harvester.sets(token.unwrap_or_default())?,
                OaiRequest::GetRecord { identifier, prefix } => {
                    harvester.record(&identifier, &prefix)?
                }
                OaiRequest::ListIdentifiers(list) => harvester.list("ListIdentifiers", list)?,
                OaiRequest::ListRecords(list) => harvester.list("ListRecords", list)?,
            })
        })
        .await
}

/// The last of which every change is known, Unix seconds. A list that goes on is as of its beginning.
async fn second(repository: &Arc<Repository>, asked: &OaiRequest) -> Result<i64, ApiError> {
    let is_list = match asked {
        OaiRequest::ListIdentifiers(ListArguments::Token(_))
        | OaiRequest::ListRecords(ListArguments::Token(_))
        | OaiRequest::ListSets(Some(_)) => return Ok(0),
        OaiRequest::ListIdentifiers(_) | OaiRequest::ListRecords(_) => true,
        _ => false,
    };
    let second = last_complete_second(repository, is_list).await?;
    second.ok_or_else(|| {
        let words = "The records are being made ready.";
        ApiError::new(ErrorCode::Busy, words).with(header::RETRY_AFTER, "5")
    })
}

/// What answers are made of: a snapshot, as anybody may see it.
struct Harvester<'a> {
    read: &'a Read<'a>,
    repository: &'a Repository,
    model: &'a ContentModel,
    anonymous: &'a Actor,
    base: &'a str,
    /// The last of which every change is known, Unix seconds.
    second: i64,
}

impl Harvester<'_> {
    fn identify(&self, address: &str) -> Result<VerbAnswer, DbError> {
        let config = &self.repository.config;
        let first = self.read.first_datestamp()?.unwrap_or(self.second);
        let body = [
            element("repositoryName", &config.name),
            element("baseURL", address),
            element("protocolVersion", "2.0"),
            element("adminEmail", &config.harvesting.admin_email),
            element("earliestDatestamp", &datestamp(first)),
            element("deletedRecord", "persistent"),
            element("granularity", "YYYY-MM-DDThh:mm:ssZ"),
            element("compression", "gzip"),
        ];
        Ok(VerbAnswer {
            verb: "Identify",
            known: None,
            body: body.concat(),
        })
    }

    fn formats(&self, identifier: Option<String>) -> Result<Result<VerbAnswer, OaiError>, DbError> {
        if let Some(identifier) = identifier
            && self.entry(&identifier)?.is_none()
        {
            return Ok(Err(OaiError::unknown_identifier(&identifier)));
        }
        let formats = self.repository.config.crosswalk.xml_formats();
        let body = formats.map(|(prefix, format)| {
            let members = [
                element("metadataPrefix", prefix),
                element("schema", &format.schema),
                element("metadataNamespace", &format.namespace),
            ];
            format!("<metadataFormat>\n{}</metadataFormat>\n", members.concat())
        });
        Ok(Ok(VerbAnswer {
            verb: "ListMetadataFormats",
            known: None,
            body: body.collect(),
        }))
    }

    fn sets(&self, token: SetsToken) -> Result<Result<VerbAnswer, OaiError>, DbError> {
        let page = self.repository.config.harvesting.page;
        let mut ids = self.read.harvest_collections(token.after, page + 1)?;
        let has_more = ids.len() > page as usize;
        ids.truncate(page as usize);
        let Some(last) = ids.last().copied() else {
            return Ok(Err(match token.after {
                0 => OaiError::no_sets(),
                _ => OaiError::bad_token(),
            }));
        };
        let mut body = String::new();
        for nid in &ids {
            // One that was hidden a moment ago keeps its place, without its name.
            let node = self.visible(*nid)?;
            let name = node.as_ref().map_or(SET, |node| node.label());
            let members = [
                element("setSpec", &format!("{SET}{nid}")),
                element("setName", name),
            ];
            body.push_str(&format!("<set>\n{}</set>\n", members.concat()));
        }
        let next = has_more.then(|| {
            let cursor = token.cursor + ids.len() as u64;
            SetsToken {
                after: last,
                cursor,
            }
            .to_string()
        });
        body.push_str(&resumption(next, token.cursor));
        Ok(Ok(VerbAnswer {
            verb: "ListSets",
            known: None,
            body,
        }))
    }

    fn record(
        &self,
        identifier: &str,
        prefix: &str,
    ) -> Result<Result<VerbAnswer, OaiError>, DbError> {
        let Some(format) = self.format(prefix) else {
            return Ok(Err(OaiError::unknown_format(prefix)));
        };
        let Some(entry) = self.entry(identifier)? else {
            return Ok(Err(OaiError::unknown_identifier(identifier)));
        };
        Ok(Ok(VerbAnswer {
            verb: "GetRecord",
            known: None,
            body: self.listed(&entry, Some(format))?,
        }))
    }

    fn list(
        &self,
        verb: &'static str,
        list: ListArguments,
    ) -> Result<Result<VerbAnswer, OaiError>, DbError> {
        let is_resumed = matches!(list, ListArguments::Token(_));
        let token = match self.token(list) {
            Ok(token) => token,
            Err(error) => return Ok(Err(error)),
        };
        let Some(format) = self.format(&token.prefix) else {
            return Ok(Err(OaiError::unknown_format(&token.prefix)));
        };
        let page = self.repository.config.harvesting.page;
        let mut entries = self.read.harvest_entries(&token.range, page + 1)?;
        let has_more = entries.len() > page as usize;
        if entries.is_empty() && is_resumed {
            // All that was left has changed since. An answer has a record, so it comes as it is now.
            let range = HarvestRange {
                until: i64::MAX,
                ..token.range
            };
            entries = self.read.harvest_entries(&range, page)?;
        }
        entries.truncate(page as usize);
        let Some(last) = entries.last() else {
            return Ok(Err(OaiError::no_records()));
        };
        let next = has_more.then(|| {
            let range = HarvestRange {
                after: (last.datestamp, last.nid),
                ..token.range
            };
            let cursor = token.cursor + entries.len() as u64;
            ListToken {
                range,
                cursor,
                ..token.clone()
            }
            .to_string()
        });
        let format = (verb == "ListRecords").then_some(format);
        let records = entries.iter().map(|entry| self.listed(entry, format));
        let mut body = records.collect::<Result<String, DbError>>()?;
        body.push_str(&resumption(next, token.cursor));
        Ok(Ok(VerbAnswer {
            verb,
            known: Some(token.known),
            body,
        }))
    }

    /// Where a list begins or goes on.
    fn token(&self, list: ListArguments) -> Result<ListToken, OaiError> {
        match list {
            ListArguments::Token(token) => Ok(token),
            ListArguments::Selection {
                prefix,
                from,
                until,
                set,
            } => {
                let set = match set {
                    None => None,
                    Some(spec) => Some(set_of(&spec).ok_or_else(OaiError::no_records)?),
                };
                let until = until.unwrap_or(self.second).min(self.second);
                Ok(ListToken {
                    prefix,
                    range: HarvestRange {
                        set,
                        after: (from.map_or(-1, |from| from - 1), i64::MAX),
                        until,
                    },
                    cursor: 0,
                    known: self.second,
                })
            }
        }
    }

    fn format(&self, prefix: &str) -> Option<&RecordFormat> {
        let format = self.repository.config.crosswalk.format(prefix);
        format.filter(|format| format.is_xml())
    }

    fn entry(&self, identifier: &str) -> Result<Option<HarvestEntry>, DbError> {
        match identifier.strip_prefix(URN) {
            Some(uuid) => self.read.harvest_entry(uuid),
            None => Ok(None),
        }
    }

    /// An item that everybody may view.
    fn visible(&self, nid: i64) -> Result<Option<Entity>, DbError> {
        let Some(node) = self.read.entity(EntityKind::Node, nid)? else {
            return Ok(None);
        };
        Ok(may_view(self.read, self.anonymous, &node)?.then_some(node))
    }

    /// A record, or its header alone where no format is given. What nobody may view any more is deleted for others.
    fn listed(
        &self,
        entry: &HarvestEntry,
        format: Option<&RecordFormat>,
    ) -> Result<String, DbError> {
        let item = match entry.deleted {
            true => None,
            false => self.visible(entry.nid)?,
        };
        let status = match item {
            Some(_) => "",
            None => " status=\"deleted\"",
        };
        let mut header = element("identifier", &format!("{URN}{}", entry.uuid));
        header.push_str(&element("datestamp", &datestamp(entry.datestamp)));
        for set in self.read.harvest_sets_of(entry.nid)? {
            header.push_str(&element("setSpec", &format!("{SET}{set}")));
        }
        let header = format!("<header{status}>\n{header}</header>\n");
        let Some(format) = format else {
            return Ok(header);
        };
        let metadata = item.map(|item| {
            let record = self.written(&item, format);
            format!("<metadata>\n{record}</metadata>\n")
        });
        let metadata = metadata.unwrap_or_default();
        Ok(format!("<record>\n{header}{metadata}</record>\n"))
    }

    fn written(&self, item: &Entity, format: &RecordFormat) -> String {
        let fields = ResponseContext {
            read: self.read,
            model: self.model,
            actor: self.anonymous,
            base: self.base,
        };
        let about = RecordContext {
            fields: &fields,
            repository: &self.repository.config.name,
        };
        let unknown = Bundle::unknown(item.kind, &item.bundle);
        let bundle = self.model.bundle(item.kind, &item.bundle);
        format.record(item, bundle.map_or(&unknown, |bundle| bundle), &about)
    }
}

/// The collection of a setSpec.
fn set_of(spec: &str) -> Option<i64> {
    let id = spec.strip_prefix(SET)?;
    let digits = id.bytes().all(|byte| byte.is_ascii_digit());
    id.parse().ok().filter(|id| digits && *id > 0)
}

/// The token of the next answer. The last answer of several has an empty one (section 3.5).
fn resumption(next: Option<String>, cursor: u64) -> String {
    match next {
        Some(next) => {
            let next = escape(&next).into_owned();
            format!("<resumptionToken cursor=\"{cursor}\">{next}</resumptionToken>\n")
        }
        None if cursor > 0 => format!("<resumptionToken cursor=\"{cursor}\"/>\n"),
        None => String::new(),
    }
}
