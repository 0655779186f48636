//! Uploads and downloads in the document (interface, Endpoints).

use utoipa::openapi::path::HttpMethod;

use super::interface::PathOperations;
use super::operation::{Body, Draft, draft, path};
use crate::api::request_format::Format;

/// The paths by which bytes come and go.
pub fn paths() -> Vec<PathOperations> {
    vec![
        (
            "/node/{nid}/media/{media_type}/{use_tid}",
            path(vec![upload()]),
        ),
        ("/media/{mid}/source", path(vec![replace_source()])),
        (
            "/media/add_derivative/{mid}/{field}",
            path(vec![add_derivative()]),
        ),
        (
            "/file/upload/{entity_type}/{bundle}/{field}",
            path(vec![upload_file()]),
        ),
        ("/sites/default/files/{path}", path(vec![public_bytes()])),
        (
            "/_flysystem/{scheme}/{path}",
            path(vec![repository_bytes()]),
        ),
    ]
}

fn upload() -> Draft {
    draft(
        HttpMethod::Put,
        "files",
        "upload",
        "Store a file as the media of a node with a use, or replace its bytes",
    )
    .description("Content-Location names the file's address, as public://scans/a.jpg. With X-Content-Location-Encoding: percent it is percent-encoded. With Upload-Complete: ?0 an upload in parts begins, whose address is in Location.")
    .id("nid")
    .segment("media_type")
    .id("use_tid")
    .header("Content-Location")
    .header("X-Content-Location-Encoding")
    .header("If-Match")
    .header("Repr-Digest")
    .header("Want-Repr-Digest")
    .resumable()
    .takes(Body::Bytes)
    .ends("201", "A new media; Location names it")
    .ends("204", "The bytes of the existing media are replaced")
    .gives("400", "The request is malformed, or contradicts itself", Body::Problem)
    .refuses(&["404", "409", "412", "415", "422"])
}

fn replace_source() -> Draft {
    draft(
        HttpMethod::Put,
        "files",
        "replace_source",
        "Replace the bytes of a media",
    )
    .id("mid")
    .header("If-Match")
    .header("Repr-Digest")
    .header("Want-Repr-Digest")
    .resumable()
    .takes(Body::Bytes)
    .ends(
        "201",
        "With Upload-Complete: ?0, the upload has begun; Location names it",
    )
    .ends("204", "The bytes are replaced")
    .gives(
        "400",
        "The request is malformed, or contradicts itself",
        Body::Problem,
    )
    .refuses(&["404", "409", "412", "415", "422"])
}

fn add_derivative() -> Draft {
    draft(
        HttpMethod::Put,
        "files",
        "add_derivative",
        "Fill another file field of a media, or replace its bytes",
    )
    .id("mid")
    .segment("field")
    .header("Content-Location")
    .header("If-Match")
    .header("Repr-Digest")
    .header("Want-Repr-Digest")
    .resumable()
    .takes(Body::Bytes)
    .ends("201", "A new file, or an upload in parts that has begun")
    .ends("204", "The bytes are replaced")
    .gives(
        "400",
        "The request is malformed, or contradicts itself",
        Body::Problem,
    )
    .refuses(&["404", "409", "412", "415", "422"])
}

fn upload_file() -> Draft {
    draft(
        HttpMethod::Post,
        "files",
        "upload_file",
        "Store a file that no media uses yet",
    )
    .description("Content-Disposition names it: filename=\"a.jpg\".")
    .format(&[Format::Json])
    .segment("entity_type")
    .segment("bundle")
    .segment("field")
    .needed_header("Content-Disposition")
    .header("Repr-Digest")
    .header("Want-Repr-Digest")
    .takes(Body::Octets)
    .gives("201", "The record of the file", Body::Json("FileResource"))
    .refuses(&["404", "406", "415", "422"])
}

fn public_bytes() -> Draft {
    fetch(
        "get_public_file",
        "The bytes of a file in the public file area",
    )
    .segment("path")
}

fn repository_bytes() -> Draft {
    fetch(
        "get_repository_file",
        "The bytes of a file in another scheme",
    )
    .segment("scheme")
    .segment("path")
}

fn fetch(id: &str, summary: &str) -> Draft {
    draft(HttpMethod::Get, "files", id, summary)
        .description("The path may have slashes.")
        .query("ticket")
        .header("Range")
        .header("If-None-Match")
        .header("Want-Repr-Digest")
        .gives("200", "The whole file", Body::Bytes)
        .gives("206", "The requested range", Body::Bytes)
        .ends("304", "The bytes are those that If-None-Match names")
        .refuses(&["404", "412", "416"])
}
