//! The history of an item and its files as PREMIS 3: its revisions, the events that made none, and the last fixity checks.

use std::collections::BTreeMap;
use std::fmt::Write;

use chrono::{DateTime, SecondsFormat};

use crate::actions::response_context::ResponseContext;
use crate::events::{name_of, visible_event};
use isolario_db::{DbError, RevisionSummary, Viewer};
use isolario_model::content::{Entity, EntityKind, FileRecord};
use isolario_model::formats::xml::escape;

/// Entries that are read at once.
const PAGE: usize = 500;

/// The document.
pub(super) fn write(
    context: &ResponseContext<'_>,
    item: &Entity,
    media: &[Entity],
    files: &[(&str, &FileRecord)],
) -> Result<String, DbError> {
    let mut history = History {
        context,
        viewer: Viewer::of(context.actor),
        objects: String::new(),
        events: String::new(),
        agents: BTreeMap::new(),
    };
    history.add_entity(item);
    media.iter().for_each(|media| history.add_entity(media));
    for (path, file) in files {
        history.add_file(path, file);
    }
    for entity in std::iter::once(item).chain(media) {
        history.add_revisions(entity)?;
        history.add_events(entity)?;
    }
    for (_, file) in files {
        history.add_fixity(file)?;
    }
    Ok(history.into_document())
}

struct History<'h> {
    context: &'h ResponseContext<'h>,
    viewer: Viewer,
    objects: String,
    events: String,
    /// Names of accounts by their ids.
    agents: BTreeMap<i64, String>,
}

/// An event of PREMIS.
struct HistoryEvent<'t> {
    id: String,
    kind: &'t str,
    at: i64,
    detail: String,
    outcome: Option<(&'t str, &'t str)>,
    actor: Option<i64>,
    objects: Vec<&'t str>,
}

