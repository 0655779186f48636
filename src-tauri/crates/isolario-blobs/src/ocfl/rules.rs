//! The rules for the inventory of a valid object (OCFL 1.1, section 3.5).

use std::collections::{BTreeMap, BTreeSet};

use super::inventory::{ALGORITHM, Inventory, TYPE, Version, VersionNumber};

/// The rules that an inventory breaks, as sentences.
pub(super) fn broken_rules(inventory: &Inventory) -> Vec<String> {
    let mut broken = Vec::new();
    if inventory.kind != TYPE {
        broken.push(format!("The type of its inventory is {}.", inventory.kind));
    }
    if inventory.digest_algorithm != ALGORITHM {
        broken.push(format!("Its digests are {}.", inventory.digest_algorithm));
    }
    numbering(inventory, &mut broken);
    manifest(inventory, &mut broken);
    for (number, version) in &inventory.versions {
        states(inventory, *number, version, &mut broken);
    }
    broken
}

/// Whether `later` has every version of `earlier` unchanged.
pub(super) fn continues(later: &Inventory, earlier: &Inventory) -> bool {
    let same = |(number, version)| later.versions.get(number) == Some(version);
    later.id == earlier.id && earlier.versions.iter().all(same)
}

/// Section 3.5.3: the versions are numbered from 1 to the head.
fn numbering(inventory: &Inventory, broken: &mut Vec<String>) {
    let mut expected = VersionNumber::FIRST;
    for number in inventory.versions.keys() {
        if *number != expected {
            broken.push(format!("{expected} is missing from its inventory."));
        }
        expected = number.next();
    }
    if inventory.versions.keys().last() != Some(&inventory.head) {
        broken.push(format!("Its head, {}, is not its last.", inventory.head));
    }
}

/// Section 3.5.2: content paths are unique and lie in the content of a version, digests are digests,
/// and every one is of some version.
fn manifest(inventory: &Inventory, broken: &mut Vec<String>) {
    let states = inventory.versions.values().map(|version| &version.state);
    let used: BTreeSet<&String> = states.flat_map(BTreeMap::keys).collect();
    let mut paths = BTreeSet::new();
    for (digest, content) in &inventory.manifest {
        let is_digest = digest.len() == 128 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_digest {
            broken.push(format!("\"{digest}\" is no SHA-512."));
        }
        if !used.contains(digest) {
            broken.push(format!("No version uses {digest}."));
        }
        if content.is_empty() {
            broken.push(format!("{digest} has no content."));
        }
        for path in content {
            if !lies_in_a_version(inventory, path) {
                broken.push(format!("\"{path}\" is no content path."));
            }
            if !paths.insert(path) {
                broken.push(format!("\"{path}\" has two digests."));
            }
        }
    }
}

fn lies_in_a_version(inventory: &Inventory, path: &str) -> bool {
    let Some((version, rest)) = path.split_once('/') else {
        return false;
    };
    let known =
        VersionNumber::parse(version).is_some_and(|found| inventory.versions.contains_key(&found));
    known && rest.strip_prefix("content/").is_some_and(is_relative)
}

/// Section 3.5.3.1: every digest of a state is in the manifest, and logical paths do not meet.
fn states(
    inventory: &Inventory,
    number: VersionNumber,
    version: &Version,
    broken: &mut Vec<String>,
) {
    if chrono::DateTime::parse_from_rfc3339(&version.created).is_err() {
        broken.push(format!(
            "{number} was created at \"{}\", which is no time.",
            version.created
        ));
    }
    if version.user.name.is_empty() {
        broken.push(format!("The user of {number} has no name."));
    }
    let mut paths = BTreeSet::new();
    for (digest, logical) in &version.state {
        if !inventory.manifest.contains_key(digest) {
            broken.push(format!(
                "The manifest has not {digest}, which {number} has."
            ));
        }
        for path in logical {
            if !is_relative(path) || !paths.insert(path) {
                broken.push(format!("\"{path}\" is no logical path in {number}."));
            }
        }
    }
    let below = |path: &&&String| {
        let above = path.match_indices('/').map(|(at, _)| path[..at].to_owned());
        above.into_iter().any(|above| paths.contains(&above))
    };
    for path in paths.iter().filter(below) {
        broken.push(format!("\"{path}\" of {number} lies below a file."));
    }
}

