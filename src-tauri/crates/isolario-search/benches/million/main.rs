//! The speed of the index with a million made-up items: `cargo bench -p isolario-search --bench million`. The number of
//! items and the directory can be given: `-- 100000 /somewhere`. With `keep` behind them the index stays there, and is used
//! again.

mod made_up;
mod random;
mod usage;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use isolario_model::policy::Visibility;
use isolario_search::query::{FieldNames, Query};
use isolario_search::{
    Change, Choice, FacetRequest, Order, Page, Rebuild, Restriction, Search, SearchError,
    SearchIndex, TITLE, Visibilities,
};
use made_up::{SUBJECTS, VOCABULARY, document, word};
use random::Random;
use usage::{bytes_read, computed, memory, size};

const SAMPLES: u64 = 200;

const ANONYMOUS: Visibilities = Visibilities {
    items: Visibility::Published,
    media: Visibility::Published,
    terms: Visibility::Published,
    below: Vec::new(),
};

fn told(name: &str, mut times: Vec<Duration>, note: &str) {
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1_000.0;
    println!(
        "{name:<44} {:>8.2} {:>8.2} {:>8.2}  {note}",
        at(50),
        at(99),
        at(100)
    );
}

fn measured(index: &SearchIndex, name: &str, searches: impl Iterator<Item = Search>) {
    let mut times = Vec::new();
    let mut total = 0;
    let before = computed();
    for search in searches {
        let start = Instant::now();
        let results = index.search(&search);
        times.push(start.elapsed());
        total += results.map_or(0, |results| results.total);
    }
    let mean = total / times.len();
    let computed = (computed() - before) * 1_000.0 / times.len() as f64;
    told(
        name,
        times,
        &format!("{computed:.1} computing; {mean} found"),
    );
}

fn typed(query: &str, visibility: &Visibilities) -> Search {
    let mut names = FieldNames::default();
    names.add(TITLE, &[], &[TITLE]);
    names.add_dates("date", &[]);
    Search::new(Query::parse(query, &names), visibility.clone())
}

fn facets() -> Vec<FacetRequest> {
    let names = ["subject", "collection", "model", "language"];
    let facet = |facet: &&str| FacetRequest {
        facet: (*facet).to_owned(),
        limit: 20,
    };
    names.iter().map(facet).collect()
}

fn main() -> Result<(), SearchError> {
    let arguments: Vec<String> = std::env::args()
        .filter(|word| !word.starts_with('-'))
        .collect();
    let items = arguments
        .get(1)
        .and_then(|number| number.parse().ok())
        .unwrap_or(1_000_000);
    let place = arguments
        .get(2)
        .map_or_else(std::env::temp_dir, PathBuf::from);
    let directory = place.join(format!("isolario-search-{items}"));
    let is_kept = arguments.get(3).is_some_and(|word| word == "keep");
    if !is_kept || !directory.exists() {
        rebuild(items, &directory)?;
    }
    let measured = measure(items, &directory);
    if !is_kept {
        isolario_platform::files::remove_dir_all(&directory)?;
    }
    measured
}

fn rebuild(items: i64, directory: &Path) -> Result<(), SearchError> {
    println!("{items} items; before {} MB", memory("VmRSS"));
    let start = Instant::now();
    (0..items).for_each(|id| drop(std::hint::black_box(document(id))));
    println!(
        "made up in {:.1} s, which the next figure contains",
        start.elapsed().as_secs_f64()
    );
    let (start, before) = (Instant::now(), computed());
    let mut rebuild = Rebuild::start(directory)?;
    (0..items).try_for_each(|id| rebuild.add(&document(id)))?;
    let added = start.elapsed();
    drop(rebuild.finish(1)?);
    let (size, files) = size(directory);
    println!(
        "rebuilt in {:.1} s, computing {:.1} s (added in {:.1} s), at most {} MB, anonymous {} MB; {size} MB in {files} files",
        start.elapsed().as_secs_f64(),
        computed() - before,
        added.as_secs_f64(),
        memory("VmHWM"),
        memory("RssAnon"),
    );
    Ok(())
}

fn measure(items: i64, directory: &Path) -> Result<(), SearchError> {
    let (start, before) = (Instant::now(), bytes_read());
    let index =
        SearchIndex::open(directory).map_err(|error| SearchError::Engine(error.to_string()))?;
    println!(
        "opened in {:.0} ms, reading {} KB; {} MB",
        start.elapsed().as_secs_f64() * 1_000.0,
        (bytes_read() - before) >> 10,
        memory("VmRSS")
    );
    let start = Instant::now();
    index.verify()?;
    println!(
        "verified in {:.0} ms",
        start.elapsed().as_secs_f64() * 1_000.0
    );
    println!("{:<44} {:>8} {:>8} {:>8}", "ms", "p50", "p99", "max");
    words(&index, items);
    lists(&index, items);
    others(&index)?;
    edits(&index, items)?;
    println!(
        "after all {} MB, anonymous {} MB",
        memory("VmRSS"),
        memory("RssAnon")
    );
    Ok(())
}

