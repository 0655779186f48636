//! Which bytes of a whole a request wants (RFC 9110, 14).

use std::ops::Range;

/// What a `Range` header comes down to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// No header, one that cannot be read, or several ranges at once: everything is a right answer.
    Whole,
    Part(Range<u64>),
    /// Nothing of the range exists.
    Nothing,
}

/// Reads a `Range` header for a whole of `size` bytes.
pub fn wanted(header: Option<&str>, size: u64) -> Wanted {
    let range = header.and_then(|header| {
        let (unit, ranges) = header.split_once('=')?;
        unit.trim()
            .eq_ignore_ascii_case("bytes")
            .then_some(ranges.trim())
    });
    let Some((first, last)) = range.and_then(|range| range.split_once('-')) else {
        return Wanted::Whole;
    };
    let number = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true if !text.is_empty() => Some(text.parse().unwrap_or(u64::MAX)),
        _ => None,
    };
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => part(first, last.saturating_add(1), size),
        (Some(first), None) if last.is_empty() => part(first, size, size),
        (None, Some(count)) if first.is_empty() => part(size.saturating_sub(count), size, size),
        _ => Wanted::Whole,
    }
}

fn part(start: u64, end: u64, size: u64) -> Wanted {
    match start < end.min(size) {
        true => Wanted::Part(start..end.min(size)),
        false => Wanted::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranges_count_both_ends() {
        for (header, expected) in [
            ("bytes=0-0", Wanted::Part(0..1)),
            ("bytes=2-4", Wanted::Part(2..5)),
            ("Bytes=8-", Wanted::Part(8..10)),
            ("bytes=-3", Wanted::Part(7..10)),
            ("bytes=-30", Wanted::Part(0..10)),
            ("bytes=5-99999999999999999999999", Wanted::Part(5..10)),
            ("bytes=10-", Wanted::Nothing),
            ("bytes=-0", Wanted::Nothing),
            ("bytes=0-1,3-4", Wanted::Whole),
            ("bytes=4-2", Wanted::Whole),
            ("bytes=-", Wanted::Whole),
            ("bytes=a-b", Wanted::Whole),
            ("pages=1-2", Wanted::Whole),
            ("bytes", Wanted::Whole),
        ] {
            assert_eq!(wanted(Some(header), 10), expected, "{header}");
        }
        assert_eq!(wanted(None, 10), Wanted::Whole);
        assert_eq!(wanted(Some("bytes=0-"), 0), Wanted::Nothing);
    }

    proptest! {
        #[test]
        fn a_part_lies_within_the_whole(header in "bytes=[0-9]{0,4}-[0-9]{0,4}", size in 0_u64..2000) {
            if let Wanted::Part(range) = wanted(Some(&header), size) {
                prop_assert!(range.start < range.end && range.end <= size);
            }
        }
    }
}
