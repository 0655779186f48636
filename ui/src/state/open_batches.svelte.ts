import { listOpenBatches, readBatch } from '../api/batches';
import type { Batch, BatchNews } from '../api/types';
import { isOpenState, onBatch } from './live_updates';
import { repository } from './repository.svelte';
import { Throughput } from './throughput';

/** Milliseconds that the speed is measured over: rows with large files take long. */
const SPAN = 20_000;
/** Milliseconds after which a change is shown: most end before. */
const SHOW_DELAY = 1000;

/** A batch in progress, and how fast it is. */
export class OpenBatch {
  batch: Batch = $state.raw() as Batch;
  /** Rows or items per second; 0 while it is unknown. */
  rate = $state(0);
  /** Null while it is unknown. */
  secondsLeft: number | null = $state(null);
  #speed = new Throughput(SPAN);

  constructor(batch: Batch) {
    this.take(batch);
  }

  /** Takes what the server says. */
  take(batch: Batch): void {
    this.batch = batch;
    if (batch.state !== 'running') this.#speed = new Throughput(SPAN);
    const { done, all } = amountOf(batch);
    this.#speed.record(performance.now(), done, 0);
    this.rate = this.#speed.rate;
    this.secondsLeft = this.#speed.secondsLeft(all - done, 0);
  }
}

/** The batches in progress that the user may see, also those that others began or that wait since an earlier start. */
class OpenBatches {
  /** The oldest first. */
  all: OpenBatch[] = $state.raw([]);
  /** Those that have just begun. */
  readonly #begun = new Map<number, ReturnType<typeof setTimeout>>();

  /** Follows the event stream. Returns a function that stops it. */
  listen(): () => void {
    const stopEvents = onBatch((news) => this.receive(news));
    // What happened without the stream was not told.
    const stopReading = $effect.root(() => {
      $effect(() => {
        if (repository.user && repository.live) void this.read();
        else if (!repository.user) this.all = [];
      });
    });
    return () => {
      stopEvents();
      stopReading();
      for (const timer of this.#begun.values()) clearTimeout(timer);
    };
  }

  find(id: number): OpenBatch | undefined {
    return this.all.find(({ batch }) => batch.id === id);
  }

  /** Takes what the server says about a batch, and returns it. */
  take(batch: Batch): OpenBatch {
    const known = this.find(batch.id) ?? new OpenBatch(batch);
    known.take(batch);
    const others = this.all.filter((one) => one !== known);
    this.all = batch.ended ? others : [...others, known].sort((a, b) => a.batch.id - b.batch.id);
    return known;
  }

  private async read(): Promise<void> {
    const open = await listOpenBatches().catch(() => null);
    if (!open) return;
    const ids = new Set(open.map(({ id }) => id));
    this.all = this.all.filter(({ batch }) => ids.has(batch.id));
    open.forEach((batch) => this.take(batch));
  }

  private receive({ id, state, total, done, changed, refused }: BatchNews): void {
    if (total == null || done == null || changed == null || refused == null) return;
    const known = this.find(id);
    if (!isOpenState(state)) {
      clearTimeout(this.#begun.get(id));
      this.#begun.delete(id);
      this.all = this.all.filter((one) => one !== known);
    } else if (known) known.take({ ...known.batch, state, total, done, changed, refused });
    else if (!this.#begun.has(id))
      this.#begun.set(
        id,
        setTimeout(() => void this.show(id), SHOW_DELAY),
      );
  }

  private async show(id: number): Promise<void> {
    this.#begun.delete(id);
    const batch = await readBatch(id).catch(() => null);
    if (batch && !batch.ended) this.take(batch);
  }
}

export const openBatches = new OpenBatches();

/** How many rows of a table, or items, were tried, of how many. Terms that an import makes are no rows. */
export function amountOf({ change, done, total }: Batch): { done: number; all: number } {
  const { rows } = change as { rows?: number };
  if (rows === undefined) return { done, all: total };
  return { done: Math.max(0, done - (total - rows)), all: rows };
}
