import { send } from './client';
import { toApiError } from './errors';

/** Asks for the first byte of an address. Throws like every request. */
export async function requireBytes(url: string, signal: AbortSignal): Promise<void> {
  const response = await send(new Request(url, { signal, headers: { Range: 'bytes=0-0' } }));
  if (!response.ok) throw await toApiError(response);
  await response.body?.cancel();
}

/** Reads what an address answers with, and tells how many bytes there are so far. Throws like every request, and when it
 * breaks off. */
export async function readBytes(
  url: string,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<Blob> {
  const response = await send(new Request(url, { signal }));
  if (!response.ok || !response.body) throw await toApiError(response);
  let read = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      read += chunk.byteLength;
      onProgress(read);
      controller.enqueue(chunk);
    },
  });
  const type = response.headers.get('Content-Type') ?? '';
  return new Response(response.body.pipeThrough(counted), { headers: { 'Content-Type': type } }).blob();
}
