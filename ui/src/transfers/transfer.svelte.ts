import type { Becoming } from '../media_types/registry';
import type { DroppedFile } from './dropped';
import type { Step } from '../undo/change';
import type { Begun } from './parts';

export type TransferState =
  | 'waiting'
  /** Goes on when somebody says so. */
  | 'paused'
  | 'preparing'
  | 'sending'
  | 'finishing'
  | 'done'
  | 'failed'
  | 'cancelled'
  /** The page was closed before the file arrived; only its empty item is left. */
  | 'lost';

/** What becomes of a file when it has arrived. */
export type Goal =
  | {
      kind: 'item';
      title: string;
      model: number;
      /** Left to the server where the person may not decide it. */
      status: boolean | undefined;
      /** The collection it goes into; asked for late, since a folder's collection is made first. */
      collection: () => Promise<number | null>;
    }
  | { kind: 'media'; nid: number; itemTitle: string; replaces: Replaced | null };

export interface Replaced {
  mid: number;
  name: string;
  /** The copy that was worked on, where the new bytes were made from those that are there. */
  copy?: {
    id: string;
    /** Of the media as it was when the copy was made; null once somebody decided against that state. */
    etag: string | null;
    /** Told when its bytes have arrived, with the state of the media that they made; null where it is not known. */
    taken: (state: number | null) => Promise<void>;
  };
}

/** How transfers stand to whoever looks at all of them. */
export type Standing = 'need' | 'running' | 'waiting' | 'paused' | 'over';

/** Milliseconds over which a rate is measured. */
const WINDOW = 4000;

const STANDINGS: Record<TransferState, Standing> = {
  waiting: 'waiting',
  paused: 'paused',
  preparing: 'running',
  sending: 'running',
  finishing: 'running',
  done: 'over',
  cancelled: 'over',
  failed: 'need',
  lost: 'need',
};

/** One file on its way, as the tray shows it. */
export class Transfer {
  state: TransferState = $state('waiting');
  /** Bytes. */
  sent = $state(0);
  message: string | null = $state(null);
  /** The item that was made for the file, or that it goes to. */
  nid: number | null = $state(null);
  /** Bytes per second over the last moments. */
  rate = $state(0);
  /** Ends the sending, if it has begun. */
  stopSending: (() => void) | null = null;
  /** How what it does is taken back: the item that was made for it, or the file that came to one. */
  steps: Step[] = [];
  /** The upload of a long file, which a retry goes on with. */
  readonly begun: Begun = { path: null };
  #samples: [number, number][] = [];

  constructor(
    readonly id: string,
    readonly file: DroppedFile,
    readonly goal: Goal,
    readonly becoming: Becoming,
    readonly useTid: number,
    /** What was made so far for the files that came together with it. */
    readonly made: Step[],
  ) {
    if (goal.kind === 'media') this.nid = goal.nid;
  }

  get standing(): Standing {
    return STANDINGS[this.state];
  }

  get running(): boolean {
    return this.standing === 'running';
  }

  /** Whether a person has to decide something. */
  get needsYou(): boolean {
    return this.standing === 'need';
  }

  /** Whether an earlier page was closed before its turn came, so that nothing is left of it. */
  get neverSent(): boolean {
    return this.state === 'lost' && this.nid === null;
  }

  get over(): boolean {
    return this.standing === 'over';
  }

  get title(): string {
    return this.goal.kind === 'item' ? this.goal.title : this.goal.itemTitle;
  }

  progress(sent: number, total: number, now: number): void {
    this.sent = Math.min(sent, this.file.size);
    if (sent >= total && this.state === 'sending') this.state = 'finishing';
    // The connection broke, and not everything had arrived.
    if (sent < total && this.state === 'finishing') this.state = 'sending';
    this.#samples = [...this.#samples.filter(([at]) => now - at < WINDOW), [now, sent]];
    const [first] = this.#samples;
    const span = first ? now - first[0] : 0;
    if (first && span > 200) this.rate = ((sent - first[1]) / span) * 1000;
  }

  begin(): void {
    // What has arrived of a long file stays.
    if (this.begun.path === null) this.sent = 0;
    this.rate = 0;
    this.message = null;
    this.#samples = [];
  }
}
