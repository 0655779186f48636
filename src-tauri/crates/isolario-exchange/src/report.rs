//! What came of an import or a push: counts, and what was lost, with the reasons.

use std::collections::BTreeMap;
use std::fmt::Write;

use isolario_model::content::EntityKind;
use serde::{Deserialize, Serialize};

use crate::remote::RemoteEntity;
use crate::task::TaskProgress;

/// Most losses that are kept one by one.
const MOST_LOSSES: usize = 100_000;
/// Most gaps that are kept: a site that makes up names must not fill the memory.
const MOST_GAPS: usize = 1000;
/// Most losses that a terminal is told.
const MOST_TOLD: usize = 40;

/// What became of the resources of a kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub new: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub failed: u64,
}

/// What became of one resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    New,
    Changed,
    Unchanged,
    Failed,
}

/// Something that did not come as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// `node`, `media`, `taxonomy_term` or `file`.
    pub kind: String,
    /// Its id at the source.
    pub id: i64,
    pub uuid: String,
    pub title: String,
    /// `None`: the whole resource.
    pub field: Option<String>,
    pub reason: String,
}

/// A field or bundle of the site that has no counterpart here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    pub kind: String,
    pub bundle: String,
    /// `None`: the whole bundle.
    pub field: Option<String>,
    /// How many resources have it.
    pub resources: u64,
}

/// The whole report.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Report {
    /// Address of the site.
    pub site: String,
    /// Whether nothing was written.
    pub is_check: bool,
    /// Whether it is a bag of another program, whose files become items.
    #[serde(default)]
    pub files_become_items: bool,
    pub counts: BTreeMap<String, Counts>,
    /// Bytes of new and changed files.
    pub bytes: u64,
    pub gaps: Vec<Gap>,
    pub losses: Vec<Loss>,
    /// Losses that are counted only.
    pub further_losses: u64,
    /// Why it ended before its end.
    pub ended: Option<String>,
}

impl Report {
    /// Of a site, before anything was done.
    pub fn new(site: &str, is_check: bool) -> Report {
        Report {
            site: site.to_owned(),
            is_check,
            ..Report::default()
        }
    }

    /// Counts a resource.
    pub fn count(&mut self, kind: EntityKind, outcome: Outcome) {
        let counts = self
            .counts
            .entry(kind.target_type().to_owned())
            .or_default();
        let count = match outcome {
            Outcome::New => &mut counts.new,
            Outcome::Changed => &mut counts.changed,
            Outcome::Unchanged => &mut counts.unchanged,
            Outcome::Failed => &mut counts.failed,
        };
        *count += 1;
    }

    /// The counts of a kind.
    pub fn counts_of(&self, kind: EntityKind) -> Counts {
        let counts = self.counts.get(kind.target_type());
        counts.copied().unwrap_or_default()
    }

    /// How much of it there is so far.
    pub fn progress(&self) -> TaskProgress {
        let of = |kind| {
            let counts = self.counts_of(kind);
            counts.new + counts.changed + counts.unchanged + counts.failed
        };
        TaskProgress {
            nodes: of(EntityKind::Node),
            media: of(EntityKind::Media),
            terms: of(EntityKind::Term),
            losses: self.losses.len() as u64 + self.further_losses,
        }
    }

    /// Notes that a resource, or one of its fields, did not come.
    pub fn lose(&mut self, of: &RemoteEntity, field: Option<&str>, reason: impl Into<String>) {
        self.add(Loss {
            kind: of.kind.target_type().to_owned(),
            id: of.id,
            uuid: of.uuid.clone(),
            title: of.label(),
            field: field.map(str::to_owned),
            reason: reason.into(),
        });
    }

    /// The same of a resource that could not be read.
    pub fn lose_unread(&mut self, kind: EntityKind, id: i64, reason: impl Into<String>) {
        self.add(Loss {
            kind: kind.target_type().to_owned(),
            id,
            uuid: String::new(),
            title: String::new(),
            field: None,
            reason: reason.into(),
        });
    }

    /// Why a resource did not come, after its title.
    pub fn reason_of(&self, kind: EntityKind, id: i64) -> Option<String> {
        let is_it =
            |loss: &&Loss| loss.kind == kind.target_type() && loss.id == id && loss.field.is_none();
        let loss = self.losses.iter().rev().find(is_it)?;
        Some(format!("{} {}", loss.title, loss.reason).trim().to_owned())
    }

    /// Notes any loss.
    pub fn add(&mut self, loss: Loss) {
        if self.losses.len() < MOST_LOSSES {
            self.losses.push(loss);
        } else {
            self.further_losses += 1;
        }
    }

    /// Counts a field or a bundle without a counterpart.
    pub fn miss(&mut self, kind: EntityKind, bundle: &str, field: Option<&str>) {
        let kind = kind.target_type();
        let is_it =
            |gap: &Gap| gap.kind == kind && gap.bundle == bundle && gap.field.as_deref() == field;
        if let Some(place) = self.gaps.iter().position(is_it) {
            self.gaps[place].resources += 1;
        } else if self.gaps.len() < MOST_GAPS {
            self.gaps.push(Gap {
                kind: kind.to_owned(),
                bundle: bundle.to_owned(),
                field: field.map(str::to_owned),
                resources: 1,
            });
        } else {
            self.further_losses += 1;
        }
    }

