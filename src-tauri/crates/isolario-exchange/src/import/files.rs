//! Brings the files of media: their bytes, names and identities.

use std::pin::Pin;

use bytes::Bytes;
use futures_util::Stream;
use isolario_blobs::{Algorithm, Checksum};
use isolario_core::actions::batches::note_changed;
use isolario_core::actions::ingest::Body;
use isolario_core::actions::upload_file::{FileUpload, KnownFile, admit_known};
use isolario_core::actions::upload_media::{Destination, Upload, UploadResult, admit, receive_and};
use isolario_core::actions::{Precondition, Refusal, upload_file};
use isolario_db::Write;
use isolario_model::content::file_url::PUBLIC;
use isolario_model::content::{
    Bundle, Entity, EntityKind, FieldDefinition, FileRecord, FileUri, MimeType,
};
use isolario_model::origin::Origin;
use uuid::Uuid;

use super::{Import, bearable};
use crate::mapping::{Arrival, taken};
use crate::remote::{RemoteEntity, RemoteReference};
use crate::report::Outcome;
use crate::site::{SiteBytes, SiteError};
use crate::stop::Stop;

type ByteStream = Pin<Box<dyn Stream<Item = std::io::Result<Bytes>> + Send>>;

/// A file of the site.
struct FileOfSite {
    entity: RemoteEntity,
    uri: FileUri,
    /// Where its bytes are fetched.
    address: String,
    size: Option<u64>,
}

impl FileOfSite {
    fn read(entity: RemoteEntity) -> Option<FileOfSite> {
        let item = entity.first("uri")?;
        let uri = FileUri::parse(item.get("value")?.as_str()?)?;
        let address = item.get("url")?.as_str()?.to_owned();
        let size = entity.integer("filesize");
        let size = size.and_then(|size| u64::try_from(size).ok());
        Some(FileOfSite {
            entity,
            uri,
            address,
            size,
        })
    }

    /// The name of the file, or that of its address where only this one has an extension that the field takes.
    fn filename(&self, field: &FieldDefinition) -> String {
        let takes = |name: &str| {
            let extension = isolario_model::content::file::extension_of(name);
            field.takes_extension(extension.as_deref())
        };
        let label = self.entity.label();
        let named = self.uri.basename();
        match !label.is_empty() && (takes(&label) || !takes(named)) {
            true => label,
            false => named.to_owned(),
        }
    }

    fn mime(&self) -> Option<MimeType> {
        MimeType::parse(&self.entity.text("filemime")?)
    }
}

/// What the site says of the bytes of a file.
enum Bytes256 {
    Same,
    Differ,
}

