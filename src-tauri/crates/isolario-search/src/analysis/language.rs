//! The languages whose stems are known, by their codes. A stem is what the forms of a word have in common: `house` and
//! `houses`, `Haus` and `Häuser`.

use frostem::{Algorithm, Stemmer};
use icu_normalizer::ComposingNormalizerBorrowed;

use super::fold::fold_into;

/// A language with stems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language {
    /// ISO 639-1.
    pub code: &'static str,
    algorithm: Algorithm,
}

/// ISO 639-1, then the codes of ISO 639-2 and 639-3 that mean the same here.
const LANGUAGES: &[(&[&str], Algorithm)] = &[
    (&["ar", "ara", "arb"], Algorithm::Arabic),
    (&["da", "dan"], Algorithm::Danish),
    (&["de", "ger", "deu"], Algorithm::German),
    (&["el", "gre", "ell"], Algorithm::Greek),
    (&["en", "eng"], Algorithm::English),
    (&["es", "spa"], Algorithm::Spanish),
    (&["fi", "fin"], Algorithm::Finnish),
    (&["fr", "fre", "fra"], Algorithm::French),
    (&["hu", "hun"], Algorithm::Hungarian),
    (&["it", "ita"], Algorithm::Italian),
    (&["nl", "dut", "nld"], Algorithm::Dutch),
    (
        &["no", "nor", "nb", "nob", "nn", "nno"],
        Algorithm::Norwegian,
    ),
    (&["pt", "por"], Algorithm::Portuguese),
    (&["ro", "rum", "ron"], Algorithm::Romanian),
    (&["ru", "rus"], Algorithm::Russian),
    (&["sv", "swe"], Algorithm::Swedish),
    (&["tr", "tur"], Algorithm::Turkish),
];

/// Codes by which a language is not told: undetermined, several, one without a code.
const UNTOLD: [&str; 3] = ["und", "mul", "mis"];

impl Language {
    /// The languages whose stems the words of an item have: that of its code, or none. Where no language is told, those
    /// of the window.
    pub fn of_item(code: Option<&str>) -> Vec<Language> {
        let told = code.filter(|code| !UNTOLD.contains(code));
        match told {
            Some(code) => Language::of(code).into_iter().collect(),
            None => ["de", "en"].into_iter().filter_map(Language::of).collect(),
        }
    }

    /// The language of a code, also with a region: `de-CH`. None for those without stems.
    pub fn of(code: &str) -> Option<Language> {
        let code = code.split(['-', '_']).next()?.to_ascii_lowercase();
        let known = LANGUAGES
            .iter()
            .find(|(codes, _)| codes.contains(&&*code))?;
        Some(Language {
            code: known.0[0],
            algorithm: known.1,
        })
    }

    /// What finds the stems of words of this language.
    pub fn stems(self) -> Stems {
        Stems(Stemmer::new(self.algorithm))
    }

    /// The stem of a word, folded.
    pub fn stem(self, word: &str) -> String {
        let mut stem = String::new();
        self.stems().stem_into(word, &mut stem);
        stem
    }
}

/// Finds the stems of words of one language.
pub struct Stems(Stemmer);

impl Stems {
    /// Appends the stem of a word, folded.
    pub fn stem_into(&self, word: &str, folded: &mut String) {
        if word.is_ascii() && !word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return fold_into(&self.0.stem(word), folded);
        }
        // The stemmers know composed letters in lower case with their diacritics.
        let composed = const { ComposingNormalizerBorrowed::new_nfc() }.normalize(word);
        fold_into(&self.0.stem(&composed.to_lowercase()), folded);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for (code, forms) in [
            ("en", ["house", "Houses"]),
            ("ger", ["Haus", "HAUSES"]),
            ("deu", ["Bücher", "Büchern"]),
            ("fre", ["liberté", "Libertés"]),
            ("it", ["mappa", "mappe"]),
            ("es", ["casa", "Casas"]),
            ("rus", ["книга", "книги"]),
            ("ara", ["كتاب", "الكتاب"]),
        ] {
            let language = Language::of(code).unwrap();
            let stems = forms.map(|form| language.stem(form));
            assert_eq!(stems[0], stems[1], "{forms:?}");
        }
    }

    #[test]
    fn codes_of_every_kind_are_known() {
        for code in ["de", "DE", "ger", "deu", "de-CH", "de_AT"] {
            assert_eq!(Language::of(code).unwrap().code, "de", "{code}");
        }
        for code in ["", "zxx", "la", "und", "deutsch"] {
            assert_eq!(Language::of(code), None, "{code}");
        }
        for (code, codes) in [
            (Some("fre"), &["fr"][..]),
            (Some("la"), &[]),
            (Some("und"), &["de", "en"]),
            (None, &["de", "en"]),
        ] {
            let languages = Language::of_item(code).into_iter();
            let found: Vec<&str> = languages.map(|language| language.code).collect();
            assert_eq!(found, codes, "{code:?}");
        }
    }
}
