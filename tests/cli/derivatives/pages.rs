//! The pages of a TIFF or PDF as items of their own: made once, in order, as one change.

use std::io::Write;

use serde_json::{Value, json};

use super::{Desk, directory, program};
use crate::client::Client;
use crate::program::{Serving, read_answer};

/// Of three pages.
const TIFF: &[u8] = include_bytes!("../../samples/pictures/pages.tif");
/// Of two pages, with text.
const PDF: &[u8] = include_bytes!("../../samples/documents/two-pages.pdf");

/// A PDF of so many empty pages.
fn empty_pdf(pages: usize) -> Vec<u8> {
    let kids: String = (0..pages)
        .map(|page| format!("{} 0 R ", page + 3))
        .collect();
    let tree = format!("<</Type /Pages /Kids [{kids}] /Count {pages}>>");
    let page = "<</Type /Page /Parent 2 0 R /MediaBox [0 0 72 72]>>".to_owned();
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    let objects = ["<</Type /Catalog /Pages 2 0 R>>".to_owned(), tree];
    for (number, object) in objects.into_iter().chain(vec![page; pages]).enumerate() {
        places.push(file.len());
        file.extend(format!("{} 0 obj\n{object}\nendobj\n", number + 1).bytes());
    }
    let start = file.len();
    let table: String = places
        .iter()
        .map(|place| format!("{place:010} 00000 n \n"))
        .collect();
    let size = places.len() + 1;
    let end = format!("trailer\n<</Size {size} /Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n");
    file.extend(format!("xref\n0 {size}\n0000000000 65535 f \n{table}{end}").bytes());
    file
}

impl Desk {
    /// A new item with this original.
    #[track_caller]
    pub fn book(&self, (media_type, uri, mime): (&str, &str, &str), bytes: &[u8]) -> i64 {
        let nid = self.item();
        let tid = self.client.term("islandora_media_use", "Original File");
        let length = bytes.len();
        let headers = format!(
            "Content-Type: {mime}\r\nContent-Location: {uri}\r\nContent-Length: {length}\r\n"
        );
        let place = format!("/node/{nid}/media/{media_type}/{tid}");
        let mut stream = self.client.begin("PUT", &place, &headers);
        stream.write_all(bytes).expect("sent");
        let (status, answer) = read_answer(stream);
        assert_eq!(status, 201, "{answer}");
        nid
    }

    fn tiff(&self) -> i64 {
        self.book(("file", "fedora://scans/atlas.tif", "image/tiff"), TIFF)
    }

    fn pdf(&self, bytes: &[u8]) -> i64 {
        self.book(("document", "public://log.pdf", "application/pdf"), bytes)
    }

    #[track_caller]
    fn post(&self, path: &str) -> Value {
        let (status, answer) = self.client.send("POST", path, "", "");
        assert_eq!(status, 202, "{path}: {answer}");
        serde_json::from_str(&answer).expect("JSON")
    }

    fn begin(&self, nid: i64) -> Value {
        self.post(&format!("/api/v1/items/{nid}/pages"))
    }

    /// A batch, once it has ended.
    #[track_caller]
    fn ended(&self, begun: &Value) -> Value {
        self.wait_for("the end of a batch", || {
            let batch = self.get(&format!("/api/v1/batches/{}", begun["id"]));
            (!batch["ended"].is_null()).then_some(batch)
        })
    }

    /// Makes the pages of an item; the batch, when it has ended.
    #[track_caller]
    fn make(&self, nid: i64) -> Value {
        self.ended(&self.begin(nid))
    }

    #[track_caller]
    fn undo(&self, batch: &Value) -> Value {
        self.ended(&self.post(&format!("/api/v1/batches/{}/undo", batch["id"])))
    }

    /// The members of an item in their order.
    fn members(&self, nid: i64) -> Vec<Value> {
        let list = self.get(&format!(
            "/api/v1/items?collection={nid}&sort=weight&limit=200"
        ));
        list["items"].as_array().expect("a list").clone()
    }

    fn titles(&self, nid: i64) -> Vec<String> {
        let members = self.members(nid).into_iter();
        members
            .map(|page| page["title"].as_str().unwrap_or_default().to_owned())
            .collect()
    }
}

fn numbers(batch: &Value) -> [Option<i64>; 3] {
    ["total", "changed", "refused"].map(|name| batch[name].as_i64())
}

