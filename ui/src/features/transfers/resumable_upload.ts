/** Uploads long files in chunks, and resumes after a lost connection (docs/UPLOADS.md). */
import { errorOfText, ServerUnreachable } from '../../api/errors';
import type { UploadResponse, UploadRequest } from '../../api/exchange';

/** Bytes; longer files are uploaded in chunks. */
export const RESUMABLE_THRESHOLD = 64 * 1024 * 1024;
/** Bytes per chunk. The server has stored a chunk when it answers. */
const CHUNK_SIZE = 16 * 1024 * 1024;
/** Delays in milliseconds before each retry. */
const RETRY_DELAYS = [500, 1000, 2000, 4000, 8000, 15000, 30000];

/** The handle of an upload, kept after a failure so that a retry resumes it. */
export interface UploadHandle {
  /** Path of the upload resource; null before it is created. */
  path: string | null;
}

/** A file and its upload target. */
export interface ResumableUpload {
  file: Blob;
  /** Path of the upload endpoint. */
  path: string;
  /** Headers of the upload, as for one that is not chunked. */
  headers: Record<string, string>;
  handle: UploadHandle;
  signal: AbortSignal;
  onProgress: (sent: number, total: number) => void;
}

/** How requests are sent, replaceable in tests. */
export interface UploadTransport {
  send: (order: UploadRequest) => Promise<UploadResponse>;
  pause: (milliseconds: number) => Promise<void>;
}

/**
 * Resolves with the final response; rejects as an upload in one request does. An aborted upload can be
 * resumed.
 */
export async function uploadInChunks(
  parts: ResumableUpload,
  means: UploadTransport,
): Promise<UploadResponse> {
  const answer = await new ChunkedUpload(parts, means).send();
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw errorOfText(answer.text, answer);
}

class ChunkedUpload {
  #failures = 0;

  constructor(
    readonly upload: ResumableUpload,
    readonly transport: UploadTransport,
  ) {}

  async send(): Promise<UploadResponse> {
    const { file, handle } = this.upload;
    // An upload that an earlier attempt created may have expired.
    let offset = handle.path ? await this.readOffset() : null;
    if (offset === null) offset = await this.create();
    for (;;) {
      const answer = await this.append(offset).catch(this.ignoreUnreachable);
      if (answer?.header('Upload-Complete') === '?1') return answer;
      if (answer && answer.status < 300) {
        this.#failures = 0;
        offset = Math.min(offset + CHUNK_SIZE, file.size);
        continue;
      }
      if (answer && answer.status < 500 && answer.status !== 409) throw errorOfText(answer.text, answer);
      const serverOffset = await this.readOffset();
      if (serverOffset === null) throw answer ? errorOfText(answer.text, answer) : new ServerUnreachable();
      offset = serverOffset;
    }
  }

  /** Creates the upload resource without any bytes. */
  private async create(): Promise<number> {
    const { path, headers, file, handle, signal } = this.upload;
    const said = { ...headers, 'Upload-Complete': '?0', 'Upload-Length': String(file.size) };
    const answer = await this.transport.send({ method: 'PUT', path, headers: said, signal });
    const location = answer.header('Location');
    if (answer.status !== 201 || !location) throw errorOfText(answer.text, answer);
    handle.path = new URL(location, 'http://localhost').pathname;
    return 0;
  }

  private append(readOffset: number): Promise<UploadResponse> {
    const { file, handle, signal, onProgress } = this.upload;
    const end = Math.min(readOffset + CHUNK_SIZE, file.size);
    onProgress(readOffset, file.size);
    return this.transport.send({
      method: 'PATCH',
      path: handle.path ?? '',
      headers: {
        'Content-Type': 'application/partial-upload',
        'Upload-Offset': String(readOffset),
        'Upload-Complete': end === file.size ? '?1' : '?0',
      },
      body: file.slice(readOffset, end),
      onSent: (sent) => onProgress(Math.min(readOffset + sent, file.size), file.size),
      signal,
    });
  }

  /**
   * Reads how many bytes the server has, retrying until it answers; null when the upload no longer exists.
   */
  private async readOffset(): Promise<number | null> {
    const { handle, signal } = this.upload;
    for (;;) {
      if (this.#failures > 0) await this.pause();
      const request = { method: 'HEAD' as const, path: handle.path ?? '', headers: {}, signal };
      const answer = await this.transport.send(request).catch(this.ignoreUnreachable);
      const offset = Number(answer?.header('Upload-Offset') ?? NaN);
      if (answer?.status === 204 && Number.isSafeInteger(offset)) {
        this.#failures += 1;
        return offset;
      }
      if (answer?.status === 404) {
        handle.path = null;
        return null;
      }
      if (answer && answer.status < 500) throw errorOfText(answer.text, answer);
      this.#failures += 1;
    }
  }

  private async pause(): Promise<void> {
    const milliseconds = RETRY_DELAYS[this.#failures - 1];
    if (milliseconds === undefined) throw new ServerUnreachable();
    await this.transport.pause(milliseconds);
  }

  /** A request without a response is retried, until `RETRY_DELAYS` is exhausted. */
  private readonly ignoreUnreachable = (error: unknown): null => {
    if (error instanceof ServerUnreachable) return null;
    throw error;
  };
}

/** Deletes the upload resource of an upload that will not be resumed. */
export async function abortUpload(
  handle: UploadHandle,
  { send }: Pick<UploadTransport, 'send'>,
): Promise<void> {
  const { path } = handle;
  handle.path = null;
  if (!path) return;
  const { signal } = new AbortController();
  await send({ method: 'DELETE', path, headers: {}, signal }).catch(() => null);
}
