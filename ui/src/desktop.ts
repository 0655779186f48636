/** What only the window can do. The one file that knows Tauri. */
import { Channel, invoke, isTauri } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import type { Texts } from './texts';

export const inWindow: boolean = isTauri();

export interface Connection {
  base_url: string;
  key: string;
}
/** A file or folder on this disk, as the window sees it. `size` in bytes. */
export interface DescribedPath {
  path: string;
  name: string;
  size: number;
  mime: string | null;
  is_dir: boolean;
}
export interface UploadOrder {
  id: string;
  path: string;
  nid: number;
  mediaType: string;
  useTid: number;
  contentLocation: string;
  mime: string;
  ifMatch?: string | null;
}
/** Bytes. */
export interface UploadProgress {
  sent: number;
  total: number;
}
export interface UploadResult {
  status: number;
  location: string | null;
  message: string | null;
}

export const connection = () => invoke<Connection>('connection');
export const describePaths = (paths: string[]) => invoke<DescribedPath[]>('describe_paths', { paths });
export const listFolder = (path: string) => invoke<DescribedPath[]>('list_folder', { path });
/** SHA-512 of a file of this disk, lower-case hexadecimal. */
export const checksumOf = (path: string) => invoke<string>('checksum_of', { path });
/** The system's own dialog; empty when it was closed without a choice. */
export const chooseFiles = () => invoke<DescribedPath[]>('choose_files');
/** The system's own dialog; null when it was closed. The page may not read what is in the folder. */
export const chooseFolder = () => invoke<string | null>('choose_folder');
/** The system's own dialog, then the download; `saved` is false when it was closed. */
export const saveAs = (url: string, name: string) =>
  invoke<{ saved: boolean; path: string | null }>('save_as', { url, name });
/** A file of the repository that another program is to work on. */
export interface Original {
  mid: number;
  nid: number;
  itemTitle: string;
  mediaType: string;
  useTid: number | null;
  filename: string;
  mime: string;
  /** Of its media, when the bytes are fetched. */
  etag: string | null;
  mayReplace: boolean;
}
/** A copy that was saved in its program. `size` in bytes, `sha512` hexadecimal. */
export interface ChangedCopy extends Original {
  id: string;
  path: string;
  size: number;
  sha512: string;
}
type Wanted = Original & { url: string; fid: number };

/** Opens a copy in the program for its type; rejects with a sentence. */
export const openInProgram = (wanted: Wanted) => invoke<void>('open_in_program', { wanted });
/** True when the file itself is shown, false when it is a copy. */
export const showInFileManager = (wanted: Wanted) => invoke<boolean>('show_in_file_manager', { wanted });
/** Makes the copy that is to be dragged out. */
export const copyToDrag = (wanted: Wanted) => invoke<void>('copy_to_drag', { wanted });

/** Whether this window's own file is under the pointer, which is no drop for its page. */
let dragsOut = false;

/** Drags it, for as long as the button is held; `late`: it was let go before. */
export async function dragCopyOut(wanted: Wanted): Promise<'taken' | 'left' | 'late'> {
  dragsOut = true;
  try {
    return await invoke('drag_copy_out', { wanted });
  } finally {
    dragsOut = false;
  }
}
export const changedCopies = () => invoke<ChangedCopy[]>('changed_copies');
/** These bytes are in the repository now (`etag` of their media), or are not to come there. */
export const settleCopy = (id: string, sha512: string, etag: string | null) =>
  invoke<void>('settle_copy', { id, sha512, etag });
/** Hears of all copies that somebody has to decide about, whenever these are others. Returns how to stop. */
export const onChangedCopies = (handler: (changed: ChangedCopy[]) => void): Promise<() => void> =>
  listen<ChangedCopy[]>('working-copies', ({ payload }) => handler(payload));

/** What becomes of a window that somebody closed while others are served. */
export type ClosingAnswer = 'serve' | 'quit' | 'stay';
export const answerClosing = (answer: ClosingAnswer) => invoke<void>('answer_closing', { answer });
/** Asked when the window is closed while others are served; `tray`: an icon stays. Returns how to stop. */
export const onClosing = (handler: (question: { tray: boolean }) => void): Promise<() => void> =>
  listen<{ tray: boolean }>('closing', ({ payload }) => handler(payload));
/** What the window says by itself is said in these words from now on. */
export const speak = (words: Texts['window']) => invoke<void>('speak', { words });
/** A line of a menu over the page. `keys` are shown, and do nothing there: the page hears them by itself. */
export interface LineOfMenu {
  id: string;
  label: string;
  keys: string[];
  enabled: boolean;
  /** Null where it is no choice among others. */
  checked: boolean | null;
}
export interface MenuOfWindow {
  label: string;
  groups: LineOfMenu[][];
}
/** How the page looks: the bar over it is to look the same. Colours as CSS writes them. */
export interface LookOfBar {
  theme: 'system' | 'light' | 'dark';
  ground: string;
  text: string;
  line: string;
}
export const showMenus = (menus: MenuOfWindow[], look: LookOfBar) =>
  invoke<void>('show_menus', { menus, look });
/** Hears what is chosen in a menu, by its id. Returns how to stop. */
export const onMenu = (handler: (id: string) => void): Promise<() => void> =>
  listen<string>('menu', ({ payload }) => handler(payload));
/** The desktop tells it, unless the window is in front. */
export const notify = (title: string, body: string) => invoke<void>('notify', { title, body });

export const cancelUpload = (id: string) => invoke<void>('cancel_upload', { id });

/** Sends a file of this disk through the server's upload route; bytes never pass through the page. */
export function uploadFile(
  order: UploadOrder,
  onProgress: (progress: UploadProgress) => void,
): Promise<UploadResult> {
  const channel = new Channel<UploadProgress>();
  channel.onmessage = onProgress;
  return invoke<UploadResult>('upload_file', { ...order, onProgress: channel });
}

/** A drag over the window; positions in CSS pixels. */
export type DropMove = { type: 'over'; x: number; y: number } | { type: 'leave' };
export type Drop = { type: 'drop'; x: number; y: number; paths: string[] };

/** Listens for files dragged from the system onto the window. Returns how to stop. */
export function onNativeDrop(handler: (event: DropMove | Drop) => void): Promise<() => void> {
  return getCurrentWebview().onDragDropEvent(({ payload }) => {
    if (dragsOut) return;
    if (payload.type === 'leave') return handler({ type: 'leave' });
    // Tauri reports physical pixels.
    const x = payload.position.x / devicePixelRatio;
    const y = payload.position.y / devicePixelRatio;
    if (payload.type === 'drop') handler({ type: 'drop', x, y, paths: payload.paths });
    else handler({ type: 'over', x, y });
  });
}
