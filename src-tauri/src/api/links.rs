//! Link headers (interface, Response Link headers; RFC 8288). What the viewer may not view is left out.

use axum::http::{HeaderMap, HeaderValue, header};

use super::around::Around;
use super::request_format::Format;
use crate::actions::view_file::{FileAccess, file_access};
use crate::auth::{Actor, Operation, Subject, may, visibility};
use crate::blobs::address;
use crate::content::{Bundle, Entity, EntityKind, FieldDefinition, Target};
use crate::db::DbError;

const RELATION: &str = "https://drupal.org/link-relations/";
const MEDIA_USE: &str = "http://pcdm.org/use#";
/// Some clients refuse more than a hundred header lines; further links share one.
const OWN_LINES: usize = 60;

/// The links of one response, in order.
pub struct Links<'a> {
    around: &'a Around<'a>,
    actor: &'a Actor,
    lines: Vec<String>,
}

impl<'a> Links<'a> {
    /// No links yet, for one viewer.
    pub fn new(around: &'a Around<'a>, actor: &'a Actor) -> Links<'a> {
        Links {
            around,
            actor,
            lines: Vec::new(),
        }
    }

    /// Every link of a node, media or term written in `format`.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn of_entity(
        mut self,
        entity: &Entity,
        bundle: &Bundle,
        format: Format,
        formats: &[String],
    ) -> Result<Links<'a>, DbError> {
        match entity.kind {
            EntityKind::Media => self.core_of_media(entity),
            EntityKind::Term => self.core_of_term(entity),
            _ => self.core_of_node(entity),
        }
        if entity.kind == EntityKind::Term {
            return Ok(self);
        }
        self.referenced(entity, bundle);
        if entity.kind == EntityKind::Node {
            self.media_of_node(entity)?;
        }
        self.alternates(entity, format, formats);
        if entity.kind == EntityKind::Media {
            self.source_of_media(entity, bundle)?;
        }
        Ok(self)
    }

    /// Adds a link to a path of ours under a relation of the platform.
    pub fn platform(&mut self, path: &str, relation: &str) {
        self.add(path, &format!("{RELATION}{relation}"));
    }

    /// Adds a link to a path of ours under a registered relation.
    pub fn add(&mut self, path: &str, relation: &str) {
        let target = self.around.base;
        self.lines
            .push(format!("<{target}{path}>; rel=\"{relation}\""));
    }

    fn core_of_node(&mut self, node: &Entity) {
        let (path, id) = (node.kind.path(node.id), node.id);
        self.add(&path, "canonical");
        self.platform(&format!("{path}/delete"), "delete-form");
        self.platform(
            &format!("/admin/content/node/delete?node={id}"),
            "delete-multiple-form",
        );
        self.add(&format!("{path}/edit"), "edit-form");
        self.add(&format!("{path}/revisions"), "version-history");
        self.platform(&path, "revision");
        self.platform(&format!("/node?node={id}"), "create");
    }

    fn core_of_media(&mut self, media: &Entity) {
        let (path, id) = (media.kind.path(media.id), media.id);
        self.platform("/media/add", "add-page");
        self.platform(&format!("/media/add/{}", media.bundle), "add-form");
        self.add(&path, "canonical");
        self.add("/admin/content/media", "collection");
        self.platform(&format!("{path}/delete"), "delete-form");
        self.platform(&format!("/media/delete?media={id}"), "delete-multiple-form");
        self.add(&format!("{path}/edit"), "edit-form");
        self.platform(&path, "revision");
    }

    fn core_of_term(&mut self, term: &Entity) {
        let (path, id) = (term.kind.path(term.id), term.id);
        self.add(&path, "canonical");
        self.platform(&format!("{path}/delete"), "delete-form");
        self.add(&format!("{path}/edit"), "edit-form");
        self.platform(&format!("/taxonomy/term?taxonomy_term={id}"), "create");
    }

    fn referenced(&mut self, entity: &Entity, bundle: &Bundle) {
        for definition in bundle.fields_by_name() {
            if definition.field_type != "entity_reference" {
                continue;
            }
            for target in self.visible_targets(entity, definition) {
                self.lines.push(self.reference_line(definition, &target));
            }
        }
    }

    fn visible_targets(&self, entity: &Entity, definition: &FieldDefinition) -> Vec<Target> {
        use crate::fields::Surroundings;
        let Some(kind) = definition.target_kind() else {
            return Vec::new();
        };
        let rule = visibility(self.actor, kind);
        entity
            .references(&definition.name)
            .into_iter()
            .filter_map(|id| self.around.target(kind, id))
            .filter(|target| rule.allows(target.published, target.owner))
            .collect()
    }

    fn reference_line(&self, definition: &FieldDefinition, target: &Target) -> String {
        let own = format!("{}{}", self.around.base, target.kind.path(target.id));
        match target.kind {
            EntityKind::Term => {
                let address = target.uri.clone().unwrap_or(own);
                line(&address, "tag", &target.label)
            }
            _ => line(&own, "related", &definition.label),
        }
    }

    fn media_of_node(&mut self, node: &Entity) -> Result<(), DbError> {
        let rule = visibility(self.actor, EntityKind::Media);
        for media in self.around.read.media_of(node.id)? {
            if !rule.allows(media.is_published(), media.owner()) {
                continue;
            }
            let address = format!("{}{}", self.around.base, media.kind.path(media.id));
            for tid in media.references("field_media_use") {
                let term = self.around.read.target(EntityKind::Term, tid)?;
                let used = term.filter(|term| {
                    term.uri
                        .as_deref()
                        .is_some_and(|uri| uri.starts_with(MEDIA_USE))
                });
                self.lines
                    .extend(used.map(|term| line(&address, "related", &term.label)));
            }
        }
        Ok(())
    }

    fn alternates(&mut self, entity: &Entity, format: Format, formats: &[String]) {
        let path = entity.kind.path(entity.id);
        let base = self.around.base;
        let others = Format::ALL
            .into_iter()
            .filter(|other| *other != format && formats.iter().any(|name| name == other.name()));
        for other in others {
            self.lines.push(format!(
                "<{base}{path}?_format={}>; rel=\"alternate\"; type=\"{}\"",
                other.name(),
                other.mime()
            ));
        }
    }

    fn source_of_media(&mut self, media: &Entity, bundle: &Bundle) -> Result<(), DbError> {
        if may(self.actor, Operation::ReplaceBytes, &Subject::of(media)).is_ok() {
            let path = format!("{}/source", media.kind.path(media.id));
            self.add(&path, "edit-media");
        }
        let fid = bundle
            .file_field()
            .and_then(|field| media.reference(&field.name));
        let Some(file) = fid
            .map(|fid| self.around.read.file(fid))
            .transpose()?
            .flatten()
        else {
            return Ok(());
        };
        if file_access(self.around.read, self.actor, &file)? != FileAccess::Hidden {
            let base = self.around.base;
            let path = address::path_of(&file.uri);
            self.lines.push(format!(
                "<{base}{path}>; rel=\"describes\"; type=\"{}\"",
                header_safe(&file.mime)
            ));
        }
        Ok(())
    }

    /// Writes the links into a response's headers.
    pub fn write(self, headers: &mut HeaderMap) {
        let mut lines = self.lines;
        let rest = lines.split_off(lines.len().min(OWN_LINES));
        if !rest.is_empty() {
            lines.push(rest.join(", "));
        }
        for line in lines {
            if let Ok(value) = HeaderValue::from_str(&line) {
                headers.append(header::LINK, value);
            }
        }
    }
}

fn line(address: &str, relation: &str, title: &str) -> String {
    let address: String = address
        .chars()
        .filter(|c| !c.is_control() && !"<>\" ".contains(*c))
        .collect();
    format!(
        "<{address}>; rel=\"{relation}\"; {}",
        title_parameters(title)
    )
}

/// `title="…"`, and `title*` beside it for text outside ASCII (RFC 8187).
fn title_parameters(title: &str) -> String {
    let plain = header_safe(title);
    if title.is_ascii() {
        return format!("title=\"{plain}\"");
    }
    let encoded = percent_encoding::utf8_percent_encode(title, percent_encoding::NON_ALPHANUMERIC);
    format!("title=\"{plain}\"; title*=UTF-8''{encoded}")
}

/// Text for a quoted string: no line breaks, quotes escaped, other letters than ASCII as `?`.
fn header_safe(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control())
        .map(|c| if c.is_ascii() { c } else { '?' })
        .flat_map(|c| {
            if c == '"' || c == '\\' {
                vec!['\\', c]
            } else {
                vec![c]
            }
        })
        .collect()
}
