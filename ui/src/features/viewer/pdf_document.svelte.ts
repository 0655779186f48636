import type { PDFDocumentLoadingTask, PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Crop, Media } from '../../api/types';
import { fetchRange } from './file_text';
import { findOnPage } from './pdf_marks';
import { openPdf } from './pdf_reader';

/** Pixels of the longer side of a page, in the viewer and in the strip. */
const PAGE_PIXELS = 3000;
const THUMBNAIL_PIXELS = 180;
/** Maximum number of rendered pages that are cached. */
const MAX_CACHED_PAGES = 6;

/** An open PDF, whose pages are rendered as pictures. Scripts are not run. */
export class PdfDocument {
  state: 'loading' | 'open' | 'failed' | 'locked' = $state('loading');
  count = $state(0);
  readonly #task: PDFDocumentLoadingTask;
  #document: PDFDocumentProxy | null = null;
  readonly #pages = new Map<string, Promise<string>>();
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(media: Media) {
    // With the credentials of other requests.
    const read = async (begin: number, end: number, signal: AbortSignal) =>
      new Uint8Array(await fetchRange(media.file?.view_url ?? '', begin, end, signal));
    this.#task = openPdf(media.size ?? 0, read, () => this.fail());
    void this.load();
  }

  private async load(): Promise<void> {
    try {
      this.#document = await this.#task.promise;
      this.count = this.#document.numPages;
      this.state = 'open';
    } catch (error) {
      if (error instanceof Error && error.name === 'PasswordException') this.state = 'locked';
      else this.fail();
    }
  }

  private fail(): void {
    if (!this.#closed) this.state = 'failed';
  }

  /** The object URL of a page; valid until the document is closed. */
  page(number: number): Promise<string> {
    return this.rendered(number, PAGE_PIXELS);
  }

  thumbnail(number: number): Promise<string> {
    return this.rendered(number, THUMBNAIL_PIXELS);
  }

  /** Where words stand on a page, by how they are spelled. */
  async marks(number: number, spellings: string[]): Promise<Crop[][]> {
    if (!this.#document || this.#closed) return [];
    return findOnPage(await this.#document.getPage(number), spellings);
  }

  /** Pages are rendered one after the other. */
  private rendered(number: number, longest: number): Promise<string> {
    const key = `${number}/${longest}`;
    const cached = this.#pages.get(key);
    if (cached) return cached;
    const made = this.#queue.then(() => this.render(number, longest));
    this.#queue = made.catch(() => {});
    this.#pages.set(key, made);
    if (longest === PAGE_PIXELS) this.evictPages();
    return made;
  }

  private evictPages(): void {
    const large = [...this.#pages.keys()].filter((key) => key.endsWith(`/${PAGE_PIXELS}`));
    for (const key of large.slice(0, -MAX_CACHED_PAGES)) {
      void this.#pages.get(key)?.then((url) => URL.revokeObjectURL(url));
      this.#pages.delete(key);
    }
  }

  private async render(number: number, longest: number): Promise<string> {
    if (!this.#document || this.#closed) throw new Error('closed');
    const page = await this.#document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: longest / Math.max(width, height) });
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(viewport.width));
    canvas.height = Math.max(1, Math.round(viewport.height));
    await page.render({ canvas, viewport, background: 'white' }).promise;
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done));
    if (!blob) throw new Error('not drawn');
    return URL.createObjectURL(blob);
  }

  close(): void {
    this.#closed = true;
    for (const page of this.#pages.values())
      void page.then(
        (url) => URL.revokeObjectURL(url),
        () => {},
      );
    this.#pages.clear();
    void this.#task.destroy();
  }
}
