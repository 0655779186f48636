//! `PUT /node/{node}/media/{media_type}/{media_use}`: bytes that become, or replace, the file of a
//! media (interface, Endpoints).

use std::sync::Arc;

use axum::Extension;
use axum::body::{Body, BodyDataStream};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use isolario_core::repository::Repository;
use isolario_model::content::file_url;
use percent_encoding::percent_decode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::base_url::BaseUrl;
use super::digest::DeclaredDigests;
use super::openapi::parameters::{ContentLocation, Digests, IfMatch, PartHeaders};
use super::openapi::refusals::{Message, Problem, Refused};
use super::openapi::values::Binary;
use super::resumption::{
    Resumption, Uploader, announce_limits, inconsistent_length, with_completeness,
};
use super::upload_route::{TO_NODE, route_of};
use super::{ApiError, ErrorCode, conditional, digest};
use crate::api::app_state::AppState;
use isolario_blobs::Algorithm;
use isolario_core::actions::Author;
use isolario_core::actions::ingest;
use isolario_core::actions::resumable_upload;
use isolario_core::actions::upload_media::{self, Destination, Upload, UploadResult};
use isolario_model::content::{EntityKind, MimeType};
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;

/// Says that `Content-Location` is percent-encoded: browsers refuse header values outside Latin-1.
const LOCATION_ENCODING: HeaderName = HeaderName::from_static("x-content-location-encoding");

/// The route of uploads to a node.
pub fn routes() -> OpenApiRouter<AppState> {
    let routes = OpenApiRouter::new().routes(routes!(put_to_node));
    routes.layer(from_fn(announce_limits))
}

/// Actor, origin and base URL of a request, from its extensions.
pub(super) type ContextExtensions = (Extension<Actor>, Extension<Origin>, Extension<BaseUrl>);

/// Store a file as the media of a node with a use, or replace its bytes
///
/// Content-Location names the file's address, as public://scans/a.jpg. With X-Content-Location-Encoding: percent it is
/// percent-encoded. With Upload-Complete: ?0 an upload in parts begins, whose address is in Location.
#[utoipa::path(put, operation_id = "upload", path = "/node/{nid}/media/{media_type}/{use_tid}", tag = "files",
    params(("nid" = i64, Path), ("media_type" = String, Path), ("use_tid" = i64, Path), ContentLocation,
        ("X-Content-Location-Encoding" = Option<String>, Header, nullable = false), IfMatch, Digests, PartHeaders),
    request_body(content = inline(Binary), content_type = "*/*"), responses(
    (status = 201, description = "A new media; Location names it"),
    (status = 204, description = "The bytes of the existing media are replaced"),
    (status = 400, description = "The request is malformed, or contradicts itself", content(
        (Message = "application/json"), (Problem = "application/problem+json"))),
    Refused<404>, Refused<412>, Refused<415>, Refused<422>))]
async fn put_to_node(
    State(repository): State<Arc<Repository>>,
    Path((node, media_type, media_use)): Path<(String, String, String)>,
    extensions: ContextExtensions,
    request: Request,
) -> Result<Response, ApiError> {
    let nid = TO_NODE.id(EntityKind::Node, &node)?;
    let model = repository.model();
    let known = model.bundle(EntityKind::Media, &media_type);
    let use_tid = TO_NODE.id(EntityKind::Term, &media_use);
    if known.is_none() || use_tid.is_err() {
        // Of several that are unknown, the first in the path is named.
        let actor = &extensions.0.0;
        let node = repository
            .db
            .read_here(|read| upload_media::node_for(read, actor, nid));
        node.map_err(|refusal| TO_NODE.refused(actor, refusal))?;
    }
    if known.is_none() {
        return Err(TO_NODE.not_converted("media_type"));
    }
    let use_tid = use_tid?;
    let destination = Destination::Use {
        nid,
        media_type,
        use_tid,
    };
    accept(repository, extensions, destination, request).await
}

