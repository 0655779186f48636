import type { FileClassification } from '../../media_display/file_kinds';
import type { DroppedFile } from './dropped_files';
import type { Step } from '../../state/undo_stack';
import type { MemberSeries } from './member_series';
import type { UploadHandle } from './resumable_upload';

export type TransferState =
  | 'waiting'
  /** Until the user resumes it. */
  | 'paused'
  | 'preparing'
  | 'sending'
  | 'finishing'
  | 'done'
  | 'failed'
  | 'cancelled'
  /** The page was closed before the upload ended; only the empty item exists. */
  | 'lost';

/** What an upload makes: a new item, or a media of an existing one. */
export type TransferGoal =
  | {
      kind: 'item';
      title: string;
      model: number;
      /** Undefined where the user may not publish: the server decides. */
      status: boolean | undefined;
      /** Answers the collection of the item. It is called late, since a new collection is created first. */
      collection: () => Promise<number | null>;
      /** Its place among the new members of the collection; absent: none. */
      place?: { series: MemberSeries; index: number };
      /** The number of pages of the file, each of which becomes an item; null: it stays one. */
      pages?: number | null;
    }
  | { kind: 'media'; nid: number; itemTitle: string; replaces: Replacement | null };

export interface Replacement {
  mid: number;
  name: string;
  /** The working copy that the file comes from. */
  workingCopy?: {
    id: string;
    /** ETag of the media when the copy was made; null once the user decided to overwrite later changes. */
    etag: string | null;
    /** Called after the upload with the revision that it made; null where that is unknown. */
    taken: (state: number | null) => Promise<void>;
  };
}

/** Groups of transfers in the summary. */
export type TransferGroup = 'need' | 'running' | 'waiting' | 'paused' | 'over';

/** Milliseconds over which a rate is measured. */
const RATE_WINDOW = 4000;

const GROUP_BY_STATE: Record<TransferState, TransferGroup> = {
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

/** One upload, as the panel of transfers displays it. */
export class Transfer {
  state: TransferState = $state('waiting');
  /** Bytes. */
  sent = $state(0);
  message: string | null = $state(null);
  /** The item that was created for the file, or that it is added to. */
  nid: number | null = $state(null);
  /** Bytes per second over the last moments. */
  rate = $state(0);
  /** Cancels the request, if one is in progress. */
  stopSending: (() => void) | null = null;
  /** Undo steps of this upload: the new item, or the added file. */
  steps: Step[] = [];
  /** Handle of a resumable upload, for a retry. */
  readonly uploadHandle: UploadHandle = { path: null };
  #samples: [number, number][] = [];

  constructor(
    readonly id: string,
    readonly file: DroppedFile,
    readonly goal: TransferGoal,
    readonly classification: FileClassification,
    readonly useTid: number,
    /** Undo steps of all uploads of the same batch. */
    readonly batchSteps: Step[],
  ) {
    if (goal.kind === 'media') this.nid = goal.nid;
  }

  get group(): TransferGroup {
    return GROUP_BY_STATE[this.state];
  }

  get running(): boolean {
    return this.group === 'running';
  }

  /** Whether the user has to decide something. */
  get needsAttention(): boolean {
    return this.group === 'need';
  }

  /** Whether the page was closed before anything of it was sent. */
  get neverSent(): boolean {
    return this.state === 'lost' && this.nid === null;
  }

  get finished(): boolean {
    return this.group === 'over';
  }

  get title(): string {
    return this.goal.kind === 'item' ? this.goal.title : this.goal.itemTitle;
  }

  updateProgress(sent: number, total: number, now: number): void {
    this.sent = Math.min(sent, this.file.size);
    if (sent >= total && this.state === 'sending') this.state = 'finishing';
    // The connection was lost before all bytes had arrived.
    if (sent < total && this.state === 'finishing') this.state = 'sending';
    this.#samples = [...this.#samples.filter(([at]) => now - at < RATE_WINDOW), [now, sent]];
    const [first] = this.#samples;
    const span = first ? now - first[0] : 0;
    if (first && span > 200) this.rate = ((sent - first[1]) / span) * 1000;
  }

  reset(): void {
    // The sent bytes of a resumable upload stay.
    if (this.uploadHandle.path === null) this.sent = 0;
    this.rate = 0;
    this.message = null;
    this.#samples = [];
  }
}
