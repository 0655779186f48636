//! `isolario serve`: how it begins, what it says, how it ends.

use std::io::Write;
use std::net::{IpAddr, TcpListener, TcpStream, UdpSocket};

use crate::program::{Serving, basic, complained, read_answer, run, said};

#[test]
fn the_first_start_prints_a_password_and_no_later_one_does() {
    let data = tempfile::tempdir().expect("a directory");
    let first = Serving::start(data.path());
    let password = first.password().expect("a password").to_owned();
    let (status, _) = first.get("/user/1", Some(&basic("admin", &password)));
    assert_eq!(status, 200);
    first.interrupt();
    assert_eq!(first.end().0, Some(0));

    let second = Serving::start(data.path());
    assert_eq!(second.password(), None, "{}", second.welcome);
    assert!(!second.welcome.contains(&password));
    let (status, _) = second.get("/user/1", Some(&basic("admin", &password)));
    assert_eq!(status, 200);
}

#[test]
fn without_a_display_the_plain_program_serves() {
    let data = tempfile::tempdir().expect("a directory");
    std::fs::write(
        data.path().join("config.toml"),
        "name = \"Atoll\"\n[server]\nport = 0\n",
    )
    .expect("written");
    let plain = Serving::start_with(data.path(), &[]);
    assert!(plain.welcome.starts_with("Atoll "), "{}", plain.welcome);
    assert_eq!(plain.get("/api/v1/session", None).0, 200);
}

#[test]
fn a_port_is_found_once_and_kept() {
    let data = tempfile::tempdir().expect("a directory");
    let first = Serving::start_with(data.path(), &["serve"]);
    let port = first.address.port();
    assert!(port >= 8460, "{port}");
    first.interrupt();
    first.end();
    let kept = std::fs::read_to_string(data.path().join("config.toml")).expect("written");
    assert!(kept.contains(&format!("\nport = {port}\n")), "{kept}");

    // Where this fails somebody else has the port, which does as well.
    let _somebody = TcpListener::bind(("127.0.0.1", port));
    let other = Serving::start_with(data.path(), &["serve"]);
    assert_ne!(other.address.port(), port);
    let still = std::fs::read_to_string(data.path().join("config.toml")).expect("written");
    assert_eq!(kept, still);
}

/// An address of this machine that others could reach it by, if it has one. Nothing is sent.
fn address_on_the_network() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_loopback()).then_some(address)
}

#[test]
fn a_new_repository_is_served_to_this_machine_only() {
    let data = tempfile::tempdir().expect("a directory");
    let serving = Serving::start_with(data.path(), &["serve"]);
    assert_eq!(serving.address.ip(), IpAddr::from([127, 0, 0, 1]));
    assert_eq!(serving.get("/api/v1/session", None).0, 200);
    if let Some(address) = address_on_the_network() {
        let refused = TcpStream::connect((address, serving.address.port()));
        assert!(refused.is_err(), "{address} is answered");
    }
}

#[test]
fn what_is_in_flight_is_finished() {
    let data = tempfile::tempdir().expect("a directory");
    let serving = Serving::start(data.path());
    let password = serving.password().expect("a password");
    let body = format!("{{\"name\":\"admin\",\"pass\":\"{password}\"}}");
    let (half, rest) = body.split_at(10);
    let mut stream = serving.connect();
    write!(
        stream,
        "POST /user/login HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        serving.address,
        body.len()
    )
    .expect("sent");
    // The interim answer says that the request has begun.
    let mut interim = [0; 25];
    std::io::Read::read_exact(&mut stream, &mut interim).expect("100 Continue");
    stream.write_all(half.as_bytes()).expect("sent");
    serving.interrupt();
    stream.write_all(rest.as_bytes()).expect("sent");
    let (status, answer) = read_answer(stream);
    assert_eq!(status, 200, "{answer}");
    assert_eq!(
        serving.end(),
        (Some(0), "Finishing what is in flight …\nStopped.\n".into())
    );
}

#[test]
fn a_public_address_is_used_and_a_wrong_one_refused() {
    let data = tempfile::tempdir().expect("a directory");
    let serve = ["serve", "--listen", "127.0.0.1:0", "--base-url"];
    let wrong = run(data.path(), &[&serve[..], &["archive"]].concat());
    assert!(complained(&wrong, 1).contains("archive"));
    let right = [&serve[..], &["https://archive.example/"]].concat();
    let serving = Serving::start_with(data.path(), &right);
    assert!(serving.welcome.contains("https://archive.example/"));
    let mut stream = serving.connect();
    let request =
        "GET /api/v1/session HTTP/1.1\r\nHost: archive.example\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).expect("sent");
    let (status, body) = read_answer(stream);
    assert_eq!(status, 200, "{body}");
}

#[test]
fn help_version_and_misuse() {
    let data = tempfile::tempdir().expect("a directory");
    let version = said(run(data.path(), &["--version"]));
    assert_eq!(
        version.trim(),
        concat!("isolario ", env!("CARGO_PKG_VERSION"))
    );
    let help = said(run(data.path(), &["--help"]));
    for word in ["serve", "user", "role", "openapi", "--data"] {
        assert!(help.contains(word), "{word} is not in:\n{help}");
    }
    complained(&run(data.path(), &["conquer"]), 2);
    complained(&run(data.path(), &["serve", "--listen", "everywhere"]), 2);
    assert_eq!(data.path().read_dir().expect("there").count(), 0);
}

#[test]
fn the_description_of_the_interface_is_printed() {
    let data = tempfile::tempdir().expect("a directory");
    let text = said(run(data.path(), &["openapi"]));
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(
        document["openapi"]
            .as_str()
            .is_some_and(|version| version.starts_with("3."))
    );
    assert!(document["paths"]["/api/v1/items"]["get"].is_object());
}
