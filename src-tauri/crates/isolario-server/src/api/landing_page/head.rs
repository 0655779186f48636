//! The head of the page of an item, for links in mails and search engines: title, description and picture (Open Graph),
//! the address, and the record in schema.org's JSON-LD.

use super::facts::LandingPage;
use isolario_model::formats::xml::escape;

/// Letters of a description.
const LONGEST: usize = 300;

/// The elements that take the place of the title of the page.
pub fn write(landing: &LandingPage, repository: &str) -> String {
    let title = one_line(&landing.title);
    let mut head = format!(
        "<title>{} · {}</title>\n",
        escape(&title),
        escape(repository)
    );
    head.push_str(&format!(
        "    <link rel=\"canonical\" href=\"{}\" />\n",
        escape(&landing.address)
    ));
    let description = landing.description.as_deref().map(one_line);
    let mut meta = |attribute: &str, name: &str, value: &str| {
        head.push_str(&format!(
            "    <meta {attribute}=\"{name}\" content=\"{}\" />\n",
            escape(value)
        ));
    };
    if let Some(description) = &description {
        meta("name", "description", description);
        meta("property", "og:description", description);
    }
    meta("property", "og:title", &title);
    meta("property", "og:type", "website");
    meta("property", "og:url", &landing.address);
    meta("property", "og:site_name", repository);
    if let Some(picture) = &landing.picture {
        meta("property", "og:image", picture);
    }
    if landing.record.is_object() {
        // `<` would end the element; JSON has another way to write it.
        let record = landing.record.to_string().replace('<', "\\u003c");
        head.push_str(&format!(
            "    <script type=\"application/ld+json\">{record}</script>\n"
        ));
    }
    head
}

/// A text in one line, cut where it is long.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
