//! From bytes to characters.

/// The text: UTF-8 or UTF-16 with a mark, UTF-8 without, or else Windows-1252. `None` where it is no text.
pub(super) fn decode(bytes: Vec<u8>) -> Option<String> {
    let units = |rest: &[u8], read: fn([u8; 2]) -> u16| {
        let units = rest.chunks_exact(2).map(|two| read([two[0], two[1]]));
        String::from_utf16_lossy(&units.collect::<Vec<u16>>())
    };
    match bytes.as_slice() {
        [0xef, 0xbb, 0xbf, rest @ ..] => Some(String::from_utf8_lossy(rest).into_owned()),
        [0xff, 0xfe, rest @ ..] => Some(units(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => Some(units(rest, u16::from_be_bytes)),
        bytes if bytes.contains(&0) => None,
        _ => Some(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => error.into_bytes().into_iter().map(western).collect(),
        }),
    }
}

/// Windows-1252, where it differs from Unicode's first 256.
const WESTERN: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

fn western(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WESTERN[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_followed_and_the_rest_is_guessed() {
        let said = |bytes: &[u8]| decode(bytes.to_vec());
        assert_eq!(said(b"\xef\xbb\xbfna\xc3\xafve"), Some("naïve".to_owned()));
        assert_eq!(said(b"\xff\xfen\0\xef\0"), Some("nï".to_owned()));
        assert_eq!(said(b"\xfe\xff\0n\0\xef"), Some("nï".to_owned()));
        assert_eq!(said("naïve".as_bytes()), Some("naïve".to_owned()));
        assert_eq!(said(b"na\xefve \x93\x94"), Some("naïve “”".to_owned()));
        assert_eq!(said(b"\0\x01\x02"), None);
    }
}
