//! What is kept: nodes, media, terms, files, users, and the model that says which fields they have.
//! Plain data and rules; nothing here reads a disk, a database or a request.

mod additions;
pub mod address;
pub mod base_fields;
pub mod derivative;
pub mod entity;
pub mod facets;
pub mod file;
pub mod file_name;
pub mod file_url;
pub mod fixity;
pub mod index;
pub mod item_template;
pub mod kind;
pub mod mime_type;
pub mod model;
pub mod page_of;
pub mod picture_adjustment;
pub mod record;
pub mod roles;
pub mod seed;
pub mod target;
mod upload_piece;
pub mod user;
pub mod watched;

pub use derivative::{Derivative, DerivativeState, OriginalBytes};
pub use entity::{Entity, Item, Values};
pub use file::{FileRecord, FileUri};
pub use fixity::{FixityState, Verdict};
pub use index::{IndexRow, IndexValue};
pub use kind::EntityKind;
pub use mime_type::MimeType;
pub use model::{AllowedValue, Bundle, ContentModel, FieldDefinition};
pub use picture_adjustment::{Crop, PictureAdjustment};
pub use roles::{TermRole, field_roles, model_roles, uri_of};
pub use target::{FileFacts, Target};
pub use upload_piece::UploadPiece;
pub use user::{CollectionRole, UserRecord};
pub use watched::{FileLook, WatchState, WatchedFile};