/// Takes an upload to any destination. What can be refused is refused before the body is read.
pub(super) async fn accept(
    repository: Arc<Repository>,
    (Extension(actor), Extension(origin), Extension(base)): ContextExtensions,
    destination: Destination,
    request: Request,
) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    let headers = parts.headers;
    let resumption = Resumption::read(&headers);
    let uploader = Uploader {
        repository: &repository,
        actor: &actor,
        origin,
        base: &base,
    };
    let taken = take(&uploader, destination, resumption, &headers, body).await;
    Ok(with_completeness(resumption, taken.into_response()))
}

async fn take(
    uploader: &Uploader<'_>,
    destination: Destination,
    resumption: Resumption,
    headers: &HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let &Uploader {
        repository,
        actor,
        origin,
        base,
    } = uploader;
    let route = route_of(&destination);
    let admission = async {
        let upload = Upload {
            destination,
            content_type: content_type(headers),
            location: location(headers)?,
            expected: conditional::expected(headers),
        };
        let author = Author::new(actor, origin);
        let admitted = upload_media::admit(repository, actor, author, upload.clone());
        let admitted = admitted.map_err(|refusal| route.refused(actor, refusal))?;
        let upload_headers = UploadHeaders::read(headers)?.for_whole(resumption)?;
        Ok::<_, ApiError>((admitted, upload, upload_headers))
    };
    let (admission, upload, upload_headers) = admission.await?;
    let (percent_encoded, wanted) = (is_percent_encoded(headers), upload_headers.wanted);
    if resumption.complete == Some(false) {
        let request = resumable_upload::UploadRequest {
            upload,
            promised: upload_headers.promised.whole.clone(),
            wanted,
            percent_encoded,
        };
        let first = resumable_upload::FirstPart {
            length: resumption.length,
            declared: upload_headers.declared,
            promised: upload_headers.promised.content,
            chunks: body.into_data_stream(),
        };
        return uploader.begin(request, first).await;
    }
    let uploaded = upload_media::receive(repository, admission, upload_headers.body(body)).await;
    let uploaded = uploaded.map_err(|refusal| route.refused(actor, refusal))?;
    Ok(answer(&uploaded, base, percent_encoded, wanted))
}

/// What the headers of an upload say of its body.
pub(super) struct UploadHeaders {
    pub declared: Option<u64>,
    pub promised: DeclaredDigests,
    /// The checksum that the sender wants to hear.
    pub wanted: Option<Algorithm>,
}

impl UploadHeaders {
    /// Reads the headers.
    ///
    /// # Errors
    /// 415 for a body that is encoded: bytes are kept as they are. 400 for a part that says it is a range of
    /// something, and for a checksum that cannot be read.
    pub fn read(headers: &HeaderMap) -> Result<UploadHeaders, ApiError> {
        refuse_range(headers)?;
        refuse_encoded(headers)?;
        let declared = headers
            .get(header::CONTENT_LENGTH)
            .and_then(|value| value.to_str().ok());
        Ok(UploadHeaders {
            declared: declared.and_then(|length| length.parse().ok()),
            promised: digest::declared_digests(headers)?,
            wanted: digest::digest_preference(headers).and_then(|wanted| wanted.of_arriving()),
        })
    }

    /// Of a body that is the whole of what `resumption` announces, if it says it is.
    fn for_whole(mut self, resumption: Resumption) -> Result<UploadHeaders, ApiError> {
        if let (Some(true), Some(length)) = (resumption.complete, resumption.length) {
            if self.declared.is_some_and(|declared| declared != length) {
                return Err(inconsistent_length());
            }
            self.declared = Some(length);
        }
        Ok(self)
    }

    /// The body of a whole file, as the actions take it.
    pub fn body(self, body: Body) -> ingest::Body<BodyDataStream> {
        let DeclaredDigests { content, whole } = self.promised;
        ingest::Body {
            chunks: body.into_data_stream(),
            declared: self.declared,
            checksums: [content, whole].concat(),
            asked: self.wanted.into_iter().collect(),
        }
    }
}

