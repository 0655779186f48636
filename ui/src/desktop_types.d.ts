// Made by `WRITE_TYPES=1 cargo test --workspace --bins the_page_knows`.
export type Answer = "serve" | "quit" | "stay";
export type ChangedCopy = { id: string, path: string, 
/**
 * Bytes.
 */
size: number, 
/**
 * Hexadecimal.
 */
sha512: string, mid: number, nid: number, itemTitle: string, mediaType: string, useTid: number | null, filename: string, mime: string, 
/**
 * That of the media when its bytes were fetched: a replacement expects it.
 */
etag: string | null, 
/**
 * Whether a change can come back.
 */
mayReplace: boolean, };
export type Connection = { base_url: string, key: string, };
export type FileDescription = { path: string, name: string, size: number, mime: string | null, is_dir: boolean, };
export type FileRequest = { url: string, fid: number, mid: number, nid: number, itemTitle: string, mediaType: string, useTid: number | null, filename: string, mime: string, 
/**
 * That of the media when its bytes were fetched: a replacement expects it.
 */
etag: string | null, 
/**
 * Whether a change can come back.
 */
mayReplace: boolean, };
export type Menu = { label: string, groups: Array<Array<MenuLine>>, };
export type MenuLine = { id: string, label: string, 
/**
 * As they are written, the last one without Ctrl, Shift and Alt.
 */
keys: Array<string>, enabled: boolean, 
/**
 * Of one choice among others: whether it is the one.
 */
checked: boolean | null, };
export type Outcome = "taken" | "left" | "late";
export type PageStyle = { theme: Theme, ground: string, text: string, line: string, };
export type PostResponse = { status: number, body: string, };
export type Progress = { sent: number, total: number, };
export type Question = { tray: boolean, };
export type SaveOutcome = { saved: boolean, path: string | null, };
export type Theme = "system" | "light" | "dark";
export type UploadRequest = { id: string, path: string, nid: number, mediaType: string, useTid: number, contentLocation: string, mime: string, ifMatch?: string | null, };
export type UploadResponse = { status: number, location: string | null, code: string | null, message: string | null, };
