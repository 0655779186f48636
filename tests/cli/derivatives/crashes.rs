//! Killed in the middle of it, and started again.

use crate::client::Client;
use crate::program::Serving;

use super::{Desk, LARGE, directory, program};

/// Kills the program at a point of its work on the first product, starts it again, and looks whether everything is
/// there once.
fn killed_at(point: &str) {
    let data = directory();
    let client = Client::of(Serving::spawn(program(data.path())));
    let stopped = Desk { client, data };
    let nid = stopped.item();
    let Desk { client, data } = stopped;
    let mut command = program(data.path());
    command.env("ISOLARIO_KILL_AT", point);
    let client = client.restart_by(|| Serving::spawn(command));
    let desk = Desk { client, data };
    desk.original(nid, "fedora://map.png", LARGE);
    desk.wait_for("its end", || desk.client.serving.has_ended().then_some(()));
    let Desk { client, data } = desk;
    let client = client.restart_by(|| Serving::spawn(program(data.path())));
    let desk = Desk { client, data };
    desk.made(nid, "Thumbnail Image", 1);
    desk.made(nid, "Service File", 1);
    assert_eq!(desk.media(nid).len(), 3, "{:?}", desk.media(nid));
}

#[test]
fn killed_before_anything_is_made_it_is_made_once() {
    killed_at("deriving");
}

#[test]
fn killed_when_bytes_are_placed_it_is_made_once() {
    // The first is the original.
    killed_at("placed:2");
}

#[test]
fn killed_when_it_is_made_it_is_not_made_again() {
    killed_at("derived");
}
