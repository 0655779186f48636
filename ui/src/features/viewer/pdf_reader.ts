/** Reads PDF files part by part. Scripts are not run. */
import {
  getDocument,
  GlobalWorkerOptions,
  PDFDataRangeTransport,
  type PDFDocumentLoadingTask,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import worker from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';

GlobalWorkerOptions.workerSrc = worker;

/** Character maps, standard fonts and decoders that PDFs may need. */
const RESOURCES = import.meta.env.PDF_RESOURCES;
/** Bytes per request. */
const CHUNK_BYTES = 1 << 18;

/** Reads a byte range; `end` is exclusive. */
export type ReadPdfRange = (begin: number, end: number, signal: AbortSignal) => Promise<Uint8Array>;

/** Reads byte ranges as the caller does. */
class RangeTransport extends PDFDataRangeTransport {
  readonly #abort = new AbortController();

  constructor(
    size: number,
    readonly read: ReadPdfRange,
    readonly onfailed: (error: Error) => void,
  ) {
    super(size, null);
  }

  override requestDataRange(begin: number, end: number): void {
    this.read(begin, end, this.#abort.signal).then(
      (bytes) => this.onDataRange(begin, bytes),
      (error: Error) => this.#abort.signal.aborted || this.onfailed(error),
    );
  }

  override abort(): void {
    this.#abort.abort();
  }
}

/** Begins to open a PDF of so many bytes. */
export function openPdf(
  size: number,
  read: ReadPdfRange,
  onfailed: (error: Error) => void,
): PDFDocumentLoadingTask {
  return getDocument({
    range: new RangeTransport(size, read, onfailed),
    rangeChunkSize: CHUNK_BYTES,
    disableAutoFetch: true,
    disableStream: true,
    cMapUrl: `${RESOURCES}cmaps/`,
    standardFontDataUrl: `${RESOURCES}standard_fonts/`,
    wasmUrl: `${RESOURCES}wasm/`,
    // The content security policy forbids WebAssembly.
    useWasm: false,
    enableXfa: false,
  });
}

/** The number of pages of a PDF. Rejects where it is damaged or takes a password. */
export async function countPdfPages(
  read: (begin: number, end: number) => Promise<Uint8Array>,
  size: number,
): Promise<number> {
  let fail = (_: Error) => {};
  const failed = new Promise<never>((_, reject) => (fail = reject));
  const task = openPdf(size, read, (error) => fail(error));
  try {
    return (await Promise.race([task.promise, failed])).numPages;
  } finally {
    void task.destroy();
  }
}
