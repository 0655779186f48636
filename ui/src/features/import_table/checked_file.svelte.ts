import { errorText } from '../../state/batch_preview.svelte';
import { bytesOf, filesFromDialog } from '../transfers/dropped_files';

export interface ChosenFile {
  name: string;
  bytes: Blob;
}

/** A file that is checked before it is imported. */
export class CheckedFile<Check> {
  file: ChosenFile | null = $state.raw(null);
  check: Check | null = $state.raw(null);
  failure: string | null = $state(null);
  #running: AbortController | null = $state.raw(null);

  constructor(private readonly ask: (file: ChosenFile, signal: AbortSignal) => Promise<Check>) {}

  get isChecking(): boolean {
    return this.#running !== null;
  }

  take(file: ChosenFile): void {
    this.file = file;
    void this.look();
  }

  async choose(): Promise<void> {
    try {
      const [file] = await filesFromDialog({ several: false });
      if (file) this.take({ name: file.name, bytes: await bytesOf(file) });
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  /** Checks the file, again after a choice has changed. */
  async look(): Promise<void> {
    if (!this.file) return;
    this.stop();
    const stop = (this.#running = new AbortController());
    [this.check, this.failure] = [null, null];
    try {
      const found = await this.ask(this.file, stop.signal);
      if (!stop.signal.aborted) this.check = found;
    } catch (error) {
      if (!stop.signal.aborted) this.failure = errorText(error);
    }
    if (this.#running === stop) this.#running = null;
  }

  stop(): void {
    this.#running?.abort();
  }
}
