import {
  getDocument,
  GlobalWorkerOptions,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import worker from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import type { Media } from '../../api/types';
import { readBytes } from './written';

GlobalWorkerOptions.workerSrc = worker;

/** What PDFs leave out and expect to find: tables of characters, the standard fonts, decoders. */
const RESOURCES = import.meta.env.PDF_RESOURCES;
/** Bytes in one question. */
const CHUNK = 1 << 18;
/** Pixels of the longer side of a page: to be looked at, and in the strip. */
const PAGE = 3000;
const SMALL = 180;
/** Pictures of pages that are kept. */
const KEPT = 6;

/** Reads a file as it is needed, by the door and with the key of everything else. */
class Parts extends PDFDataRangeTransport {
  readonly #given = new AbortController();

  constructor(
    readonly media: Media,
    readonly onfailed: (error: Error) => void,
  ) {
    super(media.size ?? 0, null);
  }

  override requestDataRange(begin: number, end: number): void {
    readBytes(this.media.file?.view_url ?? '', begin, end, this.#given.signal).then(
      (bytes) => this.onDataRange(begin, new Uint8Array(bytes)),
      (error: Error) => this.#given.signal.aborted || this.onfailed(error),
    );
  }

  override abort(): void {
    this.#given.abort();
  }
}

/** An opened PDF, whose pages are drawn as pictures. Scripts in it are not run. */
export class OpenPdf {
  state: 'loading' | 'open' | 'failed' | 'locked' = $state('loading');
  count = $state(0);
  readonly #task: ReturnType<typeof getDocument>;
  #document: PDFDocumentProxy | null = null;
  readonly #pages = new Map<string, Promise<string>>();
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(media: Media) {
    this.#task = getDocument({
      range: new Parts(media, () => this.fail()),
      rangeChunkSize: CHUNK,
      disableAutoFetch: true,
      disableStream: true,
      cMapUrl: `${RESOURCES}cmaps/`,
      standardFontDataUrl: `${RESOURCES}standard_fonts/`,
      wasmUrl: `${RESOURCES}wasm/`,
      // The content security policy lets no page make code of bytes.
      useWasm: false,
      enableXfa: false,
    });
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

  /** A page as a picture to look at closely; its address lasts as long as the document is open. */
  page(number: number): Promise<string> {
    return this.drawn(number, PAGE);
  }

  small(number: number): Promise<string> {
    return this.drawn(number, SMALL);
  }

  /** One page is drawn after the other. */
  private drawn(number: number, longest: number): Promise<string> {
    const key = `${number}/${longest}`;
    const known = this.#pages.get(key);
    if (known) return known;
    const made = this.#queue.then(() => this.draw(number, longest));
    this.#queue = made.catch(() => {});
    this.#pages.set(key, made);
    if (longest === PAGE) this.forget();
    return made;
  }

  private forget(): void {
    const large = [...this.#pages.keys()].filter((key) => key.endsWith(`/${PAGE}`));
    for (const key of large.slice(0, -KEPT)) {
      void this.#pages.get(key)?.then((url) => URL.revokeObjectURL(url));
      this.#pages.delete(key);
    }
  }

  private async draw(number: number, longest: number): Promise<string> {
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
