//! Schemas of the values that parameters and answers have in common: words that the program knows, numbers, and
//! lists of ids. Words come from the lists by which the program reads them. Those that one handler reads stand beside it.

use isolario_derive::Kind;
use serde_json::Value;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{KnownFormat, RefOr, SchemaFormat};

use isolario_model::{content, origin};

/// A text.
pub fn text() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).into()
}

fn bytes() -> RefOr<Schema> {
    let format = SchemaFormat::KnownFormat(KnownFormat::Binary);
    let builder = ObjectBuilder::new().schema_type(Type::String);
    builder.format(Some(format)).into()
}

/// A whole number from `least` on, to `most` where there is such a limit.
pub fn integer(least: i64, most: Option<i64>) -> RefOr<Schema> {
    let format = SchemaFormat::KnownFormat(KnownFormat::Int64);
    let builder = ObjectBuilder::new().schema_type(Type::Integer);
    let builder = builder.format(Some(format)).minimum(Some(least));
    builder.maximum(most).into()
}

/// One of some words.
pub fn one_of<W: Into<Value>>(words: impl IntoIterator<Item = W>) -> RefOr<Schema> {
    let builder = ObjectBuilder::new().schema_type(Type::String);
    builder.enum_values(Some(words)).into()
}

fn pattern(pattern: &str) -> ObjectBuilder {
    let builder = ObjectBuilder::new().schema_type(Type::String);
    builder.pattern(Some(pattern))
}

/// The words of a list that says what each stands for.
pub fn names<T: Clone, const N: usize>(choices: &[(&'static str, T); N]) -> [&'static str; N] {
    choices.each_ref().map(|(name, _)| *name)
}

/// Types that stand for named schemas.
macro_rules! schemas {
    ($($(#[$doc:meta])* $type:ident => $schema:expr;)+) => {$(
        $(#[$doc])* pub enum $type {}

        impl utoipa::PartialSchema for $type {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                $schema
            }
        }

        impl utoipa::ToSchema for $type {}
    )+};
}
pub(in crate::api) use schemas;

schemas! {
    /// Bytes of any MIME type.
    Binary => bytes();
    /// Through which channel a change came.
    Origin => one_of(origin::Origin::ALL.map(origin::Origin::name));
    /// A kind of entity.
    EntityKind => one_of(content::EntityKind::ALL.map(content::EntityKind::target_type));
    /// A kind of derivative.
    DerivativeKind => one_of(Kind::ALL.map(Kind::as_str));
    /// How far a derivative is.
    DerivativeState => one_of(content::DerivativeState::ALL.map(content::DerivativeState::name));
    /// How far a watched file is.
    WatchState => one_of(content::WatchState::ALL.map(content::WatchState::name));
    /// Whether stored bytes are unchanged.
    FixityState => one_of(content::FixityState::ALL.map(content::FixityState::name));
    /// Which items a list shows.
    View => one_of(names(&isolario_db::View::ALL));
    /// Whether a request brings the last bytes of an upload.
    Completeness => one_of(["?0", "?1"]);
    /// Id of a collection, or what stands for the top.
    CollectionOrRoot => pattern("^(root|[1-9][0-9]{0,17})$").into();
    /// Up to ten ids with commas between them.
    FewIds => pattern("^[1-9][0-9]{0,17}(,[1-9][0-9]{0,17}){0,9}$").examples(["12,13"]).into();
    /// Up to fifty ids with commas between them.
    ScreenOfIds => pattern("^[1-9][0-9]{0,17}(,[1-9][0-9]{0,17}){0,49}$").examples(["12,13"]).into();
    /// Up to 200 ids with commas between them.
    Ids => pattern("^[1-9][0-9]{0,17}(,[1-9][0-9]{0,17}){0,199}$").examples(["12,13,14"]).into();
    /// Up to forty SHA-512 in hexadecimal with commas between them.
    Checksums => pattern("^[0-9a-f]{128}(,[0-9a-f]{128}){0,39}$").into();
}
