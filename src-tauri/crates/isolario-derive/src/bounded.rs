//! Text that is put together, up to a limit.

/// No book has as much; what says more was made to fill the disk.
const LONGEST: usize = 32 << 20;

/// A text that takes no more once it is long enough.
#[derive(Debug, Default)]
pub(super) struct Bounded {
    text: String,
    full: bool,
}

impl Bounded {
    /// Adds to the text, as far as the bound allows.
    pub fn push(&mut self, more: &str) {
        if self.full || self.text.len() + more.len() > LONGEST {
            self.full = true;
            return;
        }
        self.text.push_str(more);
    }

    /// Ends a line, unless it has just begun.
    pub fn end_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.push("\n");
        }
    }

    /// Whether something was left out.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// The text, with line ends of one kind and one at its end.
    pub fn finish(self) -> String {
        let mut text = self.text.replace("\r\n", "\n").replace('\r', "\n");
        text.truncate(text.trim_end().len());
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }
}
