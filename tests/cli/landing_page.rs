//! Typed links of an item, as signposting of PyPI reads them (`make install-test-rust` installs it).

use std::process::Command;

use serde_json::Value;

use crate::client::Client;
use crate::program::in_sources;

/// Prints where the links of an address lead, by relation: those of the headers, and those of the link set that they name.
const READER: &str = "
import json, sys
import signposting
found = signposting.find_signposting_http(sys.argv[1])
linked = signposting.find_signposting_linkset([link.target for link in found.linksets][0])
def addresses(signposts):
    return {str(link.rel): sorted({str(one.target) for one in signposts if one.rel == link.rel}) for link in signposts}
print(json.dumps([addresses(list(found)), addresses(list(linked.for_context(sys.argv[1])))]))
";

fn read(address: &str) -> [Value; 2] {
    let python = in_sources(".tools/signposting/bin/python");
    let output = Command::new(python).args(["-c", READER, address]).output();
    let output = output.expect("`make install-test-rust` installs it");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn a_program_finds_what_is_behind_the_page_of_an_item() {
    let data = tempfile::tempdir().expect("a directory");
    let client = Client::start(data.path());
    let (nid, place) = (client.object(), client.place());
    let (status, body) = client.put(&place, "public://map.txt", "a text");
    assert_eq!(status, 201, "{body}");
    let address = format!("http://{}/node/{nid}", client.serving.address);
    let [headers, linkset] = read(&address);
    println!("{headers} {linkset}");
    for links in [headers, linkset] {
        assert_eq!(links["cite-as"][0], address);
        assert!(
            links["describedby"]
                .as_array()
                .is_some_and(|links| links.len() == 4),
            "{links}"
        );
    }
}
