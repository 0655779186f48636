//! HTTP/2, which is spoken where TLS is: proper clients, and others.

use serde_json::json;

use super::network::{Network, SERVER};
use super::slow::store_large_file;
use super::{administrator, configured, serve, stop};
use crate::program::in_sources;

const LAN: &str = "[lan]\nenabled = true\nport = 9443\nannounce = false\n";
const LIMITS: &str = "[limits]\nconnections_per_address = 10\nheader_seconds = 1\nanswer_idle_seconds = 2\njson_seconds = 3\n";

/// What a Python program of this folder says of the server.
fn seen(network: &Network, script: &str, more: &[&str]) -> Vec<String> {
    let script = in_sources(&format!("tests/cli/lan/{script}"));
    let script = script.display().to_string();
    let address: &[&str] = &[&script, SERVER, "9443"];
    network.there.python(&[address, more].concat())
}

#[test]
fn a_hundred_requests_share_a_connection_with_an_event_stream() {
    let network = Network::lay();
    let data = configured(LAN);
    let serving = serve(&network, data.path());
    let seen = seen(&network, "many.py", &[&administrator(&serving)]);
    let all = [
        "it is HTTP/2",
        "events are streamed",
        "a hundred are answered",
        "all well",
        "one is made",
        "the stream tells",
    ];
    assert_eq!(seen, all.map(|line| format!("{line}: True")), "{seen:?}");
    stop(serving);
    let log = std::fs::read_to_string(data.path().join("logs/requests.log")).expect("a log");
    let asked = log
        .lines()
        .filter(|line| line.contains(" GET /user/login_status 200 user=0 "));
    assert_eq!(asked.count(), 100);
}

#[test]
fn who_begins_and_does_not_go_on_is_ended_over_http2_too() {
    let network = Network::lay();
    let data = tempfile::tempdir().expect("a directory");
    store_large_file(data.path());
    std::fs::write(data.path().join("config.toml"), format!("{LAN}{LIMITS}")).expect("written");
    let serving = serve(&network, data.path());
    let seen = seen(
        &network,
        "hostile_streams.py",
        &["/sites/default/files/large.txt"],
    );
    let all = [
        "silence ends: True",
        "no request ends: True",
        "half a head ends: True",
        "a request is answered: True",
        "idleness ends: True",
        "a body that does not come: 408",
        "a head that is too long: 431",
        "a head of too many lines: 431",
        "the others go on: True",
        "an answer that is not taken ends: True",
        "its connection does not: True",
        "there are too many at once: True",
        "what is taken back ends: True",
    ];
    assert_eq!(seen, all);
    stop(serving);
}

#[test]
fn an_orderly_stop_ends_event_streams_and_answers_what_was_begun() {
    let network = Network::lay();
    let data = configured(LAN);
    let serving = serve(&network, data.path());
    let process = serving.process().to_string();
    let seen = seen(
        &network,
        "last_streams.py",
        &[&administrator(&serving), &process],
    );
    let all = [
        "events are streamed",
        "a later one is answered",
        "the stream ends",
        "what was begun is answered",
        "the connection ends in order",
    ];
    assert_eq!(seen, all.map(|line| format!("{line}: True")), "{seen:?}");
    assert_eq!(serving.end().0, Some(0));
}

#[test]
fn files_come_and_go_over_either_version() {
    let network = Network::lay();
    let data = configured(LAN);
    let serving = serve(&network, data.path());
    let administrator = administrator(&serving);
    let base = format!("https://{SERVER}:9443");
    let ask = |path: &str, arguments: &[&str]| {
        let signed = ["--insecure", "--user", &administrator];
        let answer = network
            .there
            .curl(&format!("{base}{path}"), &[&signed, arguments].concat());
        answer.expect("an answer")
    };
    let term = |vocabulary: &str, name: &str| {
        let path = format!("/api/v1/terms?vocabulary={vocabulary}&q={name}");
        ask(&path, &[]).json()["terms"][0]["tid"].clone()
    };
    let original = term("islandora_media_use", "Original%20File");
    let body = json!({
        "type": [{"target_id": "islandora_object"}],
        "title": [{"value": "Isola"}],
        "field_model": [{"target_id": term("islandora_models", "Digital%20Document")}],
    });
    let body = body.to_string();
    for (version, status_line) in [
        ("--http2", "HTTP/2 201"),
        ("--http1.1", "HTTP/1.1 201 Created"),
    ] {
        let json = "Content-Type: application/json";
        let made = ask(
            "/node?_format=json",
            &[version, "--header", json, "--data", &body],
        );
        assert!(made.text.starts_with(status_line), "{}", made.text);
        let nid = &made.json()["nid"][0]["value"];
        let address = format!("public://{}.txt", version.trim_start_matches('-'));
        let put = ask(
            &format!("/node/{nid}/media/file/{original}?_format=json"),
            &[
                version,
                "--request",
                "PUT",
                "--data",
                "0123456789",
                "--header",
                "Content-Type: text/plain",
                "--header",
                &format!("Content-Location: {address}"),
                "--header",
                "Want-Repr-Digest: sha-256=1",
            ],
        );
        assert_eq!(put.status, 201, "{}", put.text);
        assert!(put.text.contains("repr-digest: "), "{}", put.text);
        let path = address.replace("public:/", "/sites/default/files");
        let part = ask(&path, &[version, "--range", "2-4"]);
        assert_eq!(
            (part.status, part.text.ends_with("\r\n\r\n234")),
            (206, true),
            "{}",
            part.text
        );
    }
    stop(serving);
}
