//! Selects the media type, MIME type and model of a file by its name. A drop in the window selects the same, because it
//! reads the same kinds of file.

use isolario_model::content::file::extension_of;
use isolario_model::content::file_name::extension;
use isolario_model::content::{ContentModel, EntityKind, TermRole, model_roles, uri_of};

/// The MIME type of the extension of a name.
pub fn mime_of(name: &str) -> String {
    let extension = extension(name);
    let mut kinds = model_roles().file_kinds.iter();
    if let Some(mime) = kinds.find_map(|kind| kind.mime_types.get(&extension)) {
        return mime.clone();
    }
    let guess = mime_guess::from_path(name).first();
    guess.map_or_else(
        || "application/octet-stream".into(),
        |mime| mime.essence_str().to_owned(),
    )
}

/// The media type that takes files of that name; `None` where none does.
pub fn media_type_of(model: &ContentModel, name: &str) -> Option<&'static str> {
    let mut kinds = model_roles().file_kinds.iter();
    kinds
        .find(|kind| takes(model, &kind.media_type, name))
        .map(|kind| kind.media_type.as_str())
}

/// Whether a media type takes files of that name.
pub fn takes(model: &ContentModel, media_type: &str, name: &str) -> bool {
    let bundle = model.bundle(EntityKind::Media, media_type);
    let field = bundle.and_then(|bundle| bundle.file_field());
    field.is_some_and(|field| field.takes_extension(extension_of(name).as_deref()))
}

/// URI of the model of an item made of such a file.
pub fn model_of(media_type: &str, mime: &str) -> &'static str {
    let mut kinds = model_roles().file_kinds.iter();
    let found = kinds.find(|kind| kind.media_type == media_type);
    uri_of(found.map_or(TermRole::Binary, |kind| kind.model_of(mime)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isolario_model::content::seed;

    #[test]
    fn files_become_what_the_window_makes_of_them() {
        let model = seed::content_model().unwrap();
        const IMAGE: &str = "http://purl.org/coar/resource_type/c_c513";
        const BINARY: &str = "http://purl.org/coar/resource_type/c_1843";
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

    #[test]
    fn any_file_becomes_something_unless_only_the_lists_hold() {
        let mut model = seed::content_model().unwrap();
        model.take_any_file();
        for (name, media_type, mime) in [
            ("scan.JPG", "image", "image/jpeg"),
            ("letter.pdf", "document", "application/pdf"),
            ("table.csv", "file", "text/csv"),
            ("letter.eml", "file", "message/rfc822"),
            ("notes.md", "file", "text/markdown"),
            ("page.html", "file", "text/html"),
            ("data.json", "file", "application/json"),
            ("photo.HEIC", "file", "image/heic"),
            ("photo.nef", "file", "image/x-nikon-nef"),
            ("bell.flac", "file", "audio/flac"),
            ("setup.zzz", "file", "application/octet-stream"),
            ("README", "file", "application/octet-stream"),
        ] {
            assert_eq!(media_type_of(&model, name), Some(media_type), "{name}");
            assert_eq!(mime_of(name), mime, "{name}");
        }
        assert!(!takes(&model, "image", "README"));
        assert!(!takes(&model, "extracted_text", "table.csv"));
    }
}
