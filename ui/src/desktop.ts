/** Native functions of the window. This is the only module that imports Tauri. */
import { Channel, invoke, isTauri } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import type { ErrorCode } from './api/errors';
import type {
  Answer,
  ChangedCopy,
  Connection,
  FileDescription,
  FileRequest,
  Menu,
  MenuLine,
  Outcome,
  PageStyle,
  PostResponse,
  Progress,
  Question,
  SaveOutcome,
  UploadRequest,
  UploadResponse,
} from './desktop_types';
import type { Texts } from './texts';

export const inWindow: boolean = isTauri();

export type { Connection };
/** A local file or folder. `size` in bytes. */
export type DescribedPath = FileDescription;
export type UploadOrder = UploadRequest;
export type UploadProgress = Progress;
export type UploadResult = UploadResponse & { code: ErrorCode | null };

export const connection = () => invoke<Connection>('connection');
export const describePaths = (paths: string[]) => invoke<DescribedPath[]>('describe_paths', { paths });
export const listFolder = (path: string) => invoke<DescribedPath[]>('list_folder', { path });
/** SHA-512 of a local file, lower-case hexadecimal. */
export const checksumOfPath = (path: string) => invoke<string>('checksum_of', { path });
/** The bytes of a local file from a place on, at most 1 MiB. */
export const readPart = (path: string, begin: number, length: number) =>
  invoke<ArrayBuffer>('read_part', { path, begin, length });
/** Posts a local file to an address of the server. */
export const postFile = (path: string, url: string, mime: string) =>
  invoke<PostResponse>('post_file', { path, url, mime });
/** The native file dialog; empty when it was cancelled. */
export const chooseFiles = () => invoke<DescribedPath[]>('choose_files');
/** The native dialog for a folder whose files are added; null when it was cancelled. */
export const chooseFolderToAdd = () => invoke<DescribedPath | null>('choose_folder_to_add');
/** The native folder dialog; null when it was cancelled. The page may name the folder, but not read it. */
export const chooseFolder = (purpose: 'watch' | 'backup' | 'import') =>
  invoke<string | null>('choose_folder', { purpose });
/** Lets the rows of a table name files and folders that were dropped. */
export const allowForImport = (paths: string[]) => invoke<void>('allow_for_import', { paths });
/** The native save dialog, then the download; `saved` is false when it was cancelled. */
export const saveAs = (url: string, name: string) => invoke<SaveOutcome>('save_as', { url, name });
/** The native save dialog, then a text is written; `saved` is false when it was cancelled. */
export const saveTextAs = (text: string, name: string) => invoke<SaveOutcome>('save_text', { text, name });
/** A repository file that is opened in another program. */
export type OriginalFile = Omit<FileRequest, 'url' | 'fid'>;
export type ChangedWorkingCopy = ChangedCopy;

/** Opens a working copy in its default program; rejects with a message. */
export const openInProgram = (wanted: FileRequest) => invoke<void>('open_in_program', { wanted });
/** Answers true when the file itself is shown, false when a copy is. */
export const showInFileManager = (wanted: FileRequest) => invoke<boolean>('show_in_file_manager', { wanted });
/** Makes the copy for a drag. */
export const copyToDrag = (wanted: FileRequest) => invoke<void>('copy_to_drag', { wanted });

/** Whether a drag of this window is in progress, which is no drop on its page. */
let activeDrag = false;

/** Starts a native drag; `late`: the button was released before. */
export async function dragCopyOut(wanted: FileRequest): Promise<Outcome> {
  activeDrag = true;
  try {
    return await invoke('drag_copy_out', { wanted });
  } finally {
    activeDrag = false;
  }
}
export const listChangedCopies = () => invoke<ChangedWorkingCopy[]>('changed_copies');
/** Marks a changed copy as uploaded (with the ETag of its media) or discarded. */
export const resolveWorkingCopy = (id: string, sha512: string, etag: string | null) =>
  invoke<void>('settle_copy', { id, sha512, etag });
/** Listens for changed working copies. Returns a function that stops it. */
export const onChangedCopies = (handler: (changed: ChangedWorkingCopy[]) => void): Promise<() => void> =>
  listen<ChangedWorkingCopy[]>('working-copies', ({ payload }) => handler(payload));

/** What happens when the window is closed while others are served. */
export type CloseAnswer = Answer;
export const answerClose = (answer: CloseAnswer) => invoke<void>('answer_closing', { answer });
/**
 * Listens for attempts to close the window while others are served; `tray`: an icon stays. Returns a function
 * that stops it.
 */
export const onCloseRequest = (handler: (question: Question) => void): Promise<() => void> =>
  listen<Question>('closing', ({ payload }) => handler(payload));
/** Sets the texts of native dialogs and menus. */
export const setNativeTexts = (words: Texts['window']) => invoke<void>('speak', { words });
/** An item of the native menu bar. `keys` are only displayed: the page handles shortcuts. */
export type NativeMenuItem = MenuLine;
export type NativeMenu = Menu;
/** Theme and CSS colours of the menu bar. */
export type MenuBarColors = PageStyle;
export const showMenus = (menus: NativeMenu[], look: MenuBarColors) =>
  invoke<void>('show_menus', { menus, look });
/** Listens for selected menu items, by id. Returns a function that stops it. */
export const onMenu = (handler: (id: string) => void): Promise<() => void> =>
  listen<string>('menu', ({ payload }) => handler(payload));
/** Shows a desktop notification, unless the window is in front. */
export const notify = (title: string, body: string) => invoke<void>('notify', { title, body });

export const cancelUpload = (id: string) => invoke<void>('cancel_upload', { id });

/** Uploads a local file; its bytes do not pass through the page. */
export function uploadFile(
  order: UploadOrder,
  onProgress: (progress: UploadProgress) => void,
): Promise<UploadResult> {
  const channel = new Channel<UploadProgress>();
  channel.onmessage = onProgress;
  return invoke<UploadResult>('upload_file', { ...order, onProgress: channel });
}

/** A drag over the window. Positions in CSS pixels. */
export type DropMove =
  | {
      type: 'over';
      x: number;
      y: number;
      /** Absent while the drag goes on over the window. */
      paths?: string[];
    }
  | { type: 'leave' };
export type Drop = { type: 'drop'; x: number; y: number; paths: string[] };

/** Listens for native drags of files. Returns a function that stops it. */
export function onNativeDrop(handler: (event: DropMove | Drop) => void): Promise<() => void> {
  return getCurrentWebview().onDragDropEvent(({ payload }) => {
    if (activeDrag) return;
    if (payload.type === 'leave') return handler({ type: 'leave' });
    // Tauri reports physical pixels.
    const x = payload.position.x / devicePixelRatio;
    const y = payload.position.y / devicePixelRatio;
    if (payload.type === 'drop') handler({ type: 'drop', x, y, paths: payload.paths });
    else handler({ type: 'over', x, y, paths: payload.type === 'enter' ? payload.paths : undefined });
  });
}
