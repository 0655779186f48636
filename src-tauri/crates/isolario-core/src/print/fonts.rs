//! Fonts: one that is given, and those of the machine for letters that it lacks.

use fontdb::{Database, ID, Style, Weight};
use krilla::text::Font;
use ttf_parser::Face;

use super::PrintError;

/// The fonts of a document.
pub(super) struct Fonts {
    data: Vec<u8>,
    font: Font,
    /// Those of the machine, once they are needed.
    others: Option<Database>,
    /// Those of them that are in use, the newest first.
    used: Vec<(ID, Font)>,
}

impl Fonts {
    pub(super) fn new(data: Vec<u8>) -> Result<Fonts, PrintError> {
        let font = Font::new(data.clone().into(), 0);
        let font = font.ok_or_else(|| PrintError("the font is not readable".into()))?;
        Ok(Fonts {
            data,
            font,
            others: None,
            used: Vec::new(),
        })
    }

    /// The font for a text: the given one, or one of the machine where that has letters that the given one lacks.
    pub(super) fn of(&mut self, text: &str) -> Font {
        if has_letters(&self.data, 0, text) {
            return self.font.clone();
        }
        let others = self.others.get_or_insert_with(|| {
            let mut fonts = Database::new();
            fonts.load_system_fonts();
            fonts
        });
        let has = |id: ID| {
            let found = others.with_face_data(id, |data, index| has_letters(data, index, text));
            found.unwrap_or(false)
        };
        if let Some((_, font)) = self.used.iter().find(|(id, _)| has(*id)) {
            return font.clone();
        }
        let upright = others
            .faces()
            .filter(|face| face.style == Style::Normal && face.weight == Weight::NORMAL);
        let found = upright.map(|face| face.id).find(|id| has(*id));
        let read = |id: ID| {
            others.with_face_data(id, |data, index| Font::new(data.to_vec().into(), index))
        };
        match found.and_then(|id| Some((id, read(id)??))) {
            Some((id, font)) => {
                self.used.insert(0, (id, font.clone()));
                font
            }
            None => self.font.clone(),
        }
    }
}

fn has_letters(data: &[u8], index: u32, text: &str) -> bool {
    let Ok(face) = Face::parse(data, index) else {
        return false;
    };
    let mut letters = text
        .chars()
        .filter(|c| !c.is_whitespace() && !c.is_control());
    letters.all(|c| face.glyph_index(c).is_some())
}
