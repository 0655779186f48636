import { SvelteMap } from 'svelte/reactivity';
import { findItemWithBytes, findKnownSizes, type KnownBytes } from '../../api/known_bytes';
import { startDigester, type Digester } from './checksum';
import type { DroppedFile } from './dropped_files';

/** Finds files that the repository already has, and copies among them, while the user looks at the upload plan. */
export class DuplicateSearch {
  /** Items that have the same bytes, by file. */
  readonly holders = new SvelteMap<DroppedFile, KnownBytes>();
  /** Earlier files of the plan that have the same bytes, by file. */
  readonly copies = new SvelteMap<DroppedFile, DroppedFile>();
  /** Files by checksum, the first of each. */
  readonly #first = new Map<string, DroppedFile>();
  /** Number of files that are still to be compared. */
  remaining = $state(0);
  #abort = new AbortController();

  async run(files: DroppedFile[]): Promise<void> {
    const digester = startDigester();
    this.#abort.signal.addEventListener('abort', () => digester.stop());
    try {
      const counts = new Map<number, number>();
      for (const { size } of files) counts.set(size, (counts.get(size) ?? 0) + 1);
      const known = await findKnownSizes([...counts.keys()], this.#abort.signal);
      const alike = files.filter(({ size }) => known.has(size) || (counts.get(size) ?? 0) > 1);
      this.remaining = alike.length;
      for (const file of alike) {
        await this.compare(file, digester, known.has(file.size));
        this.remaining -= 1;
      }
    } catch {
      // Without an answer all files are uploaded, and the server reports duplicates.
      this.remaining = 0;
    } finally {
      digester.stop();
    }
  }

  stop(): void {
    this.#abort.abort();
  }

  private async compare(file: DroppedFile, digester: Digester, isKnown: boolean): Promise<void> {
    const sha512 = await digester.checksum(file.source);
    const first = this.#first.get(sha512);
    if (first) this.copies.set(file, first);
    else this.#first.set(sha512, file);
    if (!isKnown) return;
    const holder = await findItemWithBytes(sha512, this.#abort.signal);
    if (holder) this.holders.set(file, holder);
  }
}
