//! Hashing passwords is dear on purpose: it is done once for who is known, and never many times at once.

use std::io::Write;

use crate::process::{peak_memory, peak_memory_since, processor_time};
use crate::program::{Serving, basic, run_with_password, said};

const PASSWORD: &str = "a password of hers";

fn serving(data: &std::path::Path) -> Serving {
    said(run_with_password(data, &["user", "add", "mira"], PASSWORD));
    Serving::start(data)
}

/// The processor time that something takes a server.
fn cost(serving: &Serving, work: impl FnOnce()) -> u64 {
    let before = processor_time(serving.process());
    work();
    processor_time(serving.process()) - before
}

#[test]
fn a_hundred_requests_with_a_password_cost_one_hash() {
    let data = tempfile::tempdir().expect("a directory");
    let serving = serving(data.path());
    let ask = |authorization: Option<&str>| serving.get("/api/v1/session", authorization).0;
    let mira = basic("mira", PASSWORD);
    assert_eq!(ask(Some(&mira)), 200);
    let of_nobody = cost(&serving, || {
        (0..100).for_each(|_| assert_eq!(ask(None), 200))
    });
    let of_mira = cost(&serving, || {
        (0..100).for_each(|_| assert_eq!(ask(Some(&mira)), 200))
    });
    let of_twenty_hashes = cost(&serving, || {
        for number in 0..20 {
            assert_eq!(ask(Some(&basic(&format!("stranger {number}"), "a"))), 401);
        }
    });
    let of_her_password = of_mira.saturating_sub(of_nobody);
    assert!(
        of_her_password < of_twenty_hashes,
        "a hundred requests: {of_mira} ticks, without a password {of_nobody}; twenty hashes: {of_twenty_hashes}"
    );
}

#[test]
fn many_who_sign_in_at_the_same_time_take_turns() {
    const MANY: usize = 40;
    /// What one hash holds (OWASP's first choice for Argon2id: 19 MiB).
    const HASH: u64 = 19 * 1024;
    let data = tempfile::tempdir().expect("a directory");
    let serving = serving(data.path());
    let sign_in = |name: &str| serving.get("/api/v1/session", Some(&basic(name, "b"))).0;
    assert_eq!(sign_in("nobody"), 401);
    let before = peak_memory(serving.process());
    std::thread::scope(|scope| {
        for number in 0..MANY {
            let sign_in = &sign_in;
            scope.spawn(move || assert_eq!(sign_in(&format!("stranger {number}")), 401));
        }
    });
    for number in 0..MANY {
        let credentials = basic(&format!("hasty {number}"), "b");
        let mut stream = serving.connect();
        let host = serving.address;
        write!(
            stream,
            "GET / HTTP/1.1\r\nHost: {host}\r\nAuthorization: {credentials}\r\n\r\n"
        )
        .expect("sent");
        // Gone before it is answered.
    }
    assert_eq!(sign_in("nobody again"), 401);
    let grown = peak_memory_since(before, serving.process());
    assert!(
        grown < HASH * 6,
        "{MANY} hashes took {grown} KB more than one"
    );
}
