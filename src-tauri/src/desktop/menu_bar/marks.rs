//! Which letter of a line chooses it with the keyboard.

use std::collections::HashSet;

/// The letters that the lines before have.
#[derive(Default)]
pub struct Marks(HashSet<String>);

impl Marks {
    /// The words with an underscore before their letter: the first that no line before has.
    pub fn mark(&mut self, words: &str) -> String {
        let free = words.char_indices().find(|(_, letter)| {
            letter.is_alphanumeric() && self.0.insert(letter.to_lowercase().to_string())
        });
        match free {
            Some((at, _)) => format!("{}_{}", plain(&words[..at]), plain(&words[at..])),
            None => plain(words),
        }
    }
}

/// An underscore of the words themselves is written twice.
fn plain(words: &str) -> String {
    words.replace('_', "__")
}

#[cfg(test)]
mod tests {
    use super::Marks;

    #[test]
    fn each_line_has_a_letter_of_its_own_while_there_are_any() {
        let mut marks = Marks::default();
        let marked: Vec<String> = ["Édition", "Edit", "my_file", "“It”", "it", ""]
            .iter()
            .map(|words| marks.mark(words))
            .collect();
        assert_eq!(
            marked,
            ["_Édition", "_Edit", "_my__file", "“_It”", "i_t", ""]
        );
    }
}
