//! Reads the outcome of a derivative from the exit of its process.

use serde::Deserialize;

use super::process::ProcessExit;
use super::sandbox::ProcessLimits;
use crate::actions::derivatives::{DerivativeOutput, FACTS};
use isolario_model::content::MimeType;
use isolario_platform::process::{Interruption, interruption};

/// The longest message of a process that is kept.
const SENTENCE: usize = 500;

/// The outcome of a derivative.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    Made(DerivativeOutput),
    /// It cannot be made of these bytes.
    Refused(String),
    /// Another program is missing.
    Lacking(String),
    /// A permanent fault.
    Failed(String),
    /// A temporary fault.
    Crashed(String),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum ProcessReport {
    Made { mime: MimeType, extension: String },
    Refused(String),
    Missing(String),
    Failed(String),
}

/// The outcome of a derivative of a kind, made of a file of a MIME type. It trusts the output of the process as little
/// as possible, because a hostile file may control the process.
pub fn verdict(kind: &str, mime: &str, bounds: &ProcessLimits, end: &ProcessExit) -> Verdict {
    let last = end.said.lines().rev().find(|line| !line.trim().is_empty());
    let said = last.and_then(|line| serde_json::from_str(line).ok());
    match (end.status.code(), said) {
        (Some(0), Some(ProcessReport::Made { mime, extension }))
            if is_allowed(kind, &mime, &extension) =>
        {
            Verdict::Made(DerivativeOutput { mime, extension })
        }
        (Some(3), Some(ProcessReport::Refused(words))) => Verdict::Refused(sentence(&words)),
        (Some(4), Some(ProcessReport::Missing(words))) => Verdict::Lacking(sentence(&words)),
        (Some(1..), Some(ProcessReport::Failed(words))) => Verdict::Crashed(sentence(&words)),
        _ => unworded(kind, mime, bounds, end),
    }
}

fn is_allowed(kind: &str, mime: &MimeType, extension: &str) -> bool {
    let pictures = [("image/jpeg", "jpg"), ("image/png", "png")];
    let product = (mime.essence(), extension);
    match kind {
        "thumbnail" => pictures.contains(&product),
        "service" => pictures.contains(&product) || product == ("video/mp4", "mp4"),
        "text" => product == ("text/plain", "txt"),
        "page" => product == ("image/tiff", "tif"),
        "tiles" => product == ("application/zip", "zip"),
        FACTS => product.0 == "application/json",
        _ => false,
    }
}

/// The message for a process that ended without one.
fn unworded(kind: &str, mime: &str, bounds: &ProcessLimits, end: &ProcessExit) -> Verdict {
    match interruption(end.status) {
        Some(Interruption::Time) => Verdict::Failed(too_slow(kind, mime, bounds)),
        Some(Interruption::FileSize) => {
            Verdict::Failed("What is made of the file is too large.".into())
        }
        Some(Interruption::Abort) if end.said.contains("memory allocation") => {
            Verdict::Failed(format!(
                "The file needs more memory than the {} MB that there are for it.",
                bounds.memory
            ))
        }
        Some(interrupted) => Verdict::Crashed(format!(
            "The reader of such files came to a sudden end ({interrupted}). The file may be damaged."
        )),
        None => Verdict::Crashed(format!(
            "The reader of such files came to a sudden end (code {}). The file may be damaged.",
            end.status.code().unwrap_or_default()
        )),
    }
}

/// The message for a process that exceeded its time.
pub fn too_slow(kind: &str, mime: &str, bounds: &ProcessLimits) -> String {
    let time = match bounds.processor_time(kind, mime).as_secs() {
        1 => "second that there is".to_owned(),
        seconds @ ..120 => format!("{seconds} seconds that there are"),
        seconds => format!("{} minutes that there are", seconds / 60),
    };
    format!("The file takes longer to read than the {time} for it.")
}

fn sentence(words: &str) -> String {
    let plain = words.chars().map(|character| match character.is_control() {
        true => ' ',
        false => character,
    });
    let plain: String = plain.take(SENTENCE).collect();
    match plain.trim() {
        "" => "No reason was given.".into(),
        words => words.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    use super::*;

    const BOUNDS: ProcessLimits = ProcessLimits {
        memory: 1536,
        seconds: 300,
    };

    fn exit(code: i32, said: &str) -> Verdict {
        let end = ProcessExit {
            status: ExitStatus::from_raw(code << 8),
            said: said.into(),
        };
        verdict("thumbnail", "image/png", &BOUNDS, &end)
    }

    fn killed(signal: i32, said: &str) -> Verdict {
        let end = ProcessExit {
            status: ExitStatus::from_raw(signal),
            said: said.into(),
        };
        verdict("thumbnail", "image/png", &BOUNDS, &end)
    }

    #[test]
    fn a_product_is_what_the_last_line_says() {
        let said = "a warning\n{\"made\": {\"mime\": \"image/jpeg\", \"extension\": \"jpg\", \"facts\": {}}}\n\n";
        let product = DerivativeOutput {
            mime: MimeType::from("image/jpeg".to_owned()),
            extension: "jpg".into(),
        };
        assert_eq!(exit(0, said), Verdict::Made(product));
        assert_eq!(
            exit(3, "{\"refused\": \"It\\u0000 ends.\"}"),
            Verdict::Refused("It  ends.".into())
        );
        assert_eq!(
            exit(4, "{\"missing\": \"ffmpeg is missing.\"}"),
            Verdict::Lacking("ffmpeg is missing.".into())
        );
    }

    #[test]
    fn nothing_is_believed_that_cannot_be() {
        for (code, said) in [
            (0, ""),
            (0, "{\"refused\": \"but code 0\"}"),
            (
                3,
                "{\"made\": {\"mime\": \"image/jpeg\", \"extension\": \"jpg\"}}",
            ),
            (
                0,
                "{\"made\": {\"mime\": \"text/html\", \"extension\": \"html\"}}",
            ),
            (
                0,
                "{\"made\": {\"mime\": \"image/jpeg;x, text/html\", \"extension\": \"jpg\"}}",
            ),
            (
                0,
                "{\"made\": {\"mime\": \"image/jpeg\", \"extension\": \"html\"}}",
            ),
            (101, "thread 'main' panicked"),
        ] {
            let verdict = exit(code, said);
            assert!(
                matches!(verdict, Verdict::Crashed(_)),
                "{said}: {verdict:?}"
            );
        }
    }

    #[test]
    fn a_process_that_was_killed_says_nothing_itself() {
        assert!(matches!(killed(9, ""), Verdict::Failed(_)));
        assert!(matches!(killed(24, ""), Verdict::Failed(_)));
        assert!(matches!(killed(11, ""), Verdict::Crashed(_)));
        let Verdict::Failed(words) = killed(6, "memory allocation of 9 bytes failed") else {
            panic!("it would end the same way again");
        };
        assert!(words.contains("1536 MB"), "{words}");
    }
}
