//! Link headers (interface, Response Link headers; RFC 8288). What the viewer may not view is left out.

use std::borrow::Cow;
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};

use super::base_url::BaseUrl;
use super::request_format::Format;
use isolario_core::actions::response_context::ResponseContext;
use isolario_core::actions::view_entity::may_view;
use isolario_core::actions::view_entity::may_view_file;
use isolario_db::DbError;
use isolario_model::content::{Bundle, Entity, EntityKind, FieldDefinition, Target};
use isolario_model::content::{field_roles, file_url, model_roles};
use isolario_model::fields::FieldContext;
use isolario_model::policy::{Operation, may};

const RELATION: &str = "https://drupal.org/link-relations/";
/// Some clients refuse more than a hundred header lines; further links share one.
const OWN_LINES: usize = 60;

/// The links of one response, in order.
pub struct Links<'a> {
    context: &'a ResponseContext<'a>,
    lines: Vec<String>,
}

impl<'a> Links<'a> {
    /// No links yet, for the reader of the response.
    pub fn new(context: &'a ResponseContext<'a>) -> Links<'a> {
        Links {
            context,
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
        let base = self.context.base;
        self.lines
            .push(format!("<{base}{path}>; rel=\"{RELATION}{relation}\""));
    }

    /// Adds a link to a path of ours under a registered relation.
    pub fn add(&mut self, path: &str, relation: &str) {
        let target = self.context.base;
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
            for target in self.targets(entity, definition) {
                self.lines.push(self.reference_line(definition, &target));
            }
        }
    }

    fn targets(&self, entity: &Entity, definition: &FieldDefinition) -> Vec<Arc<Target>> {
        let Some(kind) = definition.target_kind() else {
            return Vec::new();
        };
        let targets = entity.references(&definition.name).into_iter();
        targets
            .filter_map(|id| self.context.target(kind, id))
            .collect()
    }

    fn reference_line(&self, definition: &FieldDefinition, target: &Target) -> String {
        let own = || format!("{}{}", self.context.base, target.kind.path(target.id));
        match (target.kind, &target.uri) {
            (EntityKind::Term, Some(uri)) => line(uri, "tag", &target.label),
            (EntityKind::Term, None) => line(&own(), "tag", &target.label),
            _ => line(&own(), "related", &definition.label),
        }
    }

    fn media_of_node(&mut self, node: &Entity) -> Result<(), DbError> {
        let context = self.context;
        for media in context.read.media_of(node.id)? {
            if !may_view(context.read, context.actor, &media)? {
                continue;
            }
            let address = format!("{}{}", context.base, media.kind.path(media.id));
            for tid in media.references(&field_roles().media_use) {
                let used = context.read.shared_target(EntityKind::Term, tid)?;
                let uri = used.as_ref().and_then(|used| used.uri.as_ref());
                if !uri.is_some_and(|uri| uri.starts_with(&model_roles().media_use_namespace)) {
                    continue;
                }
                // A use that the viewer may not see hides its name and not the media.
                match context.target(EntityKind::Term, tid) {
                    Some(used) => self.lines.push(line(&address, "related", &used.label)),
                    None => self.add(&media.kind.path(media.id), "related"),
                }
            }
        }
        Ok(())
    }

    fn alternates(&mut self, entity: &Entity, format: Format, formats: &[String]) {
        let path = entity.kind.path(entity.id);
        let base = self.context.base;
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
        let actor = self.context.actor;
        let subject = self.context.read.subject(actor, media)?;
        if may(actor, Operation::ReplaceBytes, &subject).is_ok() {
            let path = format!("{}/source", media.kind.path(media.id));
            self.add(&path, "edit-media");
        }
        let fid = bundle
            .file_field()
            .and_then(|field| media.reference(&field.name));
        let Some(file) = fid
            .map(|fid| self.context.read.file(fid))
            .transpose()?
            .flatten()
        else {
            return Ok(());
        };
        if may_view_file(self.context.read, self.context.actor, &file)? {
            let base = self.context.base;
            let path = file_url::path_of(&file.uri);
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
            // The text of the line becomes that of the header, without a copy.
            if let Ok(value) = HeaderValue::from_maybe_shared(Bytes::from(line)) {
                headers.append(header::LINK, value);
            }
        }
    }
}

/// The links of an account.
pub fn of_account(base: &BaseUrl, uid: i64) -> HeaderMap {
    let path = EntityKind::User.path(uid);
    let links = [
        (path.clone(), "canonical".to_owned()),
        (format!("{path}/edit"), "edit-form".to_owned()),
        (format!("{path}/cancel"), format!("{RELATION}cancel-form")),
        ("/admin/people".to_owned(), "collection".to_owned()),
    ];
    let values = links.iter().filter_map(|(path, relation)| {
        let line = format!("<{}>; rel=\"{relation}\"", base.join(path));
        HeaderValue::from_str(&line).ok()
    });
    values.map(|value| (header::LINK, value)).collect()
}

fn line(address: &str, relation: &str, title: &str) -> String {
    let is_unfit = |c: char| c.is_control() || "<>\" ".contains(c);
    let address = match address.contains(is_unfit) {
        true => Cow::Owned(address.replace(is_unfit, "")),
        false => Cow::Borrowed(address),
    };
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
fn header_safe(text: &str) -> Cow<'_, str> {
    let is_safe = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
    if text.bytes().all(is_safe) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars().filter(|c| !c.is_control()) {
        if letter == '"' || letter == '\\' {
            safe.push('\\');
        }
        safe.push(if letter.is_ascii() { letter } else { '?' });
    }
    Cow::Owned(safe)
}
