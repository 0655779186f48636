//! `/api/v1/search`: whatever is typed, it is an answer or a refusal, and it comes soon.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::json;

use crate::support::{TestServer, encoded};

const QUERIES: usize = 10_000;

/// A part of a query: words that occur, what has a meaning, and anything.
fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        "(map|Karte|venice|1901|東京|ü)",
        "[\"()*:\\-~^/\\\\<>=. ]",
        "(OR|AND|NOT|title|subject|date|field_note|..|\\*:\\*|date:190X|-\"|x\\*)",
        "\\PC{0,6}",
        "[\\x00-\\x1f\\u{e000}\\u{fffd}\u{202e}]",
        "[a-zäéß]{1,12}",
    ]
}

/// A parameter beside the query.
fn parameter() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        1 => "&(sort|order|facets|chosen|date|below|stems|values|histogram|after|offset|limit)=[a-z0-9:,.]{0,12}",
        1 => "&facets=(subject|model|collection|status|agent|rights|format)",
        1 => "&chosen=(subject|model|rights):[0-9a-z]{0,4}",
        1 => "&date=(1901|19XX|1900/1950|../1950)&histogram=true",
        1 => "&sort=(title|created|changed|date)&order=(asc|desc)",
        1 => "&offset=[0-9]{1,20}",
    ]
}

#[test]
fn no_query_is_too_strange() {
    let server = TestServer::start();
    for (title, date) in [
        ("Karte von Venice", "1901"),
        ("A map of 東京", "19XX"),
        ("Übersicht", "../1950"),
    ] {
        let fields = json!({"field_edtf_date_created": [{"value": date}], "field_rights": [{"value": "free"}]});
        server.create_object_with(title, fields);
    }
    server.until_searchable();
    let query = (proptest::collection::vec(part(), 0..9), parameter());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let (mut answered, mut slowest) = (0, Duration::ZERO);
    for number in 0..QUERIES {
        let (parts, parameter) = query.new_tree(&mut runner).expect("a query").current();
        let noun = if number % 5 == 0 {
            "search/suggestions"
        } else {
            "search"
        };
        let path = format!("/api/v1/{noun}?q={}{parameter}", encoded(&parts.concat()));
        let began = Instant::now();
        let answer = server.get(&path).send();
        slowest = slowest.max(began.elapsed());
        let is_fine = matches!(answer.status, 200 | 400 | 404);
        assert!(is_fine, "{path}: {} {}", answer.status, answer.text());
        answered += usize::from(answer.status == 200);
    }
    assert!(answered > QUERIES / 2, "{answered} of {QUERIES}");
    assert!(slowest < Duration::from_secs(5), "{slowest:?}");
}
