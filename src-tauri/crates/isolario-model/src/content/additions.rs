//! What the content model of a repository lacks of the program's. Additions change nothing that is there.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Bundle, ContentModel, FieldDefinition};

impl ContentModel {
    /// Adds bundles, fields, choices, relators and prefixes that the program's model has and this one lacks.
    pub fn add_missing(&mut self, shipped: &ContentModel) {
        for bundle in &shipped.bundles {
            let same = |mine: &&mut Arc<Bundle>| (mine.kind, &mine.id) == (bundle.kind, &bundle.id);
            match self.bundles.iter_mut().find(same) {
                Some(mine) => Arc::make_mut(mine).add_missing(bundle),
                None => self.bundles.push(bundle.clone()),
            }
        }
        add_entries(&mut self.relators, &shipped.relators);
        add_entries(&mut self.namespaces, &shipped.namespaces);
    }
}

impl Bundle {
    fn add_missing(&mut self, shipped: &Bundle) {
        let mut next = 0;
        for field in &shipped.fields {
            let place = self.fields.iter().position(|mine| mine.name == field.name);
            match place {
                Some(place) => self.fields[place].add_missing(field),
                None => self.fields.insert(next, field.clone()),
            }
            // A new field stands in the form where it stands in that of the program.
            next = place.unwrap_or(next) + 1;
        }
        add_entries(&mut self.field_map, &shipped.field_map);
    }
}

impl FieldDefinition {
    fn add_missing(&mut self, shipped: &FieldDefinition) {
        if self.value_label.is_none() && self.label == shipped.label {
            self.value_label.clone_from(&shipped.value_label);
        }
        if self.facet.is_none() {
            self.facet.clone_from(&shipped.facet);
        }
        add_names(&mut self.target_bundles, &shipped.target_bundles);
        add_names(&mut self.file_extensions, &shipped.file_extensions);
        for choice in &shipped.allowed_values {
            let mut mine = self.allowed_values.iter();
            if !mine.any(|mine| mine.value == choice.value) {
                self.allowed_values.push(choice.clone());
            }
        }
        add_entries(&mut self.authority_sources, &shipped.authority_sources);
    }
}

/// An empty list allows any name, so nothing is added to it.
fn add_names(mine: &mut Vec<String>, shipped: &[String]) {
    if mine.is_empty() {
        return;
    }
    for name in shipped {
        if !mine.contains(name) {
            mine.push(name.clone());
        }
    }
}

fn add_entries(mine: &mut BTreeMap<String, String>, shipped: &BTreeMap<String, String>) {
    for (key, value) in shipped {
        if !mine.contains_key(key) {
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
}
