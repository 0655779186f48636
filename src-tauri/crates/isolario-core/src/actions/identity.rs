//! Changes to the name and the picture of the repository.

use super::Refusal;
use super::account_rules::{check_line, refuse};
use isolario_db::Db;
use isolario_model::fields::ViolationCode;
use isolario_model::media_inspection::inspect_web_picture;
use isolario_model::policy::{Actor, permit_server};

/// Longest name of a repository, in characters.
const LONGEST_NAME: usize = 100;
/// Most bytes of its picture.
const LARGEST_PICTURE: usize = 40 * 1024;
/// Most pixels of each of its sides.
const WIDEST_PICTURE: u32 = 512;

/// What changes; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct IdentityChange {
    pub name: Option<String>,
    /// `Some(None)`: no picture any more.
    pub picture: Option<Option<Vec<u8>>>,
}

/// Changes the name and the picture, if the actor may when it comes to that.
///
/// # Errors
/// `Refusal::Denied`; `Refusal::InvalidAccount` for a name that cannot be one, and for bytes that are no small picture.
pub async fn change_identity(
    db: &Db,
    actor: &Actor,
    change: IdentityChange,
) -> Result<(), Refusal> {
    if let Some(name) = &change.name {
        check_line("name", name, LONGEST_NAME)?;
    }
    if let Some(Some(bytes)) = &change.picture {
        check_picture(bytes)?;
    }
    let actor = actor.clone();
    db.write(move |write| {
        let permitted = permit_server(&actor)?;
        let former = write.identity()?;
        let name = change.name.or(former.name);
        let picture = match change.picture {
            Some(picture) => picture,
            None => write.identity_picture()?,
        };
        // Later than every former one: the address of the picture names it.
        let now = chrono::Utc::now().timestamp_millis();
        let changed = now.max(former.changed + 1);
        Ok(write.set_identity(&permitted, name.as_deref(), picture.as_deref(), changed)?)
    })
    .await
}

fn check_picture(bytes: &[u8]) -> Result<(), Refusal> {
    if bytes.len() > LARGEST_PICTURE {
        let words = format!(
            "A picture may not have more than {} KiB.",
            LARGEST_PICTURE / 1024
        );
        return refuse("picture", ViolationCode::TooLong, words);
    }
    let Some((_, facts)) = inspect_web_picture(bytes) else {
        let words = "This is no picture in the format PNG, JPEG or WebP.";
        return refuse("picture", ViolationCode::WrongSyntax, words);
    };
    let sides = [facts.width, facts.height];
    let fits = |side: Option<u32>| side.is_some_and(|side| (1..=WIDEST_PICTURE).contains(&side));
    if !sides.into_iter().all(fits) {
        let words = format!("A picture may not be wider or higher than {WIDEST_PICTURE} pixels.");
        return refuse("picture", ViolationCode::OutOfRange, words);
    }
    Ok(())
}
