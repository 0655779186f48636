//! The histories of nodes, media and terms in the document: the same four routes for each.

use utoipa::openapi::PathItem;
use utoipa::openapi::path::HttpMethod;

use super::operation::{Body, draft, path};

/// Noun of the path, its id, one of it, and the schema of the resource.
type Noun = (&'static str, &'static str, &'static str, &'static str);

const NOUNS: [Noun; 3] = [
    ("items", "nid", "item", "Node"),
    ("media", "mid", "media", "MediaResource"),
    ("terms", "tid", "term", "TermResource"),
];

/// The paths of histories.
pub fn paths() -> Vec<(String, PathItem)> {
    NOUNS.into_iter().flat_map(of).collect()
}

fn of(noun: Noun) -> [(String, PathItem); 4] {
    let root = format!("/api/v1/{}/{{{}}}/revisions", noun.0, noun.1);
    [
        (root.clone(), list(noun)),
        (format!("{root}/{{vid}}"), read(noun)),
        (format!("{root}/{{vid}}/changes"), compare(noun)),
        (format!("{root}/{{vid}}/revert"), revert(noun)),
    ]
}

fn list((_, id, one, _): Noun) -> PathItem {
    let operation = draft(
        HttpMethod::Get,
        "history",
        &format!("list_{one}_revisions"),
        &format!("History of a {one}, newest first"),
    );
    path(vec![
        operation
            .description("For those who may change it, and those with the permission `view all revisions`. States that the viewer may not see are left out.")
            .id(id)
            .query("after")
            .number("limit", 1, Some(200))
            .gives("200", "One page", Body::Json("RevisionList"))
            .refuses(&["404"]),
    ])
}

fn read((_, id, one, _): Noun) -> PathItem {
    let operation = draft(
        HttpMethod::Get,
        "history",
        &format!("get_{one}_revision"),
        &format!("A {one} as it was"),
    );
    path(vec![
        operation
            .id(id)
            .id("vid")
            .gives("200", "The state", Body::Json("RevisionState"))
            .refuses(&["404"]),
    ])
}

fn compare((_, id, one, _): Noun) -> PathItem {
    let operation = draft(
        HttpMethod::Get,
        "history",
        &format!("compare_{one}_revisions"),
        &format!("Two states of a {one}, field by field"),
    );
    path(vec![
        operation
            .description("What differs from the state `since`; without it, from the one before that the viewer may see.")
            .id(id)
            .id("vid")
            .number("since", 1, None)
            .gives("200", "What differs", Body::Json("Changes"))
            .refuses(&["404"]),
    ])
}

fn revert((_, id, one, schema): Noun) -> PathItem {
    let operation = draft(
        HttpMethod::Post,
        "history",
        &format!("revert_{one}"),
        &format!("Make a former state of a {one} the current one"),
    );
    path(vec![
        operation
            .description("An update like any other, with its checks, its revision and its event. For items, the permission `revert all revisions` is needed too. Former bytes become a new version of their file. Without a body, everything is set back.")
            .id(id)
            .id("vid")
            .header("If-Match")
            .may_take(Body::Json("RevertRequest"))
            .gives("200", "The whole resource as it is now", Body::Json(schema))
            .refuses(&["404", "412", "415", "422"]),
    ])
}
