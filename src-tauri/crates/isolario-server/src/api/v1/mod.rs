//! What the window needs beyond the interface, under `/api/v1`: lists, labels, the content model,
//! the session and the stream of events. One file per noun.

mod account_body;
mod activity;
mod activity_table;
mod backups;
mod batch_items;
mod batch_news;
mod batch_preview;
mod batches;
mod by_relevance;
mod collections;
mod content_model;
mod counts;
mod direction;
mod disk_space;
mod events;
mod export;
mod facet_choices;
mod file_versions;
mod finding_aid;
mod fixity;
mod found_items;
mod history;
mod holdings;
mod import;
mod import_bag;
mod import_table;
mod item_assignees;
mod item_bag;
mod item_facets;
mod item_fields;
mod item_ids;
mod item_jobs;
mod item_json;
mod item_list_request;
mod item_media;
mod item_pages;
mod item_passages;
mod item_people;
mod item_position;
mod item_record;
mod item_restriction;
mod item_templates;
mod items;
mod jobs;
mod known_bytes;
mod labels;
mod media;
mod model_definition;
mod named_items;
pub mod parameters;
mod permission_list;
mod permissions;
mod picture_adjustment;
mod pictures;
mod presence;
mod print;
mod qr_code;
mod repository;
mod request_context;
mod responses;
mod roles;
mod saved_search_counts;
mod saved_search_query;
mod saved_searches;
pub mod search;
pub mod search_answer;
mod search_index;
mod search_suggestions;
mod second_factor;
mod server;
mod server_requests;
mod session;
mod share_links;
mod term_merge;
mod terms;
mod tiles;
mod tokens;
mod trash;
mod uploads;
mod users;
pub mod visible_picture;
mod vocabularies;
mod vocabulary_export;
mod vocabulary_import;
mod watched_dry_run;
mod watched_files;
mod watched_folders;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::AppState;

pub use batch_news::BatchNews;
pub use direction::Direction;
pub use events::{Change, ChangeAction};
pub use export::{ExportFormat, ExportedTerms};
pub use facet_choices::ChosenQuery;
pub use finding_aid::FindingAidFormatName;
pub use history::RevertRequest;
pub use holdings::ReportFormat;
pub use items::ItemsQuery;
pub use print::PrintLayout;
pub use request_context::{ListSnapshot, RequestContext};
pub use search::SearchOrder;
pub use trash::TrashKind;
pub use users::AccountState;
pub use vocabulary_export::VocabularyFormatName;

/// The routes of this folder.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(session::session))
        .routes(routes!(repository::identity, repository::change))
        .routes(routes!(repository::picture))
        .routes(routes!(content_model::content_model))
        .routes(routes!(model_definition::get, model_definition::put))
        .routes(routes!(collections::list))
        .routes(routes!(collections::counts))
        .routes(routes!(item_templates::list, item_templates::put))
        .routes(routes!(counts::counts))
        .routes(routes!(holdings::report))
        .merge(searching())
        .routes(routes!(items::list))
        .routes(routes!(item_ids::list))
        .routes(routes!(export::export))
        .routes(routes!(print::print_items))
        .routes(routes!(import_bag::import_bag))
        .routes(routes!(import_table::import_table))
        .routes(routes!(item_facets::count))
        .routes(routes!(item_position::position))
        .routes(routes!(item_passages::list))
        .routes(routes!(item_passages::marks))
        .routes(routes!(items::one, items::delete))
        .routes(routes!(item_bag::bag))
        .routes(routes!(finding_aid::read))
        .routes(routes!(item_people::list))
        .routes(routes!(item_assignees::list))
        .routes(routes!(item_record::read))
        .routes(routes!(item_media::list))
        .routes(routes!(item_jobs::list))
        .routes(routes!(item_pages::read, item_pages::make))
        .routes(routes!(jobs::list))
        .routes(routes!(jobs::look))
        .routes(routes!(jobs::retry))
        .routes(routes!(known_bytes::list))
        .routes(routes!(disk_space::free))
        .routes(routes!(pictures::list))
        .routes(routes!(presence::open, presence::leave))
        .routes(routes!(media::list))
        .routes(routes!(picture_adjustment::put, picture_adjustment::delete))
        .routes(routes!(terms::list))
        .routes(routes!(vocabularies::tree))
        .routes(routes!(vocabularies::unused))
        .routes(routes!(vocabularies::similar))
        .routes(routes!(vocabulary_export::export))
        .routes(routes!(vocabulary_import::import_terms))
        .routes(routes!(labels::list))
        .routes(routes!(users::list, users::add))
        .routes(routes!(users::one, users::change))
        .routes(routes!(second_factor::offer))
        .routes(routes!(roles::list, roles::add))
        .routes(routes!(roles::one, roles::change, roles::delete))
        .routes(routes!(permission_list::list))
        .routes(routes!(share_links::list, share_links::add))
        .routes(routes!(share_links::revoke))
        .routes(routes!(share_links::open, share_links::leave))
        .routes(routes!(tokens::list, tokens::add))
        .routes(routes!(tokens::revoke))
        .routes(routes!(backups::status, backups::back_up_now))
        .merge(batched())
        .merge(import::routes())
        .routes(routes!(server::status, server::change))
        .routes(routes!(server_requests::list))
        .routes(routes!(events::events))
        .routes(routes!(activity::list))
        .routes(routes!(fixity::status, fixity::check_now))
        .merge(history::routes())
        .routes(routes!(file_versions::list))
        .routes(routes!(file_versions::content))
        .routes(routes!(tiles::one))
        .routes(routes!(tiles::tile))
        .routes(routes!(trash::list, trash::empty))
        .routes(routes!(trash::one, trash::purge))
        .routes(routes!(trash::restore))
        .merge(watched())
        .routes(routes!(
            uploads::progress,
            uploads::append,
            uploads::give_up
        ))
}

fn batched() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(batches::list, batches::begin))
        .routes(routes!(batch_preview::preview))
        .routes(routes!(batches::one))
        .routes(routes!(batch_items::list))
        .routes(routes!(batch_items::report))
        .routes(routes!(batches::cancel))
        .routes(routes!(batches::pause))
        .routes(routes!(batches::resume))
        .routes(routes!(batches::undo))
        .routes(routes!(term_merge::preview))
        .routes(routes!(term_merge::merge))
}

fn searching() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(search::search))
        .routes(routes!(search_suggestions::suggest))
        .routes(routes!(search_index::status, search_index::rebuild))
        .routes(routes!(saved_searches::list, saved_searches::add))
        .routes(routes!(saved_search_counts::counts))
        .routes(routes!(
            saved_searches::one,
            saved_searches::change,
            saved_searches::delete
        ))
        .routes(routes!(saved_searches::restore))
}

fn watched() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(watched_folders::list, watched_folders::add))
        .routes(routes!(watched_dry_run::dry_run))
        .routes(routes!(
            watched_folders::one,
            watched_folders::change,
            watched_folders::remove
        ))
        .routes(routes!(watched_folders::restore))
        .routes(routes!(watched_folders::pause))
        .routes(routes!(watched_folders::resume))
        .routes(routes!(watched_files::retry_all))
        .routes(routes!(watched_files::list))
        .routes(routes!(watched_files::retry))
}
