//! Replays the recorded exchanges in `tests/cases` against a running repository.
//!
//! The exchanges of a scenario that need nothing before them share a `{run}` word and follow each
//! other; every other one makes its own set-up. `CASE=id` or `CASE=scenario` replays only those and
//! shows every difference.

mod case;
mod compare;
mod json;
mod names;
mod pattern;
mod replay;
mod required_fields;

use std::collections::BTreeSet;
use std::io::Write as _;

use case::Case;
use replay::Replay;

use crate::support::TestServer;

/// At least this part of the exchanges must pass, in percent.
const FLOOR: usize = 80;

/// How one exchange went: nothing, or how it differs.
struct Outcome {
    id: String,
    what: String,
    differences: Vec<String>,
}

#[test]
fn recorded_exchanges_come_out_the_same() {
    let wanted = std::env::var("CASE").ok();
    let cases: Vec<Case> = case::all()
        .into_iter()
        .filter(|case| wanted.as_deref().is_none_or(|wanted| case.is(wanted)))
        .collect();
    let outcomes = replay_all(&cases);
    say(&table(&outcomes, wanted.is_some()));
    match wanted {
        Some(_) => assert!(outcomes.iter().all(passed), "see the differences above"),
        None => judge(&outcomes),
    }
}

/// What the configuration of the recorded site said otherwise.
const RECORDED_SITE: &str = "time_zone = \"America/Chicago\"\n[harvesting]\nsignposting = false\n";

fn replay_all(cases: &[Case]) -> Vec<Outcome> {
    let server = TestServer::start_with(RECORDED_SITE);
    let mut replay = Replay::new(&server);
    cases
        .iter()
        .map(|case| Outcome {
            id: case.id.clone(),
            what: format!("{}: {}", case.scenario, case.what),
            differences: replay.differences(case),
        })
        .collect()
}

fn passed(outcome: &Outcome) -> bool {
    outcome.differences.is_empty()
}

fn table(outcomes: &[Outcome], whole: bool) -> String {
    let good = outcomes.iter().filter(|outcome| passed(outcome)).count();
    let mut text = format!(
        "\nrecorded exchanges: passed {good} of {} ({} %)\n",
        outcomes.len(),
        good * 100 / outcomes.len().max(1)
    );
    for outcome in outcomes.iter().filter(|outcome| !passed(outcome)) {
        let shown = if whole { outcome.differences.len() } else { 1 };
        let differences = outcome.differences[..shown].join("\n      ");
        text += &format!(
            "  {:<16} {}\n      {differences}\n",
            outcome.id, outcome.what
        );
    }
    text
}

/// Past the test harness, which keeps the output of tests that pass.
fn say(text: &str) {
    std::io::stderr()
        .write_all(text.as_bytes())
        .expect("stderr is open");
}

fn judge(outcomes: &[Outcome]) {
    let failing: BTreeSet<&str> = outcomes
        .iter()
        .filter(|outcome| !passed(outcome))
        .map(|outcome| outcome.id.as_str())
        .collect();
    let known = known_failures();
    let known: BTreeSet<&str> = known.iter().map(String::as_str).collect();
    let new: Vec<_> = failing.difference(&known).collect();
    let gone: Vec<_> = known.difference(&failing).collect();
    assert!(
        new.is_empty(),
        "fail and are not in known_failures.txt: {new:?}"
    );
    assert!(
        gone.is_empty(),
        "in known_failures.txt and do not fail: {gone:?}"
    );
    let good = (outcomes.len() - failing.len()) * 100 / outcomes.len();
    assert!(good >= FLOOR, "only {good} % pass");
}

/// One id a line; what follows it is the reason.
fn known_failures() -> Vec<String> {
    include_str!("../../cases/known_failures.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect()
}
