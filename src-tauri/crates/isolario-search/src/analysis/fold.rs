//! Folding: spellings of a word that a person takes for the same become one.
//!
//! - Compatibility forms (Unicode NFKD): ligatures, full and half width, small and circled letters, superscripts.
//! - Case, by Unicode's full mapping: `STRASSE`, `İ`, `Σ`.
//! - Diacritics of Latin, Greek, Cyrillic, Hebrew, Arabic and Syriac, but not the vowel signs of Indic scripts or the
//!   voicing marks of Japanese, which make other letters.
//! - Letters that Unicode does not decompose: `ß` `æ` `œ` `ø` `đ` `ð` `ł` `þ` `ı` `ħ` `ŧ` `ŋ` `ƒ` `ĸ` `ſ` and final `ς`.
//! - Arabic: alefs, yehs, kafs and teh marbuta in one form, no tatweel, digits as `0` to `9`.

use std::borrow::Cow;

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use icu_properties::CodePointSetData;
use icu_properties::props::GraphemeExtend;

/// Characters of a folded word; of a longer one the beginning is found.
pub const LONGEST_WORD: usize = 100;

/// A word folded. Twice folded is once folded.
pub fn fold(word: &str) -> Cow<'_, str> {
    if word.len() <= LONGEST_WORD && word.bytes().all(is_folded_ascii) {
        return Cow::Borrowed(word);
    }
    let mut folded = String::with_capacity(word.len());
    fold_into(word, &mut folded);
    Cow::Owned(folded)
}

/// A text folded, its words apart.
pub fn folded(text: &str) -> String {
    let words = text.split_whitespace().map(fold);
    words.collect::<Vec<_>>().join(" ")
}

fn is_folded_ascii(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

/// Appends a word folded.
pub fn fold_into(word: &str, folded: &mut String) {
    if word.is_ascii() {
        let letters = word.bytes().filter(u8::is_ascii_alphanumeric);
        let lower = letters.map(|byte| char::from(byte.to_ascii_lowercase()));
        return folded.extend(lower.take(LONGEST_WORD));
    }
    let decomposing = const { DecomposingNormalizerBorrowed::new_nfkd() };
    let composing = const { ComposingNormalizerBorrowed::new_nfc() };
    // Lower case can decompose (`İ`), and what decomposes can be upper case (`™`): so once more in the middle.
    let lower = decomposing
        .normalize_iter(word.chars())
        .flat_map(char::to_lowercase);
    let mut bare = String::with_capacity(word.len());
    for letter in decomposing.normalize_iter(lower) {
        match replacement(letter) {
            Some(text) => bare.push_str(text),
            None if is_dropped(letter) => {}
            None => bare.push(letter),
        }
    }
    let composed = composing.normalize(&bare);
    folded.extend(composed.chars().take(LONGEST_WORD));
}

/// What stands for a letter that has no decomposition.
fn replacement(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ł' => "l",
        'þ' => "th",
        'ı' => "i",
        'ħ' => "h",
        'ŧ' => "t",
        'ŋ' => "n",
        'ƒ' => "f",
        'ĸ' => "k",
        'ς' => "σ",
        // Arabic yehs, kaf, teh marbuta; alefs decompose, but for the one of Quranic texts.
        'ى' | 'ی' | 'ے' => "ي",
        'ک' => "ك",
        'ة' => "ه",
        'ٱ' => "ا",
        '٠' | '۰' => "0",
        '١' | '۱' => "1",
        '٢' | '۲' => "2",
        '٣' | '۳' => "3",
        '٤' | '۴' => "4",
        '٥' | '۵' => "5",
        '٦' | '۶' => "6",
        '٧' | '۷' => "7",
        '٨' | '۸' => "8",
        '٩' | '۹' => "9",
        _ => return None,
    })
}

