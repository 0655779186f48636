import { absoluteUrl, authHeaders } from './client';
import type { BatchNews, Change } from './types';

/** Parses server-sent events in a text; returns the incomplete rest. */
export function parseEvents(buffer: string, onEvent: (event: string, data: string) => void): string {
  const blocks = buffer.replace(/\r\n/g, '\n').split('\n\n');
  const rest = blocks.pop() ?? '';
  for (const block of blocks) emitEvent(block, onEvent);
  return rest;
}

function emitEvent(block: string, onEvent: (event: string, data: string) => void): void {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) event = line.slice(6).trim();
    else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
  }
  if (data.length > 0) onEvent(event, data.join('\n'));
}

/** Listens for changes until `signal` is aborted. Reconnects and resumes after the last event. */
export async function listenForChanges(
  signal: AbortSignal,
  onChange: (change: Change) => void,
  onBatch: (news: BatchNews) => void,
  onConnection: (open: boolean) => void,
): Promise<void> {
  let lastId: number | null = null;
  let retryDelay = 500;
  while (!signal.aborted) {
    try {
      await readStream(
        signal,
        lastId,
        (change) => {
          lastId = change.id;
          onChange(change);
        },
        onBatch,
        () => {
          retryDelay = 500;
          onConnection(true);
        },
      );
    } catch {
      // The connection ended or was refused: `onConnection` reports it, and it is retried below.
    }
    if (signal.aborted) return;
    onConnection(false);
    await sleep(retryDelay, signal);
    retryDelay = Math.min(retryDelay * 2, 15_000);
  }
}

/** Reads one connection. EventSource cannot send the window's key, so `fetch` is used. */
async function readStream(
  signal: AbortSignal,
  after: number | null,
  onChange: (change: Change) => void,
  onBatch: (news: BatchNews) => void,
  onOpen: () => void,
): Promise<void> {
  const query = after === null ? '' : `?after=${after}`;
  const headers = { ...authHeaders('GET'), Accept: 'text/event-stream' };
  const response = await fetch(absoluteUrl(`/api/v1/events${query}`), { headers, signal, cache: 'no-store' });
  if (!response.ok || !response.body) throw new Error(String(response.status));
  onOpen();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    buffer = parseEvents(buffer + value, (event, data) => {
      if (event === 'change') onChange(JSON.parse(data) as Change);
      else if (event === 'batch') onBatch(JSON.parse(data) as BatchNews);
    });
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
