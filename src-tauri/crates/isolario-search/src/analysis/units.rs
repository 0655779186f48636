//! Where the words of a text stand. A word is a run of letters and digits with their marks; every other sign parts
//! words, so that `box3_folder2_0100.tif` is found by each of its parts, and whole as the phrase of them. Scripts
//! without spaces between words (Chinese, Japanese, Thai …) and Korean, whose words carry particles, are read sign by
//! sign, and joined signs are found as pairs.

use std::ops::Range;

use super::fold::{continues_word, fold_into, is_extender, is_joiner};

/// A word, or one sign of a script that is read sign by sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Bytes of the text.
    pub range: Range<usize>,
    pub is_sign: bool,
    /// Whether it is a sign and the unit before it a sign that it follows at once.
    pub is_joined: bool,
}

/// The units of a text, from the first to the last.
pub struct Units<'t> {
    text: &'t str,
    at: usize,
    last: Option<Unit>,
}

impl<'t> Units<'t> {
    /// Reads a text.
    pub fn of(text: &'t str) -> Units<'t> {
        Units {
            text,
            at: 0,
            last: None,
        }
    }

    /// The next unit that has letters when it is folded, and these.
    pub fn next_folded(&mut self, folded: &mut String) -> Option<Unit> {
        loop {
            let unit = self.next()?;
            folded.clear();
            fold_into(&self.text[unit.range.clone()], folded);
            if !folded.is_empty() {
                return Some(unit);
            }
        }
    }

    /// Where the unit that starts here ends, and whether it is a sign.
    fn unit_at(&self, start: usize) -> Option<(usize, bool)> {
        let mut letters = self.text[start..].char_indices();
        let (_, first) = letters.next()?;
        if !is_letter(first) {
            return None;
        }
        let is_sign = is_unspaced(first);
        let end = letters.find(|(_, letter)| {
            let continues = match is_sign {
                true => continues_sign(first, *letter),
                false => is_letter(*letter) && !is_unspaced(*letter) || continues_word(*letter),
            };
            !continues
        });
        let end = end.map_or(self.text.len(), |(at, _)| start + at);
        Some((end, is_sign))
    }
}

impl Iterator for Units<'_> {
    type Item = Unit;

    fn next(&mut self) -> Option<Unit> {
        let bytes = self.text.as_bytes();
        loop {
            let first = *bytes.get(self.at)?;
            if first.is_ascii() && !first.is_ascii_alphanumeric() {
                self.at += 1;
                continue;
            }
            let start = self.at;
            let Some((end, is_sign)) = self.unit_at(start) else {
                let letter = self.text[start..].chars().next()?;
                self.at += letter.len_utf8();
                continue;
            };
            self.at = end;
            let last = self.last.as_ref();
            let is_joined =
                is_sign && last.is_some_and(|last| last.is_sign && last.range.end == start);
            let unit = Unit {
                range: start..end,
                is_sign,
                is_joined,
            };
            self.last = Some(unit.clone());
            return Some(unit);
        }
    }
}

/// A letter or digit of any script. Tatweel, a stroke that lengthens Arabic words, is none by itself.
fn is_letter(letter: char) -> bool {
    match letter.is_ascii() {
        true => letter.is_ascii_alphanumeric(),
        false => letter.is_alphanumeric() && letter != '\u{640}' && !is_extender(letter),
    }
}

/// A mark upon a sign, or the next part of a Korean syllable that is written in parts.
fn continues_sign(first: char, letter: char) -> bool {
    let is_jamo = |letter| matches!(letter, '\u{1160}'..='\u{11FF}' | '\u{D7B0}'..='\u{D7FF}');
    matches!(first, '\u{1100}'..='\u{115F}' | '\u{A960}'..='\u{A97F}') && is_jamo(letter)
        || is_extender(letter)
        || is_joiner(letter)
}

/// The scripts that are read sign by sign.
fn is_unspaced(letter: char) -> bool {
    matches!(letter,
        // Thai, Lao, Myanmar, Khmer.
        '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{19E0}'..='\u{19FF}'
        | '\u{A9E0}'..='\u{A9FF}' | '\u{AA60}'..='\u{AA7F}'
        // Korean.
        | '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}' | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}'
        // Radicals, kana, bopomofo, ideographs, half width forms.
        | '\u{2E80}'..='\u{2FDF}' | '\u{3005}'..='\u{312F}' | '\u{31A0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FFDC}' | '\u{1B000}'..='\u{1B16F}'
        | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        Units::of(text).map(|unit| &text[unit.range]).collect()
    }

    #[test]
    fn every_sign_that_is_no_letter_parts_words() {
        assert_eq!(parts("1998.2.17"), ["1998", "2", "17"]);
        let name = "box3_folder2_0100.tif";
        assert_eq!(parts(name), ["box3", "folder2", "0100", "tif"]);
        assert_eq!(parts("L'eau, O’Brien"), ["L", "eau", "O", "Brien"]);
        assert_eq!(parts(" \u{640} ‼ — "), [""; 0]);
    }

    #[test]
    fn marks_belong_to_their_word() {
        assert_eq!(parts("u\u{308}ber हिन्दी"), ["u\u{308}ber", "हिन्दी"]);
        assert_eq!(parts("صَباح الخير"), ["صَباح", "الخير"]);
        assert_eq!(parts("שלום עולם"), ["שלום", "עולם"]);
        assert_eq!(parts("می\u{200C}خواهم"), ["می\u{200C}خواهم"]);
    }

    #[test]
    fn unspaced_scripts_are_read_sign_by_sign() {
        assert_eq!(parts("2024年の東京"), ["2024", "年", "の", "東", "京"]);
        let joined = |text: &str| -> Vec<bool> {
            let signs = Units::of(text).filter(|unit| unit.is_sign);
            signs.map(|unit| unit.is_joined).collect()
        };
        assert_eq!(joined("東京 大阪"), [false, true, false, true]);
        assert_eq!(parts("ｶﾞﾗｽ"), ["ｶﾞ", "ﾗ", "ｽ"]);
        assert_eq!(parts("한국 abc어"), ["한", "국", "abc", "어"]);
        let jamo = "\u{1112}\u{1161}\u{11AB}\u{1100}";
        assert_eq!(parts(jamo), ["\u{1112}\u{1161}\u{11AB}", "\u{1100}"]);
        assert_eq!(parts("ที่นี่").len(), 2);
    }

    proptest! {
        #[test]
        fn units_lie_in_order_and_within_the_text(text in "\\PC{0,40}") {
            let mut before = 0;
            for unit in Units::of(&text) {
                prop_assert!(unit.range.start >= before && unit.range.end > unit.range.start);
                prop_assert!(text.get(unit.range.clone()).is_some());
                before = unit.range.end;
            }
        }
    }
}
