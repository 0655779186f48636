//! Every role has what the program takes it for.

use super::*;
use crate::content::base_fields::base_field;
use crate::content::{ContentModel, EntityKind, seed};

const TERM_ROLES: [TermRole; 18] = [
    TermRole::Audio,
    TermRole::Binary,
    TermRole::Collection,
    TermRole::Compound,
    TermRole::Document,
    TermRole::Image,
    TermRole::Issue,
    TermRole::Newspaper,
    TermRole::Page,
    TermRole::Paged,
    TermRole::Video,
    TermRole::ExtractedText,
    TermRole::IntermediateFile,
    TermRole::OriginalFile,
    TermRole::PreservationMasterFile,
    TermRole::ServiceFile,
    TermRole::ThumbnailImage,
    TermRole::Transcript,
];

fn shipped() -> ContentModel {
    serde_json::from_str::<ModelRoles>(MODEL).expect("the roles can be read");
    seed::content_model().expect("a model")
}

#[test]
fn every_role_of_an_item_is_a_field_of_items() {
    let model = shipped();
    let fields = &field_roles();
    let item = model.bundle(EntityKind::Node, &model_roles().bundles.item);
    let item = item.expect("items");
    let of_items = [
        (&fields.model, "entity_reference"),
        (&fields.member_of, "entity_reference"),
        (&fields.weight, "integer"),
        (&fields.agents, "typed_relation"),
        (&fields.date, "edtf"),
        (&fields.date_created, "edtf"),
        (&fields.date_issued, "edtf"),
        (&fields.description, "string_long"),
        (&fields.subject, "entity_reference"),
        (&fields.publisher, "string"),
        (&fields.rights, "text_long"),
        (&fields.language, "entity_reference"),
        (&fields.identifier, "string"),
        (&fields.extent, "string"),
        (&fields.coordinates, "geolocation"),
        (&fields.access_terms, "entity_reference"),
    ];
    for (name, field_type) in of_items {
        let found: Vec<_> = item.fields.iter().filter(|one| one.name == *name).collect();
        assert_eq!(found.len(), 1, "{name}");
        assert_eq!(found[0].field_type, field_type, "{name}");
    }
    for name in fields.subjects.iter().chain(&fields.common) {
        let base = |kind| base_field(kind, name).is_some();
        let kinds = [EntityKind::Node, EntityKind::Media, EntityKind::Term];
        assert!(
            item.field(name).is_some() || kinds.into_iter().any(base),
            "{name}"
        );
    }
}

#[test]
fn every_media_type_with_a_file_has_its_roles_once() {
    let model = shipped();
    let fields = &field_roles();
    for bundle in model.bundles_of(EntityKind::Media) {
        if bundle.file_field().is_none() {
            continue;
        }
        for name in [&fields.media_of, &fields.media_use, &fields.access_terms] {
            let count = bundle.fields.iter().filter(|one| one.name == *name).count();
            assert_eq!(count, 1, "{name} of {}", bundle.id);
        }
    }
}

#[test]
fn terms_with_an_address_have_a_field_for_it() {
    let model = shipped();
    let fields = &field_roles();
    for term in seed::terms() {
        let bundle = model.bundle(EntityKind::Term, &term.vocabulary);
        let bundle = bundle.unwrap_or_else(|| panic!("no vocabulary {}", term.vocabulary));
        let has = |name: &String| bundle.field(name).is_some();
        assert!(
            term.uri.is_empty() || has(&fields.external_uri) || has(&fields.authority_link),
            "{}",
            term.name
        );
        assert!(term.code.is_empty() || has(&fields.code), "{}", term.name);
    }
}

#[test]
fn every_role_of_a_term_stands_once() {
    let model = shipped();
    let roles = model_roles();
    for role in TERM_ROLES {
        let all = roles.models.iter().chain(&roles.media_uses);
        let found: Vec<_> = all.filter(|term| term.role == Some(role)).collect();
        assert_eq!(found.len(), 1, "{role:?}");
        assert_eq!(roles.uri(role), found[0].uri);
        assert_eq!(roles.role_of(&found[0].uri), Some(role));
    }
    for name in [&roles.bundles.models, &roles.bundles.media_uses] {
        let bundle = model.bundle(EntityKind::Term, name).expect("a vocabulary");
        assert!(bundle.field(&roles.fields.external_uri).is_some(), "{name}");
    }
    let mut uses = roles.media_uses.iter();
    assert!(uses.all(|term| term.uri.starts_with(&roles.media_use_namespace)));
}

#[test]
fn every_kind_of_file_is_a_media_type_for_files() {
    let model = shipped();
    assert_eq!(model_roles().file_kinds.len(), 5);
    for kind in &model_roles().file_kinds {
        let bundle = model.bundle(EntityKind::Media, &kind.media_type);
        let field = bundle.and_then(|bundle| bundle.file_field().cloned());
        let field = field.unwrap_or_else(|| panic!("no files of {}", kind.media_type));
        for extension in kind.mime_types.keys() {
            let listed = field.file_extensions.contains(extension);
            assert!(listed || kind.any_extension, "{extension}");
        }
    }
    let last = model_roles().file_kinds.last();
    assert!(last.is_some_and(|kind| kind.any_extension));
}
