//! A disk without room: what cannot be kept is refused in words, the rest goes on.

use std::path::Path;

use super::disk::Disk;
use crate::client::Client;
use crate::validators::valid_objects;

const MEGABYTES: u32 = 16;

/// A file with its place, its addresses and the bytes that were acknowledged last.
struct Text {
    place: String,
    uri: &'static str,
    path: &'static str,
    known: String,
}

impl Text {
    fn upload(client: &Client, uri: &'static str, path: &'static str) -> Text {
        let place = client.place();
        assert_eq!(client.put(&place, uri, "first").0, 201);
        let known = "first".into();
        Text {
            place,
            uri,
            path,
            known,
        }
    }

    /// Replaces the bytes; whether there was room.
    fn replace(&mut self, client: &Client, text: String) -> bool {
        let answer = client.put(&self.place, self.uri, &text);
        let kept = match answer.0 {
            204 => true,
            _ => refused_for_room(&answer),
        };
        if kept {
            self.known = text;
        }
        kept
    }

    #[track_caller]
    fn assert_as_known(&self, client: &Client) {
        assert_eq!(client.get(self.path), (200, self.known.clone()));
    }
}

fn two_texts(client: &Client) -> [Text; 2] {
    [
        Text::upload(client, "fedora://a.txt", "/_flysystem/fedora/a.txt"),
        Text::upload(client, "public://a.txt", "/sites/default/files/a.txt"),
    ]
}

/// Never true: a refusal for want of room says so, and that nothing was changed.
#[track_caller]
fn refused_for_room((status, body): &(u16, String)) -> bool {
    assert_eq!(*status, 507, "{body}");
    assert!(body.contains("Nothing was changed."), "{body}");
    false
}

fn count(directory: &Path) -> usize {
    let entries = directory.read_dir().expect("there").flatten();
    let below = entries.map(|entry| match entry.path().is_dir() {
        true => count(&entry.path()),
        false => 1,
    });
    below.sum()
}

#[test]
fn what_finds_no_room_is_refused_and_the_rest_goes_on() {
    let disk = Disk::of_megabytes(MEGABYTES);
    let client = disk.client();
    let mut texts = two_texts(&client);
    let (object, empty) = (client.object(), client.place());
    refused_for_room(&client.put(&empty, "fedora://b.txt", &"x".repeat(20_000_000)));
    // Who listens only when everything is sent hears it, too.
    let headers = "Content-Type: text/plain\r\nContent-Location: fedora://b.txt\r\n";
    let (status, _) = client.ask("PUT", &empty, headers, &"x".repeat(20_000_000));
    assert_eq!(status, 507);

    disk.fill();
    refused_for_room(&client.put(&empty, "fedora://b.txt", "b"));
    refused_for_room(&client.put(&empty, "public://b.txt", "b"));
    refused_for_room(&client.post_object("No room"));
    let node = format!("/node/{object}?_format=json");
    let change = r#"{"type":[{"target_id":"islandora_object"}],"title":[{"value":"Changed"}]}"#;
    let json = "Content-Type: application/json\r\n";
    refused_for_room(&client.send("PATCH", &node, json, change));
    for text in &mut texts {
        text.replace(&client, "second".into());
        text.assert_as_known(&client);
    }
    let (status, body) = client.get(&node);
    assert!(status == 200 && !body.contains("Changed"), "{body}");
    assert_eq!(count(&disk.seen().join("staging")), 0);

    disk.clear();
    assert_eq!(client.put(&empty, "fedora://b.txt", "b").0, 201);
    assert_eq!(client.send("PATCH", &node, json, change).0, 200);
    assert_eq!(client.send("DELETE", &node, "", "").0, 204);
    for text in &mut texts {
        assert!(text.replace(&client, "third".into()));
        text.assert_as_known(&client);
    }
    assert_eq!(valid_objects(&disk.seen()), 2);
}

/// Room that comes back a page at a time lets a change get a little further each time.
#[test]
fn wherever_the_room_ends_a_change_is_whole_or_not_at_all() {
    const TIMES: usize = 3;
    let disk = Disk::of_megabytes(MEGABYTES);
    let client = disk.client();
    let mut texts = two_texts(&client);
    let empty: Vec<String> = (0..TIMES).map(|_| client.place()).collect();
    for text in &mut texts {
        for time in 0..TIMES {
            disk.fill();
            while !text.replace(&client, format!("replaced {time}")) {
                text.assert_as_known(&client);
                assert!(disk.give_back_a_page(), "there was never enough room");
            }
            text.assert_as_known(&client);
        }
    }
    for (time, place) in empty.iter().enumerate() {
        disk.fill();
        loop {
            let answer = client.put(place, &format!("fedora://b{time}.txt"), "b");
            if answer.0 == 201 || refused_for_room(&answer) {
                break;
            }
            assert!(disk.give_back_a_page(), "there was never enough room");
        }
    }
    assert_eq!(count(&disk.seen().join("staging")), 0);
    assert_eq!(valid_objects(&disk.seen()), 1 + TIMES);
    assert_eq!(count(&disk.seen().join("files")), 1 + TIMES);
}

#[test]
fn a_server_that_was_killed_on_a_full_disk_loses_nothing() {
    let disk = Disk::of_megabytes(MEGABYTES);
    let client = disk.client();
    let mut texts = two_texts(&client);
    disk.fill();
    for text in &mut texts {
        text.replace(&client, "second".into());
    }
    let client = client.restart_by(|| disk.serve());
    for text in &mut texts {
        text.assert_as_known(&client);
        text.replace(&client, "third".into());
        text.assert_as_known(&client);
    }
    let client = client.restart_by(|| {
        disk.clear();
        disk.serve()
    });
    for text in &mut texts {
        text.assert_as_known(&client);
        assert!(text.replace(&client, "fourth".into()));
    }
    assert_eq!(count(&disk.seen().join("staging")), 0);
    assert_eq!(valid_objects(&disk.seen()), 1);
}

#[test]
fn a_workbook_without_room_is_refused_and_a_table_needs_none() {
    let disk = Disk::of_megabytes(MEGABYTES);
    let client = disk.client();
    let title = "x".repeat(250);
    for _ in 0..100 {
        assert_eq!(client.post_object(&title).0, 201);
    }
    disk.fill();
    let workbook = "/api/v1/export?format=xlsx";
    refused_for_room(&client.get(workbook));
    let (status, table) = client.get("/api/v1/export");
    assert_eq!(status, 200);
    // The chunk that ends it is there.
    assert!(table.len() > 100 * title.len() && table.ends_with("\r\n0\r\n\r\n"));
    disk.clear();
    assert_eq!(client.send("HEAD", workbook, "", "").0, 200);
    assert_eq!(count(&disk.seen().join("staging")), 0);
}
