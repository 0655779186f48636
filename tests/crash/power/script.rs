//! One client that does everything once that a sync is for, one thing after the other.

use super::moment::Course;
use super::recorder::{Recorder, Recording};
use crate::chance::Chance;
use crate::load::{Client, Terms};
use crate::program::Serving;
use crate::recorded::until_recorded;
use crate::wire::Server;

/// Something that a client does with one of its files.
type Step = fn(&mut Client, &Server, usize) -> Option<()>;

/// A client, and what it came to know on its way.
struct Actor {
    client: Client,
    server: Server,
    course: Course,
}

impl Actor {
    /// Does one thing, which has to be answered.
    fn does(&mut self, step: impl FnOnce(&mut Client, &Server) -> Option<()>) {
        step(&mut self.client, &self.server).expect("an answer");
        self.course.step(self.server.port(), &self.client.ledger);
    }

    /// The same for a thing that the program does not outlive.
    fn does_not_live_to_see(&mut self, step: impl FnOnce(&mut Client, &Server) -> Option<()>) {
        let answer = step(&mut self.client, &self.server);
        assert!(answer.is_none(), "the program was not killed");
    }

    fn address(&mut self, scheme: &str) -> usize {
        self.address_below(scheme, "script")
    }

    fn address_below(&mut self, scheme: &str, directory: &str) -> usize {
        let at = self
            .client
            .place_below(&self.server, scheme, directory)
            .expect("an answer");
        self.course.step(self.server.port(), &self.client.ledger);
        at
    }
}

/// Records the whole script.
pub fn record(chance: Chance) -> Recording {
    let mut recorder = Recorder::new();
    let serving = recorder.start(None);
    let server = recorder.server(&serving);
    let terms = Terms::of(&server);
    let mut actor = Actor {
        client: Client::new("script".into(), chance, terms),
        server,
        course: Course::new("script"),
    };
    let files = first_run(&mut actor);
    let serving = after_a_stop(&mut recorder, serving, &mut actor);
    let serving = after_crashes(&mut recorder, serving, &mut actor, files);
    recorder.knows(actor.course);
    recorder.end(serving)
}

/// Items, and files of both schemes: made, replaced, in parts, deleted, restored, removed for good.
fn first_run(actor: &mut Actor) -> [usize; 2] {
    actor.does(Client::ask_token);
    actor.does(|client, server| client.create(server).map(drop));
    actor.does(|client, server| client.create(server).map(drop));
    actor.does(Client::change);
    actor.does(Client::search);
    actor.does(Client::delete);
    // So many directories are brought to the disk as one.
    let deep = actor.address_below("fedora", &["deep"; 20].join("/"));
    for _ in 0..2 {
        actor.does(|client, server| client.put(server, deep));
    }
    ["public", "fedora"].map(|scheme| {
        let at = actor.address(scheme);
        for _ in 0..3 {
            actor.does(|client, server| client.put(server, at));
        }
        actor.does(|client, server| client.begin(server, at));
        for number in 1..=3 {
            actor.does(|client, server| {
                let upload = &client.ledger.uploads[0];
                let rest = upload.whole.len() - upload.received;
                let to = upload.received + rest * number / 3;
                client.append_up_to(server, 0, to)
            });
        }
        actor.does(|client, server| client.trash(server, at));
        actor.does(|client, server| client.restore(server, at));
        actor.does(|client, server| client.put(server, at));

        let purged = actor.address(scheme);
        actor.does(|client, server| client.put(server, purged));
        actor.does(|client, server| client.put(server, purged));
        actor.does(|client, server| client.trash(server, purged));
        actor.does(|client, server| client.purge(server, purged));
        at
    })
}

/// A stop in peace, and a start.
fn after_a_stop(recorder: &mut Recorder, serving: Serving, actor: &mut Actor) -> Serving {
    until_recorded(&recorder.data());
    actor.does(Client::change);
    serving.interrupt();
    assert_eq!(serving.end().0, Some(0));
    let serving = recorder.start(None);
    actor.server = recorder.server(&serving);
    actor.does(Client::change);
    serving
}

/// Crashes in the middle of things, and what the next start makes of them.
fn after_crashes(
    recorder: &mut Recorder,
    mut serving: Serving,
    actor: &mut Actor,
    [public, fedora]: [usize; 2],
) -> Serving {
    let new = actor.address("fedora");
    let crashes: [(&str, usize, Step); 8] = [
        ("placed", public, Client::put),
        ("placed", fedora, Client::put),
        ("placed", new, Client::put),
        ("inventory.json.sha512", fedora, Client::put),
        ("committed", fedora, Client::put),
        ("relocated", public, Client::put),
        ("relocated", public, Client::trash),
        ("relocated", public, Client::restore),
    ];
    for (point, at, step) in crashes {
        drop(serving);
        serving = recorder.start(Some(point));
        actor.server = recorder.server(&serving);
        actor.does_not_live_to_see(|client, server| step(client, server, at));
        drop(serving);
        serving = recorder.start(None);
        actor.server = recorder.server(&serving);
        actor.client.judge(&actor.server);
        actor.does(Client::change);
    }
    until_recorded(&recorder.data());
    serving
}
