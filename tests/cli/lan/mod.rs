//! What other machines of the local network reach, seen from one of them.

mod certificates;
mod http2;
mod network;
mod slow;

use std::path::Path;

use network::{Answer, Machine, Network, SERVER, until};
use serde_json::Value;

use crate::program::{Serving, isolario};

/// A server on a machine of a network of its own.
fn serve(network: &Network, data: &Path) -> Serving {
    Serving::spawn(network.here.inside(isolario(data, &["serve"])))
}

fn configured(config: &str) -> tempfile::TempDir {
    let data = tempfile::tempdir().expect("a directory");
    std::fs::write(data.path().join("config.toml"), config).expect("written");
    data
}

/// The administrator, by the password that the first start printed.
fn administrator(serving: &Serving) -> String {
    format!("admin:{}", serving.password().expect("a password"))
}

/// Switches the local network.
fn switch(machine: &Machine, base: &str, administrator: &str, on: bool) -> Answer {
    let body = format!("{{\"lan\":{{\"enabled\":{on}}}}}");
    let arguments = [
        "--insecure",
        "--request",
        "PATCH",
        "--user",
        administrator,
        "--header",
        "Content-Type: application/json",
        "--data",
        &body,
    ];
    let answer = machine.curl(&format!("{base}/api/v1/server"), &arguments);
    answer.expect("an answer")
}

/// The administrator's view of the server, on the server's own machine.
fn server_status(network: &Network, serving: &Serving, administrator: &str) -> Value {
    let url = format!("http://{}/api/v1/server", serving.address);
    let answer = network.here.curl(&url, &["--user", administrator]);
    answer.expect("an answer").json()
}

fn stop(serving: Serving) {
    serving.interrupt();
    assert_eq!(serving.end().0, Some(0));
}

#[test]
fn nobody_is_reached_before_the_network_is_switched_on_and_nobody_after() {
    let network = Network::lay();
    let data = tempfile::tempdir().expect("a directory");
    let serving = serve(&network, data.path());
    let administrator = administrator(&serving);
    let here = format!("http://{}", serving.address);
    let only_here = |network: &Network| {
        let listening = network.here.listening();
        assert_eq!(listening, [serving.address.to_string()], "{listening:?}");
        assert!(serving.address.ip().is_loopback());
    };
    only_here(&network);
    let plain = format!("http://{SERVER}:{}", serving.address.port());
    network
        .there
        .curl(&plain, &[])
        .err()
        .expect("nothing listens");

    let heard = network.there.listen();
    let on = switch(&network.here, &here, &administrator, true);
    assert_eq!(on.status, 200, "{}", on.text);
    let base = format!("https://{SERVER}:8443");
    assert_eq!(on.json()["lan"]["serving"]["urls"][0], base.as_str());
    let config = std::fs::read_to_string(data.path().join("config.toml")).expect("there");
    let lan = config.split_once("\n[lan]\n").expect("a table").1;
    assert!(
        lan.starts_with("enabled = true\n") && lan.contains("\nport = 8443\n"),
        "{config}"
    );

    let session = network
        .there
        .curl(&format!("{base}/api/v1/session"), &["--insecure"]);
    let session = session.expect("an answer").json();
    assert_eq!(session["repository"]["base_url"], base.as_str());
    heard.until(&["PTR _https._tcp.local ", " Isolario on "]);
    heard.until(&["PTR _isolario._tcp.local ", " Isolario on "]);
    heard.until(&["SRV Isolario on ", ".local:8443"]);
    heard.until(&["A ", &format!(" {SERVER}")]);

    // The one who switches it off from elsewhere still gets the answer.
    let off = switch(&network.there, &base, &administrator, false);
    assert_eq!(off.status, 200, "{}", off.text);
    assert_eq!(off.json()["lan"]["serving"], Value::Null);
    heard.until(&["PTR _https._tcp.local ", "ttl=0 "]);
    heard.until(&["PTR _isolario._tcp.local ", "ttl=0 "]);
    assert!(heard.all().iter().all(|line| !line.contains("_http._tcp")));
    network
        .there
        .curl(&base, &["--insecure"])
        .err()
        .expect("nothing listens");
    until("UDP sockets are closed", || {
        (network.here.listening().len() == 1).then_some(())
    });
    only_here(&network);
    let host = format!("Host: {SERVER}:8443");
    let stale = network.here.curl(&here, &["--header", &host]);
    assert_eq!(stale.expect("an answer").status, 421);
    // The port is free at once, and the address lasts.
    for on in [true, false, true] {
        let turned = switch(&network.here, &here, &administrator, on).json();
        let url = &turned["lan"]["serving"]["urls"][0];
        assert_eq!(url.as_str(), on.then_some(base.as_str()), "{turned}");
    }
    stop(serving);
}

