//! Every route of the router is asked at least once, and answers as a route does.

use std::path::Path;

use crate::support::TestServer;

/// A path for every route, with `N`, `M`, `F`, `T` and `U` for a node, media, file, term and use.
const PATHS: [(&str, &str); 74] = [
    ("GET", "/"),
    ("POST", "/node"),
    ("GET", "/node"),
    ("GET", "/node/N"),
    ("GET", "/node/N/edit"),
    ("GET", "/node/N/delete"),
    ("GET", "/node/N/revisions"),
    ("PUT", "/node/N/media/file/U"),
    ("POST", "/entity/media"),
    ("GET", "/media/M"),
    ("GET", "/media/M/edit"),
    ("GET", "/media/M/delete"),
    ("PUT", "/media/M/source"),
    ("PUT", "/media/add_derivative/M/field_media_image"),
    ("GET", "/media/add"),
    ("GET", "/media/add/image"),
    ("GET", "/media/delete"),
    ("GET", "/admin/content/media"),
    ("GET", "/admin/content/node/delete"),
    ("GET", "/admin/people"),
    ("GET", "/admin/server"),
    ("GET", "/entity/file/F"),
    ("DELETE", "/entity/file/0/edit"),
    ("GET", "/file/F/delete"),
    ("POST", "/file/upload/media/image/field_media_image"),
    ("GET", "/sites/default/files/routes/a.png"),
    ("GET", "/_flysystem/fedora/none.txt"),
    ("POST", "/taxonomy/term"),
    ("GET", "/taxonomy/term/T"),
    ("GET", "/taxonomy/term/T/edit"),
    ("GET", "/taxonomy/term/T/delete"),
    ("GET", "/user/1"),
    ("GET", "/user/1/edit"),
    ("GET", "/user/1/cancel"),
    ("POST", "/user/login"),
    ("POST", "/user/logout"),
    ("GET", "/user/login_status"),
    ("GET", "/session/token"),
    ("GET", "/jwt/token"),
    ("GET", "/.well-known/jwks.json"),
    ("GET", "/openapi.json"),
    ("GET", "/api/v1/session"),
    ("GET", "/api/v1/content-model"),
    ("GET", "/api/v1/collections"),
    ("GET", "/api/v1/items"),
    ("GET", "/api/v1/counts"),
    ("GET", "/api/v1/fixity"),
    ("GET", "/api/v1/items/N/media"),
    ("GET", "/api/v1/terms"),
    ("GET", "/api/v1/labels"),
    ("GET", "/api/v1/media"),
    ("GET", "/api/v1/users"),
    ("PATCH", "/api/v1/users/0"),
    ("GET", "/api/v1/roles"),
    ("GET", "/api/v1/backups"),
    ("GET", "/api/v1/server"),
    ("GET", "/api/v1/server/requests"),
    ("GET", "/api/v1/items/N/revisions"),
    ("GET", "/api/v1/items/N/revisions/1"),
    ("GET", "/api/v1/items/N/revisions/1/changes"),
    ("POST", "/api/v1/items/N/revisions/1/revert"),
    ("GET", "/api/v1/media/M/revisions"),
    ("GET", "/api/v1/media/M/revisions/1"),
    ("GET", "/api/v1/media/M/revisions/1/changes"),
    ("POST", "/api/v1/media/M/revisions/1/revert"),
    ("GET", "/api/v1/terms/T/revisions"),
    ("GET", "/api/v1/terms/T/revisions/1"),
    ("GET", "/api/v1/terms/T/revisions/1/changes"),
    ("POST", "/api/v1/terms/T/revisions/1/revert"),
    ("GET", "/api/v1/files/F/versions"),
    ("GET", "/api/v1/files/F/versions/1/content"),
    ("GET", "/api/v1/trash"),
    ("GET", "/api/v1/trash/node/N"),
    ("POST", "/api/v1/trash/node/N/restore"),
];
/// Asked by tests of their own: streams and files of the page.
const ELSEWHERE: [&str; 6] = [
    "/api/v1/events",
    "/api/v1/items/{nid}",
    "/api/v1/uploads/{id}",
    "/assets/{*path}",
    "/favicon.ico",
    "/icon.svg",
];

/// The templates that the sources of `api` give to the router.
pub fn templates() -> Vec<String> {
    let mut found = Vec::new();
    collect(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src-tauri/src/api"),
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
        for call in text.split(".route(").skip(1) {
            let first = call.trim_start();
            if let Some(template) = first
                .strip_prefix('"')
                .and_then(|rest| rest.split('"').next())
            {
                found.push(template.to_owned());
            }
        }
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
        .filter(|template| !PATHS.iter().any(|(_, path)| fits(template, path)))
        .collect();
    assert!(untouched.is_empty(), "routes without a test: {untouched:?}");
}

#[test]
fn every_path_is_a_route() {
    let server = TestServer::shared();
    let nid = server.create_object("Routes");
    let mid = server.upload_image(nid, "public://routes/a.png");
    let fid = server.media(mid)["field_media_image"][0]["target_id"].to_string();
    let tid = server.create_term("tags", "Routes").to_string();
    let use_tid = server
        .term("islandora_media_use", "Original File")
        .to_string();
    for (method, path) in PATHS {
        let filled: Vec<String> = path
            .split('/')
            .map(|part| match part {
                "N" => nid.to_string(),
                "M" => mid.to_string(),
                "F" => fid.clone(),
                "T" => tid.clone(),
                "U" => use_tid.clone(),
                other => other.to_owned(),
            })
            .collect();
        let answer = server.request(method, &filled.join("/")).as_admin().send();
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
    let page = server
        .get("/nowhere/at/all")
        .header("Accept", "text/html,*/*;q=0.8")
        .send()
        .expect(404);
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
