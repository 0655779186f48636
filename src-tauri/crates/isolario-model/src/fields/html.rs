//! The HTML that formatted text becomes. Whatever was sent, it is safe to show.

/// Formatted text as safe HTML. Without a format, or as plain text, it is escaped, its paragraphs
/// and addresses are marked up; the HTML formats are cleaned of everything that could run.
pub fn processed(text: &str, format: Option<&str>) -> String {
    match format {
        None | Some("plain_text") => plain(text),
        Some(_) if is_plain(text) => text.to_owned(),
        Some(_) => ammonia::clean(text),
    }
}

/// The words of a formatted text, without its markup. What stands in different blocks is parted by a space.
pub fn words(text: &str, format: Option<&str>) -> String {
    if format.is_none_or(|format| format == "plain_text") || is_plain(text) {
        return text.to_owned();
    }
    let parted = text.replace('<', " <");
    let cleaned = ammonia::Builder::empty().clean(&parted).to_string();
    let characters = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&nbsp;", "\u{a0}"),
        ("&amp;", "&"),
    ];
    let unescaped = characters
        .iter()
        .fold(cleaned, |text, (escaped, character)| {
            text.replace(escaped, character)
        });
    let words: Vec<&str> = unescaped
        .split(' ')
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

/// Whether a parser of HTML finds nothing in a text but its letters, and a writer nothing to escape.
fn is_plain(text: &str) -> bool {
    !text.chars().any(|letter| {
        matches!(
            letter,
            '<' | '>' | '&' | '\r' | '\0' | '\u{a0}' | '\u{feff}'
        )
    })
}

fn plain(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let escaped = escape(text);
    let normal = escaped.replace("\r\n", "\n");
    normal
        .split("\n\n")
        .filter(|paragraph| !paragraph.trim().is_empty())
        .map(|paragraph| {
            let lines: Vec<String> = paragraph.trim().lines().map(with_links).collect();
            format!("<p>{}</p>\n", lines.join("<br />\n"))
        })
        .collect()
}

fn with_links(line: &str) -> String {
    let words: Vec<String> = line.split(' ').map(linked).collect();
    words.join(" ")
}

fn linked(word: &str) -> String {
    let is_address = word.starts_with("http://") || word.starts_with("https://");
    if is_address && word.len() > 8 {
        format!("<a href=\"{word}\">{word}</a>")
    } else {
        word.to_owned()
    }
}

/// Text with the five characters of markup escaped.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#039;")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HOSTILE: [&str; 14] = [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg onload=alert(1)><script>alert(1)</script></svg>",
        "<a href=\"javascript:alert(1)\">a</a>",
        "<a href=\" java\nscript:alert(1)\">a</a>",
        "<iframe src=\"https://elsewhere.example\"></iframe>",
        "<object data=\"a.swf\"></object><embed src=\"a.swf\">",
        "<form action=\"https://elsewhere.example\"><input name=password></form>",
        "<style>* { background: url(javascript:alert(1)) }</style>",
        "<p style=\"background: url(javascript:alert(1))\">a</p>",
        "<math><mtext></p><script>alert(1)</script></math>",
        "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
        "http://a\"onmouseover=\"alert(1)",
        "https://'><script>alert(1)</script>",
    ];

    /// Elements and attributes by which something could run or be fetched, as a parser sees them.
    fn runs(html: &str) -> Option<&'static str> {
        let markup = html.to_lowercase();
        let tags = markup.split('<').skip(1).map(|tag| {
            let inside = tag.split('>').next().unwrap_or_default();
            format!("<{inside}")
        });
        let banned = [
            "<script",
            "<style",
            "<iframe",
            "<object",
            "<embed",
            "<form",
            "<input",
            "<svg",
            "<math",
            " on",
            " style=",
            "\"javascript:",
        ];
        let tags: Vec<String> = tags.collect();
        banned
            .into_iter()
            .find(|word| tags.iter().any(|tag| tag.contains(word)))
    }

    #[test]
    fn nothing_that_runs_is_left() {
        for text in HOSTILE {
            for format in [
                None,
                Some("plain_text"),
                Some("basic_html"),
                Some("full_html"),
            ] {
                let html = processed(text, format);
                assert_eq!(runs(&html), None, "{format:?}: {text} became {html}");
            }
        }
        assert!(HOSTILE[..4].iter().all(|text| runs(text).is_some()));
    }

    proptest! {
        #[test]
        fn text_without_markup_is_clean_already(text in "[ -~\n\t\r\0\u{80}-\u{ff}\u{2028}\u{feff}\u{10000}]{0,12}") {
            prop_assert_eq!(processed(&text, Some("basic_html")), ammonia::clean(&text));
        }
    }
}