#[test]
fn what_is_spoken_there_is_tls_and_names_and_pages_are_checked() {
    let network = Network::lay();
    let data = configured("[lan]\nenabled = true\nport = 9443\nname = \"atoll\"\n");
    let serving = serve(&network, data.path());
    let base = format!("https://{SERVER}:9443");
    assert!(
        serving
            .welcome
            .contains(&format!("{base}/ , https://atoll.local:9443/")),
        "{}",
        serving.welcome
    );
    let administrator = administrator(&serving);
    let shown = server_status(&network, &serving, &administrator);
    let shown = &shown["lan"]["serving"]["certificate"]["fingerprint"];
    let seen = network.there.fingerprint(&format!("{SERVER}:9443"));
    assert_eq!(shown, &seen);
    assert!(serving.welcome.contains(&seen), "{}", serving.welcome);
    let asked = network
        .there
        .curl(&format!("{base}/api/v1/session"), &["--insecure"]);
    let session = asked.expect("an answer").json();
    assert_eq!(session["repository"]["fingerprint"], seen.as_str());

    // Somebody who trusts the certificate needs no exception, by address or by name.
    let trusted = data.path().join("keys/lan.crt");
    let trusted = trusted.to_str().expect("text");
    let by_name = [
        "--cacert",
        trusted,
        "--resolve",
        &format!("atoll.local:9443:{SERVER}"),
    ];
    for url in [
        format!("{base}/node/1"),
        "https://atoll.local:9443/node/1".to_owned(),
    ] {
        let answer = network.there.curl(&url, &by_name).expect("an answer");
        assert_eq!(answer.status, 404, "{}", answer.text);
    }

    let ask = |path: &str, headers: &[&str]| {
        let mut arguments = vec!["--insecure"];
        headers
            .iter()
            .for_each(|header| arguments.extend(["--header", header]));
        network
            .there
            .curl(&format!("{base}{path}"), &arguments)
            .expect("an answer")
    };
    let rebound = ask("/api/v1/session", &["Host: evil.example"]);
    assert_eq!(rebound.status, 421, "{}", rebound.text);
    let plain = network
        .there
        .curl(&format!("http://{SERVER}:9443/api/v1/session"), &[]);
    let plain = plain.expect("an answer");
    assert_eq!(plain.status, 400);
    assert_eq!(
        plain.json()["message"],
        format!("Only HTTPS is spoken here: {base}/")
    );

    cookies_are_guarded(&network, &base, &administrator);
    stop(serving);
}

