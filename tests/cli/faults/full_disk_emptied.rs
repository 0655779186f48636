//! A disk without room: what is deleted there makes room.

use super::disk::{Disk, found_below};
use crate::client::Client;

const MEGABYTES: u32 = 32;
const LARGE: usize = 4_000_000;

/// Uploads a large file; path of the route that took it.
fn upload(client: &Client, uri: &str) -> String {
    let place = client.place();
    let (status, body) = client.put(&place, uri, &"x".repeat(LARGE));
    assert_eq!(status, 201, "{body}");
    place
}

#[track_caller]
fn delete(client: &Client, path: &str) {
    let (status, body) = client.send("DELETE", path, "", "");
    assert_eq!(status, 204, "{path}: {body}");
}

#[test]
fn what_is_deleted_and_purged_on_a_full_disk_makes_room() {
    for uri in ["fedora://a.txt", "public://a.txt"] {
        let disk = Disk::of_megabytes(MEGABYTES);
        let client = disk.client();
        let object = client.object();
        upload(&client, uri);
        let empty = client.place();
        disk.fill();
        assert_eq!(client.put(&empty, "public://b.txt", "b").0, 507);
        delete(&client, &format!("/node/{object}?_format=json"));
        delete(&client, "/media/1?_format=json");
        disk.fill();
        delete(&client, "/entity/file/1?_format=json");
        disk.fill();
        delete(&client, "/api/v1/trash/file/1");
        // What the file took is there again.
        let (status, body) = client.put(&empty, "public://b.txt", &"y".repeat(LARGE / 2));
        assert_eq!(status, 201, "{body}");
    }
}

#[test]
fn an_item_with_all_of_its_own_and_the_whole_trash_go_on_a_full_disk() {
    let disk = Disk::of_megabytes(MEGABYTES);
    let client = disk.client();
    let place = upload(&client, "fedora://a.txt");
    let item = place.split('/').nth(2).expect("its number").to_owned();
    let empty = client.place();
    disk.fill();
    let (status, body) = client.send("DELETE", &format!("/api/v1/items/{item}"), "", "");
    assert!((200..300).contains(&status), "{status} {body}");
    disk.fill();
    let (status, body) = client.send("DELETE", "/api/v1/trash", "", "");
    assert!((200..300).contains(&status), "{status} {body}");
    let (status, body) = client.put(&empty, "public://b.txt", &"y".repeat(LARGE / 2));
    assert_eq!(status, 201, "{body}");
}

#[test]
fn what_is_purged_goes_where_no_file_can_be_made() {
    let disk = Disk::of_megabytes(MEGABYTES);
    let client = disk.client();
    upload(&client, "public://a.txt");
    let used = "$(df --output=iused \"$0\" | tail --lines=1)";
    disk.shell(&format!(
        "mount -o remount,nr_inodes=$(({used} + 9)) \"$0\""
    ));
    let take_all = || {
        disk.shell("n=0; while true > \"$0/$$.$n\"; do n=$((n + 1)); done 2> /dev/null");
    };
    for path in [
        "/media/1?_format=json",
        "/entity/file/1?_format=json",
        "/api/v1/trash/file/1",
    ] {
        take_all();
        delete(&client, path);
    }
    let left = found_below(&disk.seen().join("files"), &"x".repeat(LARGE));
    assert_eq!(left, None);
}

#[test]
fn room_for_deleting_is_kept_again_when_there_is_room() {
    let disk = Disk::of_megabytes(MEGABYTES);
    let client = disk.client();
    for round in 0..6 {
        upload(&client, &format!("public://{round}.txt"));
        disk.fill();
        delete(
            &client,
            &format!("/entity/file/{}?_format=json", 2 * round + 1),
        );
        delete(&client, &format!("/api/v1/trash/file/{}", 2 * round + 1));
        disk.clear();
        upload(&client, &format!("public://more{round}.txt"));
        delete(
            &client,
            &format!("/entity/file/{}?_format=json", 2 * round + 2),
        );
        delete(&client, &format!("/api/v1/trash/file/{}", 2 * round + 2));
    }
}
