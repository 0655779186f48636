import { SvelteMap } from 'svelte/reactivity';
import { listPassages, MAX_PASSAGE_ITEMS, type SearchWords } from '../api/passages';
import type { Item, Passage } from '../api/types';
import { onChange } from './live_updates';

/** Delay in milliseconds before the items in view are requested while scrolling or typing. */
const DELAY = 120;
const MAX_CACHED = 2000;
/** The field of texts that were read out of files. */
const FILE_TEXT = 'text';

/** Where the words of a search stand in the items in view. */
class Passages {
  readonly #byItem = new SvelteMap<number, Passage[]>();
  #words: SearchWords | null = $state.raw(null);
  #visible: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = new AbortController();

  /** What is looked for; null: nothing. */
  get words(): SearchWords | null {
    return this.#words;
  }

  /** The passage to display of an item: of the text of its files, else of a field. */
  of(nid: number): Passage | null {
    const passages = this.#byItem.get(nid) ?? [];
    return passages.find(isOfFile) ?? passages.find(({ field }) => field !== 'title') ?? null;
  }

  /** The title with its marks; null where nothing of it is marked. */
  titleOf(nid: number): Passage | null {
    const title = this.#byItem.get(nid)?.find(({ field }) => field === 'title');
    return title && !title.begins_within && !title.ends_within ? title : null;
  }

  /** The page of an item's file on which words stand; null where none stand in it. */
  pageOf(nid: number): number | null {
    const passage = this.of(nid);
    return passage && isOfFile(passage) ? (passage.page ?? 1) : null;
  }

  setWords(words: SearchWords | null): void {
    if (JSON.stringify(words) === JSON.stringify(this.#words)) return;
    this.#words = words;
    this.#byItem.clear();
    this.schedule();
  }

  setVisible(items: Item[]): void {
    this.#visible = items.map(({ nid }) => nid);
    this.schedule();
  }

  /** Follows changes of items and their files. Returns a function that stops it. */
  listen(): () => void {
    const stop = onChange(({ kind, entity_id, parents }) => {
      const changed = kind === 'node' ? [entity_id, ...parents] : parents;
      if (changed.filter((nid) => this.#byItem.delete(nid)).length > 0) this.schedule();
    });
    return () => {
      stop();
      clearTimeout(this.#timer);
      this.#asking.abort();
      this.setWords(null);
    };
  }

  private schedule(): void {
    clearTimeout(this.#timer);
    this.#asking.abort();
    this.#timer = setTimeout(() => {
      this.#asking = new AbortController();
      void this.ask(this.#asking.signal);
    }, DELAY);
  }

  private async ask(signal: AbortSignal): Promise<void> {
    const words = this.#words;
    if (!words) return;
    if (this.#byItem.size > MAX_CACHED) this.#byItem.clear();
    const missing = this.#visible.filter((nid) => !this.#byItem.has(nid));
    for (let at = 0; at < missing.length; at += MAX_PASSAGE_ITEMS) {
      const nids = missing.slice(at, at + MAX_PASSAGE_ITEMS);
      try {
        const found = await listPassages(words, nids, signal);
        if (signal.aborted) return;
        const passages = new Map(found.map((one) => [one.nid, one.passages]));
        for (const nid of nids) this.#byItem.set(nid, passages.get(nid) ?? []);
      } catch {
        // The list itself reports an unreachable server.
        return;
      }
    }
  }
}

/** Whether a passage is of the text of a file. */
export function isOfFile({ field }: Passage): boolean {
  return field === FILE_TEXT;
}

export const passages = new Passages();
