import { address, ownHeaders } from './client';
import type { Change } from './types';

/** Splits a stream of text into server-sent events; returns what is not yet whole. */
export function takeEvents(buffer: string, onEvent: (event: string, data: string) => void): string {
  const blocks = buffer.replace(/\r\n/g, '\n').split('\n\n');
  const rest = blocks.pop() ?? '';
  for (const block of blocks) emit(block, onEvent);
  return rest;
}

function emit(block: string, onEvent: (event: string, data: string) => void): void {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) event = line.slice(6).trim();
    else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
  }
  if (data.length > 0) onEvent(event, data.join('\n'));
}

/** Keeps listening for changes until `signal` is aborted; resumes after the last one seen. */
export async function listen(
  signal: AbortSignal,
  onChange: (change: Change) => void,
  onLine: (open: boolean) => void,
): Promise<void> {
  let last: number | null = null;
  let pause = 500;
  while (!signal.aborted) {
    try {
      await readStream(
        signal,
        last,
        (change) => {
          last = change.id;
          onChange(change);
        },
        () => {
          pause = 500;
          onLine(true);
        },
      );
    } catch {
      // Ended or refused: said by `onLine`, tried again below.
    }
    if (signal.aborted) return;
    onLine(false);
    await wait(pause, signal);
    pause = Math.min(pause * 2, 15_000);
  }
}

/** One connection; EventSource cannot send the window's key, so the stream is read by fetch. */
async function readStream(
  signal: AbortSignal,
  after: number | null,
  onChange: (change: Change) => void,
  onOpen: () => void,
): Promise<void> {
  const query = after === null ? '' : `?after=${after}`;
  const headers = { ...ownHeaders('GET'), Accept: 'text/event-stream' };
  const response = await fetch(address(`/api/v1/events${query}`), { headers, signal, cache: 'no-store' });
  if (!response.ok || !response.body) throw new Error(String(response.status));
  onOpen();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    buffer = takeEvents(buffer + value, (event, data) => {
      if (event === 'change') onChange(JSON.parse(data) as Change);
    });
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
