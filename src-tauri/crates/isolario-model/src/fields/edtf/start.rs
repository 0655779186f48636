//! When a date begins, as XML Schema knows dates.

use super::parts::Parts;

/// More zeros than this are no year that anybody counts in.
const LARGEST_EXPONENT: u32 = 18;

/// The start of the first date in an EDTF, and its datatype: qualifiers dropped, unspecified digits as
/// low as they go, a season as its first month. `None` where it begins at no time that is known.
pub fn start_of(text: &str) -> Option<(String, &'static str)> {
    let inside = text.trim_matches(['{', '}', '[', ']']);
    let first = inside.split([',', '/']).next()?.split("..").next()?;
    let date = first.split('T').next()?;
    let parts = Parts::read(date)?;
    if parts.exponent > LARGEST_EXPONENT {
        return None;
    }
    let zeros = "0".repeat(usize::try_from(parts.exponent).ok()?);
    let year = parts.year.replace('X', "0") + &zeros;
    let month = parts.month.map(|month| first_month(&lowest(month)));
    Some(match (month, parts.day) {
        (None, _) => (year, "gYear"),
        (Some(month), None) => (format!("{year}-{month}"), "gYearMonth"),
        (Some(month), Some(day)) => (format!("{year}-{month}-{}", lowest(day)), "date"),
    })
}

/// The lowest month or day that two digits may stand for.
fn lowest(digits: &str) -> String {
    match digits.replace('X', "0").as_str() {
        "00" => "01".to_owned(),
        references => references.to_owned(),
    }
}

/// The month in which a season, a quarter or another part of a year begins.
fn first_month(month: &str) -> String {
    match month {
        "33" | "37" | "40" => "01",
        "21" | "25" | "31" => "03",
        "34" => "04",
        "38" => "05",
        "22" | "26" | "32" => "06",
        "35" | "41" => "07",
        "23" | "27" | "29" | "39" => "09",
        "36" => "10",
        "24" | "28" | "30" => "12",
        month => month,
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::start_of;

    #[test]
    fn every_date_begins_at_a_time_of_xml_schema() {
        for (text, start, datatype) in [
            ("2020", "2020", "gYear"),
            ("19XX", "1900", "gYear"),
            ("1999~", "1999", "gYear"),
            ("-0044", "-0044", "gYear"),
            ("Y170000002", "170000002", "gYear"),
            ("Y-17E7", "-170000000", "gYear"),
            ("1950S2", "1950", "gYear"),
            ("2001/2003", "2001", "gYear"),
            ("[1667,1668,1670..1672]", "1667", "gYear"),
            ("{1960-05..1961}", "1960-05", "gYearMonth"),
            ("2004-XX", "2004-01", "gYearMonth"),
            ("1984-21", "1984-03", "gYearMonth"),
            ("2001-34", "2001-04", "gYearMonth"),
            ("2004-06~/..", "2004-06", "gYearMonth"),
            ("1985-04-XX", "1985-04-01", "date"),
            ("1560-XX-25", "1560-01-25", "date"),
            ("?2004-06-~11", "2004-06-11", "date"),
            ("1985-04-12T23:20:30Z", "1985-04-12", "date"),
        ] {
            assert_eq!(start_of(text), Some((start.to_owned(), datatype)), "{text}");
        }
        for open in ["../2004", "/2004", "[..1760-12-03]", "Y1E999999999"] {
            assert_eq!(start_of(open), None, "{open}");
        }
    }
}
