import type { Becoming } from '../media_types/registry';
import type { DroppedFile } from './dropped';
import type { Begun } from './parts';

export type TransferState =
  | 'waiting'
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
  | { kind: 'media'; nid: number; itemTitle: string; replaces: { mid: number; name: string } | null };

const WINDOW = 4000;

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
  cancelSending: (() => void) | null = null;
  /** The upload of a long file, which a retry goes on with. */
  readonly begun: Begun = { path: null };
  #samples: [number, number][] = [];

  constructor(
    readonly id: string,
    readonly file: DroppedFile,
    readonly goal: Goal,
    readonly becoming: Becoming,
    readonly useTid: number,
  ) {
    if (goal.kind === 'media') this.nid = goal.nid;
  }

  get running(): boolean {
    return this.state === 'preparing' || this.state === 'sending' || this.state === 'finishing';
  }

  /** Whether a person has to decide something. */
  get needsYou(): boolean {
    return this.state === 'failed' || this.state === 'lost';
  }

  get over(): boolean {
    return this.state === 'done' || this.state === 'cancelled';
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
    this.sent = 0;
    this.rate = 0;
    this.message = null;
    this.#samples = [];
  }
}
