//! The paths of records: `node/000/012/12345.json`. A directory has at most a thousand files, also with a million
//! records.

use std::fmt::Write;
use std::path::PathBuf;

use aws_lc_rs::digest;

use isolario_model::content::EntityKind;

/// The subject of a record, as the database names it: `node/5`, `role/editor`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum RecordSubject {
    Numbered(EntityKind, i64),
    Role(String),
    ContentModel,
    Identity,
    SavedSearch(i64),
    Redirect(i64),
    /// The highest numbers ever given.
    Numbers,
}

impl RecordSubject {
    /// Reads the name of a subject in the database.
    pub(super) fn parse(name: &str) -> Option<RecordSubject> {
        let (kind, rest) = name.split_once('/')?;
        match kind {
            "role" => Some(RecordSubject::Role(rest.to_owned())),
            "content-model" => Some(RecordSubject::ContentModel),
            "identity" => Some(RecordSubject::Identity),
            "saved_search" => Some(RecordSubject::SavedSearch(rest.parse().ok()?)),
            "redirect" => Some(RecordSubject::Redirect(rest.parse().ok()?)),
            _ => {
                let kind = EntityKind::from_target_type(kind)?;
                Some(RecordSubject::Numbered(kind, rest.parse().ok()?))
            }
        }
    }

    /// The path of its record in the directory of the records.
    pub(super) fn path(&self) -> PathBuf {
        match self {
            RecordSubject::Numbered(kind, id) => numbered(kind.target_type(), *id),
            RecordSubject::SavedSearch(id) => numbered("saved_search", *id),
            RecordSubject::Redirect(id) => numbered("redirect", *id),
            RecordSubject::Role(name) => PathBuf::from(format!("role/{}.json", file_name(name))),
            RecordSubject::ContentModel => PathBuf::from("content-model.json"),
            RecordSubject::Identity => PathBuf::from("identity.json"),
            RecordSubject::Numbers => PathBuf::from("numbers.json"),
        }
    }
}

fn numbered(kind: &str, id: i64) -> PathBuf {
    let (millions, thousands) = (id / 1_000_000, id / 1_000 % 1_000);
    PathBuf::from(format!("{kind}/{millions:03}/{thousands:03}/{id}.json"))
}

/// The longest name of a file without its extension, bytes.
const LONGEST: usize = 240;

/// Encodes a name for every file system: letters and digits of all scripts stay, other characters become `%` and their
/// number. The record has the name itself.
fn file_name(name: &str) -> String {
    let mut safe = String::new();
    for character in name.chars() {
        match character {
            '-' | '_' => safe.push(character),
            _ if character.is_alphanumeric() => safe.push(character),
            // Writing to a string cannot fail.
            _ => drop(write!(safe, "%{:x}", u32::from(character))),
        }
    }
    match safe.len() > LONGEST {
        true => hex::encode(digest::digest(&digest::SHA256, name.as_bytes())),
        false => safe,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_lie_in_directories_of_a_thousand() {
        for (name, path) in [
            ("node/5", "node/000/000/5.json"),
            ("media/1999", "media/000/001/1999.json"),
            (
                "taxonomy_term/12345678",
                "taxonomy_term/012/345/12345678.json",
            ),
            ("role/../../x y", "role/%2e%2e%2f%2e%2e%2fx%20y.json"),
            ("content-model/1", "content-model.json"),
            ("identity/1", "identity.json"),
            ("saved_search/7", "saved_search/000/000/7.json"),
            ("redirect/7", "redirect/000/000/7.json"),
        ] {
            let subject = RecordSubject::parse(name).expect("a thing");
            assert_eq!(subject.path(), PathBuf::from(path));
        }
        assert_eq!(RecordSubject::parse("node/x"), None);
        assert_eq!(RecordSubject::parse("cat/1"), None);
    }

    #[test]
    fn the_longest_name_of_a_role_fits() {
        for character in ["a", "𐐀", "\u{1f5fa}"] {
            assert!(file_name(&character.repeat(60)).len() + ".json".len() <= 255);
        }
    }
}
