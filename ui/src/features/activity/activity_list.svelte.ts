import { listActivity, type ActivityFilter } from '../../api/activity';
import type { ActivityEntry, Change } from '../../api/types';

/** Milliseconds in which events are collected, since a bulk change causes many. */
const BATCH_DELAY = 250;

/** The activity log, newest first: paged, and updated by events. */
export class ActivityList {
  changes: ActivityEntry[] = $state.raw([]);
  /** New changes that are not listed yet, because the user has scrolled down. */
  newer: ActivityEntry[] = $state.raw([]);
  /** Cursor of the next page; null at the end. */
  next: string | null = $state(null);
  loaded = $state(false);
  loading = $state(false);
  failure: Error | null = $state.raw(null);
  #received: ActivityEntry[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #abort = new AbortController();

  constructor(
    readonly filter: ActivityFilter,
    /** Whether new changes may be listed at once. */
    readonly atTop: () => boolean,
  ) {}

  /** Loads the next page that is not empty. */
  async loadMore(): Promise<void> {
    if (this.loading || (this.loaded && this.next === null)) return;
    this.loading = true;
    this.failure = null;
    try {
      for (;;) {
        const page = await listActivity(this.filter, this.next, this.#abort.signal);
        this.next = page.next ?? null;
        this.changes = [...this.changes, ...page.changes];
        this.loaded = true;
        if (page.changes.length > 0 || this.next === null) break;
      }
    } catch (error) {
      if (!this.#abort.signal.aborted)
        this.failure = error instanceof Error ? error : new Error(String(error));
    } finally {
      this.loading = false;
    }
  }

  receive(change: Change): void {
    if (!this.loaded || !matchesFilter(this.filter, change)) return;
    this.#received.push({ ...change, many: null });
    this.#timer ??= setTimeout(() => this.flush(), BATCH_DELAY);
  }

  private flush(): void {
    this.#timer = undefined;
    const known = new Set(this.changes.slice(0, 500).map(({ id }) => id));
    const fresh = this.#received.filter(({ id }) => !known.has(id)).reverse();
    this.#received = [];
    this.newer = [...fresh, ...this.newer];
    if (this.atTop()) this.showNewer();
  }

  showNewer(): void {
    this.changes = [...this.newer, ...this.changes];
    this.newer = [];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
  }
}

/** Whether a change is of a node or of its members. Those further below are told by the server alone. */
function isAbout({ kind, entity_id: id, parents }: Change, nid: number): boolean {
  return (kind === 'node' && id === nid) || parents.includes(nid);
}

/** Whether a change fulfils a filter. */
export function matchesFilter(filter: ActivityFilter, change: Change): boolean {
  const { actor, origin, action, kind, collection, since, until } = filter;
  const at = Date.parse(change.at);
  return (
    (actor === undefined || change.actor?.uid === actor) &&
    (origin === undefined || change.origin === origin) &&
    (action === undefined || change.action === action) &&
    (kind === undefined || change.kind === kind) &&
    (collection === undefined || isAbout(change, collection)) &&
    (since === undefined || at >= Date.parse(since)) &&
    (until === undefined || at < Date.parse(until))
  );
}
