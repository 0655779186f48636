import { ApiError, messageIn } from '../api/errors';
import { cancelUpload, uploadFile } from '../desktop';
import type { Source } from './dropped';
import { exchange, type Answer, type Exchange } from '../api/exchange';
import { LONG, sendInParts, type Begun } from './parts';

/** One file on its way to the upload address of an item. */
export interface Order {
  id: string;
  source: Source;
  nid: number;
  mediaType: string;
  useTid: number;
  /** `public://…`, not encoded. */
  contentLocation: string;
  mime: string;
  ifMatch: string | null;
  /** Kept from one try to the next, so that a long file goes on where it was. */
  begun: Begun;
}

export interface Sending {
  /**
   * Resolves with the address of the media that was made, null where the file took the place of another; rejects
   * with ApiError, Unreachable or AbortError.
   */
  done: Promise<string | null>;
  cancel: () => void;
}

type Progress = (sent: number, total: number) => void;

export function sendFile(order: Order, onProgress: Progress): Sending {
  return 'path' in order.source
    ? sendByWindow(order, order.source.path, onProgress)
    : sendByBrowser(order, order.source.file, onProgress);
}

/** The address of the upload (interface, Endpoints). */
export function uploadPath(nid: number, mediaType: string, useTid: number): string {
  return `/node/${nid}/media/${encodeURIComponent(mediaType)}/${useTid}`;
}

function sendByBrowser(order: Order, file: File, onProgress: Progress): Sending {
  const controller = new AbortController();
  const { signal } = controller;
  const path = uploadPath(order.nid, order.mediaType, order.useTid);
  const headers = headersOf(order);
  const done =
    file.size > LONG
      ? sendInParts({ file, path, headers, begun: order.begun, signal, onProgress }, { exchange, pause })
      : sendAtOnce({ method: 'PUT', path, headers, body: file, signal }, file.size, onProgress);
  return { done: done.then((answer) => answer.header('Location')), cancel: () => controller.abort() };
}

async function sendAtOnce(order: Exchange, total: number, onProgress: Progress): Promise<Answer> {
  const answer = await exchange({ ...order, onSent: (sent) => onProgress(sent, total) });
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw new ApiError(answer.status, messageIn(answer.text, answer));
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function headersOf(order: Order): Record<string, string> {
  const headers: Record<string, string> = {
    'Content-Type': order.mime,
    // A browser refuses header values beyond Latin-1.
    'Content-Location': encodeURI(order.contentLocation).replace(/[?#]/g, encodeURIComponent),
    'X-Content-Location-Encoding': 'percent',
  };
  if (order.ifMatch) headers['If-Match'] = order.ifMatch;
  return headers;
}

function sendByWindow(order: Order, path: string, onProgress: Progress): Sending {
  // No link between the window and its server can break: the file goes at once, whatever its length.
  const { source: _source, begun: _begun, ...rest } = order;
  let cancelled = false;
  const upload = uploadFile({ ...rest, path }, ({ sent, total }) => onProgress(sent, total));
  const done = upload.then(
    ({ status, location, message }) => {
      if (status >= 200 && status < 300) return location;
      if (cancelled) throw new DOMException('cancelled', 'AbortError');
      throw new ApiError(status, message ?? String(status));
    },
    (error: unknown) => {
      if (cancelled) throw new DOMException('cancelled', 'AbortError');
      throw new ApiError(0, error instanceof Error ? error.message : String(error));
    },
  );
  const cancel = () => {
    cancelled = true;
    void cancelUpload(order.id);
  };
  return { done, cancel };
}
