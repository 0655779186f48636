//! The rules of a content model that people have changed.

use std::collections::{BTreeMap, BTreeSet};

use crate::content::base_fields::base_field;
use crate::content::facets::OWN_FACETS;
use crate::content::{Bundle, ContentModel, EntityKind, FieldDefinition, model_roles};
use crate::fields::{Violation, ViolationCode, is_uri};

/// Types that a new field may have. The others belong to base fields and to the files of media types.
const NEW_TYPES: [&str; 15] = [
    "authority_link",
    "boolean",
    "edtf",
    "entity_reference",
    "file",
    "geolocation",
    "image",
    "integer",
    "link",
    "list_string",
    "string",
    "string_long",
    "text",
    "text_long",
    "typed_relation",
];

/// Most bundles of a model, and most fields of a bundle.
const MOST: usize = 500;
const LONGEST_NAME: usize = 32;
const LONGEST_LABEL: usize = 255;
/// Most characters of a string.
const LONGEST_STRING: usize = 10_000;
/// Most characters of a choice.
const LONGEST_CHOICE: usize = 255;

/// The rules that a changed model breaks. Violations name `kind.bundle` or `kind.bundle.field`.
pub fn broken_rules(stored: &ContentModel, changed: &ContentModel) -> Vec<Violation> {
    let mut rules = Rules {
        stored,
        changed,
        violations: Vec::new(),
    };
    rules.check_names();
    for bundle in &changed.bundles {
        rules.check_bundle(bundle);
    }
    rules.check_shared_fields();
    rules.check_facets();
    rules.check_kept();
    rules.violations
}

struct Rules<'m> {
    stored: &'m ContentModel,
    changed: &'m ContentModel,
    violations: Vec<Violation>,
}

