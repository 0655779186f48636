//! Text of a recorded answer, with place holders, against text of an answer.

use super::names::Names;

/// Kinds of `<kind:name>` and `<kind@case>`.
const NAMED: [&str; 5] = ["node", "media", "file", "term", "user"];

/// What a place holder accepts.
enum Holder<'t> {
    /// One of the words that stand for any value of a shape.
    Shape(&'t str),
    /// An id or uuid that is known, or becomes known now.
    Name(&'t str),
}

/// Whether a text is what the recorded one says; if not, why.
pub fn matches(names: &mut Names, recorded: &str, text: &str) -> Result<(), String> {
    let filled = names.fill(recorded);
    let mut pattern = filled.as_str();
    let mut rest = text;
    while !pattern.is_empty() {
        let (width, taken) = match holder(pattern) {
            Some((width, holder)) => (width, take(names, &holder, rest)?),
            None => literal(pattern, rest)?,
        };
        pattern = &pattern[width..];
        rest = &rest[taken..];
    }
    if rest.is_empty() {
        Ok(())
    } else {
        Err(format!("{rest:?} is too much"))
    }
}

/// The name in a text that is nothing but a place holder.
pub fn lone(recorded: &str) -> Option<&str> {
    let (width, _) = holder(recorded)?;
    (width == recorded.len()).then(|| &recorded[1..width - 1])
}

/// Whether a place holder stands for an id that JSON writes as a number. The exception is the user
/// id, which is text in the answer to a login.
pub fn is_id(name: &str) -> bool {
    let kind = name.split([':', '@']).next().unwrap_or_default();
    kind != name && kind != "user" && NAMED.contains(&kind)
}

fn holder(pattern: &str) -> Option<(usize, Holder<'_>)> {
    let name = pattern.strip_prefix('<')?.split('>').next()?;
    let width = name.len() + 2;
    let plain = name.strip_prefix("uuid:").unwrap_or(name);
    let kind = plain.split([':', '@']).next()?;
    let shapes = [
        "now", "ym", "token", "jwt", "roles", "rev", "uuid", "vid", "vid:up", "vid:same",
    ];
    if shapes.contains(&name) {
        Some((width, Holder::Shape(name)))
    } else if plain != name || NAMED.contains(&kind) && plain.len() > kind.len() {
        Some((width, Holder::Name(name)))
    } else {
        None
    }
}

fn literal(pattern: &str, rest: &str) -> Result<(usize, usize), String> {
    let end = pattern
        .char_indices()
        .skip(1)
        .find(|(_, letter)| *letter == '<')
        .map_or(pattern.len(), |(end, _)| end);
    match rest.starts_with(&pattern[..end]) {
        true => Ok((end, end)),
        false => Err(format!("{rest:?} where {:?} belongs", &pattern[..end])),
    }
}

fn take(names: &mut Names, holder: &Holder, rest: &str) -> Result<usize, String> {
    match holder {
        Holder::Shape(shape) => take_shape(shape, rest),
        Holder::Name(name) => take_name(names, name, rest),
    }
}

fn take_shape(shape: &str, rest: &str) -> Result<usize, String> {
    let length = match shape {
        "now" => run(rest, |letter| {
            letter.is_ascii_digit() || "-:+TZ.".contains(letter)
        }),
        "ym" => run(rest, |letter| letter.is_ascii_digit() || letter == '-'),
        "uuid" => run(rest, is_uuid_letter),
        _ => run(rest, |letter| {
            letter.is_ascii_alphanumeric() || "-_.=~+/".contains(letter)
        }),
    };
    let text = &rest[..length];
    let good = match shape {
        "now" => chrono::DateTime::parse_from_rfc3339(text).is_ok(),
        "ym" => text.len() == 7 && text.as_bytes()[4] == b'-',
        "uuid" => text.len() == 36,
        "jwt" => text.split('.').filter(|part| !part.is_empty()).count() == 3,
        _ => !text.is_empty(),
    };
    if good {
        Ok(length)
    } else {
        Err(format!("{rest:?} is no <{shape}>"))
    }
}

fn take_name(names: &mut Names, name: &str, rest: &str) -> Result<usize, String> {
    if let Some(known) = names.get(name) {
        return match rest.strip_prefix(&known) {
            Some(_) => Ok(known.len()),
            None => Err(format!("{rest:?} where <{name}>, {known:?}, belongs")),
        };
    }
    let length = match name.starts_with("uuid:") {
        true => run(rest, is_uuid_letter),
        false => run(rest, |letter| letter.is_ascii_digit()),
    };
    if length == 0 {
        return Err(format!("{rest:?} is no <{name}>"));
    }
    names.bind(name, &rest[..length]);
    Ok(length)
}

fn is_uuid_letter(letter: char) -> bool {
    letter.is_ascii_hexdigit() || letter == '-'
}

fn run(text: &str, allowed: impl Fn(char) -> bool) -> usize {
    text.find(|letter| !allowed(letter)).unwrap_or(text.len())
}
