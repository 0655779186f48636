/** How quickly many files go, measured over the last moments: by bytes where they are long, by number where they are short. */
export class Pace {
  /** Moment in milliseconds, bytes and files that had arrived by then. */
  #samples: [at: number, bytes: number, files: number][] = [];

  /** Milliseconds over which it is measured. */
  constructor(readonly span: number = 5000) {}

  note(at: number, bytes: number, files: number): void {
    const [, least, fewest] = this.#samples.at(-1) ?? [at, bytes, files];
    // Something was cancelled or cleared: what was measured no longer compares.
    if (bytes < least || files < fewest) this.#samples = [];
    this.#samples = [...this.#samples.filter(([then]) => at - then <= this.span), [at, bytes, files]];
  }

  /** Bytes per second; 0 while nothing can be said. */
  get rate(): number {
    return this.perSecond(1);
  }

  /** Seconds until so much more has arrived; null while nothing can be said. */
  left(bytes: number, files: number): number | null {
    const byBytes = bytes === 0 ? 0 : bytes / this.perSecond(1);
    const byFiles = files === 0 ? 0 : files / this.perSecond(2);
    // Long files give no number of files for a while, and then it is the bytes that tell.
    const seconds = Number.isFinite(byFiles) ? Math.max(byBytes, byFiles) : byBytes;
    return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
  }

  private perSecond(what: 1 | 2): number {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last[0] - first[0] < 500) return 0;
    return ((last[what] - first[what]) / (last[0] - first[0])) * 1000;
  }
}
