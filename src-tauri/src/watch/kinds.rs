//! What a file becomes by its name: media type, MIME type and model. The same answers as those of the
//! window's drop (`ui/src/media_types`).

use crate::content::{ContentModel, EntityKind};

use super::names::extension;

/// URI of the model of collections.
pub const COLLECTION: &str = "http://purl.org/dc/dcmitype/Collection";
/// URI of the model of objects whose parts are pages.
pub const PAGED: &str = "https://schema.org/Book";
/// URI of the model of pages.
pub const PAGE: &str = "http://id.loc.gov/ontologies/bibframe/part";
/// URI of the model of objects with parts of different kinds.
pub const COMPOUND: &str = "http://vocab.getty.edu/aat/300242735";

const IMAGE: &str = "http://purl.org/coar/resource_type/c_c513";
const BINARY: &str = "http://purl.org/coar/resource_type/c_1843";

/// Media types in the order in which they are asked whether they take a file, each with the URI of its model.
const KINDS: [(&str, &str); 5] = [
    ("image", IMAGE),
    ("audio", "http://purl.org/coar/resource_type/c_18cc"),
    ("video", "http://purl.org/coar/resource_type/c_12ce"),
    ("document", "https://schema.org/DigitalDocument"),
    ("file", BINARY),
];

/// The MIME type that a name speaks of.
pub fn mime_of(name: &str) -> String {
    let guess = mime_guess::from_path(name).first();
    guess.map_or_else(
        || "application/octet-stream".into(),
        |mime| mime.essence_str().to_owned(),
    )
}

/// The media type that takes files of that name; `None` where none does.
pub fn media_type_of(model: &ContentModel, name: &str) -> Option<&'static str> {
    let kinds = KINDS.iter().map(|(media_type, _)| *media_type);
    kinds
        .into_iter()
        .find(|media_type| takes(model, media_type, name))
}

/// Whether a media type takes files of that name.
pub fn takes(model: &ContentModel, media_type: &str, name: &str) -> bool {
    let bundle = model.bundle(EntityKind::Media, media_type);
    let field = bundle.and_then(|bundle| bundle.file_field());
    field.is_some_and(|field| field.file_extensions.contains(&extension(name)))
}

/// URI of the model of an item made of such a file. A picture kept as a plain file is still a picture.
pub fn model_of(media_type: &str, mime: &str) -> &'static str {
    if media_type == "file" && mime.starts_with("image/") {
        return IMAGE;
    }
    let found = KINDS.iter().find(|(name, _)| *name == media_type);
    found.map_or(BINARY, |(_, uri)| uri)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::seed;

    #[test]
    fn files_become_what_the_window_makes_of_them() {
        let model = seed::content_model().unwrap();
        for (name, media_type, mime, uri) in [
            ("scan.JPG", "image", "image/jpeg", IMAGE),
            ("scan.tif", "file", "image/tiff", IMAGE),
            (
                "letter.pdf",
                "document",
                "application/pdf",
                "https://schema.org/DigitalDocument",
            ),
            ("box.zip", "file", "application/zip", BINARY),
        ] {
            let found = media_type_of(&model, name).unwrap();
            assert_eq!(
                (found, mime_of(name).as_str()),
                (media_type, mime),
                "{name}"
            );
            assert_eq!(model_of(found, mime), uri, "{name}");
        }
        assert_eq!(media_type_of(&model, "setup.exe"), None);
        assert_eq!(media_type_of(&model, "README"), None);
    }
}
