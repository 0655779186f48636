//! OAI-PMH, as Sickle of PyPI harvests it (`make install-test-rust` installs it): everything, and then what changed, while
//! others write.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use crate::client::Client;
use crate::program::in_sources;

const JSON: &str = "Content-Type: application/json\r\n";
/// Prints each record as identifier, title and `deleted`, and before them the time of the first answer.
const HARVESTER: &str = "
import sys
from sickle import Sickle
from sickle.oaiexceptions import NoRecordsMatch
address, since = sys.argv[1:]
arguments = {'metadataPrefix': 'oai_dc', **({'from': since} if since else {})}
try:
    records = Sickle(address, max_retries=30).ListRecords(**arguments)
    print(records.oai_response.xml.findtext('{*}responseDate'))
    for record in records:
        title = '' if record.deleted else record.metadata['title'][0]
        print(record.header.identifier, title, record.deleted, sep='\\t')
except NoRecordsMatch:
    pass
";

/// What a harvester has: titles by identifier, `None` for deleted records, and from when on it goes on.
#[derive(Default)]
struct Catalogue {
    titles: BTreeMap<String, Option<String>>,
    since: String,
}

impl Catalogue {
    /// Harvests what has changed. No record comes twice in a harvest.
    fn harvest(&mut self, client: &Client) -> usize {
        let address = format!("http://{}/oai/request", client.serving.address);
        let python = in_sources(".tools/sickle/bin/python");
        let command = Command::new(&python)
            .args(["-c", HARVESTER, &address, &self.since])
            .output();
        let output = command.unwrap_or_else(|error| {
            let python = python.display();
            panic!("{python}: {error}. `make install-test-rust` installs it.")
        });
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{complaint}");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let mut lines = text.lines();
        let Some(date) = lines.next() else { return 0 };
        let mut harvested = BTreeMap::new();
        for line in lines {
            let parts: Vec<&str> = line.split('\t').collect();
            let [identifier, title, deleted] = parts[..] else {
                panic!("{line}")
            };
            let title = (deleted == "False").then(|| title.to_owned());
            let before = harvested.insert(identifier.to_owned(), title);
            assert_eq!(before, None, "{identifier} came twice");
        }
        self.since = date.to_owned();
        let records = harvested.len();
        self.titles.extend(harvested);
        records
    }

    fn live(&self) -> Vec<&str> {
        let mut titles: Vec<&str> = self.titles.values().flatten().map(String::as_str).collect();
        titles.sort_unstable();
        titles
    }
}

/// Writes until it is told to stop: makes items, changes them and deletes each third. Returns the titles that are left.
fn write(client: &Client, stop: &AtomicBool) -> Vec<String> {
    let mut left = Vec::new();
    for number in 0.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let (status, body) = client.post_object(&format!("Written {number}"));
        assert_eq!(status, 201, "{body}");
        let node: serde_json::Value = serde_json::from_str(&body).expect("JSON");
        let nid = &node["nid"][0]["value"];
        let path = format!("/node/{nid}?_format=json");
        if number % 3 == 0 {
            assert_eq!(client.ask("DELETE", &path, "", "").0, 204);
            continue;
        }
        let title = format!("Changed {number}");
        let change =
            json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": title}]});
        let (status, body) = client.ask("PATCH", &path, JSON, &change.to_string());
        assert_eq!(status, 200, "{body}");
        left.push(title);
    }
    left
}

#[test]
fn a_harvester_has_everything_without_loss_or_doubles_while_others_write() {
    let data = tempfile::tempdir().expect("a directory");
    let path = data.path().join("config.toml");
    std::fs::write(path, "[harvesting]\npage = 20\n").expect("writable");
    let client = Client::start(data.path());
    let mut expected: Vec<String> = (0..150).map(|number| format!("Old {number}")).collect();
    for title in &expected {
        assert_eq!(client.post_object(title).0, 201);
    }
    let mut catalogue = Catalogue::default();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| write(&client, &stop));
        for _ in 0..4 {
            catalogue.harvest(&client);
        }
        stop.store(true, Ordering::Relaxed);
        expected.extend(writer.join().expect("a writer"));
    });
    catalogue.harvest(&client);
    expected.sort();
    assert_eq!(catalogue.live(), expected);
    let client = client.restart(data.path());
    assert_eq!(catalogue.harvest(&client), 0, "nothing has changed since");
}
