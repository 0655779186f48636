import { readBytes, requireBytes } from '../api/read_bytes';
import { inWindow, saveAs } from '../desktop';
import { t } from '../texts';
import { download, downloadFrom } from './download';
import { toaster } from './toast.svelte';

/** Saves what an address answers with: where the system's dialog says in the window, as a download elsewhere. */
export class Saving {
  failure: string | null = $state(null);
  /** How many bytes there are so far. */
  read = $state(0);
  #running: AbortController | null = $state.raw(null);

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Returns whether it was saved. What is large and has ranges is fetched by the browser itself, which needs no memory
   * for it and goes on with it after an interruption. */
  async run(url: string, name: string, isLarge = false): Promise<boolean> {
    const running = (this.#running = new AbortController());
    [this.failure, this.read] = [null, 0];
    try {
      if (inWindow) {
        const { saved, path } = await saveAs(url, name);
        if (saved && path) toaster.say(t.files.savedTo(path));
        return saved;
      }
      if (isLarge) {
        await requireBytes(url, running.signal);
        downloadFrom(url, name);
        return true;
      }
      download(await readBytes(url, running.signal, (count) => (this.read = count)), name);
      return true;
    } catch (error) {
      if (!running.signal.aborted) this.failure = error instanceof Error ? error.message : String(error);
      return false;
    } finally {
      this.#running = null;
    }
  }

  /** Ends what is running. Returns false where nothing is, or it cannot be ended. */
  cancel(): boolean {
    if (!this.#running || inWindow) return false;
    this.#running.abort();
    return true;
  }
}
