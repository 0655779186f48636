/** One line of a 422 answer: which field, which of its values, and the server's own words. */
export interface Violation {
  field: string;
  /** Position of the value in the field, or null when the line is about the whole field. */
  index: number | null;
  property: string | null;
  text: string;
}

/** An answer of the server that is not a success. `message` is the server's sentence, unchanged. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Seconds to wait, from Retry-After. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  get violations(): Violation[] {
    return this.status === 422 ? parseViolations(this.message) : [];
  }
}

/** No answer came at all: the server is not running, or the network is gone. */
export class Unreachable extends Error {
  constructor() {
    super('unreachable');
    this.name = 'Unreachable';
  }
}

const HEAD = /^Unprocessable Entity: [^\n]*validation failed\.\n/;
const LINE = /^([a-z_][a-z0-9_]*)(?:\.(\d+))?(?:\.([a-z_]+))?: (.+)$/s;

/** The lines of a validation message (`path: text`, path like `title` or `field_model.0.target_id`). */
export function parseViolations(message: string): Violation[] {
  if (!HEAD.test(message)) return [];
  return message
    .replace(HEAD, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseLine);
}

function parseLine(line: string): Violation {
  const match = LINE.exec(line);
  if (!match) return { field: '', index: null, property: null, text: line };
  const [, field = '', index, property, text = ''] = match;
  return { field, index: index === undefined ? null : Number(index), property: property ?? null, text };
}

/** The error that an answer stands for; reads its JSON message when there is one. */
export async function errorFrom(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  return new ApiError(response.status, messageIn(text, response), retryAfter(response));
}

/** The `message` of a JSON error body, else the body or the status line. */
export function messageIn(text: string, response: { status: number; statusText: string }): string {
  try {
    const body: unknown = JSON.parse(text);
    if (body && typeof body === 'object' && 'message' in body && typeof body.message === 'string') {
      return body.message;
    }
  } catch {
    // Not JSON: a proxy's page, or an empty body.
  }
  return `${response.status} ${response.statusText}`.trim();
}

function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('Retry-After'));
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
