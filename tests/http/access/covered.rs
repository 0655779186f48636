//! Whether the table has a row for everything that can be asked, and asks for nothing else.

use std::collections::BTreeSet;
use std::path::Path;

use super::table::rows;
use crate::routes::{fits, templates};
use crate::support::TestServer;

/// Addresses of the page, which its source lists.
fn pages() -> Vec<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src-tauri/crates/isolario-server/src/api/ui.rs");
    let source = std::fs::read_to_string(source).expect("the source of the page");
    let lines = source.lines().map(str::trim);
    let paths = lines.filter(|line| line.starts_with("\"/") && line.ends_with("\","));
    let icons = source.lines().find(|line| line.contains("[\"icon.svg\""));
    let icons = icons.expect("the icons").split('"').skip(1).step_by(2);
    paths
        .map(|line| line.trim_matches(['"', ',']).to_owned())
        .chain(icons.map(|name| format!("/{name}")))
        .collect()
}

/// Every route of the router: the paths of its sources, with the methods that it says it allows.
fn routes(server: &TestServer) -> BTreeSet<(String, String)> {
    let mut routes = BTreeSet::new();
    for template in templates().into_iter().chain(pages()) {
        let path: Vec<&str> = template
            .split('/')
            .map(|part| if part.starts_with('{') { "1" } else { part })
            .collect();
        let answer = server
            .request("OPTIONS", &path.join("/"))
            .send()
            .expect(200);
        let allowed = answer.header("allow").expect("an Allow header");
        for method in allowed.split(", ").filter(|method| *method != "HEAD") {
            routes.insert((method.to_owned(), template.clone()));
        }
    }
    routes
}

/// The template that a path belongs to: the one that fits and says most of it.
fn template_of<'t>(path: &str, templates: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let fitting = templates.filter(|template| fits(template, path));
    fitting.max_by_key(|template| {
        let parts = template.split('/');
        parts.filter(|part| !part.starts_with('{')).count()
    })
}

#[test]
fn the_table_has_a_row_for_every_route_and_no_other() {
    let server = TestServer::start();
    let routes = routes(&server);
    let templates: BTreeSet<&str> = routes
        .iter()
        .map(|(_, template)| template.as_str())
        .collect();
    let mut asked = BTreeSet::new();
    for row in rows().iter().filter(|row| row.method != "HEAD") {
        let (path, _) = row.parts();
        let template = template_of(path, templates.iter().copied());
        let template = template.unwrap_or_else(|| panic!("{path} is no route"));
        asked.insert((row.method.clone(), template.to_owned()));
    }
    assert!(routes.len() > 90, "{} routes", routes.len());
    let without: Vec<_> = routes.difference(&asked).collect();
    let unknown: Vec<_> = asked.difference(&routes).collect();
    assert!(without.is_empty(), "no row for {without:?}");
    assert!(unknown.is_empty(), "no route for {unknown:?}");
}

#[test]
fn what_is_documented_has_a_row() {
    let server = TestServer::shared();
    let document = server.get("/openapi.json").send().expect(200).json();
    let paths = document["paths"].as_object().expect("paths");
    let rows = rows();
    let mut without = Vec::new();
    for (template, operations) in paths {
        for method in operations.as_object().expect("methods").keys() {
            let method = method.to_uppercase();
            // A slash may stand in a documented path, which the document cannot say.
            let template = template.replace("{path}", "{*path}");
            let mut rows = rows.iter();
            if !rows.any(|row| row.method == method && fits(&template, row.parts().0)) {
                without.push(format!("{method} {template}"));
            }
        }
    }
    assert!(without.is_empty(), "no row for: {}", without.join(", "));
}
