import { absoluteUrl, authHeaders } from './client';
import type { BatchNews, Change } from './types';

/** One message of the event stream. A message without data only says where the stream is. */
interface StreamMessage {
  event: string;
  data: string | null;
  id: number | null;
}

/** Parses server-sent events in a text; returns the incomplete rest. */
export function parseEvents(buffer: string, onMessage: (message: StreamMessage) => void): string {
  const blocks = buffer.replace(/\r\n/g, '\n').split('\n\n');
  const rest = blocks.pop() ?? '';
  for (const block of blocks) onMessage(parseMessage(block));
  return rest;
}

function parseMessage(block: string): StreamMessage {
  const message: StreamMessage = { event: 'message', data: null, id: null };
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) message.event = line.slice(6).trim();
    else if (line.startsWith('id:')) message.id = Number(line.slice(3));
    else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
  }
  if (data.length > 0) message.data = data.join('\n');
  return message;
}

/**
 * Reads the event stream until it ends or `signal` is aborted, from the event `after` on or from now on. `onOpen` is
 * told the event after which it begins. EventSource cannot send the window's key, so `fetch` is used.
 */
export async function readEventStream(
  signal: AbortSignal,
  after: number | null,
  onOpen: (after: number) => void,
  onChange: (change: Change) => void,
  onBatch: (news: BatchNews) => void,
  onModel: () => void,
  onPresence: () => void,
): Promise<void> {
  const query = after === null ? '' : `?after=${after}`;
  const headers = { ...authHeaders('GET'), Accept: 'text/event-stream' };
  const response = await fetch(absoluteUrl(`/api/v1/events${query}`), { headers, signal, cache: 'no-store' });
  if (!response.ok || !response.body) throw new Error(String(response.status));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    buffer = parseEvents(buffer + value, ({ event, data, id }) => {
      if (data === null && id !== null) onOpen(id);
      else if (data === null) return;
      else if (event === 'change') onChange(JSON.parse(data) as Change);
      else if (event === 'content_model') onModel();
      else if (event === 'presence') onPresence();
      else if (event === 'batch') onBatch(JSON.parse(data) as BatchNews);
    });
  }
}
