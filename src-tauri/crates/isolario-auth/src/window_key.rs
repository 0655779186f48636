//! The key with which the program's own window signs in. It lives as long as the program runs and
//! is written nowhere.

use aws_lc_rs::constant_time::verify_slices_are_equal;

use super::secret::random_hex;

/// 256 random bits, in hexadecimal digits.
pub struct WindowKey(String);

impl WindowKey {
    /// A new key.
    pub fn generate() -> WindowKey {
        WindowKey(random_hex::<32>())
    }

    /// The key, for the window.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the key.
    pub fn is(&self, presented: &str) -> bool {
        verify_slices_are_equal(self.0.as_bytes(), presented.as_bytes()).is_ok()
    }
}
