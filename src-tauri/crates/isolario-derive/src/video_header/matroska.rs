//! What a Matroska or WebM file says of its film (RFC 9559), with or without sound.

use std::io::{self, ErrorKind, Read};

use super::super::source::Input;
use super::Film;

/// Elements that are looked at: of ten hours without a stated length there are a million.
const MOST_ELEMENTS: usize = 4_000_000;
/// Nanoseconds of a tick, where a file does not say.
const USUAL_SCALE: u64 = 1_000_000;
const HEAD: u32 = 0x1A45_DFA3;

const SEGMENT: u32 = 0x1853_8067;
const INFO: u32 = 0x1549_A966;
const SCALE: u32 = 0x2A_D7B1;
const DURATION: u32 = 0x4489;
const TRACKS: u32 = 0x1654_AE6B;
const TRACK: u32 = 0xAE;
const VIDEO: u32 = 0xE0;
const WIDTH: u32 = 0xB0;
const HEIGHT: u32 = 0xBA;
const CLUSTER: u32 = 0x1F43_B675;
const TIMESTAMP: u32 = 0xE7;
const GROUP: u32 = 0xA0;
const BLOCK: u32 = 0xA1;
const SIMPLE_BLOCK: u32 = 0xA3;

/// Reads what the file says; `None` when it is no Matroska.
///
/// # Errors
/// The disk fails.
pub(super) fn read(input: &mut Input, length: u64) -> io::Result<Option<Film>> {
    let mut walk = Walk::new(input, length);
    let Some(head) = walk.next()?.filter(|element| element.id == HEAD) else {
        return Ok(None);
    };
    walk.pass(&head)?;
    let mut seen = Seen::default();
    walk.through(&mut seen)?;
    // Of the last cluster only the beginning was looked at so far.
    if let Some((moment, blocks, end)) = seen.last.take() {
        seen.cluster = moment;
        walk.go_to(blocks)?;
        walk.end = end;
        seen.closely = true;
        walk.through(&mut seen)?;
    }
    Ok(Some(seen.film()))
}

/// What a walk has come by.
#[derive(Default)]
struct Seen {
    scale: Option<u64>,
    duration: Option<f64>,
    width: Option<u64>,
    height: Option<u64>,
    /// Ticks at which the present cluster begins, and at which the latest block does.
    cluster: u64,
    latest: Option<u64>,
    /// Where the present cluster ends, if it says so.
    cluster_end: Option<u64>,
    /// The last cluster whose blocks were passed: its moment, and from its first block to its end.
    last: Option<(u64, u64, u64)>,
    /// Every block is looked at.
    closely: bool,
}

impl Seen {
    /// The length that is stated, else the moment at which the last picture or sound begins.
    fn film(&self) -> Film {
        let stated = self.duration.filter(|ticks| ticks.is_finite());
        let ticks = stated.or(self.latest.map(|latest| latest as f64));
        let seconds = ticks.map(|ticks| ticks * self.scale.unwrap_or(USUAL_SCALE) as f64 / 1e9);
        let side = |side: Option<u64>| u16::try_from(side?).ok().filter(|side| *side > 0);
        Film {
            duration: seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0),
            size: side(self.width).zip(side(self.height)),
        }
    }

    /// A block begins at its cluster's moment and so many ticks before or after it.
    fn block(&mut self, head: &[u8]) {
        let Some((_, track)) = number(head, true) else {
            return;
        };
        if let Some(&[high, low]) = head.get(track..track + 2) {
            let moment = i64::from(i16::from_be_bytes([high, low]));
            let moment = self.cluster.saturating_add_signed(moment);
            self.latest = self.latest.max(Some(moment));
        }
    }
}

struct Element {
    id: u32,
    /// Where its content begins.
    body: u64,
    /// `None`: it lasts until something comes that cannot be in it.
    length: Option<u64>,
}

/// Goes from element to element. What holds others is entered rather than passed, so nobody has to know where it ends.
struct Walk<'a> {
    input: &'a mut Input,
    at: u64,
    end: u64,
    left: usize,
}

