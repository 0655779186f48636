//! Whether there is a door for everything that can be asked.

use super::{Things, doors};
use crate::routes::fits;
use crate::support::TestServer;

/// Asked by everybody in tests of their own: ways to sign in and out, a stream that does not end, and bytes.
const ELSEWHERE: [&str; 8] = [
    "GET /session/token",
    "POST /user/login",
    "GET /user/login_status",
    "POST /user/logout",
    "GET /api/v1/events",
    "GET /openapi.json",
    "GET /sites/default/files/{path}",
    "GET /_flysystem/{scheme}/{path}",
];

#[test]
fn everything_that_is_documented_has_a_door() {
    let server = TestServer::start();
    let things = Things::new(&server);
    let doors = doors();
    let requests: Vec<_> = doors
        .iter()
        .map(|door| (door.make)(&server, &things))
        .collect();
    let document = server.get("/openapi.json").send().expect(200).json();
    let paths = document["paths"].as_object().expect("paths");
    let mut without = Vec::new();
    for (template, operations) in paths {
        for method in operations.as_object().expect("methods").keys() {
            let method = method.to_uppercase();
            let name = format!("{method} {template}");
            let mut targets = requests.iter().map(|request| request.target());
            let asked = targets.any(|(asked, path)| asked == method && fits(template, path));
            if !asked && !ELSEWHERE.contains(&name.as_str()) {
                without.push(name);
            }
        }
    }
    assert!(without.is_empty(), "no door for: {}", without.join(", "));
}
