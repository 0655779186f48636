//! Bytes to upload.

/// A small image. The recorded exchanges know the sizes of these very bytes.
pub fn png(width: u32, height: u32) -> &'static [u8] {
    match (width, height) {
        (7, 5) => include_bytes!("../../samples/7x5.png"),
        (20, 10) => include_bytes!("../../samples/20x10.png"),
        other => panic!("there is no sample of {other:?}"),
    }
}