impl Import<'_> {
    /// Brings the files of a media that are not here yet.
    pub(super) async fn bring_files(
        &mut self,
        media: &RemoteEntity,
        bundle: &Bundle,
    ) -> Result<(), Stop> {
        let names = media.fields.keys();
        let fields: Vec<&FieldDefinition> = names
            .filter_map(|name| taken(bundle, name))
            .filter(|field| field.target_kind() == Some(EntityKind::File))
            .collect();
        for field in fields {
            for reference in media.references(&field.name, EntityKind::File) {
                let key = (EntityKind::File, reference.id);
                if reference.uuid.is_some() && !self.arrived.contains_key(&key) {
                    let arrival = self.bring_file(&reference, bundle, field).await?;
                    self.arrived.insert(key, arrival);
                }
            }
        }
        Ok(())
    }

    async fn bring_file(
        &mut self,
        reference: &RemoteReference,
        bundle: &Bundle,
        field: &FieldDefinition,
    ) -> Result<Arrival, Stop> {
        let uuid = reference.uuid.clone().unwrap_or_default();
        let here = self
            .repository
            .db
            .read_here(|read| read.id_of_uuid(EntityKind::File, &uuid))?;
        if let Some(fid) = here {
            return Ok(Arrival::Here(fid));
        }
        let Some(file) = self.remote_file(reference.id).await? else {
            return Ok(Arrival::Failed);
        };
        if self.is_check {
            self.report.count(EntityKind::File, Outcome::New);
            self.report.bytes += file.size.unwrap_or(0);
            return Ok(Arrival::Planned);
        }
        match self.receive(&file, bundle, field).await? {
            Ok(record) => {
                self.report.count(EntityKind::File, Outcome::New);
                self.received(&file, record.size);
                Ok(Arrival::Here(record.fid))
            }
            Err(reason) => {
                self.report.count(EntityKind::File, Outcome::Failed);
                self.report.lose(&file.entity, None, reason);
                Ok(Arrival::Failed)
            }
        }
    }

    async fn remote_file(&mut self, fid: i64) -> Result<Option<FileOfSite>, Stop> {
        let Some(entity) = self.fetch(EntityKind::File, fid).await? else {
            return Ok(None);
        };
        let file = FileOfSite::read(entity);
        if file.is_none() {
            self.report.count(EntityKind::File, Outcome::Failed);
            self.report
                .lose_unread(EntityKind::File, fid, "It has no address.");
        }
        Ok(file)
    }

    fn received(&mut self, file: &FileOfSite, size: u64) {
        self.report.bytes += size;
        if let Some(said) = file.size.filter(|said| *said != size) {
            let reason = format!("The site says that it has {said} bytes, and gives {size}.");
            self.report.lose(&file.entity, None, reason);
        }
    }

    async fn receive(
        &mut self,
        file: &FileOfSite,
        bundle: &Bundle,
        field: &FieldDefinition,
    ) -> Result<Result<FileRecord, String>, Stop> {
        let known = KnownFile {
            uuid: Uuid::parse_str(&file.entity.uuid).unwrap_or_else(|_| Uuid::new_v4()),
            filename: file.filename(field),
            uri: self.uri_here(&file.uri),
            mime: file.mime(),
        };
        let repository = self.repository;
        let model = repository.model();
        let Some(media_type) = model.bundle(bundle.kind, &bundle.id) else {
            return Ok(Err(format!("There is no {} here.", bundle.id)));
        };
        let admitted = admit_known(
            repository,
            media_type.clone(),
            &field.name,
            known,
            self.author(),
        );
        let admission = match admitted {
            Ok(admission) => admission,
            Err(refusal) => return bearable(refusal).map(Err),
        };
        let body = match self.body_of(file).await? {
            Ok(body) => body,
            Err(reason) => return Ok(Err(reason)),
        };
        let upload = FileUpload {
            kind: EntityKind::Media,
            bundle: bundle.id.clone(),
            field: field.name.clone(),
        };
        match upload_file::receive(repository, &self.actor, &upload, admission, body).await {
            Ok(record) => Ok(Ok(record)),
            Err(refusal) => bearable(refusal).map(Err),
        }
    }

    /// The address of a file here. What is not public goes to the storage root.
    fn uri_here(&self, uri: &FileUri) -> FileUri {
        match uri.scheme == PUBLIC {
            true => uri.clone(),
            false => FileUri::new(&self.repository.config.repository_scheme, &uri.path),
        }
    }

    /// The bytes of a file, with the checksum that the site says.
    async fn body_of(
        &mut self,
        file: &FileOfSite,
    ) -> Result<Result<Body<ByteStream>, String>, Stop> {
        let sha256 = self.sha256_of(&file.entity.uuid).await?;
        let SiteBytes { declared, chunks } = match self.site.bytes(&file.address).await {
            Ok(bytes) => bytes,
            Err(error) => return Ok(Err(self.endure(error)?.to_string())),
        };
        let value = sha256.and_then(|hex| hex::decode(hex).ok());
        let checksum = value.filter(|value| value.len() == Algorithm::Sha256.size());
        let algorithm = Algorithm::Sha256;
        Ok(Ok(Body {
            chunks,
            declared,
            checksums: checksum
                .map(|value| Checksum { algorithm, value })
                .into_iter()
                .collect(),
            asked: vec![algorithm],
        }))
    }

    /// The SHA-256 of a file, where the site says it.
    async fn sha256_of(&mut self, uuid: &str) -> Result<Option<String>, Stop> {
        if !self.has_hashes {
            return Ok(None);
        }
        let path = format!(
            "/islandora_workbench_integration/file_hash?file_uuid={uuid}&algorithm=sha256&_format=json"
        );
        let answer = match self.site.json(&path).await {
            Ok(Some(answer)) => answer.json,
            Ok(None) | Err(SiteError::Refused { .. } | SiteError::NotJson) => {
                self.has_hashes = false;
                return Ok(None);
            }
            Err(error) => {
                self.endure(error)?;
                return Ok(None);
            }
        };
        let hash = answer
            .get(0)
            .and_then(|first| first.get("checksum")?.as_str());
        Ok(hash.map(str::to_lowercase))
    }

    /// Replaces the bytes of a media that is here, if those of the site have changed and those here have not. Returns
    /// whether they were replaced.
    pub(super) async fn refresh_bytes(
        &mut self,
        media: &RemoteEntity,
        bundle: &Bundle,
        media_here: &Entity,
    ) -> Result<bool, Stop> {
        let Some(field) = bundle.file_field() else {
            return Ok(false);
        };
        let references = media.references(&field.name, EntityKind::File);
        let Some(reference) = references.first() else {
            return Ok(false);
        };
        let uuid = reference.uuid.clone().unwrap_or_default();
        let here = self.repository.db.read_here(|read| {
            match read.id_of_uuid(EntityKind::File, &uuid)? {
                Some(fid) => read.file(fid),
                None => Ok(None),
            }
        })?;
        let Some(here) = here else { return Ok(false) };
        let Some(file) = self.remote_file(reference.id).await? else {
            return Ok(false);
        };
        if let Bytes256::Same = self.compare(&file, &here).await? {
            if !self.is_last {
                self.report.count(EntityKind::File, Outcome::Unchanged);
            }
            return Ok(false);
        }
        let (mid, fid) = (media_here.id, here.fid);
        let origin = self
            .repository
            .db
            .read_here(|read| read.origin_of_bytes(mid, fid))?;
        if origin.as_deref() != Some(Origin::Import.name()) {
            let reason = "Its bytes were changed there and here. What is here stays.";
            self.report.count(EntityKind::File, Outcome::Failed);
            self.report.lose(&file.entity, None, reason);
            return Ok(false);
        }
        self.replace(&file, media_here, here.size).await
    }

    async fn compare(&mut self, file: &FileOfSite, here: &FileRecord) -> Result<Bytes256, Stop> {
        if let Some(sha256) = self.sha256_of(&file.entity.uuid).await? {
            let fid = here.fid;
            let had = self
                .repository
                .db
                .read_here(|read| read.has_had_sha256(fid, &sha256))?;
            if had {
                return Ok(Bytes256::Same);
            }
            if here.sha256.is_some() {
                return Ok(Bytes256::Differ);
            }
        }
        let changed = file.entity.text("changed");
        let changed = changed.and_then(|text| chrono::DateTime::parse_from_rfc3339(&text).ok());
        let is_later = changed.is_some_and(|changed| changed.timestamp() > here.changed);
        let is_same_size = file.size.is_none_or(|size| size == here.size);
        Ok(match is_same_size && !is_later {
            true => Bytes256::Same,
            false => Bytes256::Differ,
        })
    }

    async fn replace(
        &mut self,
        file: &FileOfSite,
        media: &Entity,
        former: u64,
    ) -> Result<bool, Stop> {
        if self.is_check {
            self.report.count(EntityKind::File, Outcome::Changed);
            self.report.bytes += file.size.unwrap_or(former);
            return Ok(true);
        }
        let mime = file.mime().unwrap_or_default();
        let upload = Upload {
            destination: Destination::Source { mid: media.id },
            content_type: Some(mime.to_string()),
            location: None,
            expected: Precondition::Unsaid,
        };
        let (author, batch, before) = (self.author(), self.batch, media.revision);
        let note = move |write: &mut Write<'_>, uploaded: &UploadResult| {
            let changed = write.entity(EntityKind::Media, uploaded.mid)?;
            match batch.zip(changed) {
                Some((batch, changed)) => Ok(note_changed(write, batch, &changed, before)?),
                None => Ok(()),
            }
        };
        let outcome = match admit(self.repository, &self.actor, author, upload) {
            Ok(admission) => match self.body_of(file).await? {
                Ok(body) => receive_and(self.repository, admission, body, note).await,
                Err(reason) => Err(Refusal::Malformed(reason)),
            },
            Err(refusal) => Err(refusal),
        };
        match outcome {
            Ok(_) => {
                self.report.count(EntityKind::File, Outcome::Changed);
                self.received(file, file.size.unwrap_or(former));
                Ok(true)
            }
            Err(refusal) => {
                let reason = bearable(refusal)?;
                self.report.count(EntityKind::File, Outcome::Failed);
                self.report.lose(&file.entity, None, reason);
                Ok(false)
            }
        }
    }
}
