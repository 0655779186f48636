import { SvelteMap } from 'svelte/reactivity';
import { countBelow } from '../api/read';
import type { CollectionCount } from '../api/types';

/** Milliseconds in which collections are gathered into one request. */
const GATHER_DELAY = 20;
/** Maximum number of collections in one request. */
const MAX_REQUESTED = 200;
const MAX_CACHED = 2000;

/** Whether there is more below a collection than its direct members. */
export function isDeep(count: CollectionCount): boolean {
  return count.items + count.subcollections > count.direct_items + count.direct_subcollections;
}

/** How much is below the collections that are displayed. */
class CountsBelow {
  readonly #counts = new SvelteMap<number, CollectionCount>();
  /** How many views display each collection. */
  readonly #followers = new Map<number, number>();
  #wanted = new Set<number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: Promise<void> = Promise.resolve();

  /** Undefined until it is counted. */
  of(nid: number): CollectionCount | undefined {
    return this.#counts.get(nid);
  }

  /** Counts a collection while it is displayed. Returns a function that stops it. */
  follow(nid: number): () => void {
    this.#followers.set(nid, (this.#followers.get(nid) ?? 0) + 1);
    this.request([nid]);
    return () => this.leave(nid);
  }

  private leave(nid: number): void {
    const others = (this.#followers.get(nid) ?? 0) - 1;
    if (others > 0) this.#followers.set(nid, others);
    else this.#followers.delete(nid);
    // Another user sees other items.
    if (this.#followers.size === 0) this.#counts.clear();
  }

  /** Counts all that are displayed again. */
  refresh(): void {
    this.request(this.#followers.keys());
  }

  private request(nids: Iterable<number>): void {
    for (const nid of nids) this.#wanted.add(nid);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // One after the other, so that an older answer never replaces a newer one.
      this.#reading = this.#reading.then(() => this.readWanted());
    }, GATHER_DELAY);
  }

  private async readWanted(): Promise<void> {
    const wanted = [...this.#wanted].filter((nid) => this.#followers.has(nid));
    this.#wanted.clear();
    for (let first = 0; first < wanted.length; first += MAX_REQUESTED)
      await this.read(wanted.slice(first, first + MAX_REQUESTED));
  }

  private async read(nids: number[]): Promise<void> {
    try {
      const counts = await countBelow(nids);
      this.evict();
      for (const count of counts) if (this.#followers.has(count.nid)) this.#counts.set(count.nid, count);
    } catch {
      // The tree and the list themselves report an unreachable server.
    }
  }

  private evict(): void {
    if (this.#counts.size <= MAX_CACHED) return;
    for (const nid of this.#counts.keys()) if (!this.#followers.has(nid)) this.#counts.delete(nid);
  }
}

export const countsBelow = new CountsBelow();
