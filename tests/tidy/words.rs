//! Names: one type for one name, and none of the words that the glossary replaces.

use std::collections::BTreeMap;

use super::rust_source::code;
use super::{assert_none, files, program};

const DEFINITIONS: [&str; 5] = ["struct ", "enum ", "trait ", "type ", "union "];

/// Participles and private words. GLOSSARY.md has the words that stand for them.
const NOT_IN_TYPE_NAMES: [&str; 24] = [
    "Asked",
    "Asker",
    "Around",
    "Berth",
    "Coloured",
    "Crowd",
    "Desk",
    "Door",
    "Flaw",
    "Foreseen",
    "Hurry",
    "Ink",
    "Kept",
    "Made",
    "Meter",
    "Room",
    "Seat",
    "Shelf",
    "Shown",
    "Slots",
    "Surroundings",
    "Told",
    "Wanted",
    "Wish",
];

/// The name of a type that a line of code defines, below no more than modifiers.
fn defined_type(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub").map_or(line, |rest| {
        rest.split_once(' ').map_or(rest, |(_, item)| item)
    });
    let name = DEFINITIONS
        .iter()
        .find_map(|definition| line.strip_prefix(definition))?;
    name.split(|letter: char| !letter.is_alphanumeric()).next()
}

/// The words of a name in CamelCase.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for letter in name.chars() {
        match words.last_mut() {
            Some(word) if !letter.is_uppercase() => word.push(letter),
            _ => words.push(letter.into()),
        }
    }
    words
}

/// Types by the crate and name, with the files that define them.
fn types() -> BTreeMap<(String, String), Vec<String>> {
    let mut types: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for file in program() {
        let package = file.path.split("/src/").next().unwrap_or_default();
        for name in code(&file.text).lines().filter_map(defined_type) {
            types
                .entry((package.to_owned(), name.to_owned()))
                .or_default()
                .push(file.path.clone());
        }
    }
    types
}

#[test]
fn no_name_is_two_types_of_a_crate() {
    // What Windows or others have instead of a type of the other systems has its name.
    let elsewhere = |path: &String| {
        !["/windows.rs", "/elsewhere.rs"]
            .iter()
            .any(|end| path.ends_with(end))
    };
    let types = types().into_iter().map(|(name, paths)| {
        let paths: Vec<String> = paths.into_iter().filter(elsewhere).collect();
        (name, paths)
    });
    let twice = types.filter(|(_, paths)| paths.len() > 1);
    let findings: Vec<String> = twice
        .map(|((_, name), paths)| format!("{name}: {}", paths.join(", ")))
        .collect();
    assert_none("types of the same name", &findings);
}

#[test]
fn no_type_is_named_by_a_word_that_the_glossary_replaces() {
    let unused = |name: &str| {
        words(name)
            .iter()
            .any(|word| NOT_IN_TYPE_NAMES.contains(&word.as_str()))
    };
    let rust = types().into_iter().map(|((_, name), paths)| (name, paths));
    let ui = files("ui/src", &["ts", "svelte"])
        .into_iter()
        .flat_map(|file| {
            let lines = file.text.lines().map(str::trim_start);
            let names = lines.filter_map(|line| {
                let line = line.strip_prefix("export ").unwrap_or(line);
                let name = ["interface ", "class ", "type "]
                    .iter()
                    .find_map(|definition| line.strip_prefix(definition))?;
                name.split(|letter: char| !letter.is_alphanumeric()).next()
            });
            let names: Vec<String> = names.map(str::to_owned).collect();
            names
                .into_iter()
                .map(move |name| (name, vec![file.path.clone()]))
        });
    let findings: Vec<String> = rust
        .chain(ui.collect::<Vec<_>>())
        .filter(|(name, _)| unused(name))
        .map(|(name, paths)| format!("{name}: {}", paths.join(", ")))
        .collect();
    assert_none("named by a word that is not used", &findings);
}
