//! `ui/src/desktop_types.d.ts` declares what the commands of the window take and answer.

use std::collections::BTreeMap;

use ts_rs::{Config, TS, TypeVisitor};

use super::{
    close, connection, drag_out, files, menu_bar, save_as,
    upload::{self, UploadRequest},
    working_copies,
};

/// Declarations by the names of their types, in one order.
struct Declarations(Config, BTreeMap<String, String>);

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Types of other crates are those of JavaScript itself.
        if T::output_path().is_some() {
            self.1.insert(T::ident(&self.0), T::decl(&self.0));
            T::visit_dependencies(self);
        }
    }
}

fn declarations() -> String {
    let config = Config::new().with_large_int("number");
    let mut types = Declarations(config, BTreeMap::new());
    types.visit::<close::Answer>();
    types.visit::<close::Question>();
    types.visit::<connection::Connection>();
    types.visit::<drag_out::Outcome>();
    types.visit::<files::FileDescription>();
    types.visit::<menu_bar::Menu>();
    types.visit::<menu_bar::PageStyle>();
    types.visit::<save_as::SaveOutcome>();
    types.visit::<UploadRequest>();
    types.visit::<upload::Progress>();
    types.visit::<upload::UploadResponse>();
    types.visit::<upload::PostResponse>();
    types.visit::<working_copies::ChangedCopy>();
    types.visit::<working_copies::FileRequest>();
    let head = "// Made by `WRITE_TYPES=1 cargo test --workspace --bins the_page_knows`.\n";
    let declared = types.1.values().map(|one| format!("export {one}\n"));
    std::iter::once(head.to_owned()).chain(declared).collect()
}

#[test]
fn the_page_knows_the_types_of_the_window() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/ui/src/desktop_types.d.ts");
    let declared = declarations();
    if std::env::var_os("WRITE_TYPES").is_some() {
        std::fs::write(path, &declared).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), declared);
}
