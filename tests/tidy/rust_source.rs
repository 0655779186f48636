//! Just enough of Rust's grammar: code without comments and literals, and words.

/// The source with comments and literals blanked, so that only code is left; lines stay.
pub fn code(source: &str) -> String {
    let letters: Vec<char> = source.chars().collect();
    let mut out = String::with_capacity(source.len());
    let mut at = 0;
    while at < letters.len() {
        let end = end_of_blank(&letters, at).unwrap_or(at);
        if end == at {
            out.push(letters[at]);
            at += 1;
        } else {
            out.extend(
                letters[at..end]
                    .iter()
                    .map(|letter| if *letter == '\n' { '\n' } else { ' ' }),
            );
            at = end;
        }
    }
    out
}

/// Where the comment or literal that starts here ends, if one does.
fn end_of_blank(letters: &[char], at: usize) -> Option<usize> {
    let next = letters.get(at + 1).copied();
    match letters[at] {
        '/' if next == Some('/') => Some(find(letters, at, &['\n'])),
        '/' if next == Some('*') => Some(find(letters, at, &['*', '/'])),
        '"' => Some(end_of_string(letters, at)),
        'r' if !in_word(letters, at) => end_of_raw_string(letters, at),
        '\'' if next == Some('\\') => Some(find(letters, at + 3, &['\''])),
        '\'' if letters.get(at + 2) == Some(&'\'') => Some(at + 3),
        _ => None,
    }
}

fn in_word(letters: &[char], at: usize) -> bool {
    at > 0
        && (letters[at - 1].is_alphanumeric() && letters[at - 1] != 'b' || letters[at - 1] == '_')
}

/// Just behind the next occurrence of a text.
fn find(letters: &[char], from: usize, text: &[char]) -> usize {
    (from..letters.len())
        .find(|at| letters[*at..].starts_with(text))
        .map_or(letters.len(), |at| at + text.len())
}

fn end_of_string(letters: &[char], start: usize) -> usize {
    let mut at = start + 1;
    while at < letters.len() && letters[at] != '"' {
        at += if letters[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(letters.len())
}

fn end_of_raw_string(letters: &[char], start: usize) -> Option<usize> {
    let hashes = letters[start + 1..]
        .iter()
        .take_while(|letter| **letter == '#')
        .count();
    let quote = start + 1 + hashes;
    if letters.get(quote) != Some(&'"') {
        return None;
    }
    let mut end = vec!['"'];
    end.extend(std::iter::repeat_n('#', hashes));
    Some(find(letters, quote + 1, &end))
}

/// The words of some code with their line numbers, from 1.
pub fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    code.lines().enumerate().flat_map(|(index, line)| {
        line.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .filter(|word| !word.is_empty())
            .map(move |word| (index + 1, word))
    })
}

/// Code up to the module of tests at the end of a file.
pub fn without_tests(code: &str) -> &str {
    code.find("#[cfg(test)]").map_or(code, |end| &code[..end])
}

#[test]
fn code_is_what_is_left_without_comments_and_literals() {
    let source = "let a = \"axum\"; // axum\nlet b = r#\"axum \"x\" \"#; /* axum\n*/ let c = '\"'; let d = 'x';";
    let left = code(source);
    assert!(!left.contains("axum"), "{left}");
    assert_eq!(left.lines().count(), 3);
    assert_eq!(words(&left).filter(|(_, word)| *word == "let").count(), 4);
}
