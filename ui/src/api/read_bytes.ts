import { send } from './client';
import { toApiError } from './errors';

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