fn is_relative(path: &str) -> bool {
    path.split('/')
        .all(|segment| !["", ".", ".."].contains(&segment))
}

#[cfg(test)]
mod tests {
    use super::super::Signature;
    use super::super::inventory::Content;
    use super::*;

    /// Two versions with different bytes.
    fn inventory() -> Inventory {
        let signature = Signature {
            name: "admin".into(),
            address: None,
            message: "Stored".into(),
            at: 0,
        };
        let digests = ["a".repeat(128), "b".repeat(128)];
        let content = |at: usize| Content {
            sha512: &digests[at],
            path: "dir/a.txt",
            kept: None,
        };
        Inventory::first("urn:uuid:x".into(), content(0), &signature).next(content(1), &signature)
    }

    #[track_caller]
    fn broken_by(change: impl FnOnce(&mut Inventory), words: &str) {
        let mut inventory = inventory();
        change(&mut inventory);
        let broken = broken_rules(&inventory);
        assert!(broken.iter().any(|rule| rule.contains(words)), "{broken:?}");
    }

    fn second(inventory: &mut Inventory) -> &mut Version {
        let number = VersionNumber::FIRST.next();
        inventory.versions.get_mut(&number).unwrap()
    }

    #[test]
    fn what_we_write_keeps_every_rule() {
        assert_eq!(broken_rules(&inventory()), Vec::<String>::new());
    }

    #[test]
    fn every_rule_can_be_broken() {
        broken_by(|found| found.kind = "x".into(), "type");
        broken_by(|found| found.digest_algorithm = "md5".into(), "md5");
        broken_by(|found| found.head = VersionNumber::FIRST, "head");
        broken_by(
            |found| drop(found.versions.remove(&VersionNumber::FIRST)),
            "v1 is missing",
        );
        broken_by(
            |found| drop(found.versions.remove(&VersionNumber::FIRST)),
            "No version uses",
        );
        broken_by(
            |found| drop(found.manifest.remove(&"b".repeat(128))),
            "has not",
        );
        broken_by(
            |found| {
                drop(
                    found
                        .manifest
                        .insert("c".into(), vec!["v1/content/x".into()]),
                )
            },
            "no SHA-512",
        );
        for path in ["v1/content/../x", "v3/content/x", "v1/x", "content"] {
            broken_by(
                |found| drop(found.manifest.insert("c".into(), vec![path.into()])),
                "no content path",
            );
        }
        broken_by(
            |found| {
                let path = vec!["v1/content/a.txt".into()];
                drop(found.manifest.insert("c".into(), path));
            },
            "two digests",
        );
        broken_by(|found| second(found).created = "then".into(), "no time");
        broken_by(|found| second(found).user.name.clear(), "no name");
        for path in ["", "/a", "a//b", "dir/a.txt"] {
            let state = (("a").repeat(128), vec![path.to_owned()]);
            broken_by(
                |found| drop(second(found).state.insert(state.0, state.1)),
                "no logical path",
            );
        }
        broken_by(
            |found| {
                drop(
                    second(found)
                        .state
                        .insert("a".repeat(128), vec!["dir".into()]),
                )
            },
            "below a file",
        );
    }

    #[test]
    fn versions_stay_as_they_were() {
        let (earlier, mut later) = (inventory(), inventory());
        assert!(continues(&later, &earlier));
        second(&mut later).user.name = "other".into();
        assert!(!continues(&later, &earlier));
    }
}