/// Diacritics, and what is no letter or digit and no sign of a vowel: joiners, tatweel, the slash within `½`.
fn is_dropped(letter: char) -> bool {
    match letter {
        '\u{300}'..='\u{36F}'
        | '\u{483}'..='\u{489}'
        | '\u{591}'..='\u{5C7}'
        | '\u{610}'..='\u{61A}'
        | '\u{640}'
        | '\u{64B}'..='\u{65F}'
        | '\u{670}'
        | '\u{6D6}'..='\u{6DC}'
        | '\u{6DF}'..='\u{6E8}'
        | '\u{6EA}'..='\u{6ED}'
        | '\u{711}'
        | '\u{730}'..='\u{74A}'
        | '\u{1AB0}'..='\u{1AFF}'
        | '\u{1DC0}'..='\u{1DFF}'
        | '\u{20D0}'..='\u{20FF}'
        | '\u{FE20}'..='\u{FE2F}' => true,
        _ => !letter.is_alphanumeric() && !continues_word(letter) || is_joiner(letter),
    }
}

/// Invisible signs within words.
pub fn is_joiner(letter: char) -> bool {
    matches!(
        letter,
        '\u{AD}' | '\u{200C}' | '\u{200D}' | '\u{2060}' | '\u{FEFF}'
    )
}

/// A sign that belongs to the word before it: marks, joiners, tatweel.
pub fn continues_word(letter: char) -> bool {
    !letter.is_ascii() && (is_extender(letter) || is_joiner(letter) || letter == '\u{640}')
}

/// A mark upon the sign before it.
pub fn is_extender(letter: char) -> bool {
    const { CodePointSetData::new::<GraphemeExtend>() }.contains(letter)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings_of_a_word_become_one() {
        for (written, folded) in [
            ("Müller", "muller"),
            ("MU\u{308}LLER", "muller"),
            ("Straße", "strasse"),
            ("STRASSE", "strasse"),
            ("ẞ", "ss"),
            ("Ærø", "aero"),
            ("Œuvre", "oeuvre"),
            ("Đorđe", "dorde"),
            ("Łódź", "lodz"),
            ("Þingvellir", "thingvellir"),
            ("Guðmundur", "gudmundur"),
            ("İstanbul", "istanbul"),
            ("Isparta", "isparta"),
            ("ılıca", "ilica"),
            ("ﬁnd", "find"),
            ("Ｔｏｋｙｏ", "tokyo"),
            ("x²", "x2"),
            ("soft\u{AD}hyphen", "softhyphen"),
            ("Ἀθῆναι", "αθηναι"),
            ("ΟΔΥΣΣΕΎΣ", "οδυσσευσ"),
            ("Ёлка", "елка"),
            ("שָׁלוֹם", "שלום"),
            ("مُحَمَّد", "محمد"),
            ("أحمد", "احمد"),
            ("مكتبــة", "مكتبه"),
            ("کتاب", "كتاب"),
            ("١٩٩٨", "1998"),
            ("ガラス", "ガラス"),
            ("ｶﾞﾗｽ", "ガラス"),
            ("हिन्दी", "हिन्दी"),
            ("한국어", "한국어"),
            ("\u{1112}\u{1161}\u{11AB}", "한"),
        ] {
            assert_eq!(fold(written), folded, "{written}");
        }
    }

    #[test]
    fn of_a_long_word_the_beginning_counts() {
        let long = "ü".repeat(3 * LONGEST_WORD);
        assert_eq!(fold(&long), "u".repeat(LONGEST_WORD));
        let ascii = "x".repeat(3 * LONGEST_WORD);
        assert_eq!(fold(&ascii), "x".repeat(LONGEST_WORD));
    }

    proptest! {
        #[test]
        fn twice_folded_is_once_folded(text in "\\PC{0,12}") {
            let once = fold(&text).into_owned();
            prop_assert_eq!(fold(&once).into_owned(), once);
        }

        #[test]
        fn case_does_not_matter(text in "[a-zA-ZäöüßÄÖÜéÉñçøØłŁ]{0,12}") {
            let (upper, lower) = (text.to_uppercase(), text.to_lowercase());
            prop_assert_eq!(fold(&upper), fold(&text));
            prop_assert_eq!(fold(&lower), fold(&text));
        }
    }
}
