import { SvelteMap } from 'svelte/reactivity';
import { findItemWithBytes, findKnownSizes, type KnownBytes } from '../../api/known_bytes';
import { startDigester, type Digester } from './checksum';
import type { DroppedFile } from './dropped_files';

/** Finds files that the repository already has, while the user looks at the upload plan. */
export class DuplicateSearch {
  /** Items that have the same bytes, by file. */
  readonly holders = new SvelteMap<DroppedFile, KnownBytes>();
  /** Number of files that are still to be compared. */
  remaining = $state(0);
  #abort = new AbortController();

  async run(files: DroppedFile[]): Promise<void> {
    const digester = startDigester();
    this.#abort.signal.addEventListener('abort', () => digester.stop());
    try {
      const sizes = await findKnownSizes([...new Set(files.map(({ size }) => size))], this.#abort.signal);
      const alike = files.filter(({ size }) => sizes.has(size));
      this.remaining = alike.length;
      for (const file of alike) {
        await this.compare(file, digester);
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

  private async compare(file: DroppedFile, digester: Digester): Promise<void> {
    const sha512 = await digester.checksum(file.source);
    const holder = await findItemWithBytes(sha512, this.#abort.signal);
    if (holder) this.holders.set(file, holder);
  }
}
