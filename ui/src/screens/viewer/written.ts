import { address, send } from '../../api/client';
import { errorFrom } from '../../api/errors';
import type { Media } from '../../api/types';
import { typeOf } from './showing';

/** Bytes that are read of a text: more is for programs that are made for it. */
const MOST = 1_000_000;

/** The text of a file as far as it is read. */
export interface Written {
  text: string;
  /** There is more than was read. */
  cut: boolean;
}

/** Reads the bytes of a file from `begin` up to but not including `end`. */
export async function readBytes(
  url: string,
  begin: number,
  end: number,
  signal?: AbortSignal,
): Promise<ArrayBuffer> {
  const headers = { Range: `bytes=${begin}-${end - 1}` };
  const response = await send(new Request(new URL(url, address('/')), { headers, signal }));
  if (!response.ok) throw await errorFrom(response);
  const bytes = await response.arrayBuffer();
  return response.status === 206 ? bytes : bytes.slice(begin, end);
}

/** Reads what is written in a file. Nothing of it is ever run. */
export async function readText(media: Media, signal?: AbortSignal): Promise<Written> {
  if (!media.file || media.size === 0) return { text: '', cut: false };
  const cut = (media.size ?? 0) > MOST;
  const text = decoded(await readBytes(media.file.view_url, 0, MOST, signal), cut);
  return { text: cut ? text : tidy(text, typeOf(media)), cut };
}

/** UTF-8, UTF-16 with a mark, else Windows-1252. A text that was cut may end within a character. */
export function decoded(bytes: ArrayBuffer, cut = false): string {
  const head = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** JSON in lines; everything else as it is. */
export function tidy(text: string, mime: string): string {
  if (!/\bjson$/.test(mime)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The pages of an extracted text: a form feed stands between them. */
export function pagesOf(text: string): string[] {
  return text.split('\f');
}
