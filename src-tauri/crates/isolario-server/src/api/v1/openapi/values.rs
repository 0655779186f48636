//! Schemas of the values that parameters and answers have in common: words that the program knows, numbers, and
//! lists of ids. Words come from the lists by which the program reads them.

use std::borrow::Cow;

use isolario_derive::Kind;
use serde_json::Value;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{KnownFormat, RefOr, SchemaFormat};
use utoipa::{PartialSchema, ToSchema};

use crate::api::request_format::Format;
use crate::api::v1::{activity, items, server, trash, users};
use isolario_model::{content, origin};

/// A text.
pub fn text() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).into()
}

/// Bytes.
pub fn bytes() -> RefOr<Schema> {
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

fn names<T: Clone, const N: usize>(choices: &[(&'static str, T); N]) -> [&'static str; N] {
    choices.each_ref().map(|(name, _)| *name)
}

/// Gives a type a named schema.
macro_rules! schemas {
    ($($name:literal, $type:ty => $schema:expr;)+) => {$(
        impl PartialSchema for $type {
            fn schema() -> RefOr<Schema> {
                $schema
            }
        }
        impl ToSchema for $type {
            fn name() -> Cow<'static, str> {
                $name.into()
            }
        }
    )+};
}

schemas! {
    "Origin", Origin => one_of(origin::Origin::ALL.map(origin::Origin::name));
    "EntityKind", EntityKind => one_of(content::EntityKind::ALL.map(content::EntityKind::target_type));
    "DerivativeKind", DerivativeKind => one_of(Kind::ALL.map(Kind::as_str));
    "DerivativeState", DerivativeState => one_of(content::DerivativeState::ALL.map(content::DerivativeState::name));
    "WatchState", WatchState => one_of(content::WatchState::ALL.map(content::WatchState::name));
    "FixityState", FixityState => one_of(content::FixityState::ALL.map(content::FixityState::name));
    "View", View => one_of(names(&isolario_db::View::ALL));
    "Format", Format => one_of(Format::ALL.map(Format::name));
    "Direction", Direction => one_of(names(&items::DIRECTIONS));
    "ChangeAction", ChangeAction => one_of(names(&activity::ACTIONS));
    "TrashKind", TrashKind => one_of(names(&trash::KINDS));
    "AccountState", AccountState => one_of(names(&users::STATES));
    "Completeness", Completeness => one_of(["?0", "?1"]);
    "Method", Method => one_of(server::METHODS);
    "CollectionOrRoot", CollectionOrRoot => pattern("^(root|[1-9][0-9]{0,17})$").into();
    "FewIds", FewIds => pattern("^[1-9][0-9]{0,17}(,[1-9][0-9]{0,17}){0,9}$").examples(["12,13"]).into();
    "Ids", Ids => pattern("^[1-9][0-9]{0,17}(,[1-9][0-9]{0,17}){0,199}$").examples(["12,13,14"]).into();
    "Checksums", Checksums => pattern("^[0-9a-f]{128}(,[0-9a-f]{128}){0,39}$").into();
}

/// Through which channel a change came.
pub enum Origin {}
/// A kind of entity.
pub enum EntityKind {}
/// How far a derivative is.
pub enum DerivativeState {}
/// How far a watched file is.
pub enum WatchState {}
/// Whether stored bytes are unchanged.
pub enum FixityState {}
/// Which items a list shows.
pub enum View {}
/// A kind of derivative.
pub enum DerivativeKind {}
/// In which direction a list goes.
pub enum Direction {}
/// What happened to a thing.
pub enum ChangeAction {}
/// The kinds of things that the trash holds.
pub enum TrashKind {}
/// Whether an account may sign in.
pub enum AccountState {}
/// Whether a request brings the last bytes of an upload.
pub enum Completeness {}
/// A method of the interface.
pub enum Method {}
/// Id of a collection, or what stands for the top.
pub enum CollectionOrRoot {}
/// Up to ten ids with commas between them.
pub enum FewIds {}
/// Up to 200 ids with commas between them.
pub enum Ids {}
/// Up to forty SHA-512 in hexadecimal with commas between them.
pub enum Checksums {}
