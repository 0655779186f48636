import { awaitTiles, tileSource } from './zoom_picture';

/** Thumbnails of the pages of a picture file, such as a TIFF. */
export class PicturePages {
  readonly #closing = new AbortController();
  readonly #thumbnails = new Map<number, Promise<string | null>>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(readonly fid: number) {}

  /** The address of a thumbnail. The server makes tiles for each page; one is asked for after the other. */
  thumbnail(page: number): Promise<string | null> {
    const known = this.#thumbnails.get(page);
    if (known) return known;
    const found = this.#queue.then(() => this.smallestTile(page));
    this.#queue = found.catch(() => {});
    this.#thumbnails.set(page, found);
    return found;
  }

  private async smallestTile(page: number): Promise<string | null> {
    const tiles = await awaitTiles({ fid: this.fid, media: null, page }, this.#closing.signal);
    return tileSource(tiles)?.getTileUrl(0, 0, 0) ?? null;
  }

  close(): void {
    this.#closing.abort();
  }
}
