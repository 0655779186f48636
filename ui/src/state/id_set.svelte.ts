/** A reactive set of item ids that updates once per change, however many ids it concerns. */
export class IdSet {
  #nids = new Set<number>();
  #version = $state(0);

  get size(): number {
    void this.#version;
    return this.#nids.size;
  }

  has(nid: number): boolean {
    void this.#version;
    return this.#nids.has(nid);
  }

  [Symbol.iterator](): Iterator<number> {
    void this.#version;
    return this.#nids.values();
  }

  add(nid: number): void {
    if (this.#nids.has(nid)) return;
    this.#nids.add(nid);
    this.#version += 1;
  }

  delete(nid: number): boolean {
    const was = this.#nids.delete(nid);
    if (was) this.#version += 1;
    return was;
  }

  replace(nids: Iterable<number>): void {
    const next = new Set(nids);
    if (next.size === 0 && this.#nids.size === 0) return;
    this.#nids = next;
    this.#version += 1;
  }

  clear(): void {
    this.replace([]);
  }
}
