//! A QR code (ISO/IEC 18004) as a path to be drawn.

use qrcode::{Color, EcLevel, QrCode as Modules};
use serde::Serialize;
use utoipa::ToSchema;

/// A QR code without its quiet zone, which is four modules wide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct QrCode {
    /// Modules on a side.
    size: usize,
    /// The dark modules as an SVG path, in modules.
    path: String,
}

impl QrCode {
    /// The code of a text; `None` for one that is too long for any.
    pub fn of(text: &str) -> Option<QrCode> {
        let modules = Modules::with_error_correction_level(text, EcLevel::M).ok()?;
        let size = modules.width();
        Some(QrCode {
            size,
            path: path(&modules.to_colors(), size),
        })
    }
}

/// One rectangle for each run of dark modules in a row.
fn path(modules: &[Color], size: usize) -> String {
    let mut path = String::new();
    for (y, row) in modules.chunks(size).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|one, other| one == other) {
            let length = run.len();
            if run[0] == Color::Dark {
                path.push_str(&format!("M{x} {y}h{length}v1h-{length}z"));
            }
            x += length;
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_begins_with_the_corner_that_every_code_has() {
        let code = QrCode::of("https://192.168.1.24:8443").expect("short enough");
        assert_eq!(code.size, 25);
        assert!(code.path.starts_with("M0 0h7v1h-7z"), "{}", code.path);
        assert!(code.path.contains("M18 0h7v1h-7z"), "{}", code.path);
        assert_eq!(QrCode::of(&"x".repeat(10_000)), None);
    }
}
