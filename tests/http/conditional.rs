//! ETag, If-None-Match, If-Match, HEAD and Accept, for every kind of resource.

use serde_json::{Value, json};

use crate::support::TestServer;

/// A resource of every kind, with a body that changes it (a file has none).
fn resources(server: &TestServer) -> Vec<(String, Option<Value>)> {
    let nid = server.create_object("Conditional");
    let mid = server.upload_image(nid, "public://conditional/a.png");
    let fid = server.media(mid)["field_media_image"][0]["target_id"].clone();
    let tid = server.create_term("tags", "Conditional");
    vec![
        (
            format!("/node/{nid}"),
            Some(
                json!({"type": [{"target_id": "islandora_object"}], "title": [{"value": "Changed"}]}),
            ),
        ),
        (
            format!("/media/{mid}"),
            Some(json!({"bundle": [{"target_id": "image"}], "name": [{"value": "Changed"}]})),
        ),
        (
            format!("/taxonomy/term/{tid}"),
            Some(json!({"vid": [{"target_id": "tags"}], "name": [{"value": "Changed"}]})),
        ),
        (format!("/entity/file/{fid}"), None),
    ]
}

#[test]
fn a_known_etag_saves_the_body() {
    let server = TestServer::shared();
    for (path, _) in resources(server) {
        let etag = server
            .get(&path)
            .as_admin()
            .send()
            .expect(200)
            .etag()
            .to_owned();
        for value in [
            etag.clone(),
            format!("\"other\", {etag}"),
            "*".to_owned(),
            format!("W/{etag}"),
        ] {
            let answer = server
                .get(&path)
                .as_admin()
                .header("If-None-Match", value)
                .send()
                .expect(304);
            assert!(answer.body.is_empty());
            assert_eq!(answer.etag(), etag);
        }
        server
            .get(&path)
            .as_admin()
            .header("If-None-Match", "\"other\"")
            .send()
            .expect(200);
    }
}

#[test]
fn an_etag_is_of_one_format_and_one_state() {
    let server = TestServer::shared();
    for (path, change) in resources(server) {
        let etag = |format: &str| {
            server
                .get(&format!("{path}?_format={format}"))
                .as_admin()
                .send()
                .expect(200)
                .etag()
                .to_owned()
        };
        let (json, jsonld) = (etag("json"), etag("jsonld"));
        assert_ne!(json, jsonld, "{path}");
        assert_eq!(json, etag("json"), "{path}");
        if let Some(change) = change {
            server
                .patch(&path)
                .as_admin()
                .json(change)
                .send()
                .expect(200);
            assert_ne!(json, etag("json"), "{path}");
            assert_ne!(jsonld, etag("jsonld"), "{path}");
        }
    }
}

#[test]
fn an_etag_changes_when_a_referenced_thing_is_deleted() {
    let server = TestServer::shared();
    let parent = server.create_object("Goes");
    let nid =
        server.create_object_with("Stays", json!({"field_member_of": [{"target_id": parent}]}));
    let path = format!("/node/{nid}");
    let before = server
        .get(&path)
        .as_admin()
        .send()
        .expect(200)
        .etag()
        .to_owned();
    server
        .delete(&format!("/node/{parent}"))
        .as_admin()
        .send()
        .expect(204);
    assert_ne!(
        server.get(&path).as_admin().send().expect(200).etag(),
        before
    );
}

#[test]
fn a_lost_race_is_a_412() {
    let server = TestServer::shared();
    for (path, change) in resources(server) {
        let etag = server
            .get(&path)
            .as_admin()
            .send()
            .expect(200)
            .etag()
            .to_owned();
        if let Some(change) = change {
            let patch = |etag: &str| {
                server
                    .patch(&path)
                    .as_admin()
                    .header("If-Match", etag)
                    .json(change.clone())
                    .send()
            };
            patch("\"other\"").expect(412);
            patch(&format!("W/{etag}")).expect(412);
            patch(&format!("\"other\", {etag}")).expect(200);
            let etag = server.get(&path).as_admin().send().expect(200);
            let etag = etag.etag().to_owned();
            patch(&format!("{etag}, \"other\"")).expect(200);
            let etag = server.get(&path).as_admin().send().expect(200);
            let etag = etag.etag().to_owned();
            patch(&etag).expect(200);
            patch(&etag).expect(412);
            patch("*").expect(200);
            server
                .delete(&path)
                .as_admin()
                .header("If-Match", etag)
                .send()
                .expect(412);
        } else {
            server
                .delete(&path)
                .as_admin()
                .header("If-Match", "\"other\"")
                .send()
                .expect(412);
        }
        let etag = server
            .get(&path)
            .as_admin()
            .send()
            .expect(200)
            .etag()
            .to_owned();
        server
            .delete(&path)
            .as_admin()
            .header("If-Match", etag)
            .send()
            .expect(204);
    }
}

#[test]
fn head_is_get_without_a_body() {
    let server = TestServer::shared();
    for (path, _) in resources(server) {
        for format in ["", "?_format=json", "?_format=jsonld", "?_format=xml"] {
            let path = format!("{path}{format}");
            let get = server.get(&path).as_admin().send();
            let head = server.head(&path).as_admin().send();
            let headers = |headers: &[(String, String)]| -> Vec<(String, String)> {
                let mut headers = headers.to_vec();
                headers.retain(|(name, _)| name != "date");
                headers.sort();
                headers
            };
            assert_eq!(head.status, get.status, "{path}");
            assert_eq!(headers(&head.headers), headers(&get.headers), "{path}");
            assert!(head.body.is_empty(), "{path}");
        }
    }
}

#[test]
fn a_browser_gets_the_page_and_a_program_the_data() {
    let server = TestServer::shared();
    for (path, _) in resources(server).into_iter().take(3) {
        let mime = |accept: &str, query: &str| {
            let answer = server
                .get(&format!("{path}{query}"))
                .header("Accept", accept)
                .send()
                .expect(200);
            answer
                .header("content-type")
                .unwrap_or_default()
                .split(';')
                .next()
                .unwrap_or_default()
                .to_owned()
        };
        let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
        assert_eq!(mime(browser, ""), "text/html", "{path}");
        assert_eq!(mime("*/*", ""), "application/json", "{path}");
        assert_eq!(mime("application/json", ""), "application/json", "{path}");
        assert_eq!(
            mime("text/html;q=0.5, application/json", ""),
            "application/json",
            "{path}"
        );
        assert_eq!(mime(browser, "?_format=json"), "application/json", "{path}");
        assert_eq!(
            mime(browser, "?_format=jsonld"),
            "application/ld+json",
            "{path}"
        );
    }
}

#[test]
fn answers_say_what_they_depend_on() {
    let server = TestServer::shared();
    for (path, _) in resources(server) {
        let answer = server.get(&path).as_admin().send().expect(200);
        let vary = answer
            .header("vary")
            .unwrap_or_default()
            .to_ascii_lowercase();
        assert!(vary.contains("accept"), "{path}: Vary {vary:?}");
        assert_eq!(
            answer.header("x-content-type-options"),
            Some("nosniff"),
            "{path}"
        );
        let cache = answer.header("cache-control").unwrap_or_default();
        assert!(
            cache.contains("private") || cache.contains("no-cache") || cache.contains("no-store"),
            "{path}: {cache:?}"
        );
    }
}
