import { absoluteUrl, authHeaders } from './client';
import { ServerUnreachable } from './errors';

/** A request whose upload progress is needed. `fetch` does not report it. */
export interface UploadRequest {
  method: 'POST' | 'PUT' | 'PATCH' | 'HEAD' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body?: Blob;
  onSent?: (sent: number) => void;
  signal: AbortSignal;
}

export interface UploadResponse {
  status: number;
  statusText: string;
  text: string;
  header: (name: string) => string | null;
}

/** Rejects with `ServerUnreachable` when no response arrives, with an AbortError when it was cancelled. */
export function sendUploadRequest(upload: UploadRequest): Promise<UploadResponse> {
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    const cancelled = () => reject(new DOMException('cancelled', 'AbortError'));
    if (upload.signal.aborted) return cancelled();
    upload.signal.addEventListener('abort', () => request.abort(), { once: true });
    request.upload.onprogress = (event) => upload.onSent?.(event.loaded);
    request.onabort = cancelled;
    request.onerror = () => reject(new ServerUnreachable());
    request.onload = () =>
      resolve({
        status: request.status,
        statusText: request.statusText,
        text: request.responseText,
        header: (name) => request.getResponseHeader(name),
      });
    request.open(upload.method, absoluteUrl(upload.path));
    const headers = { ...authHeaders(upload.method), ...upload.headers };
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(upload.body ?? null);
  });
}
