/** Long files go in parts, and go on where they were when a connection broke (docs/UPLOADS.md). */
import { ApiError, messageIn, Unreachable } from '../api/errors';
import type { Answer, Exchange } from '../api/exchange';

/** Files longer than this go in parts. Bytes. */
export const LONG = 64 * 1024 * 1024;
/** One part; each is on the server's disk when it is answered. Bytes. */
const PART = 16 * 1024 * 1024;
/** Pauses before asking again, while nothing comes through. Milliseconds. */
const PAUSES = [500, 1000, 2000, 4000, 8000, 15000, 30000];

/** An upload that has begun, remembered beyond a failure so that a retry goes on with it. */
export interface Begun {
  /** Path of the upload; null before it has begun. */
  path: string | null;
}

/** A file and where it is meant for. */
export interface Parts {
  file: Blob;
  /** Path of the upload address. */
  path: string;
  /** Those of an upload that comes at once. */
  headers: Record<string, string>;
  begun: Begun;
  signal: AbortSignal;
  onProgress: (sent: number, total: number) => void;
}

/** What the sending needs of the world. */
export interface Means {
  exchange: (order: Exchange) => Promise<Answer>;
  pause: (milliseconds: number) => Promise<void>;
}

/** Resolves with the answer to the whole upload; rejects as an upload at once would. One that was ended may go on later. */
export async function sendInParts(parts: Parts, means: Means): Promise<Answer> {
  const answer = await new SendingParts(parts, means).send();
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw refused(answer);
}

class SendingParts {
  #failures = 0;

  constructor(
    readonly parts: Parts,
    readonly means: Means,
  ) {}

  async send(): Promise<Answer> {
    const { file, begun } = this.parts;
    // What an earlier try has begun may have expired meanwhile.
    let offset = begun.path ? await this.offset() : null;
    if (offset === null) offset = await this.begin();
    for (;;) {
      const answer = await this.append(offset).catch(this.unreachable);
      if (answer?.header('Upload-Complete') === '?1') return answer;
      if (answer && answer.status < 300) {
        this.#failures = 0;
        offset = Math.min(offset + PART, file.size);
        continue;
      }
      if (answer && answer.status < 500 && answer.status !== 409) throw refused(answer);
      const kept = await this.offset();
      if (kept === null) throw answer ? refused(answer) : new Unreachable();
      offset = kept;
    }
  }

  /** Begins the upload. Nothing is sent yet. */
  private async begin(): Promise<number> {
    const { path, headers, file, begun, signal } = this.parts;
    const said = { ...headers, 'Upload-Complete': '?0', 'Upload-Length': String(file.size) };
    const answer = await this.means.exchange({ method: 'PUT', path, headers: said, signal });
    const location = answer.header('Location');
    if (answer.status !== 201 || !location) throw refused(answer);
    begun.path = new URL(location, 'http://localhost').pathname;
    return 0;
  }

  private append(offset: number): Promise<Answer> {
    const { file, begun, signal, onProgress } = this.parts;
    const end = Math.min(offset + PART, file.size);
    onProgress(offset, file.size);
    return this.means.exchange({
      method: 'PATCH',
      path: begun.path ?? '',
      headers: {
        'Content-Type': 'application/partial-upload',
        'Upload-Offset': String(offset),
        'Upload-Complete': end === file.size ? '?1' : '?0',
      },
      body: file.slice(offset, end),
      onSent: (sent) => onProgress(Math.min(offset + sent, file.size), file.size),
      signal,
    });
  }

  /** How much the server has, asked until it answers; null when it knows the upload no more. */
  private async offset(): Promise<number | null> {
    const { begun, signal } = this.parts;
    for (;;) {
      if (this.#failures > 0) await this.pause();
      const request = { method: 'HEAD' as const, path: begun.path ?? '', headers: {}, signal };
      const answer = await this.means.exchange(request).catch(this.unreachable);
      const offset = Number(answer?.header('Upload-Offset') ?? NaN);
      if (answer?.status === 204 && Number.isSafeInteger(offset)) {
        this.#failures += 1;
        return offset;
      }
      if (answer?.status === 404) {
        begun.path = null;
        return null;
      }
      if (answer && answer.status < 500) throw refused(answer);
      this.#failures += 1;
    }
  }

  private async pause(): Promise<void> {
    const milliseconds = PAUSES[this.#failures - 1];
    if (milliseconds === undefined) throw new Unreachable();
    await this.means.pause(milliseconds);
  }

  /** No answer is a reason to ask again, until that has been in vain too often. */
  private readonly unreachable = (error: unknown): null => {
    if (error instanceof Unreachable) return null;
    throw error;
  };
}

/** Lets the server forget an upload that nobody will go on with. */
export async function abandon(begun: Begun, { exchange }: Pick<Means, 'exchange'>): Promise<void> {
  const { path } = begun;
  begun.path = null;
  if (!path) return;
  const { signal } = new AbortController();
  await exchange({ method: 'DELETE', path, headers: {}, signal }).catch(() => null);
}

function refused(answer: Answer): ApiError {
  return new ApiError(answer.status, messageIn(answer.text, answer));
}
