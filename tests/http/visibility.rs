//! For random repositories and random permissions: whatever speaks of many things at once — lists, search, counts,
//! collections, labels, links, terms, histories, events, bytes — speaks of those things that may be seen one by one,
//! and of no other; and no answer holds a word that stands in nothing but a hidden thing.

mod answers;
mod events;
mod item;
mod repository;
mod rows;
mod searches;
mod secrets;
mod seen;
mod viewer;

use proptest::test_runner::{Config, TestRunner};

use answers::Answers;
use repository::{Repository, plans};
use viewer::{PERMISSIONS, VIEWER, Viewer};

use crate::support::TestServer;

/// Repositories that are added to one another, each looked at by a viewer of its own.
const CASES: u32 = 24;

#[test]
fn what_may_not_be_seen_is_nowhere() {
    let server = TestServer::start();
    server.introduce(VIEWER);
    server.allow_nothing("authenticated");
    let mut repository = Repository::new(&server);
    let mut number = 0;
    let config = Config {
        failure_persistence: None,
        max_shrink_iters: 0,
        ..Config::with_cases(CASES)
    };
    let viewers = proptest::collection::vec(proptest::bool::weighted(0.45), PERMISSIONS.len());
    let repository = std::cell::RefCell::new((&mut repository, &mut number));
    let there = (
        viewers.clone(),
        proptest::option::weighted(0.6, 0..100_usize),
    );
    let tried =
        TestRunner::new(config).run(&(plans(), viewers, there), |(plans, chosen, there)| {
            let (repository, number) = &mut *repository.borrow_mut();
            repository.add(plans);
            **number += 1;
            let (chosen_there, chance) = there;
            let collection = chance.and_then(|chance| repository.some_collection(chance));
            let viewer = Viewer::with(&server, **number, [&chosen, &chosen_there], collection);
            Answers::new(repository, &viewer).check();
            events::check(repository, &viewer, **number);
            secrets::check(repository, &viewer, **number);
            Ok(())
        });
    tried.expect("every viewer sees the same everywhere");
}
