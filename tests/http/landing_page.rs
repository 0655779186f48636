//! The page of an item as search engines, mails and programs see it: its head, typed links, and the sitemap.

use serde_json::{Value, json};

use crate::support::{Response, TestServer};

#[track_caller]
fn page(server: &TestServer, nid: i64) -> Response {
    let asked = server.get(&format!("/node/{nid}"));
    asked.header("accept", "text/html").send().expect(200)
}

fn set_published(server: &TestServer, nid: i64, published: bool) {
    let body =
        json!({"type": [{"target_id": "islandora_object"}], "status": [{"value": published}]});
    server
        .patch(&format!("/node/{nid}?_format=json"))
        .json(body)
        .as_admin()
        .send()
        .expect(200);
}

/// An item of an author, with a file, in a collection.
fn chart(server: &TestServer) -> i64 {
    let above = server.create_object("Atlas");
    let author = server.create_term_with(
        "person",
        "Coronelli",
        json!({"field_authority_link": [{"uri": "http://viaf.org/viaf/41925105", "source": "viaf"}]}),
    );
    let nid = server.create_object_with(
        "Chart </title><script>alert(1)</script> \"of\" Candia",
        json!({
            "field_description": [{"value": "An island </script>\nwith a mole"}],
            "field_linked_agent": [{"target_id": author, "rel_type": "relators:aut"}],
            "field_member_of": [{"target_id": above}],
            "field_rights": [{"value": "https://rightsstatements.org/vocab/NoC-NC/1.0/"}],
        }),
    );
    server.upload_image(nid, &format!("public://landing/{nid}.png"));
    nid
}

#[test]
fn the_head_says_what_the_item_is_and_nothing_of_it_is_run() {
    let server = TestServer::shared();
    let nid = chart(server);
    let text = page(server, nid).text();
    let address = format!("{}/node/{nid}", server.base());
    for words in [
        "<title>Chart &lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &quot;of&quot; Candia · Isolario</title>",
        "<meta name=\"description\" content=\"An island &lt;/script&gt; with a mole\" />",
        &format!("<link rel=\"canonical\" href=\"{address}\" />"),
        &format!(
            "<meta property=\"og:image\" content=\"{}/sites/default/files/landing/{nid}.png\" />",
            server.base()
        ),
    ] {
        assert!(text.contains(words), "{words} is not in {text}");
    }
    assert!(!text.contains("<script>alert"), "{text}");
    let (_, record) = text
        .split_once("<script type=\"application/ld+json\">")
        .expect("a record");
    let (record, _) = record.split_once("</script>").expect("its end");
    let record: Value = serde_json::from_str(record).expect("JSON");
    assert_eq!(record["creator"]["name"], "Coronelli");
}

#[test]
fn links_lead_to_files_records_and_collections() {
    let server = TestServer::shared();
    let nid = chart(server);
    let links = page(server, nid).links().join(", ");
    let base = server.base();
    for link in [
        format!("<{base}/node/{nid}>; rel=\"cite-as\""),
        "<https://schema.org/AboutPage>; rel=\"type\"".to_owned(),
        "<http://viaf.org/viaf/41925105>; rel=\"author\"".to_owned(),
        "<http://rightsstatements.org/vocab/NoC-NC/1.0/>; rel=\"license\"".to_owned(),
        "rel=\"collection\"; type=\"text/html\"".to_owned(),
        format!(
            "<{base}/api/v1/items/{nid}/records/mods>; rel=\"describedby\"; type=\"application/xml\""
        ),
        format!(
            "<{base}/iiif/presentation/3/node/{nid}/manifest.json>; rel=\"alternate\"; type=\"application/ld+json\"; \
             profile=\"http://iiif.io/api/presentation/3/context.json\""
        ),
        format!("<{base}/sites/default/files/landing/{nid}.png>; rel=\"item\"; type=\"image/png\""),
        format!(
            "<{base}/api/v1/items/{nid}/linkset>; rel=\"linkset\"; type=\"application/linkset\""
        ),
    ] {
        assert!(links.contains(&link), "{link} is not in {links}");
    }
    let answer = server
        .get(&format!("/api/v1/items/{nid}/linkset.json"))
        .send()
        .expect(200);
    assert_eq!(
        answer.header("content-type"),
        Some("application/linkset+json")
    );
    let sets = answer.json();
    let sets = sets["linkset"].as_array().expect("a list");
    assert_eq!(
        sets[0]["author"],
        json!([{"href": "http://viaf.org/viaf/41925105"}])
    );
    let file = sets.iter().find(|set| {
        set["anchor"]
            .as_str()
            .is_some_and(|anchor| anchor.ends_with(".png"))
    });
    let back = json!([{"href": format!("{base}/node/{nid}"), "type": "text/html"}]);
    assert_eq!(file.expect("the file")["collection"], back);
    let text = server
        .get(&format!("/api/v1/items/{nid}/linkset"))
        .send()
        .expect(200)
        .text();
    assert!(text.contains("rel=\"describes\""), "{text}");
}

