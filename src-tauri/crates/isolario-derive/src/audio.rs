//! Audio: its cover, its tags and its length.

use lofty::config::{GlobalOptions, ParseOptions, apply_global_options};
use lofty::file::{AudioFile, TaggedFile, TaggedFileExt};
use lofty::picture::PictureType;
use lofty::probe::Probe;
use lofty::properties::FileProperties;
use lofty::tag::{Accessor, ItemKey, Tag};

use super::refused::DeriveError;
use super::source::Source;

/// Of a tag or a cover.
const LARGEST: usize = 64 << 20;

/// What a file says of itself.
pub(super) struct Audio(TaggedFile);

impl Audio {
    /// Reads the tags.
    ///
    /// # Errors
    /// The file is no audio, or damaged.
    pub fn read(source: &mut Source) -> Result<Audio, DeriveError> {
        Audio::read_with(source, ParseOptions::new())
    }

    /// Reads the tags of a film, which may be without a sound.
    ///
    /// # Errors
    /// There are none that can be read.
    pub fn of_film(source: &mut Source) -> Result<Audio, DeriveError> {
        let whole = Audio::read(source);
        whole.or_else(|_| Audio::read_with(source, ParseOptions::new().read_properties(false)))
    }

    fn read_with(source: &mut Source, options: ParseOptions) -> Result<Audio, DeriveError> {
        apply_global_options(GlobalOptions::new().allocation_limit(LARGEST));
        let probe = Probe::new(source.rewound()?).guess_file_type();
        let probe = probe.map_err(|error| DeriveError::not_read("recording", &error))?;
        let file = probe
            .options(options)
            .read()
            .map_err(|error| DeriveError::damaged("recording", error))?;
        Ok(Audio(file))
    }

    /// The cover.
    ///
    /// # Errors
    /// There is none.
    pub fn cover(&self) -> Result<Source, DeriveError> {
        let pictures = || self.0.tags().iter().flat_map(Tag::pictures);
        let front = pictures().find(|picture| picture.pic_type() == PictureType::CoverFront);
        let picture = front.or_else(|| pictures().next());
        let picture = picture
            .ok_or_else(|| DeriveError::unreadable("There is no cover in the recording."))?;
        Ok(Source::of_memory(picture.data().to_vec(), "image/jpeg"))
    }

    /// Length, rate and the like.
    pub fn properties(&self) -> &FileProperties {
        self.0.properties()
    }

    /// The title.
    pub fn title(&self) -> Option<String> {
        self.said(|tag| tag.title().map(Into::into))
    }

    /// Who plays or sings.
    pub fn artist(&self) -> Option<String> {
        self.said(|tag| tag.artist().map(Into::into))
    }

    /// The record it is on.
    pub fn album(&self) -> Option<String> {
        self.said(|tag| tag.album().map(Into::into))
    }

    /// When it was recorded or published, as the tag writes it.
    pub fn date(&self) -> Option<String> {
        let keys = [ItemKey::RecordingDate, ItemKey::Year, ItemKey::ReleaseDate];
        let said = |key| self.said(|tag| tag.get_string(key).map(str::to_owned));
        keys.into_iter().find_map(said)
    }

    fn said(&self, of: impl Fn(&Tag) -> Option<String>) -> Option<String> {
        let said = self.0.tags().iter().find_map(of)?;
        Some(said.trim().to_owned()).filter(|said| !said.is_empty())
    }
}
