import { address, ownHeaders } from './client';
import { Unreachable } from './errors';

/** One request with bytes in it. `fetch` cannot tell how much of a body is on its way. */
export interface Exchange {
  method: 'PUT' | 'PATCH' | 'HEAD' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body?: Blob;
  onSent?: (sent: number) => void;
  signal: AbortSignal;
}

/** What came back. */
export interface Answer {
  status: number;
  statusText: string;
  text: string;
  header: (name: string) => string | null;
}

/** Rejects with `Unreachable` when no answer comes, with an AbortError when it was cancelled. */
export function exchange(order: Exchange): Promise<Answer> {
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    const cancelled = () => reject(new DOMException('cancelled', 'AbortError'));
    if (order.signal.aborted) return cancelled();
    order.signal.addEventListener('abort', () => request.abort(), { once: true });
    request.upload.onprogress = (event) => order.onSent?.(event.loaded);
    request.onabort = cancelled;
    request.onerror = () => reject(new Unreachable());
    request.onload = () =>
      resolve({
        status: request.status,
        statusText: request.statusText,
        text: request.responseText,
        header: (name) => request.getResponseHeader(name),
      });
    request.open(order.method, address(order.path));
    const headers = { ...ownHeaders(order.method), ...order.headers };
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(order.body ?? null);
  });
}
