//! Every route of the router is asked at least once, and answers as a route does.

use std::path::Path;

use crate::support::{Request, TestServer};

/// A path for every route, with `N`, `M`, `F`, `T` and `U` for a node, media, file, term and use.
fn paths() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("routes.txt").lines();
    lines.map(|line| {
        let (method, path) = line.split_once(' ').expect("a method and a path");
        (method, path.trim())
    })
}
/// Asked by tests of their own: streams and files of the page.
const ELSEWHERE: [&str; 8] = [
    "/api/v1/collections/counts",
    "/api/v1/events",
    "/api/v1/items/{nid}",
    "/api/v1/saved-searches/counts",
    "/api/v1/uploads/{id}",
    "/assets/{*path}",
    "/favicon.ico",
    "/icon.svg",
];

/// The templates that the sources of `api` give to the router.
pub fn templates() -> Vec<String> {
    let mut found = Vec::new();
    collect(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src-tauri/crates/isolario-server/src/api"),
        &mut found,
    );
    found.sort();
    found.dedup();
    found
}

fn collect(directory: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(directory).expect("the sources are there") {
        let path = entry.expect("a readable directory").path();
        if path.is_dir() {
            collect(&path, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
        let calls = text.split(".route(").skip(1);
        let annotations = text.split("path = ").skip(1);
        let arguments = calls.chain(annotations).map(str::trim_start);
        let templates = arguments.filter_map(|text| text.strip_prefix('"')?.split('"').next());
        found.extend(templates.map(str::to_owned));
    }
}

/// Whether a path fits a template like `/node/{id}` or `/files/{*path}`.
pub fn fits(template: &str, path: &str) -> bool {
    let mut parts = path.split('/');
    for wanted in template.split('/') {
        if wanted.starts_with("{*") {
            return parts.next().is_some();
        }
        match parts.next() {
            Some(part) if wanted == part || wanted.starts_with('{') && !part.is_empty() => {}
            _ => return false,
        }
    }
    parts.next().is_none()
}

#[test]
fn every_route_has_a_test() {
    let untouched: Vec<String> = templates()
        .into_iter()
        .filter(|template| {
            !ELSEWHERE
                .iter()
                .any(|one| fits(one, template) || one == template)
        })
        .filter(|template| !paths().any(|(_, path)| fits(template, path)))
        .collect();
    assert!(untouched.is_empty(), "routes without a test: {untouched:?}");
}

/// The paths, with the ids of things that are there.
fn filled(server: &TestServer) -> Vec<(&'static str, String)> {
    let nid = server.create_object("Routes");
    let mid = server.upload_image(nid, "public://routes/a.png");
    let fid = server.media(mid)["field_media_image"][0]["target_id"].to_string();
    let tid = server.create_term("tags", "Routes").to_string();
    let use_tid = server
        .term("islandora_media_use", "Original File")
        .to_string();
    let fill = |part: &'static str| match part {
        "N" => nid.to_string(),
        "M" => mid.to_string(),
        "F" => fid.clone(),
        "T" => tid.clone(),
        "U" => use_tid.clone(),
        other => other.to_owned(),
    };
    let whole = |path: &'static str| path.split('/').map(fill).collect::<Vec<_>>().join("/");
    paths()
        .map(|(method, path)| (method, whole(path)))
        .collect()
}

#[test]
fn every_path_is_a_route() {
    let server = TestServer::shared();
    for (method, path) in filled(server) {
        let answer = server.request(method, &path).as_admin().send();
        assert!(
            answer.status < 500 && answer.status != 405,
            "{}: {} {}",
            answer.request,
            answer.status,
            answer.text()
        );
        let message = answer.text();
        assert!(
            !message.contains("No route found"),
            "{}: {message}",
            answer.request
        );
    }
}

#[test]
fn head_is_get_without_a_body_at_every_route() {
    let server = TestServer::start();
    // What was asked before is in the answer to the next.
    let tells_of_itself = |path: &str| path == "/api/v1/server/requests";
    let paths = filled(&server).into_iter();
    for (_, path) in paths.filter(|(method, path)| *method == "GET" && !tells_of_itself(path)) {
        for as_whom in [Request::as_admin, std::convert::identity] {
            let [got, head] =
                ["GET", "HEAD"].map(|method| as_whom(server.request(method, &path)).send());
            assert_eq!(head.status, got.status, "{path}");
            assert!(head.body.is_empty(), "{path}");
            // How a body is sent need not be said where there is none (RFC 9112, 6.1).
            let is_told = |name: &str| name != "date" && name != "transfer-encoding";
            let told = |(name, _): &&(String, String)| is_told(name);
            let [got, head] = [&got, &head].map(|answer| answer.headers.iter().filter(told));
            assert!(head.eq(got), "{path}");
        }
    }
}

#[test]
fn a_path_may_be_spelled_in_several_ways() {
    let server = TestServer::shared();
    let nid = server.create_object("Spelled");
    let encoded: String = nid
        .to_string()
        .bytes()
        .map(|digit| format!("%{digit:02x}"))
        .collect();
    for path in [
        format!("/node/0{nid}"),
        format!("/node/{nid}/"),
        format!("/node//{nid}"),
        format!("//node/{nid}"),
        format!("/NODE/{nid}"),
        format!("/node/{encoded}"),
        format!("/no%64%65/{nid}"),
    ] {
        let answer = server
            .get(&format!("{path}?_format=json"))
            .send()
            .expect(200);
        assert_eq!(answer.value("nid"), nid, "{path}");
    }
    let posted = server.post("/n%6Fde/?_format=json").as_admin();
    posted.json(server.object("Spelled")).send().expect(201);
}

#[test]
fn other_methods_are_told_which_ones_there_are() {
    let server = TestServer::shared();
    let nid = server.create_object("Methods");
    for (path, allowed) in [
        (format!("/node/{nid}"), vec!["GET", "PATCH", "DELETE"]),
        ("/node".to_owned(), vec!["POST"]),
        (
            format!(
                "/node/{nid}/media/file/{}",
                server.term("islandora_media_use", "Original File")
            ),
            vec!["PUT"],
        ),
        ("/entity/media".to_owned(), vec!["POST"]),
    ] {
        let refused = server.request("PROPFIND", &path).as_admin().send();
        assert!(
            [405, 501].contains(&refused.status),
            "{path}: {}",
            refused.status
        );
        let options = server.request("OPTIONS", &path).send().expect(200);
        let allow = options.header("allow").unwrap_or_default();
        for method in allowed {
            assert!(
                allow.contains(method),
                "{path}: Allow {allow:?} lacks {method}"
            );
        }
    }
}

#[test]
fn unknown_paths_are_named() {
    let server = TestServer::shared();
    let message = format!("No route found for \"GET {}/nope\"", server.base());
    server
        .get("/nope?_format=json")
        .send()
        .expect_message(404, &message);
    server
        .get("/")
        .header("Accept", "text/html")
        .send()
        .expect(200);
}

#[test]
fn a_browser_at_no_address_of_ours_gets_the_page_and_a_program_a_sentence() {
    let server = TestServer::shared();
    let page = server.get("/nowhere/at/all");
    let page = page.header("Accept", "text/html,*/*;q=0.8");
    let page = page.send().expect(404);
    assert!(page.text().contains("<div id=\"app\">"), "{}", page.text());
    let words = format!(
        "No route found for \"GET {}/nowhere/at/all\"",
        server.base()
    );
    let program = server.get("/nowhere/at/all").send();
    program.expect_message(404, &words);
    let json = server.get("/nowhere/at/all?_format=json");
    let json = json.header("Accept", "text/html").send();
    json.expect_message(404, &words);
}