impl Walk<'_> {
    fn new(input: &mut Input, length: u64) -> Walk<'_> {
        Walk {
            input,
            at: 0,
            end: length,
            left: MOST_ELEMENTS,
        }
    }

    fn through(&mut self, seen: &mut Seen) -> io::Result<()> {
        while let Some(element) = self.next()? {
            match element.id {
                SEGMENT | INFO | TRACKS | TRACK | VIDEO | GROUP => {}
                CLUSTER if seen.duration.is_some() => break,
                CLUSTER => {
                    seen.cluster = 0;
                    seen.cluster_end = element
                        .length
                        .map(|length| element.body.saturating_add(length));
                }
                SCALE => seen.scale = Some(self.integer(&element)?).filter(|scale| *scale > 0),
                DURATION => seen.duration = self.float(&element)?.filter(|ticks| *ticks > 0.0),
                WIDTH if seen.width.is_none() => seen.width = Some(self.integer(&element)?),
                HEIGHT if seen.height.is_none() => seen.height = Some(self.integer(&element)?),
                TIMESTAMP => seen.cluster = self.integer(&element)?,
                BLOCK | SIMPLE_BLOCK => self.block(&element, seen)?,
                _ => self.pass(&element)?,
            }
        }
        Ok(())
    }

    /// Blocks are many: where the cluster says how long it is, the others are passed with the first.
    fn block(&mut self, element: &Element, seen: &mut Seen) -> io::Result<()> {
        let head = self.content(element, 10)?;
        seen.block(&head);
        match seen.cluster_end {
            Some(end) if !seen.closely && end > element.body => {
                seen.last = Some((seen.cluster, self.at, end.min(self.end)));
                self.go_to(end)
            }
            _ => {
                seen.last = None;
                Ok(())
            }
        }
    }

    /// The head of the next element; `None` at the end, and where there is nothing that can be read.
    fn next(&mut self) -> io::Result<Option<Element>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let head = self.peek(12)?;
        let Some((id, id_length)) = number(&head, false) else {
            return Ok(None);
        };
        let Some((length, more)) = number(&head[id_length..], true) else {
            return Ok(None);
        };
        let unknown = (1_u64 << (7 * more)) - 1;
        let body = self.at + (id_length + more) as u64;
        self.go_to(body)?;
        Ok(u32::try_from(id).ok().map(|id| Element {
            id,
            body,
            length: Some(length).filter(|length| *length != unknown),
        }))
    }

    /// So many bytes from here, or as many as there are.
    fn peek(&mut self, wanted: u64) -> io::Result<Vec<u8>> {
        let wanted = wanted.min(self.end.saturating_sub(self.at));
        let mut bytes = Vec::new();
        self.input.take(wanted).read_to_end(&mut bytes)?;
        self.input.seek_relative(-(bytes.len() as i64))?;
        Ok(bytes)
    }

    /// The beginning of an element's content; the walk goes on behind the element.
    fn content(&mut self, element: &Element, wanted: u64) -> io::Result<Vec<u8>> {
        let content = self.peek(wanted.min(element.length.unwrap_or_default()))?;
        self.pass(element)?;
        Ok(content)
    }

    /// An element of unknown length that is not entered cannot be passed: the walk ends.
    fn pass(&mut self, element: &Element) -> io::Result<()> {
        let length = element.length.unwrap_or(u64::MAX);
        self.go_to(element.body.saturating_add(length))
    }

    fn go_to(&mut self, place: u64) -> io::Result<()> {
        let place = place.min(self.end);
        let by = i64::try_from(i128::from(place) - i128::from(self.at));
        let by = by.map_err(|_| io::Error::from(ErrorKind::InvalidInput))?;
        self.input.seek_relative(by)?;
        self.at = place;
        Ok(())
    }

    fn integer(&mut self, element: &Element) -> io::Result<u64> {
        let bytes = self.content(element, 8)?;
        Ok(bytes
            .iter()
            .fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn float(&mut self, element: &Element) -> io::Result<Option<f64>> {
        let bytes = self.content(element, 8)?;
        let short = || Some(f64::from(f32::from_be_bytes(bytes[..].try_into().ok()?)));
        let long = || Some(f64::from_be_bytes(bytes[..].try_into().ok()?));
        Ok(short().or_else(long))
    }
}

/// A number of variable length (RFC 8794, 4) and how many bytes it has; the marker of the length is left out when
/// `bare`, and belongs to it otherwise.
fn number(bytes: &[u8], bare: bool) -> Option<(u64, usize)> {
    let first = *bytes.first()?;
    let length = first.leading_zeros() as usize + 1;
    let bytes = bytes.get(..length).filter(|_| length <= 8)?;
    let whole = bytes
        .iter()
        .fold(0, |number, byte| number << 8 | u64::from(*byte));
    let marker = 1_u64 << (7 * length);
    Some((if bare { whole & (marker - 1) } else { whole }, length))
}

#[cfg(test)]
mod tests {
    use super::super::super::source::Source;
    use super::*;
    use proptest::prelude::*;

    fn element(id: u32, content: &[u8]) -> Vec<u8> {
        let length = 0x1000_0000 | u32::try_from(content.len()).unwrap();
        let id = id.to_be_bytes();
        let id = &id[id.iter().position(|byte| *byte != 0).unwrap()..];
        [id, &length.to_be_bytes(), content].concat()
    }

    /// One that does not say how long it is, as what is recorded live.
    fn endless(id: u32, content: &[u8]) -> Vec<u8> {
        [&id.to_be_bytes(), [0xFF].as_slice(), content].concat()
    }

    fn block(moment: i16) -> Vec<u8> {
        let head = [[0x81].as_slice(), &moment.to_be_bytes()].concat();
        element(SIMPLE_BLOCK, &[&head[..], &[0; 40]].concat())
    }

    fn cluster(moment: u16, blocks: &[i16]) -> Vec<u8> {
        let blocks: Vec<u8> = blocks.iter().flat_map(|moment| block(*moment)).collect();
        [element(TIMESTAMP, &moment.to_be_bytes()), blocks].concat()
    }

    fn tracks() -> Vec<u8> {
        let sides = [element(WIDTH, &[160]), element(HEIGHT, &[0, 120])].concat();
        element(TRACKS, &element(TRACK, &element(VIDEO, &sides)))
    }

    fn info(duration: &[u8]) -> Vec<u8> {
        let scale = element(SCALE, &500_000_u32.to_be_bytes());
        element(INFO, &[element(DURATION, duration), scale].concat())
    }

    fn file(segment: &[u8]) -> Vec<u8> {
        [element(HEAD, b"webm"), endless(SEGMENT, segment)].concat()
    }

    fn film(bytes: Vec<u8>) -> Option<Film> {
        let mut source = Source::of_memory(bytes, "video/webm");
        let length = source.length();
        read(source.rewound().unwrap(), length).unwrap()
    }

    #[test]
    fn a_film_says_how_long_and_how_large_it_is() {
        for duration in [3000_f32.to_be_bytes().as_slice(), &3000_f64.to_be_bytes()] {
            let film = film(file(&[info(duration), tracks()].concat()));
            let said = Film {
                duration: Some(1.5),
                size: Some((160, 120)),
            };
            assert_eq!(film, Some(said));
        }
    }

    #[test]
    fn one_that_was_recorded_live_is_as_long_as_until_its_last_picture() {
        let first = cluster(0, &[0, 40, 80]);
        let second = cluster(1000, &[0, 480, 240]);
        let kept = |bytes: &[u8]| element(CLUSTER, bytes);
        let live = |bytes: &[u8]| endless(CLUSTER, bytes);
        let other = element(0x1C53_BB6B, b"cues");
        for wrap in [&kept as &dyn Fn(&[u8]) -> Vec<u8>, &live] {
            let segment = [tracks(), wrap(&first), wrap(&second), other.clone()].concat();
            let film = film(file(&segment)).unwrap();
            assert_eq!(film.duration, Some(1.48));
        }
    }

    #[test]
    fn what_is_no_matroska_or_says_nothing_has_no_length() {
        assert_eq!(film(b"RIFF....AVI LIST".to_vec()), None);
        for duration in [0_f64, f64::NAN, f64::INFINITY, -1.0] {
            let film = film(file(&info(&duration.to_be_bytes()))).unwrap();
            assert_eq!(film, Film::default());
        }
    }

    proptest! {
        #[test]
        fn nothing_that_is_read_makes_it_stumble(
            tail in prop::collection::vec(any::<u8>(), 0..400),
            changed in prop::collection::vec((0_usize..400, any::<u8>()), 0..6),
            kept in 0_usize..400,
        ) {
            let segment = [info(&9_f64.to_be_bytes()), tracks(), element(CLUSTER, &cluster(7, &[1, 2]))];
            let mut whole = file(&segment.concat());
            for (place, byte) in changed {
                if let Some(one) = whole.get_mut(place) {
                    *one = byte;
                }
            }
            whole.truncate(kept);
            whole.extend(tail);
            let seconds = film(whole).and_then(|film| film.duration);
            prop_assert!(seconds.is_none_or(|seconds| seconds.is_finite() && seconds > 0.0));
        }
    }
}
