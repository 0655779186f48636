/** Measures the throughput of recent work, in bytes (or rows) and in files per second. */
export class Throughput {
  /** Time in milliseconds, total bytes and total files. */
  #samples: [at: number, bytes: number, files: number][] = [];

  /** Milliseconds that are measured. */
  constructor(readonly span: number = 5000) {}

  record(at: number, bytes: number, files: number): void {
    const [, least, fewest] = this.#samples.at(-1) ?? [at, bytes, files];
    // A transfer was cancelled or cleared: earlier samples no longer compare.
    if (bytes < least || files < fewest) this.#samples = [];
    this.#samples = [...this.#samples.filter(([then]) => at - then <= this.span), [at, bytes, files]];
  }

  /** Bytes per second; 0 while it is unknown. */
  get rate(): number {
    return this.perSecond(1);
  }

  /** Seconds until this much more is uploaded; null while it is unknown. */
  secondsLeft(bytes: number, files: number): number | null {
    const byBytes = bytes === 0 ? 0 : bytes / this.perSecond(1);
    const byFiles = files === 0 ? 0 : files / this.perSecond(2);
    // While long files are uploaded no file ends, and only the bytes count.
    const seconds = Number.isFinite(byFiles) ? Math.max(byBytes, byFiles) : byBytes;
    return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
  }

  private perSecond(what: 1 | 2): number {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last[0] - first[0] < 500) return 0;
    return ((last[what] - first[what]) / (last[0] - first[0])) * 1000;
  }
}
