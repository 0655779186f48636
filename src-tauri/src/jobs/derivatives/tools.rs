//! Programs that some products need, where they are on this machine.

/// Posters and web copies of films; text of pictures.
const TOOLS: [&str; 3] = ["ffmpeg", "ffprobe", "tesseract"];

/// Which of them are there, by their paths.
pub fn found() -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = TOOLS.iter().filter_map(|tool| {
        let mut places = std::env::split_paths(&path).map(|directory| directory.join(tool));
        places.find(|place| place.is_file())
    });
    let found: Vec<String> = found.map(|place| place.display().to_string()).collect();
    found.join("\n")
}
