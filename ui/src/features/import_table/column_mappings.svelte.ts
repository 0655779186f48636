import { LocalSetting } from '../../state/local_setting.svelte';

/** What the headings of a kind of table stand for, such as those of a hand-made sheet. */
export interface ColumnMapping {
  name: string;
  /** The column of each heading; an empty text leaves the heading out. */
  columns: Record<string, string>;
}

/** Mappings that were kept by name, stored in this browser. */
class ColumnMappings {
  readonly #kept = new LocalSetting<ColumnMapping[]>('table-mappings', []);

  get all(): ColumnMapping[] {
    return this.#kept.value;
  }

  /** Those that say something of one of these headings. */
  of(headings: string[]): ColumnMapping[] {
    return this.all.filter(({ columns }) => headings.some((heading) => heading in columns));
  }

  /** Keeps what headings stand for, in place of what had this name. */
  keep(name: string, columns: Record<string, string>): void {
    const others = this.all.filter((mapping) => mapping.name !== name);
    this.#kept.value = [...others, { name, columns }].sort((a, b) => a.name.localeCompare(b.name));
  }

  forget(name: string): void {
    this.#kept.value = this.all.filter((mapping) => mapping.name !== name);
  }
}

export const columnMappings = new ColumnMappings();
