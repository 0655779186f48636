//! Cuts at many moments: after every answer, and at any time.

use std::collections::{BTreeMap, BTreeSet};

use super::disk::Survivors;
use super::judge::judge;
use super::moment::Course;
use super::recorder::{Recorder, Recording};
use super::script;
use crate::chance::Chance;
use crate::load::{Client, Terms};
use crate::running::{from_environment, seed};

/// Cuts at any time, in the tests; `make torture CUTS=…` takes more.
const CUTS: usize = 30;
const CLIENTS: usize = 4;
/// What each client does.
const STEPS: usize = 12;

#[test]
fn nothing_that_was_acknowledged_is_lost_to_a_power_cut() {
    let seed = seed();
    println!("SEED={seed}");
    let mut chance = Chance::new(seed);
    let recording = script::record(chance.fork());
    let mut disk = recording.disk();
    for (at, entry) in recording.entries.iter().enumerate() {
        disk.follow(entry);
        if recording.is_step(at) {
            println!("after the answer {at}, everything that was not synced is lost");
            judge(&recording, &disk.cut(&Survivors::Nothing), at + 1);
        }
    }
    for at in turning_points(&recording) {
        println!("after the entry {at}, nothing that was not synced survives but its change");
        let disk = recording.disk_after(at + 1);
        judge(&recording, &disk.cut(&Survivors::Newest), at + 1);
    }
    cut_at_any_time(&recording, &mut chance);
}

/// The first and the last change of every kind of name outside of staging: what has to be on disk before it.
fn turning_points(recording: &Recording) -> BTreeSet<usize> {
    let mut kinds: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for (at, entry) in recording.entries.iter().enumerate() {
        // Of the records, those of items stand for all.
        let counts = |shape: &String| {
            !shape.contains("/staging/")
                && (!shape.contains("/records/") || shape.contains("/records/node/"))
        };
        if let Some(shape) = entry.shape().filter(counts) {
            kinds.entry(shape).or_insert([at, at])[1] = at;
        }
    }
    kinds.into_values().flatten().collect()
}

#[test]
fn nor_is_what_was_acknowledged_to_many_at_once() {
    let seed = seed();
    println!("SEED={seed}");
    let mut chance = Chance::new(seed);
    let recording = record_load(&mut chance);
    cut_at_any_time(&recording, &mut chance);
}

/// Clients that do a little of everything at the same time.
fn record_load(chance: &mut Chance) -> Recording {
    let mut recorder = Recorder::new();
    let serving = recorder.start(None);
    let terms = Terms::of(&recorder.server(&serving));
    let courses: Vec<Course> = std::thread::scope(|scope| {
        let working: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let name = format!("client{number}");
                let client = Client::new(name, chance.fork(), terms);
                let server = recorder.server(&serving);
                scope.spawn(move || {
                    let mut course = Course::new(&client.name);
                    let mut client = client;
                    for _ in 0..STEPS {
                        client.step(&server).expect("an answer");
                        course.step(server.port(), &client.ledger);
                    }
                    course
                })
            })
            .collect();
        let ended = working.into_iter().map(|working| working.join());
        ended.map(|course| course.expect("it ends")).collect()
    });
    courses
        .into_iter()
        .for_each(|course| recorder.knows(course));
    recorder.end(serving)
}

/// The power goes whenever, and takes what it likes.
fn cut_at_any_time(recording: &Recording, chance: &mut Chance) {
    for _ in 0..from_environment("CUTS", CUTS) {
        let entries = chance.below(recording.entries.len() + 1);
        let (words, survivors) = match chance.below(4) {
            0 => ("nothing survives", Survivors::Nothing),
            1 => ("the last change survives", Survivors::Newest),
            _ => ("some survive", Survivors::Some(chance.fork())),
        };
        println!("cut after {entries} entries; of changes that were not synced {words}");
        let disk = recording.disk_after(entries);
        judge(recording, &disk.cut(&survivors), entries);
    }
}
