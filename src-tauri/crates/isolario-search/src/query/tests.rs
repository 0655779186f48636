//! What is understood of which text.

use proptest::prelude::*;

use super::*;

/// The names of fields that the tests know.
fn names() -> FieldNames {
    let mut names = FieldNames::default();
    names.add("title", &["Titel"], &["title"]);
    names.add(
        "subject",
        &["Schlagwort"],
        &["field_subject", "field_place"],
    );
    names.add("linked agent", &["Person"], &["field_linked_agent"]);
    names.add_dates("date", &["Datum"]);
    names
}

/// The query printed.
fn read(text: &str) -> String {
    Query::parse(text, &names()).to_string()
}

#[test]
fn the_language_of_the_box() {
    for (typed, understood) in [
        ("", ""),
        ("  ?! ( ) \"\" - * ", ""),
        ("Venice map", "Venice map"),
        ("\"grand canal\"", "\"grand canal\""),
        ("„Canal  Grande“ «Rialto»", "\"Canal Grande\" \"Rialto\""),
        ("a b OR c d", "a b OR c d"),
        ("(a b) OR c", "(a b) OR c"),
        ("a AND b", "a b"),
        ("a -b", "a -b"),
        ("a -\"b c\"", "a -\"b c\""),
        ("-(a b)", "-(a b)"),
        ("- a", "a"),
        ("twenty-one", "twenty-one"),
        ("ven*", "ven*"),
        ("v*", "v"),
        ("東京*", "東京"),
        ("Titel:Venedig", "title:Venedig"),
        ("TITEL:\"Canal Grande\"", "title:\"Canal Grande\""),
        (
            "subject:(maps OR charts) x",
            "subject:maps OR subject:charts x",
        ),
        ("linked_agent:Bordone", "linked_agent:Bordone"),
        ("Person:Bordone", "linked_agent:Bordone"),
        ("-title:ven*", "-title:ven*"),
        ("title:a:b", "title:a:b"),
        ("date:1901..1910", "date:1901..1910"),
        ("Datum:190x", "date:190x"),
        ("date:>1900", "date:>1900"),
        ("date:(1901 OR 1903)", "date:1901 OR date:1903"),
        ("1998.2.17", "1998.2.17"),
        ("box3_folder2_0100.tif", "box3_folder2_0100.tif"),
    ] {
        assert_eq!(read(typed), understood, "{typed}");
    }
}

#[test]
fn what_cannot_be_read_is_taken_as_words() {
    for (typed, understood) in [
        ("https://example.org/a", "https://example.org/a"),
        ("nofield:word", "nofield:word"),
        ("title: word", "title word"),
        ("date:soon", "\"date:soon\""),
        ("\"open end", "open end"),
        ("12\" record", "12 record"),
        ("\"New York\"-based", "\"New York\" based"),
        ("a)b(c", "a b c"),
        ("OR a", "or a"),
        ("a OR", "a or"),
        ("a OR OR b", "a or OR b"),
        ("-", ""),
        ("--a", "-a"),
        (".OR.", "or"),
    ] {
        assert_eq!(read(typed), understood, "{typed}");
    }
}

#[test]
fn a_query_is_bounded() {
    let many = "word ".repeat(3 * MOST_WORDS);
    let query = Query::parse(&many, &names());
    assert_eq!((query.words().len(), query.is_cut), (MOST_WORDS, true));
    let begun = "wo* ".repeat(2 * MOST_BEGINNINGS);
    let query = Query::parse(&begun, &names());
    let is_begun = |words: &&&Words| words.form == Form::Prefix;
    let words = query.words();
    assert_eq!(words.iter().filter(is_begun).count(), MOST_BEGINNINGS);
    assert_eq!((words.len(), query.is_cut), (2 * MOST_BEGINNINGS, true));
    let understood = "wo* ".repeat(MOST_BEGINNINGS) + &"wo ".repeat(MOST_BEGINNINGS);
    assert_eq!(query.to_string(), understood.trim());
    let long = "x".repeat(3 * LONGEST_WORDS);
    let query = Query::parse(&long, &names());
    assert_eq!(
        (query.words()[0].text.len(), query.is_cut),
        (LONGEST_WORDS, true)
    );
    let deep = "(".repeat(LONGEST_QUERY + 1);
    assert!(Query::parse(&deep, &names()).is_cut);
    let negations = "-(".repeat(LONGEST_QUERY / 2) + "a";
    assert!(read(&negations).len() < 100);
    assert!(!Query::parse("a b", &names()).is_cut);
}

/// What people type, and what nobody would.
fn typed() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        "[a-zA-Zäß東京٣]{1,4}",
        "[ \"()*:<>.,'„“/\\-]{1,3}",
        Just(" OR ".to_owned()),
        Just(" AND ".to_owned()),
        Just(" -".to_owned()),
        Just("title:".to_owned()),
        Just("Datum:".to_owned()),
        Just("date:19".to_owned()),
        "[0-9X?~.]{1,5}",
        "\\PC{0,3}",
    ];
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn every_text_is_read_and_printed_with_the_same_meaning(text in typed()) {
        let query = Query::parse(&text, &names());
        let again = Query::parse(&query.to_string(), &names());
        prop_assert_eq!(&again.condition, &query.condition, "{}", query);
        prop_assert!(!again.is_cut);
    }

    #[test]
    fn any_characters_are_read(text in any::<String>()) {
        let query = Query::parse(&text, &names());
        let again = Query::parse(&query.to_string(), &names());
        prop_assert_eq!(again.condition, query.condition);
    }
}