/// Refuses a body that is a part of the bytes: kept as the whole, it would damage them (RFC 9110, 14.5).
fn refuse_range(headers: &HeaderMap) -> Result<(), ApiError> {
    match headers.contains_key(header::CONTENT_RANGE) {
        false => Ok(()),
        true => Err(ApiError::bad_request(
            "Content-Range is not taken with an upload: send all bytes, or send parts with the header Upload-Complete.",
        )),
    }
}

/// Refuses codings of the body (RFC 9110, 8.4 and 15.5.16).
fn refuse_encoded(headers: &HeaderMap) -> Result<(), ApiError> {
    let sent = headers.get_all(header::CONTENT_ENCODING).iter();
    let codings = sent.flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    let mut codings = codings.map(<[u8]>::trim_ascii);
    if codings.all(|coding| coding.is_empty() || coding.eq_ignore_ascii_case(b"identity")) {
        return Ok(());
    }
    Err(ApiError::new(
        ErrorCode::UnsupportedMediaType,
        "Bytes are kept as they are sent: send them without a Content-Encoding.",
    )
    .with(header::ACCEPT_ENCODING, "identity"))
}

/// The answer to an upload that has become the file of a media.
pub(super) fn answer(
    uploaded: &UploadResult,
    base: &BaseUrl,
    percent_encoded: bool,
    wanted: Option<Algorithm>,
) -> Response {
    let status = match uploaded.created {
        true => StatusCode::CREATED,
        false => StatusCode::NO_CONTENT,
    };
    let mut response = status.into_response();
    let told = response.headers_mut();
    let media = base.join(&EntityKind::Media.path(uploaded.mid));
    if let (true, Ok(value)) = (uploaded.created, HeaderValue::from_str(&media)) {
        told.insert(header::LOCATION, value);
    }
    let uri = uploaded.uri.to_string();
    let uri = match percent_encoded {
        true => format!(
            "{}://{}",
            uploaded.uri.scheme,
            file_url::encode(&uploaded.uri.path)
        ),
        false => uri,
    };
    if let Ok(value) = HeaderValue::from_bytes(uri.as_bytes()) {
        told.insert(header::CONTENT_LOCATION, value);
    }
    let mut made = uploaded.checksums.iter();
    let told_checksum = made.find(|made| Some(made.algorithm) == wanted);
    if let Some(value) = told_checksum.and_then(digest::field_value) {
        told.insert(digest::REPR_DIGEST, value);
    }
    response
}

fn is_percent_encoded(headers: &HeaderMap) -> bool {
    let encoding = headers.get(LOCATION_ENCODING);
    encoding.is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"percent"))
}

/// The `Content-Type`. Several lines are one list (RFC 9110, 5.3), which names no MIME type.
pub(super) fn content_type(headers: &HeaderMap) -> Option<String> {
    let lines = headers.get_all(header::CONTENT_TYPE).iter();
    let lines: Vec<String> = lines.map(decoded).collect();
    (!lines.is_empty()).then(|| lines.join(", "))
}

/// Whether a `Content-Type` names this MIME type, whatever its parameters.
pub(super) fn is_essence(content_type: &str, essence: &str) -> bool {
    MimeType::parse(content_type).is_some_and(|mime| mime.essence() == essence)
}

/// The address in `Content-Location`.
fn location(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    if !is_percent_encoded(headers) {
        return Ok(text(headers, &header::CONTENT_LOCATION));
    }
    let Some(value) = headers.get(header::CONTENT_LOCATION) else {
        return Ok(None);
    };
    let decoded = percent_decode(value.as_bytes()).decode_utf8();
    let decoded = decoded
        .map_err(|_| ApiError::bad_request("Content-Location is not percent-encoded UTF-8."))?;
    Ok(Some(decoded.into_owned()))
}

/// A header as text: UTF-8 where it is that, else Latin-1 (RFC 9110, 5.5).
pub(super) fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).map(decoded)
}

fn decoded(value: &HeaderValue) -> String {
    let bytes = value.as_bytes();
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}
