import { SvelteSet } from 'svelte/reactivity';

/** Which items are chosen, and where the keyboard stands. Two different things. */
export class Selection {
  readonly chosen = new SvelteSet<number>();
  /** Position of the keyboard in the list. */
  cursor = $state(0);
  /** Where a range begins. */
  #anchor = 0;

  /** Chooses one item alone. */
  only(nid: number, index: number): void {
    this.chosen.clear();
    this.chosen.add(nid);
    this.cursor = index;
    this.#anchor = index;
  }

  toggle(nid: number, index: number): void {
    if (!this.chosen.delete(nid)) this.chosen.add(nid);
    this.cursor = index;
    this.#anchor = index;
  }

  /** Chooses everything from the anchor to here. */
  extend(nids: number[], index: number): void {
    const [from, to] = index < this.#anchor ? [index, this.#anchor] : [this.#anchor, index];
    this.chosen.clear();
    for (const nid of nids.slice(from, to + 1)) this.chosen.add(nid);
    this.cursor = index;
  }

  all(nids: number[]): void {
    for (const nid of nids) this.chosen.add(nid);
  }

  clear(): void {
    this.chosen.clear();
  }

  /** After the list was read again: what is gone is no longer chosen. */
  keepOnly(nids: Set<number>): void {
    for (const nid of this.chosen) if (!nids.has(nid)) this.chosen.delete(nid);
  }
}

export const selection = new Selection();
