//! Sends the files of media to the upload route of the site.

use std::collections::HashSet;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use isolario_blobs::OpenBlob;
use isolario_core::actions::relocate::open_wherever;
use isolario_model::content::{Entity, FileRecord, field_roles};
use isolario_model::origin::Origin;
use reqwest::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_LOCATION, CONTENT_TYPE};
use reqwest::{Body, Method};
use serde_json::{Value, json};

use super::Push;
use super::body::body_of;
use super::nodes::id_in;
use crate::remote::path_of;
use crate::report::Outcome;
use crate::site::SiteError;
use crate::stop::Stop;

impl Push<'_> {
    /// Sends the media of a node. The site keeps one file for each use, and derives for itself.
    pub(super) async fn push_media(&mut self, node: &Entity, remote: i64) -> Result<(), Stop> {
        let nid = node.id;
        let mut uses = HashSet::new();
        for media in self.repository.db.read_here(|read| read.media_of(nid))? {
            let Some(file) = self.file_of(&media)? else {
                continue;
            };
            let Some(used_as) = media.reference(&field_roles().media_use) else {
                self.fail(&media, "It has no use, by which the site would know it.");
                continue;
            };
            if !uses.insert(used_as) {
                self.fail(&media, "The item has another file with the same use.");
                continue;
            }
            match self.term(used_as).await? {
                Some(term) => self.push_file(&media, &file, remote, term).await?,
                None => self.fail(&media, "The site has no term for its use."),
            }
        }
        Ok(())
    }

    /// The file of a media that people brought.
    fn file_of(&self, media: &Entity) -> Result<Option<FileRecord>, Stop> {
        let model = self.repository.model();
        let bundle = model.bundle(media.kind, &media.bundle);
        let field = bundle.and_then(|bundle| bundle.file_field());
        let Some(fid) = field.and_then(|field| media.reference(&field.name)) else {
            return Ok(None);
        };
        let mid = media.id;
        let (file, origin) = self.repository.db.read_here(|read| {
            Ok::<_, isolario_db::DbError>((read.file(fid)?, read.origin_of_bytes(mid, fid)?))
        })?;
        Ok(file.filter(|_| origin.as_deref() != Some(Origin::Derivative.name())))
    }

    async fn push_file(
        &mut self,
        media: &Entity,
        file: &FileRecord,
        node: i64,
        used_as: i64,
    ) -> Result<(), Stop> {
        let pushed = self.pushed(media)?;
        let is_sent = pushed
            .as_ref()
            .is_some_and(|pushed| pushed.sha512.as_ref() == Some(&file.sha512));
        let mut remote = pushed
            .as_ref()
            .map(|pushed| pushed.remote)
            .filter(|remote| *remote > 0);
        if !is_sent {
            let blob = match open_wherever(self.repository, file).await {
                Ok(blob) => blob,
                Err(error) => {
                    self.fail(media, format!("Its bytes cannot be read: {error}."));
                    return Ok(());
                }
            };
            let size = blob.size;
            let sent = match remote.is_none() && !media.is_published() {
                true => {
                    self.create_unpublished(media, file, blob, node, used_as)
                        .await
                }
                false => self.upload(media, file, blob, node, used_as).await,
            };
            match sent {
                Ok(made) => remote = made.or(remote),
                Err(error) => {
                    let reason = self.endure(error)?;
                    self.fail(media, reason);
                    return Ok(());
                }
            }
            self.report.bytes += size;
        }
        let is_described = pushed
            .as_ref()
            .is_some_and(|pushed| pushed.revision == media.revision);
        if let Some(mid) = remote.filter(|_| !is_described) {
            self.describe(media, mid).await?;
        }
        self.note(media, remote.unwrap_or(0), Some(file.sha512.clone()))
            .await?;
        self.report.count(
            media.kind,
            match (pushed, is_sent && is_described) {
                (None, _) => Outcome::New,
                (Some(_), true) => Outcome::Unchanged,
                (Some(_), false) => Outcome::Changed,
            },
        );
        Ok(())
    }

    /// Sends a file to the upload route, which makes or changes its media. Returns the number of a new one.
    async fn upload(
        &self,
        media: &Entity,
        file: &FileRecord,
        blob: OpenBlob,
        node: i64,
        used_as: i64,
    ) -> Result<Option<i64>, SiteError> {
        let size = blob.size;
        let sha512 = hex::decode(&file.sha512).unwrap_or_default();
        let digest = format!("sha-512=:{}:", BASE64_STANDARD.encode(sha512));
        let path = format!("/node/{node}/media/{}/{used_as}", media.bundle);
        let request = self
            .site
            .uploading(Method::PUT, &path)
            .header(CONTENT_TYPE, file.mime.as_str())
            .header(CONTENT_LOCATION, file.uri.to_string())
            .header("Repr-Digest", digest)
            .header(CONTENT_LENGTH, size)
            .body(Body::wrap_stream(blob.stream(0..size)));
        let (_, location) = self.site.upload(request).await?;
        Ok(location.as_deref().and_then(id_in))
    }

    /// Sends a file, then makes its media. The upload route would publish it for a moment.
    async fn create_unpublished(
        &self,
        media: &Entity,
        file: &FileRecord,
        blob: OpenBlob,
        node: i64,
        used_as: i64,
    ) -> Result<Option<i64>, SiteError> {
        let model = self.repository.model();
        let bundle = model.bundle(media.kind, &media.bundle);
        let Some(field) = bundle.and_then(|bundle| bundle.file_field()) else {
            return Ok(None);
        };
        let size = blob.size;
        let path = format!(
            "/file/upload/media/{}/{}?_format=json",
            media.bundle, field.name
        );
        let request = self
            .site
            .uploading(Method::POST, &path)
            .header(CONTENT_TYPE, "application/octet-stream")
            .header(CONTENT_DISPOSITION, disposition(&file.filename))
            .header(CONTENT_LENGTH, size)
            .body(Body::wrap_stream(blob.stream(0..size)));
        let (sent, _) = self.site.upload(request).await?;
        let mut body = body_of(media);
        let aimed = |id: Value| json!([{"target_id": id}]);
        body.insert("name".into(), json!([{"value": media.label()}]));
        body.insert("status".into(), json!([{"value": false}]));
        body.insert(field.name.clone(), aimed(sent["fid"][0]["value"].clone()));
        body.insert(field_roles().media_of.clone(), aimed(node.into()));
        body.insert(field_roles().media_use.clone(), aimed(used_as.into()));
        let path = "/entity/media?_format=json";
        let (made, _) = self.site.send(Method::POST, path, &body.into()).await?;
        Ok(made["mid"][0]["value"].as_i64())
    }

    /// The upload route gives a media the name of its file, and publishes it.
    async fn describe(&mut self, media: &Entity, mid: i64) -> Result<(), Stop> {
        let mut body = body_of(media);
        body.insert("name".into(), json!([{"value": media.label()}]));
        body.insert("status".into(), json!([{"value": media.is_published()}]));
        let path = path_of(media.kind, mid);
        if let Err(error) = self.site.send(Method::PATCH, &path, &body.into()).await {
            let reason = self.endure(error)?;
            self.lose(
                media,
                Some("status"),
                format!("Its name and visibility were not sent: {reason}"),
            );
        }
        Ok(())
    }
}

/// The name of a file as a header. What would end the name is left out.
fn disposition(name: &str) -> Vec<u8> {
    let kept = name
        .chars()
        .filter(|letter| !letter.is_control() && !matches!(letter, '"' | '\\'));
    format!("file; filename=\"{}\"", kept.collect::<String>()).into_bytes()
}
