import { createQuery } from '@tanstack/svelte-query';
import { untrack } from 'svelte';
import { retryDerivativeJob } from '../../api/jobs';
import { itemJobsQuery, itemMediaQuery, itemQuery, membersQuery } from '../../api/queries';
import type { Item, Job, Media } from '../../api/types';
import type { PdfDocument } from './pdf_document.svelte';
import { PicturePages } from './picture_pages';
import { spreadAt } from './page_spread';
import { isCopyOf, type ZoomPicture } from './zoom_picture';
import { adjustedSize, adjustmentOf, uprightSize } from '../../media_display/picture_adjustment';
import { toItemMedia } from '../../state/item_media';
import {
  presentationOf,
  mediaWithUse,
  type ItemMedia,
  type Presentation,
} from '../../media_display/presentation';

/** The item in the viewer, its pages, and the presentation of the open page. */
export class ViewerItem {
  readonly #item;
  readonly #members;
  readonly #media;
  readonly #facing;
  readonly #jobs;
  /** Checksum of the displayed PDF: it is opened once, however often the item is read. */
  readonly #pdfHash = $derived.by(() => {
    const { presentation } = this;
    return presentation?.kind === 'pdf' ? (presentation.media.file?.sha512 ?? null) : null;
  });
  /** The file of several pages that is displayed as pictures, such as a TIFF; null: there is none. */
  readonly #pagedFile = $derived.by(() => {
    const { presentation } = this;
    if (this.isBook || presentation === null || !('original' in presentation)) return null;
    if (presentation.kind !== 'picture' && presentation.kind !== 'small') return null;
    return filePages(presentation.original) > 1 ? (presentation.original.file?.fid ?? null) : null;
  });
  /** Thumbnails of the pages of a picture file. */
  picturePages: PicturePages | null = $state.raw(null);
  /** The displayed PDF, once its reader is loaded. */
  pdf: PdfDocument | null = $state.raw(null);
  pdfFailed = $state(false);

  constructor(
    readonly nid: () => number,
    readonly page: () => number,
    readonly isSpread: () => boolean,
  ) {
    this.#item = createQuery(() => itemQuery(nid()));
    this.#members = createQuery(() => membersQuery(this.isBook ? nid() : null));
    this.#media = createQuery(() => itemMediaQuery(this.itemAt(0)));
    this.#facing = createQuery(() => itemMediaQuery(this.isBook ? this.itemAt(1) : null));
    this.#jobs = createQuery(() => itemJobsQuery(this.isPicture ? this.itemAt(0) : null));
    $effect(() => {
      if (this.#pdfHash === null) return;
      const presentation = untrack(() => this.presentation);
      return presentation && 'media' in presentation ? this.openPdf(presentation.media) : undefined;
    });
    $effect(() => {
      const pages = this.#pagedFile === null ? null : new PicturePages(this.#pagedFile);
      this.picturePages = pages;
      return () => pages?.close();
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

  /** Whether its members are pages. */
  get isBook(): boolean {
    return this.item !== null && !this.item.is_collection && this.item.members > 0;
  }

  get members(): Item[] {
    return this.isBook ? (this.#members.data ?? []) : [];
  }

  get pageCount(): number {
    if (this.isBook) return this.members.length;
    const { presentation } = this;
    const original = presentation && 'original' in presentation ? presentation.original : null;
    return this.#pagedFile !== null && original ? filePages(original) : (this.pdf?.count ?? 1);
  }

  /** Numbers of the displayed pages. */
  get openPages(): number[] {
    const page = Math.max(1, Math.min(this.page(), Math.max(1, this.pageCount)));
    return this.isSpread() ? spreadAt(page, this.pageCount) : [page];
  }

  /** The item of a displayed page, from left to right; of what is no book, the item itself. Null until it is loaded. */
  private itemAt(position: number): number | null {
    if (!this.item) return null;
    if (!this.isBook) return this.item.nid;
    const page = this.openPages[position];
    return page === undefined ? null : (this.members[page - 1]?.nid ?? null);
  }

  /** The item whose picture is displayed: a page of a book, or the item itself. */
  get pageItem(): Item | null {
    return this.isBook ? (this.members[(this.openPages[0] ?? 1) - 1] ?? null) : this.item;
  }

  /** Whether the open page can have a transcription. That of a PDF would be of all its pages. */
  get isTranscribable(): boolean {
    const { presentation } = this;
    return presentation !== null && !['pdf', 'text', 'nothing'].includes(presentation.kind);
  }

  get itemMedia(): ItemMedia | null {
    return this.#media.data ? toItemMedia(this.#media.data) : null;
  }

  /** Null until it is loaded. */
  get presentation(): Presentation | null {
    if (this.isBook && this.#members.data?.length === 0) return { kind: 'nothing' };
    return this.itemMedia && presentationOf(this.itemMedia);
  }

  private get isPicture(): boolean {
    const kind = this.presentation?.kind;
    return kind === 'picture' || kind === 'small';
  }

  /** The job that makes the service file of the displayed original. */
  get serviceJob(): Job | null {
    const { presentation } = this;
    const mid = presentation && 'original' in presentation ? presentation.original.mid : null;
    return this.#jobs.data?.jobs.find((job) => job.kind === 'service' && job.mid === mid) ?? null;
  }

  /** The address of the service file; null where there is none. */
  get serviceUrl(): string | null {
    return (this.itemMedia && mediaWithUse(this.itemMedia, 'service_file')?.file?.view_url) ?? null;
  }

  async refetchJobs(): Promise<void> {
    await this.#jobs.refetch();
  }

  /** Whether the original picture is displayed, since there is no service file. */
  private get isOriginalPicture(): boolean {
    const { presentation } = this;
    return presentation?.kind === 'picture' && presentation.media === presentation.original;
  }

  /** A known problem of the displayed picture; empty: none. */
  get problem(): string {
    const { presentation } = this;
    const damage =
      presentation && 'original' in presentation ? presentation.original.file?.facts?.damage : null;
    if (typeof damage === 'string' && damage) return damage;
    const picture = this.isOriginalPicture ? this.#jobs.data?.picture : null;
    return picture && ['failed', 'refused'].includes(picture.state) ? picture.why : '';
  }

  /** Retries failed derivative jobs, where the user may. */
  async retryJobs(): Promise<void> {
    const failed = this.#jobs.data?.jobs.filter(
      ({ state, may_retry }) => may_retry && ['failed', 'refused'].includes(state),
    );
    await Promise.allSettled((failed ?? []).map(({ id }) => retryDerivativeJob(id)));
    await this.refetchJobs();
  }

  /** The text of the page: what a person has typed, else what was extracted. */
  get text(): Media | null {
    const { itemMedia } = this;
    if (!itemMedia) return null;
    return mediaWithUse(itemMedia, 'transcript') ?? mediaWithUse(itemMedia, 'extracted_text') ?? null;
  }

  get posterUrl(): string | null {
    return (this.itemMedia && mediaWithUse(this.itemMedia, 'thumbnail_image')?.file?.view_url) ?? null;
  }

  /** The open page of a picture file of several; null where the picture is no such page. */
  get pageOfFile(): number | null {
    return this.#pagedFile === null ? null : (this.openPages[0] ?? 1);
  }

  /** The displayed pictures, from left to right. */
  get pictures(): ZoomPicture[] {
    const [fid, first] = [this.#pagedFile, this.presentation];
    if (fid !== null)
      return this.openPages.map((page) =>
        page === 1 && first?.kind === 'picture'
          ? toZoomPicture(first)
          : { url: null, original: { fid, media: null, page } },
      );
    const facing =
      this.#facing.data && this.openPages.length > 1 ? [presentationOf(toItemMedia(this.#facing.data))] : [];
    return [this.presentation, ...facing].flatMap((presentation) =>
      presentation && (presentation.kind === 'picture' || presentation.kind === 'small')
        ? [toZoomPicture(presentation)]
        : [],
    );
  }

  private openPdf(media: Media): () => void {
    let isClosed = false;
    this.pdfFailed = false;
    void import('./pdf_document.svelte').then(
      ({ PdfDocument }) => {
        if (!isClosed) this.pdf = new PdfDocument(media);
      },
      () => (this.pdfFailed = true),
    );
    return () => {
      isClosed = true;
      this.pdf?.close();
      this.pdf = null;
    };
  }
}

/** Pages of a picture file; 1 where nobody has counted them. */
function filePages(original: Media): number {
  const pages = original.file?.facts?.pages;
  return typeof pages === 'number' ? pages : 1;
}

/** A picture with its original, where that has more pixels. */
function toZoomPicture({ media, original }: { media: Media; original: Media }): ZoomPicture {
  const url = media.file?.view_url ?? '';
  const whole = uprightSize(original);
  const fid = original.file?.fid;
  if (media === original || !fid || !whole || !media.width) return { url, original: null };
  const size = adjustedSize(whole, adjustmentOf(original));
  if (size.width <= media.width || !isCopyOf(media, size)) return { url, original: null };
  return { url, original: { fid, media: original.adjustment ? original.mid : null, page: null, ...size } };
}
