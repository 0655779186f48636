//! The fields that the interface promises for each kind of resource (interface, Resources).

use serde_json::Value;

const NODE: [&str; 32] = [
    "nid",
    "uuid",
    "vid",
    "langcode",
    "type",
    "revision_timestamp",
    "revision_uid",
    "revision_log",
    "status",
    "title",
    "uid",
    "created",
    "changed",
    "promote",
    "sticky",
    "default_langcode",
    "revision_translation_affected",
    "content_translation_source",
    "content_translation_outdated",
    "field_model",
    "field_member_of",
    "field_extent",
    "field_access_terms",
    "field_alternative_title",
    "field_description",
    "field_display_hints",
    "field_edtf_date",
    "field_edtf_date_created",
    "field_edtf_date_issued",
    "field_identifier",
    "field_linked_agent",
    "field_pid",
];
const NODE_MORE: [&str; 3] = ["field_resource_type", "field_rights", "field_subject"];

const MEDIA: [&str; 23] = [
    "mid",
    "uuid",
    "vid",
    "langcode",
    "bundle",
    "revision_created",
    "revision_user",
    "revision_log_message",
    "status",
    "name",
    "thumbnail",
    "uid",
    "created",
    "changed",
    "default_langcode",
    "revision_translation_affected",
    "content_translation_source",
    "content_translation_outdated",
    "field_access_terms",
    "field_file_size",
    "field_media_of",
    "field_media_use",
    "field_mime_type",
];
const IMAGE: [&str; 3] = ["field_height", "field_width", "field_media_image"];

const FILE: [&str; 11] = [
    "fid", "uuid", "langcode", "uid", "filename", "uri", "filemime", "filesize", "status",
    "created", "changed",
];

/// The promised fields that the body of a resource lacks.
pub fn missing(body: &Value) -> Vec<&'static str> {
    promised(body)
        .into_iter()
        .filter(|field| !body[*field].is_array())
        .collect()
}

fn promised(body: &Value) -> Vec<&'static str> {
    let bundle = |field: &str| {
        body[field][0]["target_id"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    if body["nid"].is_array() && bundle("type") == "islandora_object" {
        [&NODE[..], &NODE_MORE].concat()
    } else if body["mid"].is_array() {
        let image = if bundle("bundle") == "image" {
            &IMAGE[..]
        } else {
            &[]
        };
        [&MEDIA[..], image].concat()
    } else if body["fid"].is_array() {
        FILE.to_vec()
    } else {
        Vec::new()
    }
}
