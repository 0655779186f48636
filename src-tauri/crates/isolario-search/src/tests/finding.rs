//! What is found by which query, by whom, and what is told of it.

use crate::{
    Choice, EXTRACTED_TEXT, FacetRequest, LinkedKind, Order, Page, Restriction, SearchDocument,
    Source, Visibilities,
};
use isolario_model::fields::days_of;
use isolario_model::policy::Visibility;

use super::support::{ANONYMOUS, With, ids, index, item, linked, owner, typed};

const MEDIA: LinkedKind = LinkedKind::Media;
const TERM: LinkedKind = LinkedKind::Term;

fn dated(id: i64, date: &str) -> SearchDocument {
    let mut item = item(id, &format!("Map {id}"));
    item.date = days_of(date);
    item
}

#[test]
fn case_diacritics_and_parts_do_not_matter() {
    let index = index(&[
        item(1, "Müller, Hans: Straße nach Łódź"),
        item(2, "Inventory 1998.2.17"),
        item(3, "Scan").with("file_name", "box3_folder2_0100.tif"),
        item(4, "東京都の地図"),
        item(5, "한국어 책"),
        item(6, "مكتبة الإسكندرية"),
        item(7, "שָׁלוֹם"),
    ]);
    for (query, found) in [
        ("muller", vec![1]),
        ("MÜLLER strasse", vec![1]),
        ("lodz", vec![1]),
        ("1998.2.17", vec![2]),
        ("1998", vec![2]),
        ("1998.17", vec![]),
        ("box3_folder2_0100.tif", vec![3]),
        ("0100", vec![3]),
        ("folder2_0100", vec![3]),
        ("東京", vec![4]),
        ("京都", vec![4]),
        ("地", vec![4]),
        ("東都", vec![]),
        ("한국", vec![5]),
        ("مكتبه", vec![6]),
        ("שלום", vec![7]),
        ("", vec![1, 2, 3, 4, 5, 6, 7]),
        ("file:0100", vec![3]),
        ("title:0100", vec![]),
    ] {
        assert_eq!(index.found(query, ANONYMOUS), found, "{query}");
    }
}

#[test]
fn the_language_of_the_box_is_understood() {
    let index = index(&[
        item(1, "The grand canal of Venice"),
        item(2, "A canal, grand and old"),
        item(3, "Maps of Venice").with("field_subject", "canoes"),
    ]);
    for (query, found) in [
        ("grand canal", vec![1, 2]),
        ("\"grand canal\"", vec![1]),
        ("venice -canal", vec![3]),
        ("-venice", vec![2]),
        ("old OR maps", vec![2, 3]),
        ("venice (old OR maps)", vec![3]),
        ("can*", vec![1, 2, 3]),
        ("\"of ven\"", vec![]),
        ("title:canal", vec![1, 2]),
        ("Thema:can*", vec![3]),
        ("of-ven*", vec![1, 3]),
        ("nowhere", vec![]),
    ] {
        assert_eq!(index.found(query, ANONYMOUS), found, "{query}");
    }
}

#[test]
fn stems_are_those_of_the_items_language() {
    let index = index(&[
        item(1, "Old houses").in_language("eng"),
        item(2, "Old houses").in_language("zxx"),
        item(3, "Häuser").in_language("de"),
        item(4, "Houses, Häuser"),
    ]);
    assert_eq!(index.found("house", ANONYMOUS), [1, 4]);
    assert_eq!(index.found("houses", ANONYMOUS), [1, 2, 4]);
    assert_eq!(index.found("\"house\"", ANONYMOUS), [0; 0]);
    assert_eq!(index.found("title:house", ANONYMOUS), [1, 4]);
    assert_eq!(index.found("Haus", ANONYMOUS), [3, 4]);
    let mut exact = typed("house", ANONYMOUS);
    exact.with_stems = false;
    assert_eq!(index.results(&exact).total, 0);
}

#[test]
fn dates_and_ranges_are_found() {
    let index = index(&[
        dated(1, "1901-05"),
        dated(2, "1895/1902"),
        dated(3, "15XX"),
        dated(4, "1990/.."),
        item(5, "undated"),
    ]);
    for (query, found) in [
        ("date:1901", vec![1, 2]),
        ("date:1901-06", vec![2]),
        ("Datum:1571", vec![3]),
        ("date:1900..1910", vec![1, 2]),
        ("date:>1900", vec![1, 2, 4]),
        ("date:<1900", vec![2, 3]),
        ("-date:1901", vec![3, 4, 5]),
        ("map date:3000", vec![4]),
    ] {
        assert_eq!(index.found(query, ANONYMOUS), found, "{query}");
    }
    let mut all = typed("", ANONYMOUS);
    all.with_histogram = true;
    all.dates = days_of("1901");
    let results = index.results(&all);
    let histogram = results.histogram.unwrap();
    assert_eq!(results.total, 2);
    assert_eq!((histogram.years, histogram.undated), (100, 1));
    let bars = [(1500, 1), (1600, 0), (1700, 0), (1800, 1), (1900, 3)];
    assert_eq!(histogram.bars, bars);
}

