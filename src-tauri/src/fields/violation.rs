//! Broken rules, in the words of the reference.

/// A rule that a value breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Where: `title`, `title.0.value`; relative to its item while a field type makes it.
    pub path: String,
    pub text: String,
}

impl Violation {
    /// A violation at a property of the item; an empty name means the item itself.
    pub fn at(property: &str, text: impl Into<String>) -> Violation {
        Violation {
            path: property.to_owned(),
            text: text.into(),
        }
    }

    /// Places an item's violation in its field.
    pub fn in_field(self, field: &str, delta: usize) -> Violation {
        let path = if self.path.is_empty() {
            format!("{field}.{delta}")
        } else {
            format!("{field}.{delta}.{}", self.path)
        };
        Violation {
            path,
            text: self.text,
        }
    }
}

/// The text for a value of the wrong shape.
pub const WRONG_SHAPE: &str = "This value should be of the correct primitive type.";
/// The text for a required field without a value.
pub const MISSING: &str = "This value should not be null.";
/// The text for a value outside a list of choices.
pub const NO_CHOICE: &str = "The value you selected is not a valid choice.";

/// The message of a refused request: one line per violation, each ended by a line break.
pub fn message_of(violations: &[Violation]) -> String {
    let mut message = String::from("Unprocessable Entity: validation failed.\n");
    for violation in violations {
        message.push_str(&violation.path);
        message.push_str(": ");
        message.push_str(&violation.text);
        message.push('\n');
    }
    message
}
