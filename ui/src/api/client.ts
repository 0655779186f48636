import createClient from 'openapi-fetch';
import { errorOf, failedResponse, toApiError, ServerUnreachable } from './errors';
import type { paths } from './schema';

/** The server's address and the credentials: the window's key, or the browser's cookie and CSRF token. */
interface ServerConnection {
  baseUrl: string;
  key: string | null;
  csrfToken: string | null;
}

const connection: ServerConnection = { baseUrl: '', key: null, csrfToken: null };

/** Called with false when a request gets no response, and with true when one does. */
type ReachabilityListener = (reached: boolean) => void;
let reachabilityListener: ReachabilityListener = () => {};

export function connect(baseUrl: string, key: string | null): void {
  connection.baseUrl = baseUrl.replace(/\/$/, '');
  connection.key = key;
}

export function setCsrfToken(token: string | null): void {
  connection.csrfToken = token;
}

export function onReachabilityChange(listener: ReachabilityListener): void {
  reachabilityListener = listener;
}

/** The absolute address of a path on the server, for copying and for links. */
export function absoluteUrl(path: string): string {
  return `${connection.baseUrl || location.origin}${path}`;
}

/** Headers that every request carries. */
export function authHeaders(method: string): Record<string, string> {
  const headers: Record<string, string> = { 'X-Requested-With': 'isolario' };
  if (connection.key) headers.Authorization = `Window ${connection.key}`;
  else if (connection.csrfToken && method !== 'GET' && method !== 'HEAD')
    headers['X-CSRF-Token'] = connection.csrfToken;
  return headers;
}

/** Sends a request. Throws `ServerUnreachable` when no response arrives; an abort is thrown as it is. */
export async function send(request: Request): Promise<Response> {
  for (const [name, value] of Object.entries(authHeaders(request.method))) request.headers.set(name, value);
  try {
    const response = await fetch(request, { credentials: connection.key ? 'omit' : 'same-origin' });
    reachabilityListener(true);
    return response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    reachabilityListener(false);
    throw new ServerUnreachable();
  }
}

/** A response with its ETag, which a later change has to name. */
export interface ResourceResponse<T> {
  body: T;
  etag: string | null;
  status: number;
  headers: Headers;
}

interface RequestOptions {
  body?: unknown;
  ifMatch?: string | null;
  signal?: AbortSignal;
}

/** Requests a resource of the REST interface. Throws `ApiError` and `ServerUnreachable`. */
export async function requestResource<T>(
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<ResourceResponse<T>> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  if (options.ifMatch) headers['If-Match'] = options.ifMatch;
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  const response = await send(
    new Request(`${connection.baseUrl}${path}`, { method, headers, body, signal: options.signal }),
  );
  if (!response.ok) throw await toApiError(response);
  const text = response.status === 204 ? '' : await response.text();
  return {
    body: (text ? JSON.parse(text) : null) as T,
    etag: response.headers.get('ETag'),
    status: response.status,
    headers: response.headers,
  };
}

/** The typed client of `/api/v1`. It is created per call, because the server's address may change. */
export function apiClient() {
  return createClient<paths>({
    baseUrl: connection.baseUrl,
    fetch: send,
    querySerializer: { array: { style: 'form', explode: true } },
  });
}

/** Returns the data of a typed response, or throws the error that it stands for. */
export async function unwrap<T>(
  pending: Promise<{ data?: T; response: Response; error?: unknown }>,
): Promise<T> {
  const { data: body, response, error } = await pending;
  if (response.ok && body !== undefined) return body;
  throw errorOf(error, failedResponse(response));
}

/** Waits for an answer without a body, or throws the error that it stands for. */
export async function expectSuccess(
  pending: Promise<{ response: Response; error?: unknown }>,
): Promise<void> {
  const { response, error } = await pending;
  if (!response.ok) throw errorOf(error, failedResponse(response));
}