#[test]
fn nobody_finds_what_they_may_not_see() {
    let index = index(&[
        item(1, "open"),
        item(2, "secret").hidden(7),
        item(3, "scan").with_text("file_name", "letter.pdf", linked(MEDIA, false, 7)),
        item(4, "page").with_text(EXTRACTED_TEXT, "letter", linked(MEDIA, true, 8)),
        item(5, "tagged").with_text("field_subject", "letter", linked(TERM, false, 7)),
    ]);
    for (visibility, secret, letter) in [
        (ANONYMOUS, vec![], vec![4]),
        (owner(7), vec![2], vec![3, 4]),
        (owner(8), vec![], vec![4]),
        (Visibilities::EVERYTHING, vec![2], vec![3, 4, 5]),
    ] {
        assert_eq!(
            index.found("secret", visibility.clone()),
            secret,
            "{visibility:?}"
        );
        assert_eq!(
            index.found("letter", visibility.clone()),
            letter,
            "{visibility:?}"
        );
        assert_eq!(
            index.found("let*", visibility.clone()),
            letter,
            "{visibility:?}"
        );
        let mut search = typed("lettre", visibility.clone());
        search.close_matches_below = 1;
        let close = index.results(&search).close_matches;
        assert_eq!(close[0].close, ["letter"], "{visibility:?}");
    }
    let without_media = Visibilities {
        media: Visibility::Nothing,
        ..ANONYMOUS
    };
    assert_eq!(index.found("letter", without_media), [0; 0]);
    let mut search = typed("secrt", ANONYMOUS);
    search.close_matches_below = 1;
    assert_eq!(index.results(&search).close_matches, []);
}

