//! The window itself and what it listens to.

use std::path::PathBuf;

use tauri::{
    App, AppHandle, DragDropEvent, Manager, RunEvent, WebviewWindowBuilder, Window, WindowEvent,
    async_runtime::{block_on, spawn},
};
use tauri_plugin_window_state::StateFlags;

use super::{
    bring_to_front::bring_to_front,
    close,
    close::{ClosePrompt, Closing},
    connection, dialogs, drag_out,
    drag_out::DragOut,
    embedded::EmbeddedServer,
    files,
    granted::GrantedPaths,
    links, menu_bar, notices,
    notices::Notices,
    save_as, signals, tray,
    tray::Tray,
    upload,
    upload::Uploads,
    words,
    words::CurrentWords,
    working_copies,
    working_copies::WorkingCopies,
};

/// Shows the window and returns when it has been closed and the server has stopped.
pub fn show(server: isolario_program::app::App) -> tauri::Result<()> {
    let app = tauri::Builder::default()
        .plugin(remembered_place())
        .manage(GrantedPaths::default())
        .manage(Uploads::default())
        .manage(Closing::default())
        .manage(DragOut::default())
        .manage(Notices::default())
        .manage(Tray::default())
        .manage(CurrentWords::default())
        .invoke_handler(tauri::generate_handler![
            connection::connection,
            files::describe_paths,
            files::list_folder,
            files::checksum_of,
            files::read_part,
            dialogs::choose_files,
            dialogs::choose_folder,
            dialogs::choose_folder_to_add,
            dialogs::allow_for_import,
            save_as::save_as,
            save_as::save_text,
            working_copies::open_in_program,
            working_copies::show_in_file_manager,
            drag_out::copy_to_drag,
            drag_out::drag_copy_out,
            working_copies::changed_copies,
            working_copies::settle_copy,
            close::answer_closing,
            menu_bar::show_menus,
            words::speak,
            notices::notify,
            upload::upload_file,
            upload::cancel_upload,
            upload::post_file,
        ])
        .on_window_event(on_window_event)
        .setup(|app| {
            let handle = app.handle().clone();
            signals::quit_on_signals(&handle);
            server.on_show_window(move || bring_to_front(&handle));
            app.manage(block_on(WorkingCopies::of(&server)));
            let lan = server.state().lan.follow();
            app.manage(ClosePrompt::new(lan.clone()));
            tray::put_icon(app.handle());
            spawn(tray::follow(app.handle().clone(), lan));
            app.manage(EmbeddedServer::new(server));
            spawn(working_copies::watch(app.handle().clone()));
            Ok(open(app)?)
        })
        .build(tauri::generate_context!())?;
    app.run(on_run_event);
    Ok(())
}

/// The window as `tauri.conf.json` describes it; links that lead elsewhere do not open in it.
fn open(app: &App) -> tauri::Result<()> {
    for config in &app.config().app.windows {
        let window = WebviewWindowBuilder::from_config(app, config)?
            .on_navigation(links::stays)
            .on_new_window(|url, _| links::never_in_a_window(&url))
            .build()?;
        drag_out::listen(&window)?;
        menu_bar::put_bar(&window)?;
    }
    Ok(())
}

/// Size and place, but not visibility: a window is never hidden by what was remembered.
fn remembered_place<R: tauri::Runtime>() -> tauri::plugin::TauriPlugin<R> {
    tauri_plugin_window_state::Builder::new()
        .with_state_flags(StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED)
        .build()
}

fn on_window_event(window: &Window, event: &WindowEvent) {
    match event {
        // Before the page hears of the drop, so what it asks about next is granted.
        WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) => window
            .state::<GrantedPaths>()
            .add(paths.iter().map(PathBuf::as_path)),
        WindowEvent::CloseRequested { api, .. } => close::ask_while_shared(window, api),
        _ => {}
    }
}

fn on_run_event(app: &AppHandle, event: RunEvent) {
    if let RunEvent::ExitRequested { api, .. } = event {
        close::finish_first(app, &api);
    }
}