impl Rules<'_> {
    fn refuse(&mut self, place: &str, code: ViolationCode, message: impl Into<String>) {
        let violation = Violation::of_field(place, code, message);
        self.violations.push(violation);
    }

    fn check_names(&mut self) {
        if self.changed.bundles.len() > MOST {
            let words = format!("There may be at most {MOST} types and vocabularies.");
            self.refuse("bundles", ViolationCode::TooManyValues, words);
        }
        let mut seen = BTreeSet::new();
        for bundle in &self.changed.bundles {
            let place = place_of(bundle);
            if !matches!(
                bundle.kind,
                EntityKind::Node | EntityKind::Media | EntityKind::Term
            ) {
                let words = "Only items, media and terms have types.";
                self.refuse(&place, ViolationCode::NotAChoice, words);
            }
            if !is_machine_name(&bundle.id) {
                self.refuse(&place, ViolationCode::WrongSyntax, name_rule(&bundle.id));
            }
            if !seen.insert((bundle.kind, &bundle.id)) {
                let words = format!("There are two with the name {}.", bundle.id);
                self.refuse(&place, ViolationCode::NotUnique, words);
            }
        }
        for (prefix, namespace) in &self.changed.namespaces {
            if !is_uri(namespace) {
                let words = format!("The prefix {prefix} needs an absolute address.");
                self.refuse("namespaces", ViolationCode::NotAUri, words);
            }
        }
    }

    fn check_bundle(&mut self, bundle: &Bundle) {
        let place = place_of(bundle);
        self.check_label(&place, &bundle.label);
        if bundle.fields.len() > MOST {
            let words = format!("There may be at most {MOST} fields.");
            self.refuse(&place, ViolationCode::TooManyValues, words);
        }
        let stored = self.stored.bundle(bundle.kind, &bundle.id);
        let mut seen = BTreeSet::new();
        for field in &bundle.fields {
            let place = format!("{place}.{}", field.name);
            if !seen.insert(&field.name) {
                let words = format!("There are two fields with the name {}.", field.name);
                self.refuse(&place, ViolationCode::NotUnique, words);
            }
            match stored.and_then(|stored| stored.known_field(&field.name)) {
                Some(known) if known == field => continue,
                Some(known) => self.check_same_storage(&place, known, field),
                None => self.check_new_field(&place, bundle.kind, field),
            }
            self.check_field(&place, field);
        }
        if bundle.kind == EntityKind::Media {
            self.check_source(&place, stored.map(|stored| &**stored), bundle);
        }
    }

    fn check_label(&mut self, place: &str, label: &str) {
        if label.trim().is_empty() {
            self.refuse(place, ViolationCode::Required, "A label is needed.");
        } else if label.chars().count() > LONGEST_LABEL {
            let words = format!("A label may have at most {LONGEST_LABEL} characters.");
            self.refuse(place, ViolationCode::TooLong, words);
        }
    }

    /// Values are stored by the type of their field, so it stays.
    fn check_same_storage(
        &mut self,
        place: &str,
        known: &FieldDefinition,
        field: &FieldDefinition,
    ) {
        if known.field_type != field.field_type || known.target_type != field.target_type {
            let words = format!(
                "The type of a field cannot be changed: {} was {}. Add a field with another name.",
                field.name, known.field_type
            );
            self.refuse(place, ViolationCode::NotPermitted, words);
        }
    }

    fn check_new_field(&mut self, place: &str, kind: EntityKind, field: &FieldDefinition) {
        if !is_machine_name(&field.name) || !field.name.starts_with("field_") {
            let words = format!("{} It begins with field_.", name_rule(&field.name));
            self.refuse(place, ViolationCode::WrongSyntax, words);
        }
        if base_field(kind, &field.name).is_some() {
            let words = format!("{} is a field of the program.", field.name);
            self.refuse(place, ViolationCode::NotUnique, words);
        }
        if !NEW_TYPES.contains(&field.field_type.as_str()) {
            let words = format!("{:?} is no type of new fields.", field.field_type);
            self.refuse(place, ViolationCode::NotAChoice, words);
        }
    }

    fn check_field(&mut self, place: &str, field: &FieldDefinition) {
        self.check_label(place, &field.label);
        if field.cardinality < -1 {
            let words = "The number of values is 1 or more, or -1 for any number.";
            self.refuse(place, ViolationCode::OutOfRange, words);
        }
        if field
            .max_length
            .is_some_and(|length| length == 0 || length > LONGEST_STRING)
        {
            let words = format!("The length is between 1 and {LONGEST_STRING} characters.");
            self.refuse(place, ViolationCode::OutOfRange, words);
        }
        self.check_targets(place, field);
        self.check_choices(place, field);
        for predicate in &field.predicates {
            let iri = self.changed.expand(predicate);
            if !is_uri(&iri) || iri == *predicate && !predicate.contains("://") {
                let words = format!("{predicate:?} is no RDF property: its prefix is not known.");
                self.refuse(place, ViolationCode::NotAUri, words);
            }
        }
        let too_long = |text: &Option<String>| {
            text.as_ref()
                .is_some_and(|text| text.chars().count() > 10 * LONGEST_LABEL)
        };
        if too_long(&field.description) || too_long(&field.group) {
            self.refuse(place, ViolationCode::TooLong, "A text is too long.");
        }
    }

    fn check_targets(&mut self, place: &str, field: &FieldDefinition) {
        let refers = matches!(
            field.field_type.as_str(),
            "entity_reference" | "typed_relation"
        );
        if refers && field.target_kind().is_none() {
            let words = "A reference says what it refers to: node or taxonomy_term.";
            self.refuse(place, ViolationCode::Required, words);
        }
        let Some(kind) = field.target_kind() else {
            return;
        };
        let has_bundles = matches!(
            kind,
            EntityKind::Node | EntityKind::Media | EntityKind::Term
        );
        for bundle in field.target_bundles.iter().filter(|_| has_bundles) {
            if self.changed.bundle(kind, bundle).is_none() {
                let words = format!("There is no {bundle} to refer to.");
                self.refuse(place, ViolationCode::UnknownReference, words);
            }
        }
    }

    fn check_choices(&mut self, place: &str, field: &FieldDefinition) {
        let mut seen = BTreeSet::new();
        for choice in &field.allowed_values {
            let length = choice.value.chars().count();
            if length == 0 || length > LONGEST_CHOICE || choice.label.trim().is_empty() {
                let words = "A choice has a value and a label.";
                self.refuse(place, ViolationCode::Required, words);
            }
            if !seen.insert(&choice.value) {
                let words = format!("The choice {:?} is there twice.", choice.value);
                self.refuse(place, ViolationCode::NotUnique, words);
            }
        }
        if field.field_type == "list_string" && field.allowed_values.is_empty() {
            let words = "A field with choices needs at least one.";
            self.refuse(place, ViolationCode::Required, words);
        }
        if field.field_type == "authority_link" && field.authority_sources.is_empty() {
            let words = "A field with authority links needs at least one source.";
            self.refuse(place, ViolationCode::Required, words);
        }
    }

    fn check_source(&mut self, place: &str, stored: Option<&Bundle>, bundle: &Bundle) {
        if let Some(stored) = stored {
            if (&stored.source, &stored.source_field) != (&bundle.source, &bundle.source_field)
                || stored.field_map != bundle.field_map
            {
                let words = "The source of a media type cannot be changed.";
                self.refuse(place, ViolationCode::NotPermitted, words);
            }
            return;
        }
        if bundle.file_field().is_none() {
            let words =
                "A media type needs a field for its file (source_field), of type file or image.";
            self.refuse(place, ViolationCode::Required, words);
        }
        for field in bundle.field_map.values() {
            if bundle.field(field).is_none() && base_field(bundle.kind, field).is_none() {
                let words = format!("There is no field {field} for a fact of the file.");
                self.refuse(place, ViolationCode::UnknownField, words);
            }
        }
    }

    /// A field that several bundles have is stored and configured once.
    fn check_shared_fields(&mut self) {
        let mut first: BTreeMap<(EntityKind, &str), &FieldDefinition> = BTreeMap::new();
        let mut broken = Vec::new();
        for bundle in &self.changed.bundles {
            for field in &bundle.fields {
                let shared = first.entry((bundle.kind, &field.name)).or_insert(field);
                let storage = |one: &FieldDefinition| {
                    (one.field_type.clone(), one.target_type.clone(), one.limit())
                };
                if storage(shared) != storage(field) {
                    broken.push((format!("{}.{}", place_of(bundle), field.name), &field.name));
                }
            }
        }
        for (place, name) in broken {
            let words = format!(
                "{name} has another type or another number of values elsewhere. Use another name."
            );
            self.refuse(&place, ViolationCode::NotUnique, words);
        }
    }

    /// The values of one facet are of one kind.
    fn check_facets(&mut self) {
        let stored = self.stored.bundles.iter().flat_map(|bundle| &bundle.fields);
        let facets =
            stored.filter_map(|field| Some((field.facet.as_deref()?, field.target_kind())));
        let mut kinds: BTreeMap<&str, Option<EntityKind>> = facets.collect();
        let mut broken = Vec::new();
        for bundle in &self.changed.bundles {
            for field in &bundle.fields {
                let Some(facet) = &field.facet else { continue };
                let place = format!("{}.{}", place_of(bundle), field.name);
                let kind = kinds.entry(facet).or_insert_with(|| field.target_kind());
                if *kind != field.target_kind() {
                    let words = format!("The facet {facet} has values of another kind elsewhere.");
                    broken.push((place, ViolationCode::NotUnique, words));
                } else if OWN_FACETS.contains(&facet.as_str()) {
                    let words = format!("The program itself makes a facet {facet}.");
                    broken.push((place, ViolationCode::NotUnique, words));
                } else if !is_machine_name(facet) {
                    broken.push((place, ViolationCode::WrongSyntax, name_rule(facet)));
                }
            }
        }
        for (place, code, words) in broken {
            self.refuse(&place, code, words);
        }
    }

    /// What the program itself works with stays.
    fn check_kept(&mut self) {
        let roles = model_roles();
        let bundles = [&roles.bundles.models, &roles.bundles.media_uses];
        for stored in &self.stored.bundles {
            let needed = match stored.kind {
                EntityKind::Node => stored.id == roles.bundles.item,
                EntityKind::Media => roles
                    .file_kinds
                    .iter()
                    .any(|one| one.media_type == stored.id),
                _ => bundles.contains(&&stored.id),
            };
            match self.changed.bundle(stored.kind, &stored.id) {
                None if needed => {
                    let words = format!("The program needs {}.", stored.label);
                    self.refuse(&place_of(stored), ViolationCode::NotPermitted, words);
                }
                None => {}
                Some(changed) => self.check_kept_fields(stored, &changed.clone()),
            }
        }
    }

    fn check_kept_fields(&mut self, stored: &Bundle, changed: &Bundle) {
        let roles = &model_roles().fields;
        let needed = [
            &roles.model,
            &roles.member_of,
            &roles.weight,
            &roles.media_of,
            &roles.media_use,
            &roles.external_uri,
        ];
        for field in &stored.fields {
            let is_needed = needed.contains(&&field.name)
                || stored.source_field.as_ref() == Some(&field.name)
                || stored.field_map.values().any(|name| *name == field.name);
            if is_needed && changed.field(&field.name).is_none() {
                let place = format!("{}.{}", place_of(stored), field.name);
                let words = format!("The program needs the field {}.", field.label);
                self.refuse(&place, ViolationCode::NotPermitted, words);
            }
        }
    }
}

/// The name of a bundle among all.
fn place_of(bundle: &Bundle) -> String {
    format!("{}.{}", bundle.kind.target_type(), bundle.id)
}

fn is_machine_name(name: &str) -> bool {
    let mut letters = name.bytes();
    let may_follow =
        |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'_';
    name.len() <= LONGEST_NAME
        && letters
            .next()
            .is_some_and(|first| first.is_ascii_lowercase())
        && letters.all(may_follow)
}

fn name_rule(name: &str) -> String {
    format!(
        "{name:?} is no machine name: it has at most {LONGEST_NAME} small letters, digits and underscores, and begins with a letter."
    )
}
