import { errorText, violationText } from '../texts/refusals';
import type { components } from './schema';

/** Why the server refused a request. */
export type ErrorCode = components['schemas']['ErrorCode'];

/** A rule that the value of a field breaks. */
export type Violation = components['schemas']['Violation'];

/** A response that is no success. `message` says it in the reader's language. */
export class ApiError extends Error {
  constructor(
    /** Null when the response is not the server's, for example that of a proxy. */
    readonly code: ErrorCode | null,
    message: string,
    readonly violations: Violation[] = [],
    /** Seconds to wait, from Retry-After. */
    readonly retryAfter: number | null = null,
    /** Wrong passwords that are let pass before a pause. */
    readonly triesLeft: number | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** No response arrived: the server is not running, or the network is down. */
export class ServerUnreachable extends Error {
  constructor() {
    super('unreachable');
    this.name = 'Unreachable';
  }
}

/** Whether the server refused a request for one of these reasons. */
export function hasCode(error: unknown, ...codes: ErrorCode[]): error is ApiError {
  return error instanceof ApiError && error.code !== null && codes.includes(error.code);
}

/** The part of a response that an error is made of. */
interface FailedResponse {
  status: number;
  statusText: string;
  header: (name: string) => string | null;
}

/** Makes an error of a response. */
export async function toApiError(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  return errorOfText(text, failedResponse(response));
}

/** The parts of a response of `fetch`. */
export function failedResponse({ status, statusText, headers }: Response): FailedResponse {
  return { status, statusText, header: (name) => headers.get(name) };
}

/** Makes an error of the text of a response. */
export function errorOfText(text: string, response: FailedResponse): ApiError {
  try {
    return errorOf(JSON.parse(text), response);
  } catch {
    // Not JSON: the page of a proxy, or an empty body.
    return errorOf(null, response);
  }
}

/** Makes an error of the JSON of a response, or of the status line where the JSON is not the server's. */
export function errorOf(body: unknown, response: FailedResponse): ApiError {
  const wait = retryAfter(response.header('Retry-After'));
  if (isErrorBody(body)) {
    const { code, message, tries_left: triesLeft = null } = body;
    const violations = (body.violations ?? []).map(inWords);
    return new ApiError(code, errorText(code, message), violations, wait, triesLeft);
  }
  return new ApiError(null, `${response.status} ${response.statusText}`.trim(), [], wait);
}

/** What violations say, each sentence once: several rules may be broken in the same words. */
export const messagesOf = (violations: Violation[]): string[] => [
  ...new Set(violations.map(({ message }) => message)),
];

const inWords = (violation: Violation): Violation => ({
  ...violation,
  message: violationText(violation.code, violation.message),
});

function isErrorBody(body: unknown): body is components['schemas']['Message'] {
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    typeof body.code === 'string' &&
    'message' in body &&
    typeof body.message === 'string'
  );
}

function retryAfter(header: string | null): number | null {
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