#[test]
fn facets_ignore_their_own_choice() {
    let place = |id, model: &str, subjects: &[&str]| {
        let item = item(id, "Map").with_value("model", model, "", Source::Item);
        let term = linked(TERM, true, 1);
        let add =
            |item: SearchDocument, subject: &&str| item.with_value("subject", subject, "", term);
        subjects.iter().fold(item, add)
    };
    let index = index(&[
        place(1, "image", &["12", "13"]),
        place(2, "image", &["12"]),
        place(3, "map", &["13", "14", "15"]),
        place(4, "map", &[]).hidden(7),
    ]);
    let mut search = typed("map", ANONYMOUS);
    let request = |facet: &str, limit| FacetRequest {
        facet: facet.to_owned(),
        limit,
    };
    search.facets = vec![
        request("model", 10),
        request("subject", 2),
        request("none", 1),
    ];
    let choice = |facet: &str, values: &[&str]| Choice {
        facet: facet.to_owned(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    };
    let counts = |search: &_| -> Vec<(Vec<(String, usize)>, usize)> {
        let facets = index.results(search).facets.into_iter();
        facets.map(|facet| (facet.values, facet.more)).collect()
    };
    let told = |values: &[(&str, usize)], more| -> (Vec<(String, usize)>, usize) {
        let values = values
            .iter()
            .map(|(value, count)| ((*value).to_owned(), *count));
        (values.collect(), more)
    };
    let models = told(&[("image", 2), ("map", 1)], 0);
    let all = [
        models.clone(),
        told(&[("12", 2), ("13", 2)], 2),
        told(&[], 0),
    ];
    assert_eq!(counts(&search), all);
    search.chosen = vec![choice("model", &["map"])];
    let chosen = [models, told(&[("13", 1), ("14", 1)], 1), told(&[], 0)];
    assert_eq!(counts(&search), chosen);
    search.chosen.push(choice("subject", &["12", "15"]));
    assert_eq!(ids(&index.results(&search)), [3]);
    let both = [
        told(&[("image", 2), ("map", 1)], 0),
        told(&[("13", 1), ("14", 1), ("15", 1)], 0),
        told(&[], 0),
    ];
    assert_eq!(counts(&search), both);
}

#[test]
fn a_value_of_a_hidden_media_is_not_counted() {
    let index = index(&[item(1, "Map")
        .with_value("format", "image", "", linked(MEDIA, true, 1))
        .with_value("format", "image", "", linked(MEDIA, false, 7))
        .with_value("format", "pdf", "", linked(MEDIA, false, 7))]);
    for (visibility, formats) in [
        (ANONYMOUS, &["image"][..]),
        (owner(7), &["image", "pdf"]),
        (owner(8), &["image"]),
        (Visibilities::EVERYTHING, &["image", "pdf"]),
    ] {
        let mut search = typed("", visibility.clone());
        let facet = "format".to_owned();
        search.facets = vec![FacetRequest { facet, limit: 9 }];
        let facets = index.results(&search).facets;
        let expected = formats.iter().map(|format| ((*format).to_owned(), 1));
        assert_eq!(
            facets[0].values,
            expected.collect::<Vec<_>>(),
            "{visibility:?}"
        );
        let facet = "format".to_owned();
        let value = "pdf".to_owned();
        search.restriction = Restriction::Value { facet, value };
        assert_eq!(
            index.results(&search).total,
            formats.len() - 1,
            "{visibility:?}"
        );
    }
}

#[test]
fn lists_are_ordered_and_paged() {
    let documents: Vec<SearchDocument> = (0..300)
        .map(|id| {
            let mut item = item(id, &format!("Map {:03}", (id * 7) % 100));
            item.created = id % 10;
            item.changed = -id;
            item
        })
        .collect();
    let index = index(&documents);
    for order in [Order::Title, Order::Created, Order::Changed, Order::Date] {
        let mut expected = documents.clone();
        expected.sort_by_key(|item| {
            let title = if order == Order::Title {
                &item.title_key
            } else {
                ""
            };
            let number = match order {
                Order::Created => item.created,
                Order::Changed => item.changed,
                _ => 0,
            };
            (title.to_owned(), number, item.id)
        });
        let mut expected: Vec<i64> = expected.iter().map(|item| item.id).collect();
        for is_descending in [false, true] {
            let mut listed = Vec::new();
            for offset in (0..300).step_by(70) {
                let mut search = typed("map", ANONYMOUS);
                (search.order, search.is_descending) = (order, is_descending);
                search.page = Page { offset, limit: 70 };
                listed.extend(ids(&index.results(&search)));
            }
            assert_eq!(listed, expected, "{order:?} {is_descending}");
            // Without dates all are equal and last.
            if order == Order::Date {
                break;
            }
            expected.reverse();
        }
    }
}

#[test]
fn the_best_come_first_and_say_where_the_words_are() {
    let index = index(&[
        item(1, "Letters").with_text(EXTRACTED_TEXT, "a map of Venice", linked(MEDIA, true, 1)),
        item(2, "Venice").with("field_subject", "map"),
        item(3, "Rome").with("field_subject", "map of a map"),
    ]);
    let results = index.results(&typed("venice map", ANONYMOUS));
    assert_eq!(ids(&results), [2, 1]);
    assert!(results.hits[0].score > results.hits[1].score);
    assert_eq!(results.hits[0].fields, ["field_subject", "title"]);
    assert_eq!(results.hits[1].fields, [EXTRACTED_TEXT]);
    let few = Restriction::Ids(vec![3, 1, 99]);
    let many = Restriction::Ids((3..600).chain([1]).collect());
    for restriction in [few, many] {
        let mut search = typed("map", ANONYMOUS);
        search.restriction = restriction;
        let mut found = ids(&index.results(&search));
        found.sort_unstable();
        assert_eq!(found, [1, 3]);
    }
}

#[test]
fn words_one_edit_away_are_told() {
    let index = index(&[item(1, "Venice"), item(2, "Venise"), item(3, "Venezia")]);
    let close = |query: &str| -> Vec<(String, Vec<String>)> {
        let mut search = typed(query, ANONYMOUS);
        search.close_matches_below = 2;
        let matches = index.results(&search).close_matches.into_iter();
        matches.map(|close| (close.word, close.close)).collect()
    };
    let told = |word: &str, close: &[&str]| {
        let close = close.iter().map(|word| (*word).to_owned());
        vec![(word.to_owned(), close.collect())]
    };
    assert_eq!(close("Venicé"), told("Venicé", &["venise"]));
    assert_eq!(close("vneice"), told("vneice", &["venice"]));
    assert_eq!(close("title:venic"), told("venic", &["venice"]));
    assert_eq!(close("rome"), []);
    assert_eq!(close("-venic"), []);
}

#[test]
fn titles_and_names_are_suggested() {
    let person = |id, label: &str| {
        item(id, &format!("Letter {id}")).with_value("agent", "12", label, linked(TERM, true, 1))
    };
    let index = index(&[
        person(1, "Müller, Hans"),
        person(2, "Müller, Hans"),
        item(3, "Museum of maps").with_value("agent", "13", "Museum", linked(TERM, false, 7)),
        item(4, "Music")
            .hidden(7)
            .with_value("agent", "14", "Muster", Source::Item),
    ]);
    for (typed, visibility, items, labels) in [
        ("mu", ANONYMOUS, vec![3], vec!["Müller, Hans"]),
        ("mu", owner(7), vec![3, 4], vec!["Müller, Hans", "Muster"]),
        ("hans", ANONYMOUS, vec![], vec!["Müller, Hans"]),
        ("museum map", ANONYMOUS, vec![3], vec![]),
        ("map of", ANONYMOUS, vec![], vec![]),
        (" ", ANONYMOUS, vec![], vec![]),
    ] {
        let suggestions = index.index.suggest(typed, &visibility, 9).unwrap();
        assert_eq!(suggestions.items, items, "{typed}");
        let found: Vec<&str> = suggestions
            .values
            .iter()
            .map(|value| value.label.as_str())
            .collect();
        assert_eq!(found, labels, "{typed}");
    }
}
