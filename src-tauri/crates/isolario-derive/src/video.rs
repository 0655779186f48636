//! Video, by ffmpeg: a picture of it, and a copy that every browser plays.

use std::io::Write;

use serde_json::Map;

use super::Derivative;
use super::program::Program;
use super::refused::DeriveError;
use super::source::Source;

/// Of a poster, which is a PNG of at most 4096 pixels in each direction.
const POSTER: u64 = 64 << 20;
/// Of a copy; ffmpeg ends where the disk's limit for this process does.
const COPY: u64 = 16 << 30;

const QUIET: [&str; 6] = [
    "-hide_banner",
    "-nostdin",
    "-loglevel",
    "error",
    "-threads",
    "1",
];
const INPUT: [&str; 2] = ["-i", "/proc/self/fd/0"];

/// A picture that stands for the video, as PNG: the most usual one of its first hundred.
///
/// # Errors
/// ffmpeg is not there, or finds no picture.
pub(super) fn poster(source: &mut Source) -> Result<Source, DeriveError> {
    let scale = "thumbnail=100,scale=w='min(1024,iw)':h='min(1024,ih)':force_original_aspect_ratio=decrease";
    let ffmpeg = Program::find("ffmpeg", "posters of videos")?
        .with(&QUIET)
        .with(&INPUT)
        .with(&["-an", "-sn", "-dn", "-vf", scale, "-frames:v", "1"])
        .with(&["-c:v", "png", "-f", "image2pipe", "pipe:1"]);
    let mut picture = Vec::new();
    let input = source.for_program()?;
    if ffmpeg.run(input, POSTER, &mut picture)? == 0 {
        return Err(DeriveError::unreadable("There is no picture in the video."));
    }
    Ok(Source::of_memory(picture, "image/png"))
}

/// A copy in H.264 and AAC, at most 1280 x 720, in pieces, so that it plays while it comes.
///
/// # Errors
/// ffmpeg is not there, or cannot read the file.
pub(super) fn web_copy(
    source: &mut Source,
    target: &mut dyn Write,
) -> Result<Derivative, DeriveError> {
    let scale = "scale=w='min(1280,iw)':h='min(720,ih)':force_original_aspect_ratio=decrease:force_divisible_by=2";
    let ffmpeg = Program::find("ffmpeg", "copies of videos that browsers play")?
        .with(&QUIET)
        .with(&INPUT)
        .with(&[
            "-map", "0:v:0", "-map", "0:a:0?", "-sn", "-dn", "-vf", scale,
        ])
        .with(&[
            "-c:v", "libx264", "-preset", "veryfast", "-crf", "26", "-pix_fmt", "yuv420p",
        ])
        .with(&["-threads:v", "2", "-c:a", "aac", "-b:a", "128k", "-ac", "2"])
        .with(&[
            "-movflags",
            "frag_keyframe+empty_moov+default_base_moof",
            "-f",
            "mp4",
            "pipe:1",
        ]);
    let input = source.for_program()?;
    if ffmpeg.run(input, COPY, target)? == 0 {
        return Err(DeriveError::unreadable("There is no picture in the video."));
    }
    Ok(Derivative {
        mime: "video/mp4",
        extension: "mp4",
        facts: Map::new(),
    })
}
