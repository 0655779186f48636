import { ApiError, messagesOf, type Violation } from '../api/errors';

/** The submission of a form: whether it is in progress, and the messages of the server. */
export class FormSubmission {
  busy = $state(false);
  failure: string | null = $state(null);
  #violations: Violation[] = $state.raw([]);

  /** The server's messages about a field. */
  messagesFor(field: string): string[] {
    return messagesOf(this.#violations.filter((line) => line.field === field));
  }

  /** The server's messages about anything but a field. */
  messagesBeside(field: string): string[] {
    return messagesOf(this.#violations.filter((line) => line.field !== field));
  }

  /** Call this when a field was edited, or the only one: what was said about it may no longer be true. */
  clear(field?: string): void {
    this.#violations = this.#violations.filter((line) => field !== undefined && line.field !== field);
  }

  /** Submits the form. Answers whether the server accepted it. */
  async run(submit: () => Promise<void>): Promise<boolean> {
    this.busy = true;
    this.failure = null;
    this.#violations = [];
    try {
      await submit();
      return true;
    } catch (error) {
      this.#violations = error instanceof ApiError ? error.violations : [];
      if (this.#violations.length === 0)
        this.failure = error instanceof Error ? error.message : String(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
