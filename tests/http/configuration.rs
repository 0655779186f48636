//! The content model as configuration: what clients of tables learn of bundles and fields.

use serde_json::{Value, json};

use crate::support::TestServer;
use crate::support::content_model::{bundles, fields};

fn read(server: &TestServer, path: &str) -> Value {
    server.get(path).as_admin().send().expect(200).json()
}

#[test]
fn every_field_of_the_model_is_there_at_both_addresses() {
    let server = TestServer::shared();
    let short = "/islandora_workbench_integration/node_actions";
    for kind in ["node", "media", "taxonomy_term"] {
        for bundle in bundles(kind) {
            let id = bundle["id"].as_str().expect("an id");
            let form = read(
                server,
                &format!("/entity/entity_form_display/{kind}.{id}.default?_format=json"),
            );
            let other = read(server, &format!("{short}/entity_display/{kind}/{id}"));
            assert_eq!(form, other);
            let named = form["dependencies"]["config"].as_array().expect("a list");
            for field in fields(&bundle) {
                let name = field["name"].as_str().expect("a name");
                assert!(named.contains(&json!(format!("field.field.{kind}.{id}.{name}"))));
                let config = read(server, &format!("/entity/field_config/{kind}.{id}.{name}"));
                let path = format!("{short}/field_config/{kind}/{id}/{name}");
                assert_eq!(config, read(server, &path));
                assert_eq!(config["field_type"], field["type"]);
                assert_eq!(config["required"], field["required"] == true);
                let storage = read(
                    server,
                    &format!("/entity/field_storage_config/{kind}.{name}"),
                );
                let path = format!("{short}/field_storage_config/{kind}/{name}");
                assert_eq!(storage, read(server, &path));
                assert_eq!(storage["type"], field["type"]);
                assert_eq!(
                    storage["cardinality"],
                    *field.get("cardinality").unwrap_or(&json!(1))
                );
            }
        }
    }
}

#[test]
fn settings_say_what_a_column_may_hold() {
    let server = TestServer::shared();
    let model = read(
        server,
        "/entity/field_config/node.islandora_object.field_model",
    );
    assert_eq!(model["settings"]["handler"], "default:taxonomy_term");
    let targets = &model["settings"]["handler_settings"]["target_bundles"];
    assert_eq!(*targets, json!({"islandora_models": "islandora_models"}));
    let needed = model["dependencies"]["config"].as_array().expect("a list");
    assert!(needed.contains(&json!("taxonomy.vocabulary.islandora_models")));
    let agent = read(
        server,
        "/entity/field_config/node.islandora_object.field_linked_agent",
    );
    assert_eq!(agent["settings"]["rel_types"]["relators:aut"], "Author");
    let image = read(server, "/entity/field_config/media.image.field_media_image");
    assert_eq!(image["settings"]["file_extensions"], "png gif jpg jpeg");
    let link = read(
        server,
        "/entity/field_config/taxonomy_term.person.field_authority_link",
    );
    assert!(link["settings"]["authority_sources"]["viaf"].is_string());
    let choice = read(
        server,
        "/entity/field_storage_config/taxonomy_term.field_type",
    );
    assert!(choice["settings"]["allowed_values"].is_object());
    let title = read(server, "/entity/field_storage_config/node.field_alt_title");
    assert_eq!(title["settings"]["max_length"], 255);
}

#[test]
fn bundles_say_whether_a_change_makes_a_revision() {
    let server = TestServer::shared();
    for (path, member) in [
        ("/entity/node_type/islandora_object", "type"),
        ("/entity/media_type/image", "id"),
        ("/entity/taxonomy_vocabulary/person", "vid"),
    ] {
        let answer = server.get(path).send().expect(200);
        let bundle = answer.json();
        assert_eq!(
            Some(bundle[member].as_str().expect("a name")),
            path.rsplit('/').next()
        );
        assert!(bundle["new_revision"].is_boolean());
        let again = server.get(path).header("If-None-Match", answer.etag());
        again.send().expect(304);
    }
}

#[test]
fn what_there_is_not_is_404() {
    let server = TestServer::shared();
    for path in [
        "/entity/node_type/nothing",
        "/entity/entity_form_display/node.page",
        "/entity/entity_form_display/node.page.teaser",
        "/entity/entity_form_display/user.user.default",
        "/entity/field_config/node.page.nothing",
        "/entity/field_config/....",
        "/entity/field_storage_config/node",
        "/entity/field_storage_config/%2e%2e.body",
    ] {
        server.get(path).as_admin().send().expect(404);
    }
    let other = "/entity/node_type/page?_format=jsonld";
    server.get(other).as_admin().send().expect(406);
}
