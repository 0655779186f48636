//! What an address of the Image API names: `{file}` or `{file}:{page}` of a version.

use super::super::ApiError;
use super::super::base_url::BaseUrl;
use super::super::v1::parameters::not_found;
use isolario_iiif::Version;

/// A picture of a repository, as an address of the Image API names it.
pub struct ImageId {
    pub version: Version,
    /// Number of the file.
    pub fid: i64,
    /// From 1 on; none for the first.
    pub page: Option<usize>,
}

impl ImageId {
    /// Reads what an address says.
    ///
    /// # Errors
    /// 404 for what is no address of an image.
    pub fn of(version: &str, id: &str) -> Result<ImageId, ApiError> {
        let missing = || not_found("image", id);
        let version = match version {
            "2" => Version::Two,
            "3" => Version::Three,
            _ => return Err(missing()),
        };
        let (fid, page) = match id.split_once(':') {
            Some((fid, page)) => (fid, Some(number(page).ok_or_else(missing)?)),
            None => (id, None),
        };
        let fid = number(fid).ok_or_else(missing)?;
        Ok(ImageId { version, fid, page })
    }

    /// The number of the file, and of the page.
    pub fn name(&self) -> String {
        let page = self.page.map(|page| format!(":{page}")).unwrap_or_default();
        format!("{}{page}", self.fid)
    }

    /// The address of the image service.
    pub fn address(&self, base: &BaseUrl) -> String {
        let (version, name) = (self.version.number(), self.name());
        base.join(&format!("/iiif/image/{version}/{name}"))
    }
}

/// A whole number above 0, of nothing but digits and as short as it can be.
fn number<N: std::str::FromStr>(text: &str) -> Option<N> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|_| digits)
}
