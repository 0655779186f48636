//! Copies the facts of its source file to a media: name, size, MIME type, dimensions.

use serde_json::Value;

use isolario_db::{DbError, Write};
use isolario_model::content::entity::value_item;
use isolario_model::content::{Bundle, ContentModel, Entity, EntityKind, FileFacts, Target};
use isolario_model::fields::ReferenceLookup;
use isolario_model::policy::PermittedChange;

/// Copies the facts of the source file to the fields that the media type maps them to. Without `overwrite`, the name
/// and the values that are there stay.
pub fn fill_from_source(
    media: &mut Entity,
    bundle: &Bundle,
    references: &dyn ReferenceLookup,
    overwrite: bool,
) {
    let Some(target) = source_target(media, bundle, references) else {
        return;
    };
    if let Some(file) = &target.file {
        take_facts(media, bundle, &target.label, file, overwrite);
    }
    take_thumbnail(media, bundle);
}

fn source_target(
    media: &Entity,
    bundle: &Bundle,
    references: &dyn ReferenceLookup,
) -> Option<Target> {
    let field = bundle.file_field()?;
    references.target(EntityKind::File, media.reference(&field.name)?)
}

/// Copies facts of a file into the mapped fields of a media.
pub fn take_facts(
    media: &mut Entity,
    bundle: &Bundle,
    filename: &str,
    file: &FileFacts,
    overwrite: bool,
) {
    for (fact, field) in &bundle.field_map {
        let value = match fact.as_str() {
            "name" if overwrite => Value::from(filename),
            "mimetype" => Value::from(file.mime.as_str()),
            "filesize" => Value::from(file.size),
            "width" => file.width.map_or(Value::Null, Value::from),
            "height" => file.height.map_or(Value::Null, Value::from),
            _ => continue,
        };
        if !overwrite && !media.items(field).is_empty() {
            continue;
        }
        let items = if value.is_null() {
            Vec::new()
        } else {
            vec![value_item(value)]
        };
        media.set(field, items);
    }
}

/// Makes the picture of an image media its thumbnail, until another file replaces it.
pub fn take_thumbnail(media: &mut Entity, bundle: &Bundle) {
    let source = bundle
        .file_field()
        .filter(|field| field.field_type == "image");
    if let Some(field) = source {
        let items = media.items(&field.name).to_vec();
        media.set("thumbnail", items);
    }
}

/// The alternative text of a picture: of the picture that is the file of the media. `None` where there is none, or an
/// empty one.
pub fn alternative_text(model: &ContentModel, media: &Entity) -> Option<String> {
    let field = picture_field(model, media)?;
    let text = media.items(&field).first()?.get("alt")?.as_str()?;
    (!text.is_empty()).then(|| text.to_owned())
}

/// Sets the alternative text of the picture of a media, if it has a picture.
pub fn set_alternative_text(model: &ContentModel, media: &mut Entity, text: &str) {
    let Some(field) = picture_field(model, media) else {
        return;
    };
    let mut items = media.items(&field).to_vec();
    if let Some(item) = items.first_mut() {
        item.insert("alt".into(), text.into());
    }
    media.set("thumbnail", items.clone());
    media.set(&field, items);
}

fn picture_field(model: &ContentModel, media: &Entity) -> Option<String> {
    let bundle = model.bundle(EntityKind::Media, &media.bundle)?;
    let field = bundle
        .file_field()
        .filter(|field| field.field_type == "image");
    Some(field?.name.clone())
}

/// Marks the files of a resource as permanent.
pub fn claim_files<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedChange<'t>,
    model: &ContentModel,
    entity: &Entity,
) -> Result<(), DbError> {
    let mut files = files_of(model, entity).into_iter();
    files.try_for_each(|fid| write.set_file_permanent(permitted, fid))
}

/// The ids of the files in a resource's fields.
pub fn files_of(model: &ContentModel, entity: &Entity) -> Vec<i64> {
    let bundle = model.bundle(entity.kind, &entity.bundle);
    let fields = bundle.iter().flat_map(|bundle| &bundle.fields);
    fields
        .filter(|definition| definition.target_kind() == Some(EntityKind::File))
        .flat_map(|definition| entity.references(&definition.name))
        .collect()
}
