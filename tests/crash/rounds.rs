//! Rounds: load, kill, start, judge.

use std::time::{Duration, SystemTime};

use crate::chance::Chance;
use crate::load::{Client, Terms};
use crate::parts::give_up_unknown;
use crate::running::{
    Running, assert_clean, assert_searchable, found, from_environment, seed, start,
};
use crate::validators::valid_objects;

const CLIENTS: usize = 4;
/// In the tests; `make torture ROUNDS=…` takes more.
const ROUNDS: usize = 20;
/// Where every other round ends the program.
const POINTS: [&str; 6] = [
    "appended",
    "placed",
    "committed",
    "relocated",
    "inventory.json",
    "inventory.json.sha512",
];

#[test]
fn nothing_that_was_acknowledged_is_lost_to_a_crash() {
    let (seed, rounds) = (seed(), from_environment("ROUNDS", ROUNDS));
    println!("SEED={seed} ROUNDS={rounds}");
    let mut chance = Chance::new(seed);
    let data = tempfile::tempdir().expect("a directory");
    let authorization = found(data.path());

    let mut running = start(data.path(), &authorization, None);
    let terms = Terms::of(&running.server);
    let mut clients: Vec<Client> = (0..CLIENTS)
        .map(|number| Client::new(format!("client{number}"), chance.fork(), terms))
        .collect();
    for round in 0..rounds {
        let point = (round % 2 == 1).then(|| {
            let name = POINTS[chance.below(POINTS.len())];
            format!("{name}:{}", 1 + chance.below(6))
        });
        if point.is_some() {
            drop(running.serving);
            running = start(data.path(), &authorization, point.as_deref());
        }
        let patience = match point {
            Some(_) => Duration::from_secs(60),
            None => Duration::from_millis(100 + chance.below(700) as u64),
        };
        let answered = load(&mut clients, running, patience);
        running = start(data.path(), &authorization, None);
        for client in &mut clients {
            client.judge(&running.server);
        }
        assert_searchable(&running.server);
        let report = assert_clean(data.path());
        give_up_unknown(&running.server, &clients, &report);
        let point = point.unwrap_or_else(|| "at random".into());
        println!("round {round}: {answered} answers, killed {point}");
    }
    drop(running);
    valid_objects(data.path());
}

/// Lets all clients work until the program has gone: by itself, or because patience ends.
fn load(clients: &mut [Client], running: Running, patience: Duration) -> usize {
    let Running { serving, server } = running;
    std::thread::scope(|scope| {
        let working: Vec<_> = clients
            .iter_mut()
            .map(|client| scope.spawn(|| client.work(&server)))
            .collect();
        let begun = SystemTime::now();
        while begun.elapsed().is_ok_and(|passed| passed < patience)
            && working.iter().any(|client| !client.is_finished())
        {
            std::thread::sleep(Duration::from_millis(5));
        }
        drop(serving);
        let answers = working
            .into_iter()
            .map(|client| client.join().expect("it ends"));
        answers.sum()
    })
}
