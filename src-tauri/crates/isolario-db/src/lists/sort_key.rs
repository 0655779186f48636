//! Sort keys of titles.

/// Letters of a key. Longer titles with the same key are ordered by their ids.
const LENGTH: usize = 100;

/// A text to sort a title by: without regard to case, and with numbers by their size, so that
/// `Page 9` comes before `page 10`.
pub fn sort_key(title: &str) -> String {
    let mut key = String::with_capacity(title.len() + 4);
    let mut digits = String::new();
    for letter in title
        .trim_start()
        .chars()
        .flat_map(char::to_lowercase)
        .take(LENGTH)
    {
        if letter.is_ascii_digit() {
            digits.push(letter);
        } else {
            flush(&mut digits, &mut key);
            key.push(letter);
        }
    }
    flush(&mut digits, &mut key);
    key
}

/// A number as its length, in one letter that sorts like a digit, and its digits.
fn flush(digits: &mut String, key: &mut String) {
    if digits.is_empty() {
        return;
    }
    let number = digits.trim_start_matches('0');
    let length = u8::try_from(number.len()).unwrap_or(u8::MAX);
    key.push(char::from(b'0'.saturating_add(length)));
    key.push_str(number);
    digits.clear();
}

#[cfg(test)]
mod tests {
    use super::sort_key;

    fn sorted(titles: &[&str]) -> bool {
        titles
            .windows(2)
            .all(|pair| sort_key(pair[0]) < sort_key(pair[1]))
    }

    #[test]
    fn numbers_sort_by_size() {
        assert!(sorted(&[
            "page 1",
            "Page 2",
            "page 009",
            "page 10",
            "Page 10 verso",
            "page 100"
        ]));
        assert!(sorted(&["12 letters", "a letter", "B letter", "c letter"]));
    }

    #[test]
    fn case_and_leading_blanks_do_not_matter() {
        assert_eq!(sort_key("  \u{c9}TUDE"), sort_key("\u{e9}tude"));
    }

    #[test]
    fn a_key_is_bounded() {
        assert!(sort_key(&"\u{10ffff}".repeat(10_000)).len() <= 404);
        assert!(sort_key(&"9".repeat(10_000)).len() <= 104);
    }
}
