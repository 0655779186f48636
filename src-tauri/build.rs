//! Generates what the window needs at compile time.

/// Every command named here gets an `allow-…` permission, to be granted in `capabilities/`.
const COMMANDS: &[&str] = &[
    "connection",
    "describe_paths",
    "list_folder",
    "checksum_of",
    "read_part",
    "choose_files",
    "choose_folder",
    "choose_folder_to_add",
    "allow_for_import",
    "post_file",
    "save_as",
    "save_text",
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=ui/dist");
    if !std::path::Path::new("ui/dist/index.html").exists() {
        return Err("ui/dist is missing: build it with `make ui`".into());
    }
    let attributes = tauri_build::Attributes::new()
        .app_manifest(tauri_build::AppManifest::new().commands(COMMANDS))
        .capabilities_path_pattern("./src-tauri/capabilities/**/*");
    Ok(tauri_build::try_build(attributes)?)
}
