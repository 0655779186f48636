//! HTML: what a reader of the page sees, line by line. Every sequence of characters is a page.

use super::super::bounded::Bounded;

/// Elements that begin and end a line (HTML, 15.3.3 "Flow content").
const LINES: [&str; 40] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "br",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "title",
    "tr",
    "ul",
];

/// Elements whose content is not for readers.
const HIDDEN: [&str; 5] = ["script", "style", "template", "noscript", "svg"];

/// Longest reference to a character, `&CounterClockwiseContourIntegral;` being the longest name.
const REFERENCE: usize = 34;

/// Adds the text of a page.
pub(in super::super) fn text(page: &str, out: &mut Bounded) {
    let mut rest = page;
    while !rest.is_empty() && !out.is_full() {
        let (words, tag) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
        add(words, out);
        rest = after_tag(tag, out);
    }
}

/// What follows the tag, comment or hidden element at the start.
fn after_tag<'a>(tag: &'a str, out: &mut Bounded) -> &'a str {
    let Some(inside) = tag.strip_prefix('<') else {
        return tag;
    };
    if let Some(comment) = inside.strip_prefix("!--") {
        return comment.split_once("-->").map_or("", |(_, rest)| rest);
    }
    let closing = inside.starts_with('/');
    let name = inside.trim_start_matches('/');
    let length = name.find(|one: char| !one.is_ascii_alphanumeric());
    let name = name[..length.unwrap_or(name.len())].to_ascii_lowercase();
    if name.is_empty() && !inside.starts_with(['/', '!', '?']) {
        out.push("<");
        return inside;
    }
    let rest = inside.split_once('>').map_or("", |(_, rest)| rest);
    if LINES.contains(&name.as_str()) {
        out.end_line();
    } else if ["td", "th"].contains(&name.as_str()) && closing {
        out.push("\t");
    }
    if HIDDEN.contains(&name.as_str()) && !closing {
        return after_end_of(&name, rest);
    }
    rest
}

fn after_end_of<'a>(name: &str, rest: &'a str) -> &'a str {
    let end = format!("</{name}");
    let is_end = |at: &usize| {
        let found = rest.as_bytes().get(*at..at + end.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(end.as_bytes()))
    };
    let at = rest.match_indices('<').map(|(at, _)| at).find(is_end);
    at.map_or("", |at| &rest[at..])
}

/// Adds words, with single spaces between them.
fn add(words: &str, out: &mut Bounded) {
    let mut line = String::new();
    let mut spaced = false;
    let mut rest = words;
    while let Some(one) = rest.chars().next() {
        if one == '&'
            && let Some((meant, after)) = reference(rest)
        {
            line.push(meant);
            (rest, spaced) = (after, false);
            continue;
        }
        let space = one.is_ascii_whitespace();
        match (space, spaced) {
            (true, false) => line.push(' '),
            (true, true) => {}
            (false, _) => line.push(one),
        }
        spaced = space;
        rest = &rest[one.len_utf8()..];
    }
    out.push(&line);
}

/// The character that a reference at the start means, and what follows it.
fn reference(text: &str) -> Option<(char, &str)> {
    let bytes = text.as_bytes();
    let end = bytes
        .iter()
        .take(REFERENCE)
        .position(|byte| *byte == b';')?;
    let (name, rest) = (&text[1..end], &text[end + 1..]);
    let meant = match name.strip_prefix('#') {
        Some(number) => {
            let number = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(number)?
        }
        None => NAMES.iter().find(|(known, _)| *known == name)?.1,
    };
    Some((meant, rest))
}

/// Names that pages use; others stay as they are written.
const NAMES: [(&str, char); 34] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("shy", '\u{ad}'),
    ("copy", '©'),
    ("reg", '®'),
    ("deg", '°'),
    ("sect", '§'),
    ("para", '¶'),
    ("middot", '·'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("bdquo", '„'),
    ("hellip", '…'),
    ("bull", '•'),
    ("euro", '€'),
    ("auml", 'ä'),
    ("ouml", 'ö'),
    ("uuml", 'ü'),
    ("Auml", 'Ä'),
    ("Ouml", 'Ö'),
    ("Uuml", 'Ü'),
    ("szlig", 'ß'),
    ("eacute", 'é'),
    ("egrave", 'è'),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn said(page: &str) -> String {
        let mut out = Bounded::default();
        text(page, &mut out);
        out.finish()
    }

    #[test]
    fn a_page_is_read_as_it_is_seen() {
        let page = "<title>A &amp; B</title><style>p{}</style><p>One\n two<b>!</b><p>3 &lt; 4 &#x2013; 5<!-- no --> < 6";
        assert_eq!(said(page), "A & B\nOne two!\n3 < 4 – 5 < 6\n");
    }

    #[test]
    fn scripts_are_not_read_and_need_no_end() {
        assert_eq!(said("a<script>if (1 < 2) '<p>'</SCRIPT>b<script>c"), "ab\n");
    }

    #[test]
    fn no_page_is_too_strange() {
        for page in [
            "<",
            "</",
            "<!--",
            "&",
            "&#xffffffff;",
            "<é",
            "&é;",
            "<script",
            "</script",
        ] {
            said(page);
        }
    }
}
