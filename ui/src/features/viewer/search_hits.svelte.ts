import { createQuery } from '@tanstack/svelte-query';
import { untrack } from 'svelte';
import { readMarks, type SearchWords } from '../../api/passages';
import { listItemIds, MAX_IDS } from '../../api/read';
import { fileTextPages, hitAfter, hitBefore, pageHits, type Hit } from './hit_steps';
import type { ViewerItem } from './viewer_item.svelte';

/** The hits of a search in the displayed item, and which of them is the current one. */
export class SearchHits {
  readonly #marks;
  readonly #pages;
  /** Number of the current hit; null: none on the displayed page. */
  index: number | null = $state(null);

  constructor(
    readonly subject: ViewerItem,
    readonly words: () => SearchWords | null,
    readonly openPage: (page: number) => void,
  ) {
    this.#marks = createQuery(() => {
      const [nid, asked] = [subject.pageItem?.nid ?? null, words()];
      return {
        queryKey: ['item', nid, 'marks', asked] as const,
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          readMarks(nid ?? 0, asked ?? { q: '', isExact: false }, signal),
        enabled: nid !== null && asked !== null,
      };
    });
    this.#pages = createQuery(() => {
      const [nid, asked] = [subject.isBook ? subject.nid() : null, words()];
      return {
        queryKey: ['item', nid, 'pages found', asked] as const,
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          findMembers(nid ?? 0, asked?.q ?? '', asked, signal),
        enabled: nid !== null && asked !== null,
      };
    });
    // A page that is opened by other means: its first hit, unless the current one is on it.
    $effect(() => {
      const { hits } = this;
      const open = subject.openPages;
      untrack(() => {
        const current = this.index === null ? undefined : hits[this.index];
        if (current && open.includes(current.page)) return;
        const first = hits.findIndex(({ page }) => open.includes(page));
        this.index = first < 0 ? null : first;
      });
    });
  }

  /** Whether it is known how many hits there are. */
  get isKnown(): boolean {
    return this.words() !== null && (this.subject.isBook ? this.#pages : this.#marks).isSuccess;
  }

  /** Of a book, the pages with hits; of what else, each place. */
  readonly hits: Hit[] = $derived.by(() => {
    if (this.words() === null) return [];
    if (this.subject.isBook) return pageHits(this.subject.members, this.#pages.data ?? []);
    return fileTextPages(this.#marks.data?.pages ?? [], this.subject.pageCount);
  });

  /** How the words are spelled in the text of the displayed page. */
  get spellings(): string[] {
    return (this.words() && this.#marks.data?.spellings) || [];
  }

  /** The number of the current hit among those of its page; null where there is none on the displayed page. */
  get atOnPage(): number | null {
    const hit = this.index === null ? undefined : this.hits[this.index];
    return hit && this.subject.openPages.includes(hit.page) ? hit.at : null;
  }

  /** The page of the current hit. */
  get page(): number | null {
    return (this.index === null ? undefined : this.hits[this.index])?.page ?? null;
  }

  /** Goes to the next or previous hit, from the last one to the first. */
  step(by: 1 | -1): void {
    const { hits, index } = this;
    if (hits.length === 0) return;
    const open = this.subject.openPages;
    const to = by > 0 ? hitAfter(hits, index, open) : hitBefore(hits, index, open);
    this.index = to;
    const page = hits[to]?.page;
    if (page !== undefined && !open.includes(page)) this.openPage(page);
  }
}

/** The members of a book in which words stand. */
async function findMembers(
  book: number,
  q: string,
  words: SearchWords | null,
  signal: AbortSignal,
): Promise<number[]> {
  const stems = words?.isExact ? (false as const) : undefined;
  const query = { view: 'all', collection: book, q, stems, sort: 'weight', order: 'asc' } as const;
  return (await listItemIds(query, { offset: 0 }, MAX_IDS, signal)).nids;
}
