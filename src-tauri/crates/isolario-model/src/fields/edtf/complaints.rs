//! What is wrong with a date that is no EDTF, in the words of the reference.

use super::parts::Parts;

/// What the reference would say against a text that is no EDTF; at least one sentence.
pub fn complaints(text: &str) -> Vec<String> {
    let found = match text.contains(['[', '{']) {
        true => of_set(text),
        false => of_interval(text),
    };
    match found.is_empty() {
        // It looks right and names a day that there is not, or ends before it begins.
        true => vec![unreadable(text)],
        false => found,
    }
}

fn unreadable(date: &str) -> String {
    format!("Could not parse the date '{date}'.")
}

fn of_set(text: &str) -> Vec<String> {
    let inner = text.strip_prefix(['[', '{']);
    let inner = inner.and_then(|rest| rest.strip_suffix([']', '}']));
    let is_encoded = |inner: &&str| {
        let references = |c: char| c.is_ascii_digit() || "-XYES.,".contains(c);
        !inner.is_empty() && inner.chars().all(references)
    };
    let Some(inner) = inner.filter(is_encoded) else {
        return vec!["The set is improperly encoded.".to_owned()];
    };
    let dates = inner.split(',').flat_map(|range| range.split(".."));
    dates
        .filter(|date| !date.is_empty())
        .flat_map(of_date)
        .collect()
}

fn of_interval(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    if text.contains('/') && text.contains('T') {
        found.push("Date intervals cannot include times.".to_owned());
    }
    let ends = text.split('/').filter(|end| !matches!(*end, "" | ".."));
    found.extend(ends.flat_map(of_date));
    found
}

fn of_date(text: &str) -> Vec<String> {
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let Some(parts) = Parts::read(date) else {
        return vec![unreadable(date)];
    };
    let mut found: Vec<String> = parts.year_complaint().into_iter().collect();
    found.extend(parts.month_complaint());
    found.extend(parts.day_complaint());
    match time {
        Some("") => found.push("Time not provided with time seperator (T).".to_owned()),
        Some(time) if !is_time(time) || parts.day.is_none() => {
            found.push(format!("The date/time '{text}' is invalid."));
        }
        _ => {}
    }
    found
}

/// Hours, minutes, seconds, and where on earth, if that is said.
fn is_time(time: &str) -> bool {
    let is = |text: &str, pattern: &str| {
        let fits = |(c, p): (char, char)| c == p || (p == '0' && c.is_ascii_digit());
        text.len() == pattern.len() && text.chars().zip(pattern.chars()).all(fits)
    };
    let shift = time.get(..8).map(|_| &time[8..]);
    let references =
        |shift: &str| matches!(shift, "" | "Z") || is(shift, "+00:00") || is(shift, "-00:00");
    time.get(..8).is_some_and(|clock| is(clock, "00:00:00")) && shift.is_some_and(references)
}

impl Parts<'_> {
    fn year_complaint(&self) -> Option<String> {
        let digits = self.year.trim_start_matches('-').len();
        let words = match self.long {
            true => return None,
            false if digits > 4 => "Years longer than 4 digits must be prefixed with a 'Y'.",
            false if self.year.len() < 4 => "Years must be at least 4 characters long.",
            false => return None,
        };
        Some(words.to_owned())
    }

    fn month_complaint(&self) -> Option<String> {
        let month = self.month.filter(|month| !month.contains('X'))?;
        let references = match month.parse::<u8>() {
            Ok(1..=12) => true,
            // Seasons and other parts of a year, which have no days.
            Ok(21..=41) => self.day.is_none(),
            _ => false,
        };
        (!references).then(|| format!("Provided month value '{month}' is not valid."))
    }

    fn day_complaint(&self) -> Option<String> {
        let day = self.day.filter(|day| !day.contains('X'))?;
        let references = matches!(day.parse::<u8>(), Ok(1..=31));
        (!references).then(|| format!("Provided day value '{day}' is not valid."))
    }
}

#[cfg(test)]
mod tests {
    use super::complaints;

    #[test]
    fn each_mistake_has_its_words() {
        for (text, words) in [
            ("garbage", "Could not parse the date 'garbage'."),
            ("2020-1", "Could not parse the date '2020-1'."),
            (" 2020", "Could not parse the date ' 2020'."),
            ("2020/garbage", "Could not parse the date 'garbage'."),
            ("2020-02-30", "Could not parse the date '2020-02-30'."),
            ("2020/2019", "Could not parse the date '2020/2019'."),
            ("", "Could not parse the date ''."),
            ("-", "Could not parse the date '-'."),
            ("é2020", "Could not parse the date 'é2020'."),
            ("2020-é", "Could not parse the date '2020-é'."),
            (
                "20200101",
                "Years longer than 4 digits must be prefixed with a 'Y'.",
            ),
            (
                "-20200",
                "Years longer than 4 digits must be prefixed with a 'Y'.",
            ),
            ("202", "Years must be at least 4 characters long."),
            ("2020-13", "Provided month value '13' is not valid."),
            ("2020-00", "Provided month value '00' is not valid."),
            ("2020-21-01", "Provided month value '21' is not valid."),
            ("2020-01-32", "Provided day value '32' is not valid."),
            ("1999?/2020~-42", "Provided month value '42' is not valid."),
            ("[2020", "The set is improperly encoded."),
            ("{2020~}", "The set is improperly encoded."),
            ("[]", "The set is improperly encoded."),
            ("[2020,2021-13]", "Provided month value '13' is not valid."),
            ("2020-01-01T", "Time not provided with time seperator (T)."),
            (
                "2020-01-01T1:00",
                "The date/time '2020-01-01T1:00' is invalid.",
            ),
            (
                "2020-01T10:00:00",
                "The date/time '2020-01T10:00:00' is invalid.",
            ),
            (
                "2020-01-01T10:00:00é",
                "The date/time '2020-01-01T10:00:00é' is invalid.",
            ),
        ] {
            assert_eq!(complaints(text), [words], "{text}");
        }
    }

    #[test]
    fn mistakes_are_told_together() {
        let both = [
            "Provided month value '13' is not valid.",
            "Provided day value '45' is not valid.",
        ];
        assert_eq!(complaints("2020-13-45"), both);
        let ends = [
            "Years must be at least 4 characters long.",
            "Could not parse the date 'then'.",
        ];
        assert_eq!(complaints("20/then"), ends);
        let time = "Date intervals cannot include times.";
        assert_eq!(complaints("2020-01-01T10:00:00Z/2021"), [time]);
    }
}
