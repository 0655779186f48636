import { SvelteMap } from 'svelte/reactivity';
import { forEachConcurrently } from '../../api/concurrency';
import { readPart } from '../../desktop';
import { hasPages, MAX_PAGES } from '../../media_display/pages';
import type { DroppedFile } from './dropped_files';
import { countTiffPages, type ReadRange } from './tiff_pages';

/** A file and its MIME type. */
interface TypedFile {
  file: DroppedFile;
  mime: string;
}

/** Counts the pages of TIFF and PDF files while the user looks at the upload plan. */
export class PageCounter {
  /** Numbers of pages by file, of those with several. */
  readonly counts = new SvelteMap<DroppedFile, number>();
  /** Number of files whose pages are still to be counted. */
  remaining = $state(0);
  readonly #abort = new AbortController();

  async run(files: TypedFile[]): Promise<void> {
    const paged = files.filter(({ mime }) => hasPages(mime));
    this.remaining = paged.length;
    await forEachConcurrently(paged, (typed) => this.count(typed), this.#abort.signal);
  }

  stop(): void {
    this.#abort.abort();
  }

  private async count({ file, mime }: TypedFile): Promise<void> {
    // What cannot be counted here is one item; the server says why when it is asked for its pages.
    const count = await countPages(file, mime).catch(() => null);
    this.remaining -= 1;
    if (count !== null && count > 1) this.counts.set(file, count);
  }
}

async function countPages(file: DroppedFile, mime: string): Promise<number | null> {
  const read = rangeReader(file);
  if (mime !== 'application/pdf') return countTiffPages(read, MAX_PAGES);
  const { countPdfPages } = await import('../viewer/pdf_reader');
  return countPdfPages(read, file.size);
}

function rangeReader({ source }: DroppedFile): ReadRange {
  return async (begin, end) => {
    if ('path' in source) return readLocal(source.path, begin, end);
    return new Uint8Array(await source.file.slice(begin, end).arrayBuffer());
  };
}

async function readLocal(path: string, begin: number, end: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let at = begin; at < end;) {
    const part = new Uint8Array(await readPart(path, at, end - at));
    if (part.length === 0) break;
    parts.push(part);
    at += part.length;
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}
