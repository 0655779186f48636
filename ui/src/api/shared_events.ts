import { readEventStream } from './events';
import type { BatchNews, Change } from './types';

/** The lock of the page that reads the event stream, and the channel on which it tells the other pages. */
const NAME = 'isolario-events';
const FIRST_DELAY = 500;
const MAX_DELAY = 15_000;

/** What pages of a browser tell each other. `last` is the newest event that they know. */
type PageMessage =
  | { type: 'join' }
  | { type: 'state'; open: boolean; last: number | null }
  | { type: 'change'; change: Change }
  | { type: 'batch'; news: BatchNews }
  | { type: 'model' }
  | { type: 'presence' };

/**
 * Hears changes until `signal` is aborted. A browser opens at most six connections to a server, so one page of it reads
 * the event stream and tells the others. When that page goes, another goes on after the last event.
 */
export function listenForChanges(
  signal: AbortSignal,
  onChange: (change: Change) => void,
  onBatch: (news: BatchNews) => void,
  onModel: () => void,
  onPresence: () => void,
  onConnection: (open: boolean) => void,
): void {
  const listener = new SharedListener(onChange, onBatch, onModel, onPresence, onConnection);
  const listens = { signal };
  // A page that was left may be kept and shown again; a frozen one reads nothing.
  addEventListener('pagehide', () => listener.stop(), listens);
  addEventListener('pageshow', () => listener.start(), listens);
  document.addEventListener('freeze', () => listener.stop(), listens);
  document.addEventListener('resume', () => listener.start(), listens);
  // Without locks, as over plain HTTP on a network, only the page that is looked at listens.
  if (!navigator.locks) {
    const follow = () => (document.hidden ? listener.stop() : listener.start());
    document.addEventListener('visibilitychange', follow, listens);
  }
  signal.addEventListener('abort', () => listener.stop(), { once: true });
  listener.start();
}

class SharedListener {
  /** Set while this page listens. */
  #listening: AbortController | null = null;
  #channel: BroadcastChannel | null = null;
  /** Whether this page reads an open stream. */
  #isReading = false;
  #last: number | null = null;

  constructor(
    readonly onChange: (change: Change) => void,
    readonly onBatch: (news: BatchNews) => void,
    readonly onModel: () => void,
    readonly onPresence: () => void,
    readonly onConnection: (open: boolean) => void,
  ) {}

  start(): void {
    if (this.#listening || (!navigator.locks && document.hidden)) return;
    this.#listening = new AbortController();
    if (navigator.locks) {
      this.#channel = new BroadcastChannel(NAME);
      this.#channel.onmessage = ({ data }) => this.take(data as PageMessage);
      this.#channel.postMessage({ type: 'join' } satisfies PageMessage);
    }
    void this.read(this.#listening.signal);
  }

  stop(): void {
    if (!this.#listening) return;
    this.#listening.abort();
    this.#channel?.close();
    [this.#listening, this.#channel, this.#isReading] = [null, null, false];
    this.onConnection(false);
  }

  /** Reads the stream whenever no other page does. Every attempt is another page's turn. */
  private async read(signal: AbortSignal): Promise<void> {
    let delay = FIRST_DELAY;
    const attempt = () =>
      readEventStream(
        signal,
        this.#last,
        (last) => {
          [delay, this.#isReading] = [FIRST_DELAY, true];
          this.tell({ type: 'state', open: true, last });
        },
        (change) => this.tell({ type: 'change', change }),
        (news) => this.tell({ type: 'batch', news }),
        () => this.tell({ type: 'model' }),
        () => this.tell({ type: 'presence' }),
      );
    while (!signal.aborted) {
      try {
        await (navigator.locks ? navigator.locks.request(NAME, { signal }, attempt) : attempt());
      } catch {
        // The connection ended or was refused: the pages are told below, and it is retried.
      }
      if (signal.aborted) return;
      this.#isReading = false;
      this.tell({ type: 'state', open: false, last: this.#last });
      await sleep(delay, signal);
      delay = Math.min(delay * 2, MAX_DELAY);
    }
  }

  private tell(message: PageMessage): void {
    this.#channel?.postMessage(message);
    this.take(message);
  }

  private take(message: PageMessage): void {
    if (message.type === 'join') {
      if (this.#isReading) this.tell({ type: 'state', open: true, last: this.#last });
    } else if (message.type === 'state') {
      this.#last = message.last ?? this.#last;
      this.onConnection(message.open);
    } else if (message.type === 'batch') {
      this.onBatch(message.news);
    } else if (message.type === 'model') {
      this.onModel();
    } else if (message.type === 'presence') {
      this.onPresence();
    } else {
      this.#last = message.change.id;
      this.onChange(message.change);
    }
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
