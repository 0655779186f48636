//! Generates what the window needs at compile time. The plain server needs nothing.

fn main() {
    // The program carries the built user interface inside it; without one it serves the REST interface alone.
    println!("cargo:rerun-if-changed=ui/dist");
    if let Err(error) = std::fs::create_dir_all("ui/dist") {
        panic!("ui/dist cannot be made: {error}");
    }
    #[cfg(feature = "desktop")]
    window();
}

/// Every command named here gets an `allow-…` permission, to be granted in `capabilities/`.
#[cfg(feature = "desktop")]
const COMMANDS: &[&str] = &[
    "connection",
    "describe_paths",
    "list_folder",
    "checksum_of",
    "choose_files",
    "choose_folder",
    "save_as",
    "open_in_program",
    "show_in_file_manager",
    "copy_to_drag",
    "drag_copy_out",
    "changed_copies",
    "settle_copy",
    "answer_closing",
    "show_menus",
    "speak",
    "notify",
    "upload_file",
    "cancel_upload",
];

#[cfg(feature = "desktop")]
fn window() {
    let built_ui = std::path::Path::new("ui/dist/index.html");
    assert!(
        built_ui.exists(),
        "ui/dist is missing: build it with `make ui`"
    );
    let attributes = tauri_build::Attributes::new()
        .app_manifest(tauri_build::AppManifest::new().commands(COMMANDS))
        .capabilities_path_pattern("./src-tauri/capabilities/**/*");
    if let Err(error) = tauri_build::try_build(attributes) {
        panic!("the window cannot be prepared: {error:#}");
    }
}
