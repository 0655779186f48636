//! Texts in XML 1.0.

use std::borrow::Cow;

/// A text as content of an element or of an attribute in double quotes. What XML cannot say is left out.
#[must_use]
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(needs_escape) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\r' => escaped.push_str("&#13;"),
            _ if needs_escape(letter) => {}
            _ => escaped.push(letter),
        }
    }
    Cow::Owned(escaped)
}

fn needs_escape(letter: char) -> bool {
    match letter {
        '&' | '<' | '>' | '"' | '\r' | '\u{fffe}' | '\u{ffff}' => true,
        '\t' | '\n' => false,
        _ => letter < ' ',
    }
}
