import { createQuery } from '@tanstack/svelte-query';
import { untrack } from 'svelte';
import { retryJob } from '../../api/jobs';
import { itemJobsQuery, itemMediaQuery, itemQuery, membersQuery } from '../../api/queries';
import type { Item, Media } from '../../api/types';
import type { OpenPdf } from './pdf.svelte';
import { openAt } from './pages';
import { shelfOf } from './shelf';
import { showingOf, withUse, type Shelf, type Showing } from './showing';

/** What the viewer is about: an item, the pages that it has, and what is shown of the one that is open. */
export class Subject {
  readonly #item;
  readonly #members;
  readonly #media;
  readonly #facing;
  readonly #jobs;
  /** The bytes of the PDF that is shown: it is opened once, however often the item is read. */
  readonly #bytes = $derived.by(() => {
    const { showing } = this;
    return showing?.kind === 'pdf' ? (showing.media.file?.sha512 ?? null) : null;
  });
  /** The PDF that is shown, once its reader has come. */
  pdf: OpenPdf | null = $state.raw(null);
  pdfFailed = $state(false);

  constructor(
    readonly nid: () => number,
    readonly page: () => number,
    readonly two: () => boolean,
  ) {
    this.#item = createQuery(() => itemQuery(nid()));
    this.#members = createQuery(() => membersQuery(this.isBook ? nid() : null));
    this.#media = createQuery(() => itemMediaQuery(this.leaf(this.open[0])));
    this.#facing = createQuery(() => itemMediaQuery(this.isBook ? this.leaf(this.open[1]) : null));
    this.#jobs = createQuery(() => itemJobsQuery(this.isBare ? this.leaf(this.open[0]) : null));
    $effect(() => {
      if (this.#bytes === null) return;
      const showing = untrack(() => this.showing);
      return showing && 'media' in showing ? this.openPdf(showing.media) : undefined;
    });
  }

  get item() {
    return this.#item.data?.nid === this.nid() ? this.#item.data : null;
  }

  get error(): Error | null {
    return this.#item.error ?? this.#members.error ?? this.#media.error;
  }

  retry(): void {
    for (const query of [this.#item, this.#members, this.#media]) if (query.isError) void query.refetch();
  }

  /** An item with pages, each an item itself. */
  get isBook(): boolean {
    return this.item !== null && !this.item.is_collection && this.item.members > 0;
  }

  get members(): Item[] {
    return this.isBook ? (this.#members.data ?? []) : [];
  }

  get count(): number {
    return this.isBook ? this.members.length : (this.pdf?.count ?? 1);
  }

  /** Pages that lie open. */
  get open(): number[] {
    const page = Math.max(1, Math.min(this.page(), Math.max(1, this.count)));
    return this.two() ? openAt(page, this.count) : [page];
  }

  /** The item of a page; of what is no book, the item itself. Null until it is known. */
  private leaf(page: number | undefined): number | null {
    if (!this.item || page === undefined) return null;
    return this.isBook ? (this.members[page - 1]?.nid ?? null) : this.item.nid;
  }

  get shelf(): Shelf | null {
    return this.#media.data ? shelfOf(this.#media.data) : null;
  }

  /** Null until it is known. */
  get showing(): Showing | null {
    if (this.isBook && this.#members.data?.length === 0) return { kind: 'nothing' };
    return this.shelf && showingOf(this.shelf);
  }

  /** A picture of which no copy to look at was made, for whatever reason. */
  private get isBare(): boolean {
    const { showing } = this;
    return showing?.kind === 'picture' && showing.media === showing.original;
  }

  /** What is known to be wrong with the picture that is shown; empty where nothing is. */
  get wrong(): string {
    const { showing } = this;
    const damage = showing && 'original' in showing ? showing.original.file?.facts?.damage : null;
    if (typeof damage === 'string' && damage) return damage;
    const picture = this.isBare ? this.#jobs.data?.picture : null;
    return picture && ['failed', 'refused'].includes(picture.state) ? picture.why : '';
  }

  /** Gives what could not be made of the picture another turn, where that is allowed. */
  async tryAgain(): Promise<void> {
    const failed = this.#jobs.data?.jobs.filter(
      ({ state, may_retry }) => may_retry && ['failed', 'refused'].includes(state),
    );
    await Promise.allSettled((failed ?? []).map(({ id }) => retryJob(id)));
    await this.#jobs.refetch();
  }

  get text(): Media | null {
    return (this.shelf && withUse(this.shelf, 'ExtractedText')) ?? null;
  }

  get poster(): string | null {
    return (this.shelf && withUse(this.shelf, 'ThumbnailImage')?.file?.view_url) ?? null;
  }

  /** Addresses of the pictures that are looked at, from left to right. */
  get pictures(): string[] {
    const facing = this.#facing.data && this.open.length > 1 ? [showingOf(shelfOf(this.#facing.data))] : [];
    return [this.showing, ...facing].flatMap((showing) =>
      showing && (showing.kind === 'picture' || showing.kind === 'small')
        ? [showing.media.file?.view_url ?? '']
        : [],
    );
  }

  private openPdf(media: Media): () => void {
    let gone = false;
    this.pdfFailed = false;
    void import('./pdf.svelte').then(
      ({ OpenPdf }) => {
        if (!gone) this.pdf = new OpenPdf(media);
      },
      () => (this.pdfFailed = true),
    );
    return () => {
      gone = true;
      this.pdf?.close();
      this.pdf = null;
    };
  }
}
