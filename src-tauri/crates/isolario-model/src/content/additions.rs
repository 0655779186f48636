//! What the content model of a repository lacks of the program's. Additions change nothing that is there, and each part
//! is given once: what people take away stays away.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Bundle, ContentModel, FieldDefinition};

/// Parts that the repository has received, by names such as `node.page.body`.
struct GivenParts(BTreeSet<String>);

impl GivenParts {
    /// Notes a part. Returns whether it was not given before.
    fn note(&mut self, part: &str) -> bool {
        self.0.insert(part.to_owned())
    }
}

impl ContentModel {
    /// Adds bundles, fields, choices, relators and prefixes that the program's model has, this one lacks, and never had.
    pub fn add_missing(&mut self, shipped: &ContentModel) {
        let mut given = GivenParts(self.given_parts.take().unwrap_or_default());
        for bundle in &shipped.bundles {
            let same = |mine: &&mut Arc<Bundle>| (mine.kind, &mine.id) == (bundle.kind, &bundle.id);
            let part = format!("{}.{}", bundle.kind.target_type(), bundle.id);
            let is_new = given.note(&part);
            if is_new && self.bundle(bundle.kind, &bundle.id).is_none() {
                self.bundles.push(bundle.clone());
            }
            if let Some(mine) = self.bundles.iter_mut().find(same) {
                Arc::make_mut(mine).add_missing(bundle, &part, &mut given);
            }
        }
        let relators = (&mut self.relators, &shipped.relators);
        add_entries(relators, "relator", &mut given);
        let namespaces = (&mut self.namespaces, &shipped.namespaces);
        add_entries(namespaces, "namespace", &mut given);
        self.given_parts = Some(given.0);
    }
}

impl Bundle {
    fn add_missing(&mut self, shipped: &Bundle, part: &str, given: &mut GivenParts) {
        let mut next = 0;
        for field in &shipped.fields {
            let part = format!("{part}.{}", field.name);
            let is_new = given.note(&part);
            let mut place = self.fields.iter().position(|mine| mine.name == field.name);
            if place.is_none() && is_new {
                // A new field stands in the form where it stands in that of the program.
                self.fields.insert(next, field.clone());
                place = Some(next);
            }
            if let Some(place) = place {
                self.fields[place].add_missing(field, &part, given);
                next = place + 1;
            }
        }
        let facts = (&mut self.field_map, &shipped.field_map);
        add_entries(facts, &format!("{part} fact"), given);
    }
}

impl FieldDefinition {
    fn add_missing(&mut self, shipped: &FieldDefinition, part: &str, given: &mut GivenParts) {
        if shipped.value_label.is_some()
            && given.note(&format!("{part} value_label"))
            && self.value_label.is_none()
            && self.label == shipped.label
        {
            self.value_label.clone_from(&shipped.value_label);
        }
        if shipped.facet.is_some() && given.note(&format!("{part} facet")) && self.facet.is_none() {
            self.facet.clone_from(&shipped.facet);
        }
        let targets = (&mut self.target_bundles, shipped.target_bundles.as_slice());
        add_names(targets, &format!("{part} target"), given);
        let extensions = (
            &mut self.file_extensions,
            shipped.file_extensions.as_slice(),
        );
        add_names(extensions, &format!("{part} extension"), given);
        for choice in &shipped.allowed_values {
            let is_new = given.note(&format!("{part} choice {}", choice.value));
            let mut mine = self.allowed_values.iter();
            if is_new && !mine.any(|mine| mine.value == choice.value) {
                self.allowed_values.push(choice.clone());
            }
        }
        let sources = (&mut self.authority_sources, &shipped.authority_sources);
        add_entries(sources, &format!("{part} source"), given);
    }
}

/// An empty list allows any name, so nothing is added to it.
fn add_names((mine, shipped): (&mut Vec<String>, &[String]), part: &str, given: &mut GivenParts) {
    let allows_any = mine.is_empty();
    for name in shipped {
        let is_new = given.note(&format!("{part} {name}"));
        if is_new && !allows_any && !mine.contains(name) {
            mine.push(name.clone());
        }
    }
}

fn add_entries(
    (mine, shipped): (&mut BTreeMap<String, String>, &BTreeMap<String, String>),
    part: &str,
    given: &mut GivenParts,
) {
    for (key, value) in shipped {
        if given.note(&format!("{part} {key}")) && !mine.contains_key(key) {
            mine.insert(key.clone(), value.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::content::{Bundle, ContentModel, EntityKind, FieldDefinition};
    use std::sync::Arc;

    fn field(name: &str) -> FieldDefinition {
        FieldDefinition {
            name: name.into(),
            label: name.into(),
            ..FieldDefinition::default()
        }
    }

    fn model(fields: Vec<FieldDefinition>) -> ContentModel {
        let mut bundle = Bundle::unknown(EntityKind::Node, "item");
        Arc::make_mut(&mut bundle).fields = fields;
        ContentModel {
            bundles: vec![bundle],
            ..ContentModel::default()
        }
    }

    #[test]
    fn additions_come_to_their_places_and_change_nothing() {
        let mut named = field("b");
        named.label = "Named by somebody".into();
        named.target_bundles = vec!["person".into()];
        let mut mine = model(vec![field("own"), named.clone()]);
        let mut wider = field("b");
        wider.target_bundles = vec!["person".into(), "family".into()];
        wider.required = true;
        wider.facet = Some("subject".into());
        let mut shipped = model(vec![field("a"), wider, field("c")]);
        shipped
            .relators
            .insert("relators:aut".into(), "Author".into());
        shipped
            .bundles
            .push(Bundle::unknown(EntityKind::Term, "places"));

        mine.add_missing(&shipped);
        let item = mine.bundle(EntityKind::Node, "item").expect("items");
        let names: Vec<_> = item.fields.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["a", "own", "b", "c"]);
        let known = item.field("b").expect("a field");
        assert_eq!(known.label, named.label);
        assert!(!known.required);
        assert_eq!(known.facet.as_deref(), Some("subject"));
        assert_eq!(known.target_bundles, ["person", "family"]);
        assert!(mine.bundle(EntityKind::Term, "places").is_some());
        assert_eq!(mine.relators["relators:aut"], "Author");

        let before = mine.clone();
        mine.add_missing(&shipped);
        assert_eq!(mine, before);
    }

    #[test]
    fn what_people_took_away_is_not_given_again() {
        let mut narrow = field("b");
        narrow.target_bundles = vec!["person".into(), "family".into()];
        let shipped = model(vec![field("a"), narrow]);
        let mut mine = shipped.clone();
        mine.add_missing(&shipped);
        let item = Arc::make_mut(&mut mine.bundles[0]);
        item.fields.remove(0);
        item.fields[0].target_bundles.pop();
        let before = mine.clone();
        mine.add_missing(&shipped);
        assert_eq!(mine, before);
    }
}
