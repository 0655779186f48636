import createClient from 'openapi-fetch';
import { ApiError, errorFrom, Unreachable } from './errors';
import type { paths } from './schema';

/** Where the server is and who speaks: the window's key, or the browser's cookie and CSRF token. */
interface Line {
  baseUrl: string;
  key: string | null;
  csrfToken: string | null;
}

const line: Line = { baseUrl: '', key: null, csrfToken: null };

/** Called when a request got no answer (false) or one again (true). */
type ReachListener = (reached: boolean) => void;
let reachListener: ReachListener = () => {};

export function connect(baseUrl: string, key: string | null): void {
  line.baseUrl = baseUrl.replace(/\/$/, '');
  line.key = key;
}

export function useCsrfToken(token: string | null): void {
  line.csrfToken = token;
}

export function onReach(listener: ReachListener): void {
  reachListener = listener;
}

/** The absolute address of a path on the server, for copying and for links. */
export function address(path: string): string {
  return `${line.baseUrl || location.origin}${path}`;
}

/** The headers that every request of this UI carries. */
export function ownHeaders(method: string): Record<string, string> {
  const headers: Record<string, string> = { 'X-Requested-With': 'isolario' };
  if (line.key) headers.Authorization = `Window ${line.key}`;
  else if (line.csrfToken && method !== 'GET' && method !== 'HEAD') headers['X-CSRF-Token'] = line.csrfToken;
  return headers;
}

/** Sends one request; throws `Unreachable` when no answer comes. Aborts pass through. */
export async function send(request: Request): Promise<Response> {
  for (const [name, value] of Object.entries(ownHeaders(request.method))) request.headers.set(name, value);
  try {
    const response = await fetch(request, { credentials: line.key ? 'omit' : 'same-origin' });
    reachListener(true);
    return response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    reachListener(false);
    throw new Unreachable();
  }
}

/** A resource as answered, with the tag that a later change has to name. */
export interface Answer<T> {
  body: T;
  etag: string | null;
  status: number;
  headers: Headers;
}

interface Options {
  body?: unknown;
  ifMatch?: string | null;
  signal?: AbortSignal;
}

/** A request on the repository's own resources (interface, Endpoints). Throws `ApiError` and `Unreachable`. */
export async function resource<T>(method: string, path: string, options: Options = {}): Promise<Answer<T>> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  if (options.ifMatch) headers['If-Match'] = options.ifMatch;
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  const response = await send(
    new Request(`${line.baseUrl}${path}`, { method, headers, body, signal: options.signal }),
  );
  if (!response.ok) throw await errorFrom(response);
  const text = response.status === 204 ? '' : await response.text();
  return {
    body: (text ? JSON.parse(text) : null) as T,
    etag: response.headers.get('ETag'),
    status: response.status,
    headers: response.headers,
  };
}

/** The typed client of `/api/v1`; made anew when the address of the server is known. */
export function api() {
  return createClient<paths>({
    baseUrl: line.baseUrl,
    fetch: send,
    querySerializer: { array: { style: 'form', explode: false } },
  });
}

/** The data of a typed answer, or the error that it stands for. */
export async function data<T>(
  pending: Promise<{ data?: T; response: Response; error?: unknown }>,
): Promise<T> {
  const { data: body, response, error } = await pending;
  if (response.ok && body !== undefined) return body;
  const sentence = error && typeof error === 'object' && 'message' in error ? String(error.message) : '';
  throw new ApiError(response.status, sentence || `${response.status} ${response.statusText}`);
}
