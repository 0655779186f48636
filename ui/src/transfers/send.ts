import { address, ownHeaders } from '../api/client';
import { ApiError, messageIn, Unreachable } from '../api/errors';
import { cancelUpload, uploadFile } from '../desktop';
import type { Source } from './dropped';

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
}

export interface Sending {
  /** Resolves with 201 (made) or 204 (replaced); rejects with ApiError, Unreachable or AbortError. */
  done: Promise<number>;
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
  const request = new XMLHttpRequest();
  const done = new Promise<number>((resolve, reject) => {
    request.upload.onprogress = (event) => onProgress(event.loaded, event.total);
    request.onabort = () => reject(new DOMException('cancelled', 'AbortError'));
    request.onerror = () => reject(new Unreachable());
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(request.status);
      else reject(new ApiError(request.status, messageIn(request.responseText, request)));
    };
    request.open('PUT', address(uploadPath(order.nid, order.mediaType, order.useTid)));
    for (const [name, value] of Object.entries(headersOf(order))) request.setRequestHeader(name, value);
    request.send(file);
  });
  return { done, cancel: () => request.abort() };
}

function headersOf(order: Order): Record<string, string> {
  const headers: Record<string, string> = {
    ...ownHeaders('PUT'),
    'Content-Type': order.mime,
    // A browser refuses header values beyond Latin-1.
    'Content-Location': encodeURI(order.contentLocation).replace(/[?#]/g, encodeURIComponent),
    'X-Content-Location-Encoding': 'percent',
  };
  if (order.ifMatch) headers['If-Match'] = order.ifMatch;
  return headers;
}

function sendByWindow(order: Order, path: string, onProgress: Progress): Sending {
  const { source: _source, ...rest } = order;
  let cancelled = false;
  const upload = uploadFile({ ...rest, path }, ({ sent, total }) => onProgress(sent, total));
  const done = upload.then(
    ({ status, message }) => {
      if (status >= 200 && status < 300) return status;
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
