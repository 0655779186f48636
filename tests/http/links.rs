//! Every target of a Link header is there, for programs and for browsers.

use std::collections::BTreeSet;

use serde_json::json;

use crate::support::{Response, TestServer};

/// The local targets of the links of an answer, as paths.
fn targets(server: &TestServer, answer: &Response) -> BTreeSet<String> {
    let base = server.base();
    answer
        .links()
        .iter()
        .filter_map(|link| {
            link.strip_prefix('<')?
                .split('>')
                .next()?
                .strip_prefix(&base)
                .map(str::to_owned)
        })
        .collect()
}

/// Resources of every kind, linked to each other in every way.
fn resources(server: &TestServer) -> Vec<String> {
    let parent = server.create_object("Parent");
    let tag = server.create_term("tags", "No URI of its own");
    let nid = server.create_object_with(
        "Linked",
        json!({"field_member_of": [{"target_id": parent}]}),
    );
    let mid = server.upload_image(nid, "public://links/a.png");
    let fid = server.media(mid)["field_media_image"][0]["target_id"].clone();
    vec![
        format!("/node/{nid}"),
        format!("/media/{mid}"),
        format!("/entity/file/{fid}"),
        format!("/taxonomy/term/{tag}"),
        "/user/1".to_owned(),
    ]
}

#[test]
fn no_link_leads_nowhere() {
    let server = TestServer::shared();
    for resource in resources(server) {
        for format in ["json", "jsonld"] {
            let answer = server
                .get(&format!("{resource}?_format={format}"))
                .as_admin()
                .send()
                .expect(200);
            let targets = targets(server, &answer);
            assert!(!targets.is_empty(), "{resource} has no links");
            for target in targets {
                follow(server, &target);
            }
        }
    }
}

fn follow(server: &TestServer, target: &str) {
    let program = server.get(target).as_admin().send();
    let there = program.status < 400 || program.status == 405;
    assert!(there, "{target}: {} {}", program.status, program.text());

    let browser = server
        .get(target)
        .as_admin()
        .header("Accept", "text/html,*/*;q=0.5")
        .send();
    if browser.status == 405 {
        assert!(target.ends_with("/source"), "{target} answers 405");
        return;
    }
    browser.expect(200);
}

#[test]
fn a_browser_gets_the_form_or_the_list_of_a_link() {
    let server = TestServer::shared();
    for resource in resources(server) {
        let asked = server.get(&format!("{resource}?_format=json"));
        let answer = asked.as_admin().send().expect(200);
        for target in targets(server, &answer) {
            let data = target.contains("_format=")
                || target.contains("/sites/")
                || target.ends_with("/source");
            if !data {
                let page = server
                    .get(&target)
                    .header("Accept", "text/html")
                    .send()
                    .expect(200);
                let mime = page.header("content-type").unwrap_or_default();
                assert!(mime.starts_with("text/html"), "{target}: {mime}");
                assert!(
                    page.text().contains("<div id=\"app\">"),
                    "{target} is not the user interface"
                );
            }
        }
    }
}

#[test]
fn links_are_the_same_in_every_format() {
    let server = TestServer::shared();
    for resource in resources(server) {
        let links = |format: &str| -> Vec<String> {
            let answer = server
                .get(&format!("{resource}?_format={format}"))
                .as_admin()
                .send()
                .expect(200);
            answer
                .links()
                .into_iter()
                .filter(|link| !link.contains("rel=\"alternate\""))
                .collect()
        };
        assert_eq!(links("json"), links("jsonld"), "{resource}");
    }
}

#[test]
fn what_one_may_not_see_is_not_linked() {
    let server = TestServer::shared();
    let hidden = server.create_object_with("Hidden", json!({"status": [{"value": false}]}));
    let nid = server.create_object_with(
        "Member",
        json!({"field_member_of": [{"target_id": hidden}]}),
    );
    let mid = server.upload_image(nid, "public://links/hidden.png");
    let hide = json!({"bundle": [{"target_id": "image"}], "status": [{"value": false}]});
    server
        .patch(&format!("/media/{mid}"))
        .as_admin()
        .json(hide)
        .send()
        .expect(200);

    let path = format!("/node/{nid}?_format=json");
    let seen = targets(server, &server.get(&path).as_admin().send().expect(200));
    assert!(
        seen.contains(&format!("/node/{hidden}")) && seen.contains(&format!("/media/{mid}")),
        "{seen:?}"
    );
    let seen = targets(server, &server.get(&path).send().expect(200));
    assert!(
        !seen.contains(&format!("/node/{hidden}")) && !seen.contains(&format!("/media/{mid}")),
        "{seen:?}"
    );
}

#[test]
fn writing_answers_no_links() {
    let server = TestServer::shared();
    let created = server
        .post("/node")
        .as_admin()
        .json(server.object("No links"))
        .send()
        .expect(201);
    assert_eq!(created.links(), Vec::<String>::new());
}

#[test]
fn many_links_stay_below_a_hundred_lines() {
    let server = TestServer::shared();
    let tags: Vec<_> = (0..130).map(|number| json!({"target_id": server.create_term("subject", &format!("Subject {number}"))})).collect();
    let nid = server.create_object_with("Many", json!({"field_subject": tags}));
    let answer = server
        .get(&format!("/node/{nid}?_format=json"))
        .as_admin()
        .send()
        .expect(200);
    assert!(
        answer.all("link").count() <= 61,
        "{} lines",
        answer.all("link").count()
    );
    assert!(answer.links().len() > 130, "{} links", answer.links().len());
}

#[test]
fn a_title_cannot_break_out_of_its_link() {
    let server = TestServer::shared();
    let tid = server.create_term("genre", "Ding \"an\", sich; \\ é");
    let nid = server.create_object_with("Quoted", json!({"field_genre": [{"target_id": tid}]}));
    let answer = server
        .get(&format!("/node/{nid}"))
        .as_admin()
        .send()
        .expect(200);
    let target = format!(
        "<{}/taxonomy/term/{tid}>; rel=\"tag\"; title=\"Ding \\\"an\\\", sich; \\\\ ",
        server.base()
    );
    let link = answer
        .links()
        .into_iter()
        .find(|link| link.starts_with(&target));
    assert!(
        link.is_some_and(|link| link.contains("title*=UTF-8''")),
        "{:?}",
        answer.links()
    );
}
