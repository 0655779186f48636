import { SvelteMap } from 'svelte/reactivity';
import { holderOf, knownSizes, type KnownBytes } from '../api/known_bytes';
import { startDigester, type Digester } from './checksum';
import type { DroppedFile } from './dropped';

/** Which of the files that somebody is about to bring the repository has already. Found out while they are looked at. */
export class Known {
  /** The item that has the bytes of a file already. */
  readonly holders = new SvelteMap<DroppedFile, KnownBytes>();
  /** How many files may be known that were not compared yet. */
  left = $state(0);
  #end = new AbortController();

  async look(files: DroppedFile[]): Promise<void> {
    const digester = startDigester();
    this.#end.signal.addEventListener('abort', () => digester.end());
    try {
      const sizes = await knownSizes([...new Set(files.map(({ size }) => size))], this.#end.signal);
      const alike = files.filter(({ size }) => sizes.has(size));
      this.left = alike.length;
      for (const file of alike) {
        await this.compare(file, digester);
        this.left -= 1;
      }
    } catch {
      // It is a hint: without an answer everything is brought, and the server says what was the same.
      this.left = 0;
    } finally {
      digester.end();
    }
  }

  /** Nobody looks any more. */
  end(): void {
    this.#end.abort();
  }

  private async compare(file: DroppedFile, digester: Digester): Promise<void> {
    const sha512 = await digester.checksum(file.source);
    const holder = await holderOf(sha512, this.#end.signal);
    if (holder) this.holders.set(file, holder);
  }
}