/// Signs in with a browser's means and changes something with them.
fn cookies_are_guarded(network: &Network, base: &str, administrator: &str) {
    let (name, password) = administrator.split_once(':').expect("both");
    let body = format!("{{\"name\":\"{name}\",\"pass\":\"{password}\"}}");
    let origin = format!("Origin: {base}");
    let ask = |path: &str, method: &str, headers: &[&str], body: &str| {
        let mut arguments = vec!["--insecure", "--request", method, "--data", body];
        arguments.extend(["--header", "Content-Type: application/json"]);
        headers
            .iter()
            .for_each(|header| arguments.extend(["--header", header]));
        network
            .there
            .curl(&format!("{base}{path}"), &arguments)
            .expect("an answer")
    };
    let entered = ask("/user/login?_format=json", "POST", &[&origin], &body);
    assert_eq!(entered.status, 200, "{}", entered.text);
    let line = |start: &str| {
        let mut lines = entered.text.lines();
        lines
            .find_map(|line| line.strip_prefix(start))
            .expect("a header")
            .to_owned()
    };
    let cookie = line("set-cookie: ");
    assert!(
        cookie.starts_with("SSESS") && cookie.ends_with("; HttpOnly; SameSite=Lax; Secure"),
        "{cookie}"
    );
    let cookie = format!("Cookie: {}", cookie.split(';').next().expect("a value"));
    let token = entered.json()["csrf_token"]
        .as_str()
        .expect("a token")
        .to_owned();
    let token = format!("X-CSRF-Token: {token}");
    let on = "{\"lan\":{\"enabled\":true}}";
    let change = |headers: &[&str]| ask("/api/v1/server", "PATCH", headers, on);
    let bare = change(&[&origin, &cookie]);
    assert_eq!(
        bare.json()["message"],
        "X-CSRF-Token request header is missing"
    );
    for other in [
        base.replace("https:", "http:"),
        "https://evil.example".into(),
    ] {
        let foreign = change(&[&format!("Origin: {other}"), &cookie, &token]);
        assert_eq!(foreign.status, 403, "{}", foreign.text);
        assert!(
            foreign.text.contains("A page of another site"),
            "{}",
            foreign.text
        );
    }
    assert_eq!(change(&[&origin, &cookie, &token]).status, 200);
}

#[test]
fn a_new_address_is_answered_to_under_a_new_certificate() {
    let network = Network::lay();
    let data = configured("[lan]\nenabled = true\nport = 9443\nannounce = false\n");
    let serving = serve(&network, data.path());
    let former = network.there.fingerprint(&format!("{SERVER}:9443"));
    network.here.also_called("10.77.0.9");
    let url = "https://10.77.0.9:9443/api/v1/session";
    until("the new address is answered to", || {
        let answer = network.there.curl(url, &["--insecure"]).expect("an answer");
        (answer.status == 200).then_some(())
    });
    assert_ne!(network.there.fingerprint("10.77.0.9:9443"), former);
    let trusted = data.path().join("keys/lan.crt");
    let trusted = ["--cacert", trusted.to_str().expect("text")];
    assert_eq!(
        network.there.curl(url, &trusted).expect("trusted").status,
        200
    );
    let status = server_status(&network, &serving, &administrator(&serving));
    let remark = status["lan"]["remark"].as_str().expect("a remark");
    assert_eq!(
        remark,
        "The certificate was made anew, because the former one did not name 10.77.0.9."
    );
    stop(serving);
}

#[test]
fn plain_http_is_a_choice_that_warns() {
    let network = Network::lay();
    let data =
        configured("name = \"Atoll\"\n[lan]\nenabled = true\nport = 9080\nplain_http = true\n");
    let heard = network.there.listen();
    let serving = serve(&network, data.path());
    let warning = "The local network is served without encryption";
    assert!(serving.welcome.contains(warning), "{}", serving.welcome);
    let answer = network
        .there
        .curl(&format!("http://{SERVER}:9080/api/v1/session"), &[]);
    assert_eq!(answer.expect("an answer").status, 200);
    let status = server_status(&network, &serving, &administrator(&serving));
    let words = status["warnings"][0].as_str().expect("a warning");
    assert!(words.starts_with(warning), "{words}");
    heard.until(&["PTR _http._tcp.local ", " Atoll on "]);
    heard.until(&["PTR _isolario._tcp.local "]);
    stop(serving);
    heard.until(&["PTR _http._tcp.local ", "ttl=0 "]);
    assert!(heard.all().iter().all(|line| !line.contains("_https._tcp")));
}

#[test]
fn an_address_given_by_hand_is_plain_and_warned_about() {
    let network = Network::lay();
    let data = tempfile::tempdir().expect("a directory");
    let program = isolario(
        data.path(),
        &["serve", "--listen", &format!("{SERVER}:9081")],
    );
    let serving = Serving::spawn(network.here.inside(program));
    let warning = format!("Other machines can reach {SERVER}:9081 without encryption");
    assert!(serving.welcome.contains(&warning), "{}", serving.welcome);
    let answer = network
        .there
        .curl(&format!("http://{SERVER}:9081/api/v1/session"), &[]);
    assert_eq!(answer.expect("an answer").status, 200);
    assert_eq!(network.here.listening(), [format!("{SERVER}:9081")]);
    stop(serving);
}
