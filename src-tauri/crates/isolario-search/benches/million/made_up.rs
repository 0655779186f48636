//! Items that nobody wrote.

use isolario_search::{FacetValue, LinkedKind, SearchDocument, Source, TITLE, Text};

use super::random::Random;

pub const VOCABULARY: u64 = 120_000;
pub const SUBJECTS: u64 = 6_000;

/// A word that can be spoken.
pub fn word(number: u64) -> String {
    let syllables = [
        "ba", "ce", "di", "fo", "gu", "la", "me", "ni", "ro", "su", "ta", "ve", "zi",
    ];
    let mut rest = number + 200;
    let mut word = String::new();
    while rest > 0 {
        word.push_str(syllables[(rest % 13) as usize]);
        rest /= 13;
    }
    word
}

fn text(random: &mut Random, words: usize) -> String {
    let words: Vec<String> = (0..words)
        .map(|_| word(random.skewed(VOCABULARY)))
        .collect();
    words.join(" ")
}

/// An item of 70 words with subjects, a collection, a model, a language and a date.
pub fn document(id: i64) -> SearchDocument {
    let mut random = Random(id as u64 ^ 0x9E37_79B9);
    let random = &mut random;
    let own = |field: &str, text: String| Text {
        field: field.to_owned(),
        text,
        source: Source::Item,
    };
    let term = Source::Linked {
        kind: LinkedKind::Term,
        published: true,
        owner: 1,
    };
    let title = format!("Archive {} {id}", text(random, 5));
    let mut document = SearchDocument {
        id,
        published: random.below(10) > 0,
        owner: random.below(20) as i64,
        language: Some(["en", "de", "fr", "it"][random.below(4) as usize].to_owned()),
        title_key: title.clone(),
        created: id,
        changed: -id,
        texts: vec![
            own(TITLE, title),
            own("field_description", text(random, 56)),
        ],
        ..SearchDocument::default()
    };
    let day = random.below(73_000) as i64 - 54_000;
    document.date = Some((day, day + random.below(800) as i64));
    let mut value = |facet: &str, value: String, label: Option<String>, source| {
        let facet = facet.to_owned();
        document.facets.push(FacetValue {
            facet,
            value,
            label,
            source,
        });
    };
    for _ in 0..3 {
        let subject = random.skewed(SUBJECTS);
        let label = format!("{} {}", word(subject), word(subject + 7));
        value("subject", subject.to_string(), Some(label.clone()), term);
        let field = "field_subject".to_owned();
        document.texts.push(Text {
            field,
            text: label,
            source: term,
        });
    }
    let collection = random.below(200);
    value("collection", collection.to_string(), None, Source::Item);
    value(
        "collection",
        (1_000 + collection / 20).to_string(),
        None,
        Source::Item,
    );
    value("model", random.below(8).to_string(), None, Source::Item);
    value("language", random.below(30).to_string(), None, Source::Item);
    document
}
