import { ServerUnreachable } from '../../api/errors';
import { t } from '../../texts';
import { matchesAllTerms } from './highlight';
import { paletteCommands } from './palette_commands';
import { findEntries, type EntryKind, type PaletteEntry } from './palette_search';

/** Milliseconds without typing before the server is asked. */
const SEARCH_DELAY = 110;
const KINDS: EntryKind[] = ['items', 'collections', 'terms', 'people', 'go', 'do'];
/** Lines that Page Up and Page Down move by. */
const PAGE = 8;

/** What is typed into the command palette, what matches, and which line is active. */
export class CommandPalette {
  typed = $state('');
  failure: string | null = $state(null);
  active = $state(0);
  /** Only entries of this kind are listed; null: all. */
  kind: EntryKind | null = $state(null);
  /** The latest answer and the text it is for. It is kept until the next one arrives. */
  #found: { text: string; entries: PaletteEntry[] } = $state.raw({ text: '', entries: [] });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request: AbortController | undefined;

  constructor(readonly onclose: () => void) {}

  /** The entries that match, by kind. */
  readonly groups = $derived.by(() => {
    const { typed } = this;
    const matching = [
      ...(typed.trim() === '' ? [] : this.#found.entries),
      ...paletteCommands(typed).filter(
        ({ id, label, synonyms = '' }) =>
          id === 'do/search' || matchesAllTerms(`${label} ${synonyms}`, typed),
      ),
    ];
    return KINDS.filter((kind) => this.kind === null || kind === this.kind)
      .map((kind) => ({ kind, entries: matching.filter((entry) => entry.kind === kind) }))
      .filter(({ entries }) => entries.length > 0);
  });

  readonly entries: PaletteEntry[] = $derived(this.groups.flatMap((group) => group.entries));

  /** Whether the answer for the typed text has arrived. */
  get settled(): boolean {
    return this.#found.text === this.typed;
  }

  type(text: string): void {
    this.typed = text;
    this.active = 0;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.search(text), SEARCH_DELAY);
  }

  private async search(text: string): Promise<void> {
    this.#request?.abort();
    const { signal } = (this.#request = new AbortController());
    try {
      const entries = await findEntries(text, signal);
      if (signal.aborted) return;
      this.#found = { text, entries };
      this.failure = null;
    } catch (error) {
      if (signal.aborted) return;
      this.#found = { text, entries: [] };
      this.failure = failureText(error);
    }
  }

  choose(entry: PaletteEntry | undefined): void {
    if (!entry) return;
    this.onclose();
    entry.run();
  }

  /** Runs the active entry. If the answer has not arrived yet, this waits for it. */
  async chooseActive(): Promise<void> {
    if (!this.settled) {
      clearTimeout(this.#timer);
      await this.search(this.typed);
    }
    this.choose(this.entries[this.active]);
  }

  /** Lists only entries of the active one's kind, or all again. */
  toggleKind(): void {
    this.kind = this.kind === null ? (this.entries[this.active]?.kind ?? null) : null;
    this.active = 0;
  }

  clearKind(): void {
    this.kind = null;
    this.active = 0;
  }

  /** Runs what a key does in the palette. Answers whether the key is used. */
  handleKey(event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'isComposing'>): boolean {
    const action = event.isComposing ? undefined : this.actionFor(event);
    action?.();
    return action !== undefined;
  }

  private actionFor({ key, shiftKey, ctrlKey, metaKey }: Parameters<CommandPalette['handleKey']>[0]) {
    if (shiftKey && key === 'Tab') return () => this.clearKind();
    const last = this.entries.length - 1;
    const actions: Record<string, () => void> = {
      ArrowDown: () => this.activate(this.active + 1),
      ArrowUp: () => this.activate(this.active - 1),
      PageDown: () => this.activate(Math.min(this.active + PAGE, last)),
      PageUp: () => this.activate(Math.max(this.active - PAGE, 0)),
      Enter: () => void this.chooseActive(),
      Tab: () => this.toggleKind(),
      ...(this.kind !== null && this.typed === '' ? { Backspace: () => this.clearKind() } : {}),
      ...(ctrlKey || metaKey ? { k: this.onclose } : {}),
    };
    return actions[key];
  }

  /** Past the end the first entry is active, before the first one the last. */
  private activate(index: number): void {
    const { length } = this.entries;
    if (length > 0) this.active = (index + length) % length;
  }

  /** Call this when the palette is closed. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#request?.abort();
  }
}

function failureText(error: unknown): string {
  if (error instanceof ServerUnreachable) return t.failures.unreachable;
  return error instanceof Error ? error.message : String(error);
}