    /// Whether every resource came, even if not with every field.
    pub fn is_whole(&self) -> bool {
        self.ended.is_none() && self.counts.values().all(|counts| counts.failed == 0)
    }

    /// For a terminal.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = match self.is_check {
            true => writeln!(
                text,
                "{} was read; nothing was written. An import would bring:",
                self.site
            ),
            false => writeln!(text, "{}:", self.site),
        };
        self.tell_counts(&mut text);
        self.tell_gaps(&mut text);
        self.tell_losses(&mut text);
        if let Some(reason) = &self.ended {
            let _ = writeln!(
                text,
                "\nIt ended early: {reason} Run it again, and it continues."
            );
        }
        text.trim_end().to_owned()
    }

    fn tell_counts(&self, text: &mut String) {
        let names = [
            (EntityKind::Node, "nodes"),
            (EntityKind::Media, "media"),
            (EntityKind::File, "files"),
            (EntityKind::Term, "terms"),
        ];
        for (kind, name) in names {
            let Counts {
                new,
                changed,
                unchanged,
                failed,
            } = self.counts_of(kind);
            let _ = writeln!(
                text,
                "  {name}: {new} new, {changed} changed, {unchanged} unchanged, {failed} failed"
            );
        }
        let _ = writeln!(text, "  bytes: {}", self.bytes);
    }

    fn tell_gaps(&self, text: &mut String) {
        if self.gaps.is_empty() {
            return;
        }
        let _ = writeln!(text, "\nWithout a counterpart:");
        for gap in &self.gaps {
            let (kind, bundle, resources) = (&gap.kind, &gap.bundle, gap.resources);
            let _ = match &gap.field {
                Some(field) => {
                    writeln!(text, "  {kind} {bundle}, field {field}: {resources} times")
                }
                None => writeln!(text, "  {kind} {bundle}, as a whole: {resources} times"),
            };
        }
    }

    fn tell_losses(&self, text: &mut String) {
        if self.losses.is_empty() {
            return;
        }
        let _ = writeln!(text, "\nNot as it is there:");
        for loss in self.losses.iter().take(MOST_TOLD) {
            let field = loss
                .field
                .as_deref()
                .map_or(String::new(), |field| format!(", {field}"));
            let (kind, id, title) = (&loss.kind, loss.id, &loss.title);
            let _ = writeln!(
                text,
                "  {kind} {id} \"{title}\"{field}: {}",
                loss.reason.trim()
            );
        }
        let told = self.losses.len().min(MOST_TOLD) as u64;
        let more = self.losses.len() as u64 + self.further_losses - told;
        if more > 0 {
            let _ = writeln!(
                text,
                "  … and {more} more. --report FILE writes all of them."
            );
        }
    }

    /// As CSV: a heading, the gaps, then the losses.
    pub fn to_csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        // Writing to memory cannot fail.
        let _ = writer.write_record(["kind", "id", "uuid", "title", "field", "reason"]);
        for gap in &self.gaps {
            let field = gap.field.clone().unwrap_or_default();
            let reason = format!("There is no counterpart ({} times).", gap.resources);
            let _ = writer.write_record([&gap.kind, "", "", &gap.bundle, &field, &reason]);
        }
        for loss in &self.losses {
            let field = loss.field.clone().unwrap_or_default();
            let _ = writer.write_record([
                &loss.kind,
                &loss.id.to_string(),
                &loss.uuid,
                &harmless(&loss.title),
                &field,
                &harmless(&loss.reason),
            ]);
        }
        let bytes = writer.into_inner().unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    }
}

/// A spreadsheet would calculate what begins like a formula, and the site has written it.
fn harmless(text: &str) -> String {
    match text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => format!("'{text}"),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_what_is_lost() {
        let mut report = Report::new("https://a.example", true);
        let json = serde_json::json!({
            "nid": [{"value": 5}], "uuid": [{"value": "8d2b8a4c-3b32-4c0e-8c5e-4f7a7c9d1e11"}],
            "type": [{"target_id": "thing"}], "title": [{"value": "=1+1, \"quoted\""}],
        });
        let node = RemoteEntity::read(EntityKind::Node, json).unwrap();
        report.count(EntityKind::Node, Outcome::Failed);
        report.lose(&node, Some("field_a"), "No.");
        report.miss(EntityKind::Node, "thing", None);
        report.miss(EntityKind::Node, "thing", None);
        assert!(!report.is_whole());
        let text = report.to_text();
        assert!(
            text.contains("nodes: 0 new, 0 changed, 0 unchanged, 1 failed"),
            "{text}"
        );
        assert!(text.contains("node thing, as a whole: 2 times"), "{text}");
        let csv = report.to_csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines[1], "node,,,thing,,There is no counterpart (2 times).");
        assert_eq!(
            lines[2],
            "node,5,8d2b8a4c-3b32-4c0e-8c5e-4f7a7c9d1e11,\"'=1+1, \"\"quoted\"\"\",field_a,No."
        );
    }
}