fn words(index: &SearchIndex, items: i64) {
    let mut random = Random(7);
    for (visibility, who) in [
        (&Visibilities::EVERYTHING, "everything"),
        (&ANONYMOUS, "published"),
    ] {
        let all = |_| typed("archive", visibility);
        measured(
            index,
            &format!("a word that all have, {who}"),
            (0..SAMPLES / 4).map(all),
        );
        let one = |_| typed(&word(random.skewed(VOCABULARY)), visibility);
        measured(index, &format!("a word, {who}"), (0..SAMPLES).map(one));
        let two = |_| {
            let words = [random.skewed(VOCABULARY), random.skewed(2_000)].map(word);
            typed(&words.join(" "), visibility)
        };
        measured(index, &format!("two words, {who}"), (0..SAMPLES).map(two));
        let phrase = |_| {
            let item = document(random.below(items as u64) as i64);
            let words: Vec<&str> = item.texts[1].text.split(' ').collect();
            let at = random.below(50) as usize;
            typed(&format!("\"{}\"", words[at..at + 2].join(" ")), visibility)
        };
        measured(index, &format!("a phrase, {who}"), (0..SAMPLES).map(phrase));
        let filtered = |_| {
            let mut search = typed(&word(random.skewed(5_000)), visibility);
            let values = vec![random.below(200).to_string()];
            search.chosen = vec![Choice {
                facet: "collection".to_owned(),
                values,
            }];
            search
        };
        measured(
            index,
            &format!("a word in a collection, {who}"),
            (0..SAMPLES).map(filtered),
        );
        let prefix = |_| typed(&format!("{}*", &word(random.below(2_000))[..4]), visibility);
        measured(
            index,
            &format!("four letters of a word, {who}"),
            (0..SAMPLES).map(prefix),
        );
        let prefix = |_| typed(&format!("{}*", &word(random.below(2_000))[..3]), visibility);
        measured(
            index,
            &format!("three letters of a word, {who}"),
            (0..SAMPLES / 4).map(prefix),
        );
        let prefix = |_| typed(&format!("{}*", &word(random.below(2_000))[..2]), visibility);
        measured(
            index,
            &format!("two letters of a word, {who}"),
            (0..SAMPLES / 4).map(prefix),
        );
        let dated = |_| {
            let year = 1850 + random.below(100);
            typed(
                &format!("{} date:{year}", word(random.skewed(5_000))),
                visibility,
            )
        };
        measured(
            index,
            &format!("a word of a year, {who}"),
            (0..SAMPLES).map(dated),
        );
    }
}

fn lists(index: &SearchIndex, items: i64) {
    let items = items as usize;
    let with_facets = |query: &str| {
        let mut search = typed(query, &ANONYMOUS);
        search.facets = facets();
        search
    };
    let mut random = Random(11);
    measured(
        index,
        "four facets over all",
        (0..SAMPLES / 4).map(|_| with_facets("")),
    );
    let of_word = |_| with_facets(&word(random.skewed(5_000)));
    measured(index, "four facets over a word", (0..SAMPLES).map(of_word));
    let chosen = |_| {
        let mut search = with_facets("");
        let values = vec![random.below(200).to_string()];
        search.chosen = vec![Choice {
            facet: "collection".to_owned(),
            values,
        }];
        search
    };
    measured(
        index,
        "four facets with a choice",
        (0..SAMPLES / 4).map(chosen),
    );
    let dates = |_| {
        let mut search = typed("", &ANONYMOUS);
        search.with_histogram = true;
        search
    };
    measured(index, "histogram over all", (0..SAMPLES / 4).map(dates));
    for (order, name) in [
        (Order::Created, "created"),
        (Order::Title, "title"),
        (Order::Date, "date"),
    ] {
        for offset in [0, items / 2, items * 4 / 5] {
            let ordered = |number: u64| {
                let mut search = typed("", &ANONYMOUS);
                (search.order, search.is_descending) = (order, number.is_multiple_of(2));
                search.page = Page { offset, limit: 50 };
                search
            };
            let name = format!("all by {name}, from {offset}");
            measured(index, &name, (0..SAMPLES / 4).map(ordered));
        }
    }
    let below = |_| {
        let mut search = with_facets("");
        search.order = Order::Title;
        let (facet, value) = (
            "collection".to_owned(),
            (1_000 + random.below(10)).to_string(),
        );
        search.restriction = Restriction::Value { facet, value };
        search
    };
    measured(
        index,
        "a collection by title, with facets",
        (0..SAMPLES / 4).map(below),
    );
}

fn others(index: &SearchIndex) -> Result<(), SearchError> {
    let mut random = Random(13);
    let misspelt = |_| {
        let mut word = word(random.skewed(5_000)).into_bytes();
        word.swap(2, 3);
        let mut search = typed(&String::from_utf8_lossy(&word), &ANONYMOUS);
        search.close_matches_below = usize::MAX;
        search
    };
    measured(index, "close matches", (0..SAMPLES).map(misspelt));
    let mut times = Vec::new();
    for _ in 0..SAMPLES {
        let typed = word(random.below(SUBJECTS));
        let start = Instant::now();
        index.suggest(&typed[..1 + random.below(5) as usize], &ANONYMOUS, 8)?;
        times.push(start.elapsed());
    }
    told("suggestions", times, "");
    Ok(())
}

fn edits(index: &SearchIndex, items: i64) -> Result<(), SearchError> {
    let mut times = Vec::new();
    for number in 0..SAMPLES as i64 {
        let mut changed = document((number * 7_919) % items);
        changed.published = true;
        changed.texts[0].text = format!("changed{number}");
        let start = Instant::now();
        index.apply(&[Change::Put(Box::new(changed))], 2 + number)?;
        let found = index
            .search(&typed(&format!("changed{number}"), &ANONYMOUS))?
            .total;
        times.push(start.elapsed());
        assert_eq!(found, 1);
    }
    told("an edit, committed and found", times, "");
    println!("{} MB with a writer", memory("VmRSS"));
    let start = Instant::now();
    index.rest()?;
    println!(
        "rested in {:.1} s; {} MB",
        start.elapsed().as_secs_f64(),
        memory("VmRSS")
    );
    Ok(())
}
