//! A certificate of the owner's, right and wrong.

use std::path::Path;
use std::process::Command;

use super::network::{Network, SERVER, until};
use super::{administrator, configured, serve, server_status, stop, switch};

/// Makes a certificate for the server's address, and its key.
fn make(directory: &Path, name: &str) {
    let output = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
        ])
        .args(["-nodes", "-days", "30", "-subj", "/CN=Archive", "-addext"])
        .arg(format!("subjectAltName=IP:{SERVER}"))
        .args([
            "-keyout",
            &format!("{name}.key"),
            "-out",
            &format!("{name}.crt"),
        ])
        .current_dir(directory)
        .output()
        .expect("openssl is there");
    assert!(output.status.success(), "{output:?}");
}

fn rules(certificate: &str, key: &str) -> String {
    format!(
        "[lan]\nenabled = true\nport = 9443\nannounce = false\ncertificate = \"{certificate}\"\nkey = \"{key}\"\n"
    )
}

#[test]
fn the_owners_certificate_is_shown_instead() {
    let network = Network::lay();
    let data = configured(&rules("keys/own.crt", "keys/own.key"));
    std::fs::create_dir(data.path().join("keys")).expect("made");
    make(&data.path().join("keys"), "own");
    let serving = serve(&network, data.path());
    let trusted = data.path().join("keys/own.crt");
    let trusted = ["--cacert", trusted.to_str().expect("text")];
    let url = format!("https://{SERVER}:9443/api/v1/session");
    assert_eq!(
        network.there.curl(&url, &trusted).expect("trusted").status,
        200
    );
    assert!(!data.path().join("keys/lan.crt").exists());
    stop(serving);
}

#[test]
fn one_that_cannot_be_used_is_said_and_this_machine_is_served_all_the_same() {
    let network = Network::lay();
    let data = configured(&rules("keys/own.crt", "keys/other.key"));
    let keys = data.path().join("keys");
    std::fs::create_dir(&keys).expect("made");
    make(&keys, "own");
    make(&keys, "other");
    let serving = serve(&network, data.path());
    let words = "other.key does not belong to the certificate in ";
    assert!(serving.welcome.contains(words), "{}", serving.welcome);
    let administrator = administrator(&serving);
    let status = server_status(&network, &serving, &administrator);
    assert!(
        status["lan"]["problem"]
            .as_str()
            .expect("words")
            .contains(words),
        "{status}"
    );
    let url = format!("https://{SERVER}:9443/");
    network
        .there
        .curl(&url, &["--insecure"])
        .err()
        .expect("nothing listens");

    let here = format!("http://{}", serving.address);
    let again = switch(&network.here, &here, &administrator, true);
    assert_eq!(again.status, 409, "{}", again.text);
    std::fs::remove_file(keys.join("own.crt")).expect("removed");
    let again = switch(&network.here, &here, &administrator, true);
    assert!(
        again.text.contains("own.crt cannot be read"),
        "{}",
        again.text
    );

    // Put right, it needs nobody to switch.
    std::fs::copy(keys.join("other.crt"), keys.join("own.crt")).expect("copied");
    let trusted = keys.join("other.crt");
    let trusted = ["--cacert", trusted.to_str().expect("text")];
    until("the right certificate is shown", || {
        let answer = network.there.curl(&url, &trusted).ok()?;
        (answer.status == 200).then_some(())
    });
    let status = server_status(&network, &serving, &administrator);
    assert_eq!(status["lan"]["problem"], serde_json::Value::Null);
    stop(serving);
}
