//! The IIIF Authorization Flow API 2.0: who may have an image.

use serde_json::{Value, json};

use crate::support::{Request, TestServer};

/// The status that the probe tells of a file.
#[track_caller]
fn probed(request: Request<'_>) -> Value {
    let result = request.send().expect(200).json();
    assert_eq!(result["type"], "AuthProbeResult2");
    assert_eq!(result["@context"], "http://iiif.io/api/auth/2/context.json");
    assert_eq!(result.get("heading").is_none(), result["status"] == 200);
    result["status"].clone()
}

#[test]
fn the_probe_tells_who_may_have_an_image_and_nothing_of_what_there_is() {
    let server = TestServer::shared();
    let nid = server.create_object("A harbour");
    let mid = server.upload_image(nid, &format!("public://probe/{nid}.png"));
    let fid = server.media(mid)["field_media_image"][0]["target_id"].clone();
    let probe = |id: &str| server.get(&format!("/iiif/auth/2/probe/{id}"));
    assert_eq!(probed(probe(&fid.to_string())), 200);
    let origin = probe(&fid.to_string()).header("origin", "https://viewer.example");
    let origin = origin.send().expect(200);
    assert_eq!(origin.header("access-control-allow-origin"), Some("*"));

    let hide = json!({"type": [{"target_id": "islandora_object"}], "status": [{"value": false}]});
    let hide = server
        .patch(&format!("/node/{nid}?_format=json"))
        .json(hide);
    hide.as_admin().send().expect(200);
    for id in [fid.to_string(), format!("{fid}:2"), "99999999".into()] {
        assert_eq!(probed(probe(&id)), 401, "{id}");
        assert_eq!(probed(probe(&id).as_plain()), 403, "{id}");
    }
    assert_eq!(probed(probe(&fid.to_string()).as_admin()), 200);
    for id in ["0", "x", "1:0", "-1"] {
        probe(id).send().expect(404);
    }
}

#[test]
fn a_page_of_another_site_gets_no_token_and_runs_nothing_of_its_own() {
    let server = TestServer::shared();
    let query = "messageId=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&origin=https://viewer.example";
    let page = server
        .get(&format!("/iiif/auth/2/token?{query}"))
        .as_admin();
    let page = page.send().expect(200);
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("script-src 'sha256-"), "{policy}");
    let text = page.text();
    assert!(text.contains("AuthAccessTokenError2"), "{text}");
    assert!(
        text.contains("data-origin=\"https://viewer.example\""),
        "{text}"
    );
    assert_eq!(text.matches("<script>").count(), 1, "{text}");
    assert!(!text.contains("AccessToken2&quot;"), "{text}");
}
