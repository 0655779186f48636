import { SvelteMap } from 'svelte/reactivity';
import { countSavedSearches } from '../api/saved_searches';
import type { SavedSearchCount } from '../api/types';

/** Milliseconds in which saved searches are gathered into one request. */
const GATHER_DELAY = 20;
/** Maximum number of saved searches in one request. */
const MAX_REQUESTED = 10;
/** Milliseconds until a count is asked again for which the index had not caught up. */
const RETRY_DELAY = 3000;

/** How many items are found by the saved searches that are in view. */
class SavedSearchCounts {
  readonly #counts = new SvelteMap<number, SavedSearchCount>();
  readonly #followed = new Set<number>();
  #wanted = new Set<number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: Promise<void> = Promise.resolve();

  /** Undefined until it is counted. */
  of(id: number): SavedSearchCount | undefined {
    return this.#counts.get(id);
  }

  /** Counts a saved search while it is in view. Returns a function that stops it. */
  follow(id: number): () => void {
    this.#followed.add(id);
    this.request([id]);
    return () => {
      this.#followed.delete(id);
      // Another user finds other items.
      if (this.#followed.size === 0) this.#counts.clear();
    };
  }

  /** Counts all that are in view again. */
  refresh(): void {
    this.request(this.#followed);
  }

  private request(ids: Iterable<number>): void {
    for (const id of ids) this.#wanted.add(id);
    if (this.#wanted.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // One after the other, so that an older answer never replaces a newer one.
      this.#reading = this.#reading.then(() => this.readWanted());
    }, GATHER_DELAY);
  }

  private async readWanted(): Promise<void> {
    const wanted = [...this.#wanted].filter((id) => this.#followed.has(id));
    this.#wanted.clear();
    for (let first = 0; first < wanted.length; first += MAX_REQUESTED)
      await this.read(wanted.slice(first, first + MAX_REQUESTED));
  }

  private async read(ids: number[]): Promise<void> {
    try {
      const counts = await countSavedSearches(ids);
      for (const count of counts) if (this.#followed.has(count.id)) this.#counts.set(count.id, count);
      const late = counts.filter(({ current }) => !current).map(({ id }) => id);
      if (late.length > 0) setTimeout(() => this.request(late), RETRY_DELAY);
    } catch {
      // The list itself reports an unreachable server.
    }
  }
}

export const savedSearchCounts = new SavedSearchCounts();
