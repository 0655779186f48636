/** What only the window can do. The one file that knows Tauri. */
import { Channel, invoke, isTauri } from '@tauri-apps/api/core';
import { getCurrentWebview } from '@tauri-apps/api/webview';

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
/** The system's own dialog; empty when it was closed without a choice. */
export const chooseFiles = () => invoke<DescribedPath[]>('choose_files');
/** The system's own dialog; null when it was closed. The page may not read what is in the folder. */
export const chooseFolder = () => invoke<string | null>('choose_folder');
/** The system's own dialog, then the download; `saved` is false when it was closed. */
export const saveAs = (url: string, name: string) =>
  invoke<{ saved: boolean; path: string | null }>('save_as', { url, name });
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
    if (payload.type === 'leave') return handler({ type: 'leave' });
    // Tauri reports physical pixels.
    const x = payload.position.x / devicePixelRatio;
    const y = payload.position.y / devicePixelRatio;
    if (payload.type === 'drop') handler({ type: 'drop', x, y, paths: payload.paths });
    else handler({ type: 'over', x, y });
  });
}
