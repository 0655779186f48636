//! Rounds: load, kill, start, judge.

use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::chance::Chance;
use crate::load::{Client, Terms};
use crate::parts::give_up_unknown;
use crate::program::{Serving, basic, isolario, run};
use crate::validators::valid_objects;
use crate::wire::Server;

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

fn from_environment<T: std::str::FromStr>(name: &str, or: T) -> T {
    let value = std::env::var(name).ok();
    value.and_then(|value| value.parse().ok()).unwrap_or(or)
}

fn seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let seed = now.map_or(1, |now| now.subsec_nanos().into());
    from_environment("SEED", seed)
}

/// A running program, and how it is asked.
pub struct Running {
    pub serving: Serving,
    pub server: Server,
}

/// Starts a program that is to end at a point, if one is given.
pub fn start(data: &Path, authorization: &str, point: Option<&str>) -> Running {
    let mut command = isolario(data, &["serve", "--listen", "127.0.0.1:0"]);
    if let Some(point) = point {
        command.env("ISOLARIO_KILL_AT", point);
    }
    let serving = Serving::spawn(command);
    let server = Server {
        address: serving.address,
        authorization: authorization.to_owned(),
    };
    Running { serving, server }
}

/// Starts a new repository; the `Authorization` of its administrator.
pub fn found(data: &Path) -> String {
    let serving = Serving::start(data);
    basic("admin", serving.password().expect("a password"))
}

/// The check finds nothing wrong, and nothing is left of what came at once; what it found.
#[track_caller]
pub fn assert_clean(data: &Path) -> Value {
    let output = run(data, &["check", "--json"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let report: Value = serde_json::from_str(&text).expect("a report");
    assert_eq!(report["problems"], serde_json::json!([]), "{text}");
    assert_eq!(report["in_use"], true);
    let staging = data.join("staging").read_dir().expect("there");
    let left: Vec<_> = staging.map(|entry| entry.expect("there").path()).collect();
    assert!(left.is_empty(), "left in staging: {left:?}");
    report
}

#[test]
fn nothing_that_was_acknowledged_is_lost_to_a_crash() {
    let (seed, rounds) = (seed(), from_environment("ROUNDS", ROUNDS));
    println!("SEED={seed} ROUNDS={rounds}");
    let mut chance = Chance::new(seed);
    let data = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let authorization = found(data.path());

    let mut running = start(data.path(), &authorization, None);
    let terms = Terms {
        model: running.server.term("islandora_models", "Digital Document"),
        media_use: running.server.term("islandora_media_use", "Original File"),
    };
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
