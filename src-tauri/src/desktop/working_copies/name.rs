//! What a copy is called on this disk, whatever its file is called in the repository.

use std::path::Path;

use isolario_blobs::portable_name;

/// Bytes of a name that every file system takes, with what is encoded in it.
const LONGEST: usize = 200;

/// A plain name of one file in one folder: visible, no option of any program, with its extension, and such as every
/// system can hold.
pub fn plain_name(name: &str) -> String {
    let flat: String = name
        .chars()
        .map(|one| match one {
            '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
            one if one.is_control() => '_',
            one => one,
        })
        .collect();
    let visible = match flat.trim() {
        "" => "file".to_owned(),
        name if name.starts_with(['.', '-', '~']) => format!("_{name}"),
        name => name.to_owned(),
    };
    portable_name(&shorten(&visible))
}

/// Cut before the extension, which says what the file is.
fn shorten(name: &str) -> String {
    let extension = Path::new(name)
        .extension()
        .and_then(|extension| extension.to_str())
        .filter(|extension| extension.len() < LONGEST / 4)
        .map_or_else(String::new, |extension| format!(".{extension}"));
    let stem = &name[..name.len() - extension.len()];
    let end = stem.floor_char_boundary(LONGEST - extension.len());
    format!("{}{extension}", &stem[..end])
}

#[cfg(test)]
mod tests {
    use super::plain_name;

    #[test]
    fn keeps_a_usual_name() {
        assert_eq!(plain_name("Isola nova, 1571.tiff"), "Isola nova, 1571.tiff");
        assert_eq!(plain_name("岛屿.jpg"), "岛屿.jpg");
    }

    #[test]
    fn makes_one_visible_file_of_a_hostile_name() {
        for (name, plain) in [
            ("../../etc/passwd", "_.._.._etc_passwd"),
            ("..", "_.%2e"),
            ("-rf", "_-rf"),
            (".bashrc", "_.bashrc"),
            ("a\nb\0c.png", "a_b_c.png"),
            ("  ", "file"),
            ("a:b?.png", "a_b_.png"),
            ("aux.txt", "%61ux.txt"),
            ("a.", "a%2e"),
        ] {
            assert_eq!(plain_name(name), plain);
        }
    }

    #[test]
    fn shortens_a_name_and_keeps_its_extension() {
        let plain = plain_name(&format!("{}.jpeg", "島".repeat(400)));
        assert!(plain.len() <= 200);
        assert!(plain.ends_with("島.jpeg"));
        assert!(plain_name(&format!("a.{}", "x".repeat(400))).len() <= 200);
    }
}
