//! Numbers as the Image API writes them: digits, with a point where they have a fraction (Image API 3.0, 4.8).

/// A number without sign and exponent.
pub(crate) fn decimal(text: &str) -> Option<f64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Pixels. More than there can be is the most that there can be.
pub(crate) fn pixels(text: &str) -> Option<u32> {
    let number = decimal(text).filter(|_| !text.contains('.'))?;
    // The conversion of a float saturates.
    Some(number as u32)
}

/// A number as canonical addresses have it.
pub(crate) fn canonical(number: f64) -> String {
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
