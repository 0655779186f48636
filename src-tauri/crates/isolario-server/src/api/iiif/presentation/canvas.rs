//! Canvases: what of an item is shown, page by page (Presentation API 3.0, section 5.3).

use serde_json::{Value, json};

use super::Presenter;
use super::description::plain;
use isolario_core::actions::batches::pages::pages_in;
use isolario_db::{DbError, MediaFile, MediaRow};
use isolario_model::content::{TermRole, file_url};

/// Pixels of a canvas whose picture nobody has measured: A4 at 150 pixels an inch.
const USUAL: (i64, i64) = (1240, 1754);
/// Pages of one file that are shown.
const MOST_PAGES: i64 = 5_000;

/// What a file shows.
enum CanvasContent {
    /// A picture, or pages of pictures.
    Pictures {
        pages: Option<i64>,
    },
    /// Seconds.
    Sound {
        duration: f64,
    },
    Film {
        duration: f64,
        size: (i64, i64),
    },
}

impl Presenter<'_> {
    /// The canvases of an item, of its own files.
    pub(super) fn canvases(
        &self,
        (nid, title): (i64, &str),
        media: &[MediaRow],
    ) -> Result<Vec<Value>, DbError> {
        let mut found = None;
        for file in files(media) {
            if let Some(shown) = self.shown(file)? {
                found = Some((file, shown));
                break;
            }
        }
        let Some((file, shown)) = found else {
            return Ok(Vec::new());
        };
        let has_text = media.iter().any(is_text);
        let canvas = |number: i64, label: &str, measures: Value, body: Value| {
            let id = self.of_item(nid, &format!("canvas/{number}"));
            let mut canvas = json!({
                "id": id, "type": "Canvas", "label": plain(label),
                "items": [{
                    "id": format!("{id}/page"), "type": "AnnotationPage",
                    "items": [{
                        "id": format!("{id}/painting"), "type": "Annotation", "motivation": "painting",
                        "body": body, "target": id,
                    }],
                }],
            });
            add(&mut canvas, measures);
            if has_text {
                let text = self.of_item(nid, &format!("text/{number}"));
                canvas["annotations"] = json!([{"id": text, "type": "AnnotationPage"}]);
            }
            canvas
        };
        let address = self.address(&file_url::path_of(&file.uri));
        let format = file.mime.essence();
        Ok(match shown {
            CanvasContent::Pictures { pages } => {
                let numbers = 1..=pages.unwrap_or(1).min(MOST_PAGES);
                let canvases = numbers.map(|number| {
                    let (service, label) = match pages {
                        Some(_) => (format!("{}:{number}", file.fid), number.to_string()),
                        None => (file.fid.to_string(), title.to_owned()),
                    };
                    let service = self.address(&format!("/iiif/image/3/{service}"));
                    let measures = size(file.width.zip(file.height).unwrap_or(USUAL));
                    let mut body = json!({
                        "id": format!("{service}/full/max/0/default.jpg"), "type": "Image", "format": "image/jpeg",
                        "service": [{"id": service, "type": "ImageService3", "profile": "level2"}],
                    });
                    add(&mut body, measures.clone());
                    canvas(number, &label, measures, body)
                });
                canvases.collect()
            }
            CanvasContent::Sound { duration } => {
                let body =
                    json!({"id": address, "type": "Sound", "format": format, "duration": duration});
                vec![canvas(1, title, json!({"duration": duration}), body)]
            }
            CanvasContent::Film {
                duration,
                size: pixels,
            } => {
                let mut measures = size(pixels);
                measures["duration"] = duration.into();
                let mut body = json!({"id": address, "type": "Video", "format": format});
                add(&mut body, measures.clone());
                vec![canvas(1, title, measures, body)]
            }
        })
    }

    /// What a file shows; `None` for what viewers do not show, or recordings that nobody has measured yet.
    fn shown(&self, file: &MediaFile) -> Result<Option<CanvasContent>, DbError> {
        let mime = file.mime.essence();
        let facts = self.snapshot.read.file_facts(file.fid, file.version)?;
        let facts = facts.unwrap_or_default();
        let number = |name: &str| facts.get(name)?.as_i64().filter(|number| *number > 0);
        let duration = facts
            .get("duration")
            .and_then(Value::as_f64)
            .filter(|seconds| *seconds > 0.0);
        Ok(match mime.split_once('/') {
            _ if mime == "application/pdf" => {
                let pages = pages_in(&facts).filter(|pages| *pages > 0);
                pages.map(|pages| CanvasContent::Pictures { pages: Some(pages) })
            }
            Some(("image", kind)) if !kind.contains("svg") => Some(CanvasContent::Pictures {
                pages: pages_in(&facts).filter(|pages| *pages > 1),
            }),
            Some(("audio", _)) => duration.map(|duration| CanvasContent::Sound { duration }),
            Some(("video", _)) => duration.map(|duration| CanvasContent::Film {
                duration,
                size: number("width").zip(number("height")).unwrap_or((1280, 720)),
            }),
            _ => None,
        })
    }

    /// A canvas of an item without any.
    pub(super) fn empty_canvas(&self, nid: i64, title: &str) -> Value {
        let id = self.of_item(nid, "canvas/1");
        let nothing = json!([{"id": format!("{id}/page"), "type": "AnnotationPage", "items": []}]);
        let mut canvas =
            json!({"id": id, "type": "Canvas", "label": plain(title), "items": nothing});
        add(&mut canvas, size(USUAL));
        canvas
    }
}

/// Files in the order in which they are shown. Of recordings it is what a browser plays, of pictures the original.
fn files(media: &[MediaRow]) -> Vec<&MediaFile> {
    let of = |role: TermRole| {
        let rows = media.iter().filter(move |row| row.has_use(role));
        rows.filter_map(|row| row.file.as_ref())
    };
    let is_recording = |file: &&MediaFile| {
        let mime = file.mime.essence();
        mime.starts_with("audio/") || mime.starts_with("video/")
    };
    let played = of(TermRole::ServiceFile).filter(is_recording);
    let others = [
        TermRole::OriginalFile,
        TermRole::ServiceFile,
        TermRole::PreservationMasterFile,
    ];
    played.chain(others.into_iter().flat_map(of)).collect()
}

/// Whether a media is the text of an item.
fn is_text(row: &MediaRow) -> bool {
    let is_plain = |mime: &str| mime == "text/plain" || mime == "text/markdown";
    let uses = [
        TermRole::ExtractedText,
        TermRole::Transcript,
        TermRole::OriginalFile,
    ];
    uses.into_iter().any(|role| row.has_use(role))
        && row
            .file
            .as_ref()
            .is_some_and(|file| is_plain(file.mime.essence()))
}

fn size((width, height): (i64, i64)) -> Value {
    json!({"width": width, "height": height})
}

fn add(object: &mut Value, members: Value) {
    if let (Some(object), Value::Object(members)) = (object.as_object_mut(), members) {
        object.extend(members);
    }
}
