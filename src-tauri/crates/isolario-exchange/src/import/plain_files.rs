//! Files of a bag that another program has made, as items: folders become collections, as in a watched folder.

use std::collections::HashMap;

use isolario_blobs::Algorithm;
use isolario_core::actions::batches::note_made;
use isolario_core::actions::create_entity::{Creation, create_entity_and};
use isolario_core::actions::ingest::Body;
use isolario_core::actions::upload_media::{Destination, Upload, UploadResult, admit, receive_and};
use isolario_core::actions::view_entity::visible_target;
use isolario_core::actions::{Precondition, Refusal};
use isolario_core::bag::derived_uuid;
use isolario_core::file_kinds::{address_of, media_type_of, mime_of, model_of};
use isolario_db::Write;
use isolario_model::content::file_name::{extension, is_passed_over, title};
use isolario_model::content::{Entity, EntityKind, TermRole, field_roles, model_roles, uri_of};
use isolario_model::policy::permission::may_create_somewhere;
use serde_json::{Map, Value, json};

use super::{Import, bearable};
use crate::bag_content::BagContent;
use crate::mapping::Arrival;
use crate::report::{Loss, Outcome};
use crate::stop::Stop;

/// The part of a bag that holds its files.
const PAYLOAD: &str = "data";
/// What a bag counts of itself.
const COUNTED: [&str; 2] = ["Payload-Oxum", "Bag-Size"];

/// A file that becomes an item.
struct PlainFile<'b> {
    /// Its number among the files, which the report names.
    number: i64,
    path: &'b str,
    media_type: &'static str,
    mime: String,
}

