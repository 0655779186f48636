//! Words and lines out of glyphs that are drawn one by one.

use hayro::hayro_interpret::font::{Glyph, GlyphRun};
use hayro::hayro_interpret::hayro_cmap::BfString;
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, SoftMask,
};
use hayro::kurbo::{Affine, BezPath, Point};

/// Glyphs are drawn in units of which a thousand are the size of the font.
const EM: f64 = 1000.0;

/// Draws nothing, and keeps what the glyphs mean.
#[derive(Default)]
pub(super) struct Words {
    text: String,
    /// Where the last glyph ended, and how large its font was on the page.
    end: Option<(Point, f64)>,
}

impl Words {
    /// What was said.
    pub fn finish(self) -> String {
        self.text
    }

    fn glyph(&mut self, glyph: &Glyph<'_>, place: Affine) {
        let start = place * Point::ORIGIN;
        let up = place * Point::new(0.0, EM) - start;
        let size = up.hypot().max(0.01);
        self.space(start, size);
        match glyph.as_unicode() {
            Some(BfString::Char(one)) => self.push(one),
            Some(BfString::String(several)) => several.chars().for_each(|one| self.push(one)),
            None => {}
        }
        let width = match glyph {
            Glyph::Outline(glyph) => glyph.advance_width(),
            Glyph::Type3(glyph) => glyph.advance_width(),
        };
        let end = place * Point::new(width.map_or(EM / 2.0, f64::from), 0.0);
        self.end = Some((end, size));
    }

    fn push(&mut self, one: char) {
        if !one.is_control() {
            self.text.push(one);
        }
    }

    /// What stands between the last glyph and one that begins here: nothing, a space, or the end of a line.
    fn space(&mut self, start: Point, size: f64) {
        let Some((end, former)) = self.end else {
            return;
        };
        let (right, down) = (start.x - end.x, (start.y - end.y).abs());
        let size = size.max(former);
        let ended = self.text.ends_with(char::is_whitespace);
        if down > size * 0.5 || right < -size * 2.0 {
            if !self.text.ends_with('\n') {
                self.text.push('\n');
            }
        } else if right > size * 0.15 && !ended {
            self.text.push(' ');
        }
    }
}

impl<'a> Device<'a> for Words {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, _: &DrawMode) {
        for glyph in run.glyphs() {
            self.glyph(glyph, props.transform * glyph.transform());
        }
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {}
    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn draw_image(&mut self, _: Image<'a, '_>, _: ImageDrawProps<'a>) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}
