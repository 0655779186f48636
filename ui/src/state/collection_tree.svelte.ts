import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { listCollections } from '../api/read';
import type { Collection } from '../api/types';

type Parent = number | 'root';

interface Level {
  collections: Collection[];
  next?: string | null;
  total: number;
}

/** One row of the tree, with the values of its ARIA attributes. */
export type TreeRow =
  | {
      kind: 'collection';
      key: string;
      collection: Collection;
      parent: Parent;
      level: number;
      position: number;
      siblings: number;
      expanded: boolean | null;
    }
  | { kind: 'more'; key: string; parent: Parent; level: number; left: number };

/** The collection tree. A level is read when it is expanded. */
class CollectionTree {
  readonly levels = new SvelteMap<Parent, Level>();
  readonly expanded = new SvelteSet<number>();
  failed = $state(false);
  /** Key of the row that is being renamed. */
  renaming: string | null = $state(null);
  #reads = new Map<Parent, Promise<void>>();
  #refreshing: Promise<void> = Promise.resolve();
  #queuedRefresh: Promise<void> | null = null;

  get loaded(): boolean {
    return this.levels.has('root');
  }

  get rows(): TreeRow[] {
    return this.rowsUnder('root', 1, new Set());
  }

  private rowsUnder(parent: Parent, level: number, above: Set<number>): TreeRow[] {
    const { collections, next, total } = this.levels.get(parent) ?? { collections: [], next: null, total: 0 };
    const rows = collections.flatMap((collection, index): TreeRow[] => {
      const open = collection.subcollections > 0 ? this.expanded.has(collection.nid) : null;
      const row: TreeRow = {
        kind: 'collection',
        key: `${parent}/${collection.nid}/${level}`,
        collection,
        parent,
        level,
        position: index + 1,
        siblings: total,
        expanded: open,
      };
      // A collection can have two parents, but never contains itself.
      if (!open || above.has(collection.nid)) return [row];
      return [row, ...this.rowsUnder(collection.nid, level + 1, new Set(above).add(collection.nid))];
    });
    if (next)
      rows.push({ kind: 'more', key: `more/${parent}`, parent, level, left: total - collections.length });
    return rows;
  }

  find(nid: number): Collection | undefined {
    for (const { collections } of this.levels.values()) {
      const found = collections.find((collection) => collection.nid === nid);
      if (found) return found;
    }
    return undefined;
  }

  async expand(parent: Parent): Promise<void> {
    if (parent !== 'root') this.expanded.add(parent);
    await this.enqueue(parent, async () => {
      if (!this.levels.has(parent)) await this.readPage(parent, null);
    });
  }

  /** Expands a collection and starts renaming one of its members. */
  async startRenaming(parent: number, nid: number): Promise<void> {
    await this.expand(parent);
    const isIt = (row: TreeRow) =>
      row.kind === 'collection' && row.parent === parent && row.collection.nid === nid;
    if (!this.rows.some(isIt)) await this.refresh();
    this.renaming = this.rows.find(isIt)?.key ?? null;
  }

  /** Expands the tree down to a collection, by the collections above it from the top down. */
  async reveal(above: number[], nid: number): Promise<void> {
    let parent: Parent = 'root';
    for (const next of [...above, nid]) {
      await this.expand(parent);
      if (!(await this.readUntil(parent, next))) return;
      parent = next;
    }
  }

  /** Reads pages of a level until it has a collection. Answers whether it has. */
  private async readUntil(parent: Parent, nid: number): Promise<boolean> {
    let level = this.levels.get(parent);
    while (level && !level.collections.some((collection) => collection.nid === nid)) {
      await this.readMore(parent);
      const now = this.levels.get(parent);
      if (now === level) return false;
      level = now;
    }
    return level !== undefined;
  }

  collapse(nid: number): void {
    this.expanded.delete(nid);
  }

  readMore(parent: Parent): Promise<void> {
    return this.enqueue(parent, async () => {
      const after = this.levels.get(parent)?.next;
      if (after) await this.readPage(parent, after);
    });
  }

  /** Reads of the same level run one after the other, so that an older answer never replaces a newer one. */
  private enqueue(parent: Parent, read: () => Promise<void>): Promise<void> {
    const turn = (this.#reads.get(parent) ?? Promise.resolve()).then(read);
    this.#reads.set(parent, turn);
    return turn;
  }

  private async readPage(parent: Parent, after: string | null): Promise<void> {
    try {
      const page = await listCollections(parent, after);
      const before = after === null ? [] : (this.levels.get(parent)?.collections ?? []);
      this.levels.set(parent, { ...page, collections: [...before, ...page.collections] });
      this.failed = false;
    } catch {
      this.failed = true;
    }
  }

  /** Reads all expanded levels again, after a refresh that is in progress. */
  refresh(): Promise<void> {
    this.#queuedRefresh ??= this.#refreshing.then(() => {
      this.#queuedRefresh = null;
      return (this.#refreshing = this.refreshExpanded());
    });
    return this.#queuedRefresh;
  }

  private async refreshExpanded(): Promise<void> {
    const shown: Parent[] = [
      'root',
      ...[...this.levels.keys()].filter((key) => key !== 'root' && this.expanded.has(key)),
    ];
    for (const parent of this.levels.keys()) if (!shown.includes(parent)) this.levels.delete(parent);
    for (const parent of shown) await this.enqueue(parent, () => this.refreshLevel(parent));
  }

  private async refreshLevel(parent: Parent): Promise<void> {
    const had = this.levels.get(parent)?.collections.length ?? 0;
    await this.readPage(parent, null);
    let level = this.levels.get(parent);
    while (level?.next && level.collections.length < had) {
      await this.readPage(parent, level.next);
      const now = this.levels.get(parent);
      if (now === level) return;
      level = now;
    }
  }
}

export const collectionTree = new CollectionTree();