#[test]
fn the_pages_of_a_tiff_become_items_with_files_of_their_own() {
    let desk = Desk::new();
    let nid = desk.tiff();
    let original = desk.media_as(nid, "Original File")[0]["file"]["sha512"].clone();
    let batch = desk.make(nid);
    // The item itself becomes Paged Content.
    assert_eq!(
        (&batch["state"], numbers(&batch)),
        (&json!("done"), [Some(4), Some(4), Some(0)])
    );
    let pages = desk.members(nid);
    let told = pages.iter().map(|page| {
        let weight = page["weight"].as_i64();
        (
            page["title"].as_str().expect("a title"),
            weight,
            page["model"]["role"].as_str(),
        )
    });
    let expected =
        [1, 2, 3].map(|page| (format!("An object, page {page}"), Some(page), Some("page")));
    let expected = expected
        .iter()
        .map(|(title, weight, role)| (title.as_str(), *weight, *role));
    assert!(told.eq(expected), "{pages:#?}");
    for (number, page) in pages.iter().enumerate() {
        let page = page["nid"].as_i64().expect("a nid");
        let own = desk.made(page, "Original File", 1);
        assert_eq!(own["name"], format!("atlas-page-{}.tif", number + 1));
        assert_eq!(own["mime"], "image/tiff");
        desk.made(page, "Thumbnail Image", 1);
    }
    assert_eq!(
        desk.media_as(nid, "Original File")[0]["file"]["sha512"],
        original
    );
    let book = desk.get(&format!("/api/v1/items/{nid}"));
    assert_eq!(
        (&book["pages"], &book["model"]["role"]),
        (&json!(3), &json!("paged"))
    );
}

#[test]
fn the_pages_of_a_pdf_become_pictures_with_their_words() {
    let desk = Desk::new();
    let nid = desk.pdf(PDF);
    assert_eq!(desk.make(nid)["state"], "done");
    let pages = desk.members(nid);
    assert_eq!(pages.len(), 2);
    let words = ["Salt islands\nof the north\n", "Second page\n"];
    for (page, words) in pages.iter().zip(words) {
        let nid = page["nid"].as_i64().expect("a nid");
        let picture = desk.made(nid, "Service File", 1);
        assert!(picture["width"].as_i64() > Some(600), "{picture}");
        assert_eq!(desk.made(nid, "Thumbnail Image", 1)["width"], 512);
        assert_eq!(desk.origin(&picture), "derivative");
        let media = desk.get(&format!("/api/v1/items/{nid}/media"));
        let all = media["media"].as_array().expect("a list");
        let text = all
            .iter()
            .find(|one| one["bundle"] == "extracted_text")
            .expect("a text");
        let uri = text["file"]["uri"].as_str().expect("a URI");
        let path = uri.replace("public://", "/sites/default/files/");
        assert_eq!(desk.client.get(&path).1, words);
    }
    let without = desk.get("/api/v1/items?view=without_original");
    assert_eq!(
        without["items"],
        json!([]),
        "their original is that of the item"
    );
}

#[test]
fn pages_that_are_there_are_not_made_again() {
    let desk = Desk::new();
    let nid = desk.tiff();
    let first = desk.make(nid);
    assert_eq!(numbers(&desk.make(nid)), [Some(4), Some(0), Some(0)]);
    let second = desk.members(nid)[1]["nid"].clone();
    let (status, answer) = desk
        .client
        .send("DELETE", &format!("/api/v1/items/{second}"), "", "");
    assert_eq!(status, 200, "{answer}");
    assert_eq!(numbers(&desk.make(nid)), [Some(4), Some(1), Some(0)]);
    assert_eq!(
        desk.titles(nid),
        [1, 2, 3].map(|page| format!("An object, page {page}"))
    );
    let state = desk.get(&format!("/api/v1/items/{nid}/pages"));
    let expected = json!({"pages": 3, "made": 3, "may_make": true, "batch": null});
    assert_eq!(state, expected);
    let entries = desk.get("/api/v1/activity?kind=node&limit=200");
    let entries = entries["changes"].as_array().expect("a list").iter();
    let told = entries.filter(|entry| entry["many"]["id"] == first["id"]);
    let told: Vec<&Value> = told.collect();
    assert_eq!(told.len(), 1, "one entry for all");
    assert_eq!(told[0]["many"]["act"], "make_pages");
}