impl Import<'_> {
    /// Brings every file of a bag, after the collections of its folders.
    pub(super) async fn plain_files(&mut self, collection: Option<i64>) -> Result<(), Stop> {
        let site = self.site;
        let Some(bag) = site.bag() else { return Ok(()) };
        let mut folders: HashMap<&str, Arrival> = HashMap::new();
        for (number, path) in (1..).zip(&bag.bag().paths) {
            self.go_on()?;
            self.say();
            let folder = self.folder_of(bag, path, collection, &mut folders).await?;
            let arrival = match folder {
                Arrival::Failed => {
                    let reason = "The collection of its folder did not come.";
                    self.lose_file(number, path, reason.into())
                }
                folder => self.plain_file(bag, number, path, folder).await?,
            };
            self.note(number, arrival).await?;
        }
        Ok(())
    }

    /// The collection of the folder of a file. Those that there are not yet are made, the outer ones first.
    async fn folder_of<'b>(
        &mut self,
        bag: &'b BagContent,
        path: &'b str,
        collection: Option<i64>,
        known: &mut HashMap<&'b str, Arrival>,
    ) -> Result<Arrival, Stop> {
        let mut above = collection.map(Arrival::Here);
        for (end, _) in path.match_indices('/') {
            let folder = &path[..end];
            let arrival = match known.get(folder) {
                Some(arrival) => *arrival,
                None => self.folder(bag, folder, above).await?,
            };
            known.insert(folder, arrival);
            above = Some(arrival);
        }
        Ok(above.unwrap_or(Arrival::Failed))
    }

    async fn folder(
        &mut self,
        bag: &BagContent,
        folder: &str,
        above: Option<Arrival>,
    ) -> Result<Arrival, Stop> {
        if let Some(Arrival::Failed) = above {
            return Ok(Arrival::Failed);
        }
        let mut body = match folder {
            PAYLOAD => described(bag),
            _ => Map::new(),
        };
        let name = match folder.rsplit_once('/') {
            Some((_, name)) => name,
            None => bag.name(),
        };
        let heading = title(&format!("{name}."));
        body.insert("title".into(), json!([{"value": heading}]));
        self.item(
            bag,
            &format!("{folder}/"),
            body,
            uri_of(TermRole::Collection),
            above,
        )
        .await
    }

    async fn plain_file(
        &mut self,
        bag: &BagContent,
        number: i64,
        path: &str,
        folder: Arrival,
    ) -> Result<Arrival, Stop> {
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        if is_passed_over(name) {
            let reason = "Files of this name are passed over: no person has made them, or they are not whole.";
            return Ok(self.lose_file(number, path, reason.into()));
        }
        let model = self.repository.model();
        let Some(media_type) = media_type_of(&model, name) else {
            let reason = match extension(name).as_str() {
                "" => "The repository takes no files without an extension.".to_owned(),
                extension => format!("The repository takes no files that end in .{extension}."),
            };
            return Ok(self.lose_file(number, path, reason));
        };
        // So that no item stays without its file.
        if let Err(denial) = may_create_somewhere(&self.actor, EntityKind::Media, media_type) {
            return Ok(self.lose_file(number, path, denial.message));
        }
        let file = PlainFile {
            number,
            path,
            media_type,
            mime: mime_of(name),
        };
        let body = json!({"title": [{"value": title(name)}]});
        let body = body.as_object().cloned().unwrap_or_default();
        let model = model_of(media_type, &file.mime);
        let arrival = self.item(bag, path, body, model, Some(folder)).await?;
        match arrival {
            Arrival::Here(nid) => self.media_of_file(bag, &file, nid).await?,
            Arrival::Planned => self.count_planned(bag, &file)?,
            Arrival::Failed => {}
        }
        Ok(arrival)
    }

    /// The item of a file or folder: the one of an earlier run, or a new one.
    async fn item(
        &mut self,
        bag: &BagContent,
        path: &str,
        mut body: Map<String, Value>,
        model: &str,
        above: Option<Arrival>,
    ) -> Result<Arrival, Stop> {
        let node = EntityKind::Node;
        let uuid = derived_uuid(bag.salt(), path).to_string();
        let (here, is_taken, model) = self.repository.db.read_here(|read| {
            let here = match read.id_of_uuid(node, &uuid)? {
                Some(here) => visible_target(read, &self.actor, node, here)?,
                None => None,
            };
            let model = read.term_by_uri(model)?;
            Ok::<_, Stop>((here, read.uuid_is_taken(node, &uuid)?, model))
        })?;
        if let Some(here) = here.map(|target| target.id) {
            self.report.count(node, Outcome::Unchanged);
            return Ok(Arrival::Here(here));
        }
        if is_taken {
            return Ok(self.lose_file(
                0,
                path,
                "It is hidden from you here, lies in the trash, or was purged.".into(),
            ));
        }
        if self.is_check {
            self.report.count(node, Outcome::New);
            return Ok(Arrival::Planned);
        }
        let roles = field_roles();
        let fields = [
            ("uuid", json!([{"value": uuid}])),
            ("type", json!([{"target_id": model_roles().bundles.item}])),
            (roles.model.as_str(), json!([{"target_id": model}])),
        ];
        body.extend(fields.map(|(name, value)| (name.to_owned(), value)));
        if let Some(Arrival::Here(nid)) = above {
            body.insert(roles.member_of.clone(), json!([{"target_id": nid}]));
        }
        let (author, batch) = (self.author(), self.batch);
        let note = move |write: &mut Write<'_>, made: &Entity| match batch {
            Some(batch) => Ok(note_made(write, batch, made)?),
            None => Ok(()),
        };
        let creation = Creation::of_item(Value::Object(body).to_string().into());
        let (db, model) = (&self.repository.db, &self.repository.model());
        match create_entity_and(db, model, creation, &self.actor, author, note).await {
            Ok(made) => {
                self.report.count(node, Outcome::New);
                Ok(Arrival::Here(made.id))
            }
            Err(refusal) => {
                let reason = bearable(refusal)?;
                Ok(self.lose_file(0, path, reason))
            }
        }
    }

    async fn media_of_file(
        &mut self,
        bag: &BagContent,
        file: &PlainFile<'_>,
        nid: i64,
    ) -> Result<(), Stop> {
        let use_tid = self.repository.db.read_here(|read| {
            let tid = read.term_by_uri(uri_of(TermRole::OriginalFile))?;
            let is_there = match tid {
                Some(tid) => read.media_with_use(nid, tid)?.is_some(),
                None => false,
            };
            Ok::<_, Stop>(tid.filter(|_| !is_there))
        })?;
        let Some(use_tid) = use_tid else {
            self.report.count(EntityKind::Media, Outcome::Unchanged);
            return Ok(());
        };
        match self.upload(bag, file, nid, use_tid).await {
            Ok(size) => {
                self.report.count(EntityKind::Media, Outcome::New);
                self.report.count(EntityKind::File, Outcome::New);
                self.report.bytes += size;
            }
            Err(refusal) => {
                let reason = bearable(refusal)?;
                self.report.count(EntityKind::Media, Outcome::Failed);
                self.report
                    .add(loss(EntityKind::Media, file.number, file.path, reason));
            }
        }
        Ok(())
    }

    async fn upload(
        &self,
        bag: &BagContent,
        file: &PlainFile<'_>,
        nid: i64,
        use_tid: i64,
    ) -> Result<u64, Refusal> {
        let name = file
            .path
            .rsplit_once('/')
            .map_or(file.path, |(_, name)| name);
        let scheme = &self.repository.config.repository_scheme;
        let upload = Upload {
            destination: Destination::Use {
                nid,
                media_type: file.media_type.to_owned(),
                use_tid,
            },
            content_type: Some(file.mime.clone()),
            location: Some(address_of(scheme, name)),
            expected: Precondition::Nothing,
        };
        let admission = admit(self.repository, &self.actor, self.author(), upload)?;
        let unread = |error| Refusal::Malformed(format!("It cannot be read: {error}."));
        let (size, chunks) = bag.bytes_at(file.path).map_err(unread)?;
        let body = Body {
            chunks: Box::pin(chunks),
            declared: Some(size),
            checksums: Vec::new(),
            asked: vec![Algorithm::Sha256],
        };
        let batch = self.batch;
        let note = move |write: &mut Write<'_>, uploaded: &UploadResult| {
            let made = write.entity(EntityKind::Media, uploaded.mid)?;
            match batch.zip(made) {
                Some((batch, made)) => Ok(note_made(write, batch, &made)?),
                None => Ok(()),
            }
        };
        receive_and(self.repository, admission, body, note).await?;
        Ok(size)
    }

    fn count_planned(&mut self, bag: &BagContent, file: &PlainFile<'_>) -> Result<(), Stop> {
        let (size, _) = bag.bytes_at(file.path).map_err(crate::SiteError::Bag)?;
        self.report.count(EntityKind::Media, Outcome::New);
        self.report.count(EntityKind::File, Outcome::New);
        self.report.bytes += size;
        Ok(())
    }

    fn lose_file(&mut self, number: i64, path: &str, reason: String) -> Arrival {
        self.report.count(EntityKind::Node, Outcome::Failed);
        self.report
            .add(loss(EntityKind::Node, number, path, reason));
        Arrival::Failed
    }
}

fn loss(kind: EntityKind, number: i64, path: &str, reason: String) -> Loss {
    Loss {
        kind: kind.target_type().to_owned(),
        id: number,
        uuid: String::new(),
        title: path.to_owned(),
        field: None,
        reason,
    }
}

/// What `bag-info.txt` says, in the fields of the collection.
fn described(bag: &BagContent) -> Map<String, Value> {
    let (mut words, mut identifiers, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for (label, value) in &bag.bag().information {
        let is_said = !value.is_empty() && !COUNTED.contains(&label.as_str());
        match label.as_str() {
            _ if !is_said => {}
            "External-Description" => words.push(value.clone()),
            "External-Identifier" => identifiers.push(json!({"value": value})),
            _ => others.push(format!("{label}: {value}")),
        }
    }
    words.extend(others);
    let roles = field_roles();
    let mut body = Map::new();
    if !words.is_empty() {
        let words = words.join("\n");
        body.insert(roles.description.clone(), json!([{"value": words}]));
    }
    if !identifiers.is_empty() {
        body.insert(roles.identifier.clone(), Value::Array(identifiers));
    }
    body
}
