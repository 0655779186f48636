import { listActivity, type ActivityFilter } from '../../api/activity';
import type { Change } from '../../api/types';

/** Milliseconds for which news gathers: a change of many items is many changes. */
const GATHER = 250;

/** What happened, the newest first: read page by page, and added to as it happens. */
export class ActivityList {
  changes: Change[] = $state.raw([]);
  /** Happened since, and not among the others yet, since somebody reads further down. */
  newer: Change[] = $state.raw([]);
  /** Where the next page starts; null at the very beginning. */
  next: string | null = $state(null);
  begun = $state(false);
  reading = $state(false);
  failure: Error | null = $state.raw(null);
  #waiting: Change[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop = new AbortController();

  constructor(
    readonly filter: ActivityFilter,
    /** Whether what is new may be put above what is looked at. */
    readonly atTop: () => boolean,
  ) {}

  /** Reads on. Pages without anything are passed over. */
  async more(): Promise<void> {
    if (this.reading || (this.begun && this.next === null)) return;
    this.reading = true;
    this.failure = null;
    try {
      for (;;) {
        const page = await listActivity(this.filter, this.next, this.#stop.signal);
        this.next = page.next ?? null;
        this.changes = [...this.changes, ...page.changes];
        this.begun = true;
        if (page.changes.length > 0 || this.next === null) break;
      }
    } catch (error) {
      if (!this.#stop.signal.aborted)
        this.failure = error instanceof Error ? error : new Error(String(error));
    } finally {
      this.reading = false;
    }
  }

  hear(change: Change): void {
    if (!this.begun || !fits(this.filter, change)) return;
    this.#waiting.push(change);
    this.#timer ??= setTimeout(() => this.gather(), GATHER);
  }

  private gather(): void {
    this.#timer = undefined;
    const known = new Set(this.changes.slice(0, 500).map(({ id }) => id));
    const fresh = this.#waiting.filter(({ id }) => !known.has(id)).reverse();
    this.#waiting = [];
    this.newer = [...fresh, ...this.newer];
    if (this.atTop()) this.showNewer();
  }

  showNewer(): void {
    this.changes = [...this.newer, ...this.changes];
    this.newer = [];
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
  }
}

/** Whether a change is one of those that are asked for. */
export function fits(filter: ActivityFilter, change: Change): boolean {
  const { actor, door, action, kind, since, until } = filter;
  const at = Date.parse(change.at);
  return (
    (actor === undefined || change.actor?.uid === actor) &&
    (door === undefined || change.door === door) &&
    (action === undefined || change.action === action) &&
    (kind === undefined || change.kind === kind) &&
    (since === undefined || at >= Date.parse(since)) &&
    (until === undefined || at < Date.parse(until))
  );
}