#[test]
fn programs_that_ask_for_no_format_get_the_links_and_others_those_of_the_interface() {
    let server = TestServer::shared();
    let nid = server.create_object("Chart");
    let has_links = |answer: Response| answer.links().join(", ").contains("rel=\"cite-as\"");
    let path = format!("/node/{nid}");
    assert!(has_links(
        server.get(&path).header("accept", "*/*").send().expect(200)
    ));
    assert!(has_links(server.head(&path).send().expect(200)));
    let json = format!("{path}?_format=json");
    assert!(!has_links(
        server.get(&json).header("accept", "*/*").send().expect(200)
    ));
    assert!(!has_links(
        server
            .get(&path)
            .header("accept", "application/json")
            .send()
            .expect(200)
    ));
}

#[test]
fn the_page_of_a_hidden_item_says_nothing_of_it() {
    let server = TestServer::start();
    let nid = server.create_object("Secret");
    set_published(&server, nid, false);
    for nid in [nid, 999] {
        let answer = page(&server, nid);
        assert!(answer.text().contains("<title>Isolario</title>"));
        assert!(!answer.links().join("").contains("cite-as"));
        server
            .get(&format!("/api/v1/items/{nid}/linkset.json"))
            .send()
            .expect(404);
    }
}

#[test]
fn links_are_switched_off() {
    let server = TestServer::start_with("[harvesting]\nsignposting = false\n");
    let nid = server.create_object("Chart");
    let answer = page(&server, nid);
    assert!(answer.text().contains("<title>Chart · Isolario</title>"));
    assert!(!answer.links().join("").contains("cite-as"));
    server
        .get(&format!("/api/v1/items/{nid}/linkset"))
        .send()
        .expect(404);
}

#[test]
fn a_sitemap_names_what_everybody_may_view_once_it_is_switched_on() {
    let server = TestServer::shared();
    server.get("/sitemap.xml").send().expect(404);
    assert!(
        server
            .get("/robots.txt")
            .send()
            .expect(200)
            .text()
            .contains("Disallow: /\n")
    );
    let server = TestServer::start_with("[harvesting]\nsitemap = true\n");
    let shown = server.create_object("Shown");
    let hidden = server.create_object("Hidden");
    set_published(&server, hidden, false);
    let base = server.base();
    let rules = server.get("/robots.txt").send().expect(200).text();
    assert!(rules.contains(&format!("Sitemap: {base}/sitemap.xml")));
    let locations = |path: &str| -> Vec<String> {
        let text = server.get(path).send().expect(200).text();
        let document = roxmltree::Document::parse(&text).expect("well-formed");
        let all = document
            .descendants()
            .filter(|node| node.tag_name().name() == "loc");
        all.map(|node| node.text().expect("an address").to_owned())
            .collect()
    };
    assert_eq!(
        locations("/sitemap.xml"),
        [format!("{base}/sitemap.xml?part=0")]
    );
    assert_eq!(
        locations("/sitemap.xml?part=0"),
        [format!("{base}/node/{shown}")]
    );
    server.get("/sitemap.xml?part=1").send().expect(404);
    server.get("/sitemap.xml?part=x").send().expect(400);
}
