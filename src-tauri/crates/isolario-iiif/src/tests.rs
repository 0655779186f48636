//! Any request of any image: what it gives lies within the image and the limits, and its canonical address asks for the
//! same.

use crate::{ImageRequest, MAX_AREA, MAX_SIDE, Pyramid, Rendition, Version, render};
use image::{GrayImage, ImageFormat};
use proptest::prelude::*;

fn parsed(version: Version, parameters: &str) -> Option<ImageRequest> {
    let parts: Vec<&str> = parameters.split('/').collect();
    ImageRequest::parse(version, parts.try_into().ok()?).ok()
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        (0_u32..3000).prop_map(|number| number.to_string()),
        (0.0..150.0).prop_map(|number: f64| format!("{number:.2}")),
        "[0-9]{1,30}",
        "[-+.,eE!^:x0-9 ]{0,6}",
    ]
}

fn parameters() -> impl Strategy<Value = String> {
    let region = prop_oneof![
        Just("full".to_owned()),
        Just("square".to_owned()),
        [number(), number(), number(), number()].prop_map(|four| four.join(",")),
        [number(), number(), number(), number()].prop_map(|four| format!("pct:{}", four.join(","))),
    ];
    let size = (
        "\\^?",
        prop_oneof![
            Just("max".to_owned()),
            Just("full".to_owned()),
            number().prop_map(|wide| format!("{wide},")),
            number().prop_map(|high| format!(",{high}")),
            number().prop_map(|hundredths| format!("pct:{hundredths}")),
            ("!?", number(), number())
                .prop_map(|(within, wide, high)| format!("{within}{wide},{high}")),
        ],
    );
    let rotation = ("!?", number());
    (
        region,
        size,
        rotation,
        "(default|color|gray|bitonal|\\PC{3})\\.(jpg|png|webp|gif)",
    )
        .prop_map(|(region, size, rotation, file)| {
            format!(
                "{region}/{}{}/{}{}/{file}",
                size.0, size.1, rotation.0, rotation.1
            )
        })
}

fn version() -> impl Strategy<Value = Version> {
    prop_oneof![Just(Version::Two), Just(Version::Three)]
}

proptest! {
    #[test]
    fn a_rendition_is_within_the_image_and_the_limits(
        version in version(),
        parameters in parameters(),
        width in 1_u32..100_000,
        height in 1_u32..100_000,
    ) {
        let image = Pyramid { width, height, side: 512 };
        let asked = parsed(version, &parameters);
        if let Some(Ok(rendition)) = asked.map(|asked| Rendition::of(&asked, &image)) {
            let [left, top, wide, high] = rendition.region.map(u64::from);
            prop_assert!(wide > 0 && left + wide <= u64::from(width));
            prop_assert!(high > 0 && top + high <= u64::from(height));
            let (wide, high) = rendition.size;
            prop_assert!(wide > 0 && high > 0 && wide.max(high) <= MAX_SIDE);
            prop_assert!(u64::from(wide) * u64::from(high) <= MAX_AREA);
            let again = parsed(version, &rendition.canonical()).expect("an address");
            let again = Rendition::of(&again, &image).expect("the same");
            prop_assert_eq!((again.region, again.size), (rendition.region, rendition.size));
            prop_assert_eq!(again.canonical(), rendition.canonical());
        }
    }

    #[test]
    fn what_a_tile_is_made_of_has_the_size_that_was_asked_for(
        parameters in parameters(),
        width in 1_u32..90,
        height in 1_u32..90,
    ) {
        let image = Pyramid { width, height, side: 16 };
        let asked = parsed(Version::Three, &parameters);
        let rendition = asked.and_then(|asked| Rendition::of(&asked, &image).ok());
        let Some(rendition) = rendition.filter(|one| u64::from(one.size.0) * u64::from(one.size.1) < 1 << 16) else {
            return Ok(());
        };
        let mut read_tile = |level: u32, column: u32, row: u32| {
            let (wide, high) = image.at(level);
            let tile = GrayImage::new((wide - column * 16).min(16), (high - row * 16).min(16));
            let mut jpeg = std::io::Cursor::new(Vec::new());
            tile.write_to(&mut jpeg, ImageFormat::Jpeg).expect("a tile");
            Ok(jpeg.into_inner())
        };
        let bytes = render(&image, &mut read_tile, &rendition).expect("an image");
        if rendition.format.as_str() != "webp" && rendition.rotation.degrees == 0.0 {
            let made = image::load_from_memory(&bytes).expect("an image");
            prop_assert_eq!((made.width(), made.height()), rendition.size);
        }
    }
}