impl History<'_> {
    fn add_entity(&mut self, entity: &Entity) {
        let _ = write!(
            self.objects,
            "  <object xsi:type=\"intellectualEntity\">\n{}    <originalName>{}</originalName>\n  </object>\n",
            identifier("object", "UUID", &entity.uuid),
            escape(entity.label()),
        );
    }

    fn add_file(&mut self, path: &str, file: &FileRecord) {
        let _ = write!(
            self.objects,
            "  <object xsi:type=\"file\">\n{}{}    <objectCharacteristics>\n      <fixity>\n        <messageDigestAlgorithm>SHA-512</messageDigestAlgorithm>\n        <messageDigest>{}</messageDigest>\n      </fixity>\n      <size>{}</size>\n      <format>\n        <formatDesignation>\n          <formatName>{}</formatName>\n        </formatDesignation>\n      </format>\n    </objectCharacteristics>\n    <originalName>{}</originalName>\n  </object>\n",
            identifier("object", "UUID", &file.uuid),
            identifier("object", "path", path),
            escape(&file.sha512),
            file.size,
            escape(file.mime.essence()),
            escape(&file.filename),
        );
    }

    /// What the viewer may see of the revisions of a resource, oldest first.
    fn add_revisions(&mut self, entity: &Entity) -> Result<(), DbError> {
        let read = self.context.read;
        let (mut before, mut revisions) = (i64::MAX, Vec::new());
        loop {
            let page = read.revisions_before(entity.kind, entity.id, &self.viewer, before, PAGE)?;
            let Some(last) = page.last() else { break };
            before = last.revision;
            revisions.extend(page);
        }
        let mut files = Vec::new();
        for (number, revision) in revisions.iter().rev().enumerate() {
            let has = match entity.kind {
                EntityKind::Media => read.files_of_revision(revision.revision)?,
                _ => Vec::new(),
            };
            let kind = match (number, has != files) {
                (0, true) => "ingestion",
                (0, false) => "creation",
                (_, true) => "modification",
                (_, false) => "metadata modification",
            };
            files = has;
            self.tell(&HistoryEvent {
                id: format!(
                    "{}/{}/revision/{}",
                    entity.kind.target_type(),
                    entity.id,
                    revision.revision
                ),
                kind,
                at: revision.made,
                detail: detail(revision),
                outcome: None,
                actor: Some(revision.author),
                objects: vec![&entity.uuid],
            })?;
        }
        Ok(())
    }

    /// Changes that made no revision, such as a deletion.
    fn add_events(&mut self, entity: &Entity) -> Result<(), DbError> {
        let read = self.context.read;
        let (of, mut after) = ((entity.kind, entity.id), 0);
        loop {
            let page = read.events_without_revision(of, after, PAGE as u32)?;
            let Some(last) = page.last() else {
                return Ok(());
            };
            after = last.id;
            for event in page {
                let Some(visible) = visible_event(read, self.context.actor, event)? else {
                    continue;
                };
                let event = visible.event;
                self.tell(&HistoryEvent {
                    id: format!("event/{}", event.id),
                    kind: match event.action.as_str() {
                        "delete" => "deletion",
                        "restore" => "restoration",
                        action => action,
                    },
                    at: event.at,
                    detail: format!("origin: {}", event.origin),
                    outcome: None,
                    actor: Some(event.actor),
                    objects: vec![&entity.uuid],
                })?;
            }
        }
    }

    fn add_fixity(&mut self, file: &FileRecord) -> Result<(), DbError> {
        let Some(record) = self.context.read.fixity(file.fid, file.version)? else {
            return Ok(());
        };
        self.tell(&HistoryEvent {
            id: format!("file/{}/version/{}/fixity", file.fid, file.version),
            kind: "fixity check",
            at: record.verified,
            detail: "SHA-512 of the bytes".into(),
            outcome: Some((record.state.name(), &record.detail)),
            actor: None,
            objects: vec![&file.uuid],
        })
    }

    fn tell(&mut self, told: &HistoryEvent<'_>) -> Result<(), DbError> {
        let at = DateTime::from_timestamp(told.at, 0).unwrap_or_default();
        let _ = write!(
            self.events,
            "  <event>\n{}    <eventType>{}</eventType>\n    <eventDateTime>{}</eventDateTime>\n    <eventDetailInformation>\n      <eventDetail>{}</eventDetail>\n    </eventDetailInformation>\n",
            identifier("event", "local", &told.id),
            escape(told.kind),
            at.to_rfc3339_opts(SecondsFormat::Secs, true),
            escape(&told.detail),
        );
        if let Some((outcome, note)) = told.outcome {
            let _ = write!(
                self.events,
                "    <eventOutcomeInformation>\n      <eventOutcome>{}</eventOutcome>\n",
                escape(outcome)
            );
            if !note.is_empty() {
                let _ = write!(
                    self.events,
                    "      <eventOutcomeDetail>\n        <eventOutcomeDetailNote>{}</eventOutcomeDetailNote>\n      </eventOutcomeDetail>\n",
                    escape(note)
                );
            }
            self.events.push_str("    </eventOutcomeInformation>\n");
        }
        if let Some(uid) = told.actor
            && let Some(name) = name_of(self.context.read, &self.viewer, uid)?
        {
            let id = format!("user/{uid}");
            self.events
                .push_str(&identifier("linkingAgent", "local", &id));
            self.agents.insert(uid, name);
        }
        for uuid in &told.objects {
            self.events
                .push_str(&identifier("linkingObject", "UUID", uuid));
        }
        self.events.push_str("  </event>\n");
        Ok(())
    }

    fn into_document(self) -> String {
        let mut xml = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<premis xmlns=\"http://www.loc.gov/premis/v3\"\n    xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n    xsi:schemaLocation=\"http://www.loc.gov/premis/v3 https://www.loc.gov/standards/premis/premis.xsd\"\n    version=\"3.0\">\n",
        );
        xml.push_str(&self.objects);
        xml.push_str(&self.events);
        for (uid, name) in self.agents {
            let _ = write!(
                xml,
                "  <agent>\n{}    <agentName>{}</agentName>\n    <agentType>person</agentType>\n  </agent>\n",
                identifier("agent", "local", &format!("user/{uid}")),
                escape(&name)
            );
        }
        xml.push_str("</premis>\n");
        xml
    }
}

fn detail(revision: &RevisionSummary) -> String {
    match revision.log.as_deref().filter(|log| !log.is_empty()) {
        Some(log) => format!("origin: {}; {log}", revision.origin),
        None => format!("origin: {}", revision.origin),
    }
}

/// An identifier with its type.
fn identifier(of: &str, kind: &str, value: &str) -> String {
    format!(
        "    <{of}Identifier>\n      <{of}IdentifierType>{kind}</{of}IdentifierType>\n      <{of}IdentifierValue>{}</{of}IdentifierValue>\n    </{of}Identifier>\n",
        escape(value)
    )
}
