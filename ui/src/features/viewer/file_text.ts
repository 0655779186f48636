import { absoluteUrl, send } from '../../api/client';
import { toApiError } from '../../api/errors';
import type { Media } from '../../api/types';
import { mimeOfMedia } from '../../media_display/presentation';

/** Maximum number of bytes that are read. */
const MAX_BYTES = 1_000_000;

/** The text of a file, possibly truncated. */
export interface FileText {
  text: string;
  truncated: boolean;
}

/** Reads a byte range; `end` is exclusive. */
export async function fetchRange(
  url: string,
  begin: number,
  end: number,
  signal?: AbortSignal,
): Promise<ArrayBuffer> {
  const headers = { Range: `bytes=${begin}-${end - 1}` };
  const response = await send(new Request(new URL(url, absoluteUrl('/')), { headers, signal }));
  if (!response.ok) throw await toApiError(response);
  const bytes = await response.arrayBuffer();
  return response.status === 206 ? bytes : bytes.slice(begin, end);
}

/** Reads a text file. */
export async function readText(media: Media, signal?: AbortSignal): Promise<FileText> {
  if (!media.file || media.size === 0) return { text: '', truncated: false };
  const truncated = (media.size ?? 0) > MAX_BYTES;
  const text = decodeText(await fetchRange(media.file.view_url, 0, MAX_BYTES, signal), truncated);
  return { text: truncated ? text : formatText(text, mimeOfMedia(media)), truncated };
}

/**
 * Decodes UTF-8, UTF-16 with a byte order mark, otherwise Windows-1252. A truncated text may end within a
 * character.
 */
export function decodeText(bytes: ArrayBuffer, truncated = false): string {
  const head = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: truncated });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Indents JSON. */
export function formatText(text: string, mime: string): string {
  if (!/\bjson$/.test(mime)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Splits an extracted text at form feeds. */
export function splitPages(text: string): string[] {
  return text.split('\f');
}