#[test]
fn one_undo_takes_all_pages_back_and_another_brings_them_again() {
    let desk = Desk::new();
    let nid = desk.tiff();
    let before = desk.get(&format!("/api/v1/items/{nid}"))["model"].clone();
    let batch = desk.make(nid);
    let pages = desk.members(nid);
    let undone = desk.undo(&batch);
    assert_eq!(numbers(&undone), [Some(4), Some(4), Some(0)]);
    assert_eq!(desk.members(nid), Vec::<Value>::new());
    assert_eq!(desk.get(&format!("/api/v1/items/{nid}"))["model"], before);
    desk.undo(&undone);
    let nids = |pages: &[Value]| {
        pages
            .iter()
            .map(|page| page["nid"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(nids(&desk.members(nid)), nids(&pages));
    let described = pages[1]["nid"].as_i64().expect("a nid");
    let body = json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": "Index"}]});
    let (headers, path) = (
        "Content-Type: application/json\r\n",
        format!("/node/{described}"),
    );
    let changed = desk.client.send("PATCH", &path, headers, &body.to_string());
    assert_eq!(changed.0, 200, "{}", changed.1);
    assert_eq!(numbers(&desk.undo(&batch)), [Some(4), Some(3), Some(1)]);
    assert_eq!(desk.titles(nid), ["Index"], "somebody has changed it since");
}

#[test]
fn what_is_still_being_made_can_be_taken_back_at_once() {
    let desk = Desk::new();
    let nid = desk.pdf(&empty_pdf(30));
    let begun = desk.begin(nid);
    desk.wait_for("two pages", || (desk.members(nid).len() > 1).then_some(()));
    let undo = format!("/api/v1/batches/{}/undo", begun["id"]);
    assert_eq!(
        desk.client.send("POST", &undo, "", "").0,
        409,
        "it has not ended"
    );
    let cancel = format!("/api/v1/batches/{}/cancel", begun["id"]);
    assert_eq!(desk.client.send("POST", &cancel, "", "").0, 204);
    assert_eq!(desk.undo(&begun)["refused"], 0);
    assert_eq!(desk.members(nid), Vec::<Value>::new());
}

#[test]
fn cancelled_it_ends_and_goes_on_when_it_is_asked_for_again() {
    let desk = Desk::new();
    let nid = desk.pdf(&empty_pdf(30));
    let begun = desk.begin(nid);
    assert_eq!(desk.begin(nid)["id"], begun["id"], "it is being made");
    desk.wait_for("two pages", || (desk.members(nid).len() > 1).then_some(()));
    let cancel = format!("/api/v1/batches/{}/cancel", begun["id"]);
    assert_eq!(desk.client.send("POST", &cancel, "", "").0, 204);
    assert_eq!(desk.ended(&begun)["state"], "cancelled");
    let rest = desk.make(nid);
    let [total, changed, _] = numbers(&rest);
    assert!(
        total == Some(31) && changed > Some(0) && changed < Some(29),
        "{rest}"
    );
    assert_eq!(
        desk.titles(nid),
        (1..=30)
            .map(|page| format!("An object, page {page}"))
            .collect::<Vec<_>>()
    );
}

/// Kills the program at a point, starts it again, and looks whether every page is there once.
fn killed_at(point: &str) {
    let data = directory();
    let client = Client::of(Serving::spawn(program(data.path())));
    let stopped = Desk { client, data };
    let nid = stopped.tiff();
    stopped.wait_for("the facts", || {
        stopped.get(&format!("/api/v1/items/{nid}"))["pages"].as_i64()
    });
    stopped.made(nid, "Thumbnail Image", 1);
    stopped.made(nid, "Service File", 1);
    let Desk { client, data } = stopped;
    let mut command = program(data.path());
    command.env("ISOLARIO_KILL_AT", point);
    let client = client.stop().start_again_by(command);
    let desk = Desk { client, data };
    let begun = desk.begin(nid);
    desk.wait_for("its end", || desk.client.serving.has_ended().then_some(()));
    let Desk { client, data } = desk;
    let client = client.restart_by(|| Serving::spawn(program(data.path())));
    let desk = Desk { client, data };
    let batch = desk.ended(&begun);
    assert_eq!(
        (&batch["state"], numbers(&batch)),
        (&json!("done"), [Some(4), Some(4), Some(0)])
    );
    assert_eq!(
        desk.titles(nid),
        [1, 2, 3].map(|page| format!("An object, page {page}"))
    );
    for page in desk.members(nid) {
        let nid = page["nid"].as_i64().expect("a nid");
        assert_eq!(desk.media_as(nid, "Original File").len(), 1, "{page}");
    }
}

#[test]
fn killed_when_a_page_has_no_file_yet_it_gets_that_file() {
    killed_at("page:2");
}

#[test]
fn killed_when_the_file_of_a_page_is_placed_it_is_stored_once() {
    killed_at("placed:1");
}

#[test]
fn what_cannot_be_made_is_said_in_words() {
    let desk = Desk::new();
    let many = desk.make(desk.pdf(&empty_pdf(5_001)));
    let words = "The file has 5001 pages; at most 5000 become items.";
    assert_eq!(
        (&many["state"], &many["reason"]),
        (&json!("failed"), &json!(words))
    );
    let one = desk.make(desk.pdf(&empty_pdf(1)));
    assert_eq!(
        (&one["state"], numbers(&one)),
        (&json!("done"), [Some(0); 3])
    );
    let mut broken = TIFF.to_vec();
    // The first page says that its packed pixels lie behind the end of the file.
    let table = u32::from_le_bytes(broken[4..8].try_into().expect("a place")) as usize;
    let count = u16::from_le_bytes(broken[table..table + 2].try_into().expect("a count"));
    for entry in 0..usize::from(count) {
        let at = table + 2 + entry * 12;
        if broken[at..at + 2] == 273_u16.to_le_bytes() {
            broken[at + 8..at + 12].copy_from_slice(&u32::MAX.to_le_bytes());
        }
    }
    let nid = desk.book(("file", "fedora://broken.tif", "image/tiff"), &broken);
    let batch = desk.make(nid);
    assert_eq!(numbers(&batch), [Some(4), Some(3), Some(1)]);
    let items = desk.get(&format!(
        "/api/v1/batches/{}/items?state=refused",
        batch["id"]
    ));
    let words = items["items"][0]["message"].as_str().expect("words");
    assert!(words.starts_with("Page 1: The "), "{words}");
    assert_eq!(
        desk.titles(nid),
        [2, 3].map(|page| format!("An object, page {page}"))
    );
}
