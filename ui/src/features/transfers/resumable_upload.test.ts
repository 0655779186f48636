import { expect, it } from 'vitest';
import { ServerUnreachable } from '../../api/errors';
import type { UploadResponse, UploadRequest } from '../../api/exchange';
import { abortUpload, uploadInChunks, type UploadHandle } from './resumable_upload';

const PART = 16 * 1024 * 1024;
const SIZE = 3 * PART + 5;

/** A server that keeps count of bytes, behind a line that can break. */
class Server {
  received = 0;
  complete = false;
  known = true;
  seen: string[] = [];
  pauses: number[] = [];
  /** What happens to the next requests of a method, instead of an answer. */
  faults: { method: string; serverOffset: number; status?: number }[] = [];

  send = async (order: UploadRequest): Promise<UploadResponse> => {
    if (order.signal.aborted) throw new DOMException('cancelled', 'AbortError');
    const { method, headers } = order;
    this.seen.push(`${method} ${headers['Upload-Offset'] ?? ''}${headers['Upload-Complete'] ?? ''}`);
    const fault = this.faults.find((one) => one.method === method);
    if (fault) {
      this.faults.splice(this.faults.indexOf(fault), 1);
      this.received += fault.serverOffset;
      if (fault.status === undefined) throw new ServerUnreachable();
      return answer(fault.status);
    }
    if (method === 'PUT') {
      this.known = true;
      return answer(201, { Location: 'http://localhost:8460/api/v1/uploads/a' });
    }
    if (!this.known) return answer(404);
    if (method === 'PATCH') return this.append(order);
    return answer(204, {
      'Upload-Offset': `${this.received}`,
      'Upload-Complete': this.complete ? '?1' : '?0',
    });
  };

  private append({ headers, body }: UploadRequest): UploadResponse {
    if (this.complete) return answer(201, { 'Upload-Complete': '?1' });
    if (Number(headers['Upload-Offset']) !== this.received) return answer(409);
    this.received += body?.size ?? 0;
    if (headers['Upload-Complete'] === '?0') return answer(204, { 'Upload-Complete': '?0' });
    this.complete = true;
    return answer(201, { 'Upload-Complete': '?1' });
  }

  upload(handle: UploadHandle = { path: null }, signal = new AbortController().signal) {
    const file = {
      size: SIZE,
      slice: (from: number, to: number) => ({ size: to - from }),
    } as unknown as Blob;
    const progress: number[] = [];
    const done = uploadInChunks(
      {
        file,
        path: '/node/1/media/file/2',
        headers: {},
        handle,
        signal,
        onProgress: (sent) => progress.push(sent),
      },
      { send: this.send, pause: async (milliseconds) => void this.pauses.push(milliseconds) },
    );
    return { done, progress };
  }
}

function answer(status: number, headers: Record<string, string> = {}): UploadResponse {
  const text = status >= 400 ? JSON.stringify({ message: `refused ${status}`, code: 'forbidden' }) : '';
  return { status, statusText: '', text, header: (name) => headers[name] ?? null };
}

it('sends a file part by part', async () => {
  const server = new Server();
  const { done, progress } = server.upload();
  expect(await done).toMatchObject({ status: 201 });
  expect(server.received).toBe(SIZE);
  expect(server.seen).toEqual([
    'PUT ?0',
    'PATCH 0?0',
    `PATCH ${PART}?0`,
    `PATCH ${2 * PART}?0`,
    `PATCH ${3 * PART}?1`,
  ]);
  expect(progress).toEqual([0, PART, 2 * PART, 3 * PART]);
});

it('goes on from where the server is when the connection broke', async () => {
  const server = new Server();
  server.faults = [
    { method: 'PATCH', serverOffset: 1000 },
    { method: 'HEAD', serverOffset: 0 },
    { method: 'HEAD', serverOffset: 0, status: 503 },
  ];
  expect(await server.upload().done).toMatchObject({ status: 201 });
  expect(server.received).toBe(SIZE);
  expect(server.seen.slice(1, 6)).toEqual(['PATCH 0?0', 'HEAD ', 'HEAD ', 'HEAD ', 'PATCH 1000?0']);
  expect(server.pauses).toEqual([500, 1000]);
});

it('hears the last answer when it was lost', async () => {
  const server = new Server();
  server.received = SIZE;
  server.complete = true;
  expect(await server.upload({ path: '/api/v1/uploads/a' }).done).toMatchObject({ status: 201 });
  expect(server.seen).toEqual(['HEAD ', `PATCH ${SIZE}?1`]);
});

it('gives in after a while, and a retry goes on', async () => {
  const server = new Server();
  const handle: UploadHandle = { path: null };
  server.faults = [
    { method: 'PATCH', serverOffset: 7 },
    ...Array.from({ length: 9 }, () => ({ method: 'HEAD', serverOffset: 0 })),
  ];
  await expect(server.upload(handle).done).rejects.toBeInstanceOf(ServerUnreachable);
  expect(handle.path).toBe('/api/v1/uploads/a');
  server.faults = [];
  server.seen = [];
  expect(await server.upload(handle).done).toMatchObject({ status: 201 });
  expect(server.seen.slice(0, 2)).toEqual(['HEAD ', 'PATCH 7?0']);
});

it('begins anew where the upload has expired', async () => {
  const server = new Server();
  server.known = false;
  expect(await server.upload({ path: '/api/v1/uploads/old' }).done).toMatchObject({ status: 201 });
  expect(server.seen.slice(0, 3)).toEqual(['HEAD ', 'PUT ?0', 'PATCH 0?0']);
});

it('says what the server refused', async () => {
  const server = new Server();
  server.faults = [{ method: 'PUT', serverOffset: 0, status: 403 }];
  await expect(server.upload().done).rejects.toThrow('refused 403');
  server.faults = [{ method: 'PATCH', serverOffset: 0, status: 413 }];
  await expect(server.upload().done).rejects.toThrow('refused 413');
});

it('goes on where it was ended, unless the server is told to forget it', async () => {
  const server = new Server();
  const controller = new AbortController();
  const handle = { path: '/api/v1/uploads/a' };
  const { done } = server.upload(handle, controller.signal);
  controller.abort();
  await expect(done).rejects.toThrow('cancelled');
  expect(handle.path).toBe('/api/v1/uploads/a');
  await abortUpload(handle, server);
  expect(server.seen.at(-1)).toBe('DELETE ');
  expect(handle.path).toBeNull();
});
