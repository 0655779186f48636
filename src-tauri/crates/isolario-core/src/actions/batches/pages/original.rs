//! The original file of an item that may have pages, and who may make these into items.

use serde_json::{Map, Value};

use super::super::super::Refusal;
use super::super::super::derivative_jobs::original_of;
use super::super::super::view_entity::may_view;
use isolario_db::{DbError, Read};
use isolario_derive::has_pages;
use isolario_model::content::{
    ContentModel, Entity, EntityKind, FileRecord, TermRole, field_roles, model_roles,
};
use isolario_model::policy::permission::may_create;
use isolario_model::policy::{Actor, Operation, may};

/// Pages of one file that become items.
pub const MOST_PAGES: i64 = 5_000;
/// Models of items that have pages. An item of another model becomes Paged Content.
const HAVE_PAGES: [TermRole; 2] = [TermRole::Paged, TermRole::Issue];

/// An item with the file whose pages become items.
#[derive(Debug, Clone)]
pub struct PagedOriginal {
    pub item: Entity,
    /// Whether it needs another model to have pages.
    pub needs_model: bool,
    /// The media with the original file.
    pub media: Entity,
    pub file: FileRecord,
    /// MIME type of the bytes.
    pub mime: String,
}

impl PagedOriginal {
    /// The original of an item, if it is of a format that has pages and the actor may view it.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn of(
        read: &Read<'_>,
        model: &ContentModel,
        actor: &Actor,
        item: &Entity,
    ) -> Result<Option<PagedOriginal>, DbError> {
        let role = model_role(read, item)?;
        for media in read.media_of(item.id)? {
            let Some(original) = original_of(read, model, &media)? else {
                continue;
            };
            let file = original.file;
            let mime = mime_of(read, &file)?;
            if has_pages(&mime) && may_view(read, actor, &media)? {
                return Ok(Some(PagedOriginal {
                    item: item.clone(),
                    needs_model: role.is_none_or(|role| !HAVE_PAGES.contains(&role)),
                    media,
                    file,
                    mime,
                }));
            }
        }
        Ok(None)
    }

    /// Whether a page of it becomes a file that is cut out of it. Otherwise it is drawn.
    pub fn is_cut(&self) -> bool {
        self.mime != "application/pdf"
    }

    /// The media type of the file of a page.
    pub fn page_media_type(&self) -> &str {
        match self.is_cut() {
            true => &self.media.bundle,
            false => "image",
        }
    }

    /// How many pages it has, where that is known.
    ///
    /// # Errors
    /// What the database refuses.
    pub fn pages(&self, read: &Read<'_>) -> Result<Option<i64>, DbError> {
        let facts = read.file_facts(self.file.fid, self.file.version)?;
        Ok(facts.as_ref().and_then(pages_in))
    }
}

/// How many pages a file says it has.
pub fn pages_in(facts: &Map<String, Value>) -> Option<i64> {
    facts.get("pages")?.as_i64()
}

/// The MIME type that was declared, or the one that was found where none was.
fn mime_of(read: &Read<'_>, file: &FileRecord) -> Result<String, DbError> {
    let declared = file.mime.essence().to_ascii_lowercase();
    if declared != "application/octet-stream" {
        return Ok(declared);
    }
    let facts = read.file_facts(file.fid, file.version)?;
    let found = facts.as_ref().and_then(|facts| facts.get("mime")?.as_str());
    Ok(found.map_or(declared, str::to_owned))
}

/// Permits the pages of an item's original: to who may create items like it and give them files, and change the item
/// where it gets another model.
///
/// # Errors
/// `Missing` for an item that the actor may not view; `Denied`; `Invalid` for an item or a file that can have no pages.
pub fn admit(
    read: &Read<'_>,
    model: &ContentModel,
    actor: &Actor,
    nid: i64,
) -> Result<PagedOriginal, Refusal> {
    let item = match read.entity(EntityKind::Node, nid)? {
        Some(item) if may_view(read, actor, &item)? => item,
        _ => return Err(Refusal::Missing(format!("There is no item {nid}."))),
    };
    let subject = read.subject(actor, &item)?;
    may_create(actor, EntityKind::Node, &item.bundle, &subject.collections)?;
    let fields = [&field_roles().member_of, &field_roles().model];
    let bundle = model.bundle(EntityKind::Node, &item.bundle);
    if bundle.is_none_or(|bundle| fields.iter().any(|field| bundle.field(field).is_none())) {
        return Err(Refusal::Invalid(format!(
            "Items of the type {} have no pages.",
            item.bundle
        )));
    }
    if model_role(read, &item)? == Some(TermRole::Collection) {
        return Err(Refusal::Invalid("A collection has no pages.".into()));
    }
    let original = PagedOriginal::of(read, model, actor, &item)?.ok_or_else(|| {
        Refusal::Invalid("The item has no TIFF or PDF as its original file.".into())
    })?;
    may_create(
        actor,
        EntityKind::Media,
        original.page_media_type(),
        &subject.collections,
    )?;
    if original.needs_model {
        may(actor, Operation::Update, &subject)?;
    }
    Ok(original)
}

/// What the model of an item means to the program.
fn model_role(read: &Read<'_>, item: &Entity) -> Result<Option<TermRole>, DbError> {
    let Some(model) = item.reference(&field_roles().model) else {
        return Ok(None);
    };
    let uri = read.external_uri(model)?;
    Ok(uri.and_then(|uri| model_roles().role_of(&uri)))
}

/// Refuses a number of pages that do not become items.
///
/// # Errors
/// `Invalid`.
pub fn refuse_number(pages: i64) -> Result<(), Refusal> {
    match pages {
        ..=1 => Err(Refusal::Invalid("The file has one page only.".into())),
        2..=MOST_PAGES => Ok(()),
        _ => Err(Refusal::Invalid(format!(
            "The file has {pages} pages; at most {MOST_PAGES} become items."
        ))),
    }
}
