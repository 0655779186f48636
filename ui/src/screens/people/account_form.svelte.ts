import { ApiError, type Violation } from '../../api/errors';

/** What came of sending an account's form: nothing yet, words beside fields, or words for the whole. */
export class Sending {
  busy = $state(false);
  failure: string | null = $state(null);
  #lines: Violation[] = $state.raw([]);

  /** What the server says about a field. */
  about(field: string): string[] {
    return this.#lines.filter((line) => line.field === field).map((line) => line.text);
  }

  /** Sends; whether it went well. */
  async run(act: () => Promise<void>): Promise<boolean> {
    this.busy = true;
    this.failure = null;
    this.#lines = [];
    try {
      await act();
      return true;
    } catch (error) {
      this.#lines = error instanceof ApiError ? error.violations : [];
      if (this.#lines.length === 0) this.failure = error instanceof Error ? error.message : String(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
