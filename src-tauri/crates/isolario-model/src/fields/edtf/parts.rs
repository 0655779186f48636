//! The parts of one date (ISO 8601-2:2019, Annex A), read as leniently as the reference does.

/// What a date looks like, whether it means a day or not.
pub struct Parts<'t> {
    /// `Y` stands before the year.
    pub long: bool,
    pub year: &'t str,
    /// How many zeros follow the year.
    pub exponent: u32,
    pub month: Option<&'t str>,
    pub day: Option<&'t str>,
}

impl<'t> Parts<'t> {
    /// The parts of one date, without its time; `None` where it does not look like one.
    pub fn read(text: &'t str) -> Option<Parts<'t>> {
        let text = unqualified(text);
        let (long, text) = match text.strip_prefix('Y') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let sign = usize::from(text.starts_with('-'));
        let digits = text[sign..].find(|c| !is_digit(c));
        let (year, rest) = text.split_at(digits.map_or(text.len(), |end| end + sign));
        let (exponent, rest) = number_after('E', rest);
        let (_, rest) = number_after('S', rest);
        let (month, rest) = two_digits(unqualified(rest));
        let (day, rest) = two_digits(rest);
        let whole = year.len() > sign && rest.is_empty();
        whole.then_some(Parts {
            long,
            year,
            exponent,
            month,
            day,
        })
    }
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || c == 'X'
}

/// The number behind a mark, 0 without it, and what follows.
fn number_after(mark: char, text: &str) -> (u32, &str) {
    let Some(behind) = text.strip_prefix(mark) else {
        return (0, text);
    };
    let end = behind.find(|c: char| !c.is_ascii_digit());
    let (digits, rest) = behind.split_at(end.unwrap_or(behind.len()));
    digits.parse().map_or((0, text), |number| (number, rest))
}

/// What follows a mark of doubt, if there is one.
fn unqualified(text: &str) -> &str {
    text.strip_prefix(['%', '?', '~']).unwrap_or(text)
}

/// A month or day with the hyphen before it, and what follows.
fn two_digits(text: &str) -> (Option<&str>, &str) {
    let text = unqualified(text.strip_prefix('-').unwrap_or(text));
    match text.get(..2) {
        Some(digits) if digits.chars().all(is_digit) => (Some(digits), unqualified(&text[2..])),
        _ => (None, text),
    }
}
