//! What an import changes in a resource that is here already: the fields that changed on the site, unless somebody has
//! changed them here.

use std::collections::BTreeMap;

use isolario_model::content::{Item, Values};

/// New values by field, and the fields in which both sides have changed.
#[derive(Debug, Default, PartialEq)]
pub struct Merge {
    pub changes: BTreeMap<String, Vec<Item>>,
    pub conflicts: Vec<String>,
}

/// The values that imports have set, by field. An import that changed other fields only says nothing of a field that
/// somebody had changed before.
pub fn imported_values(states: &[(Values, Values)]) -> Values {
    let mut imported = Values::new();
    for (before, after) in states {
        for name in before.keys().chain(after.keys()) {
            if before.get(name) != after.get(name) {
                imported.insert(name.clone(), after.get(name).cloned().unwrap_or_default());
            }
        }
    }
    imported
}

/// Compares the values of the site with those that are here and those that imports have set.
pub fn merge(site: &Values, here: &Values, imported: &Values) -> Merge {
    let mut merge = Merge::default();
    let of = |values: &Values, name: &String| values.get(name).cloned().unwrap_or_default();
    for (name, items) in site {
        let (current, base) = (of(here, name), of(imported, name));
        if *items == current || *items == base {
            continue;
        }
        if current == base {
            merge.changes.insert(name.clone(), items.clone());
        } else {
            merge.conflicts.push(name.clone());
        }
    }
    merge
}

#[cfg(test)]
mod tests {
    use super::*;
    use isolario_model::content::entity::value_item;

    fn values(fields: &[(&str, &str)]) -> Values {
        let fields = fields.iter();
        fields
            .map(|(name, value)| ((*name).to_owned(), vec![value_item(*value)]))
            .collect()
    }

    #[test]
    fn what_changed_on_the_site_alone_is_taken() {
        let first = values(&[("a", "1"), ("b", "1")]);
        let imported = imported_values(&[(Values::new(), first.clone())]);
        assert_eq!(merge(&first, &first, &imported), Merge::default());
        let site = values(&[("a", "1"), ("b", "2")]);
        let taken = merge(&site, &first, &imported);
        assert_eq!(taken.changes.keys().collect::<Vec<_>>(), ["b"]);
        let both = merge(&site, &values(&[("a", "1"), ("b", "3")]), &imported);
        assert_eq!(both.conflicts, ["b"]);
    }

    #[test]
    fn a_change_here_outlives_imports_of_other_fields() {
        let first = values(&[("a", "1"), ("b", "1")]);
        let here = values(&[("a", "mine"), ("b", "1")]);
        let second = values(&[("a", "mine"), ("b", "2")]);
        let states = [(Values::new(), first), (here, second.clone())];
        let imported = imported_values(&states);
        let site = values(&[("a", "1"), ("b", "2")]);
        assert_eq!(merge(&site, &second, &imported), Merge::default());
        let emptied = Values::from([("a".to_owned(), Vec::new())]);
        assert_eq!(merge(&emptied, &second, &imported).conflicts, ["a"]);
    }
}
