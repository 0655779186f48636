import type { TableCheck, TableProblem } from '../../api/import_table';
import { LocalSetting } from '../../state/local_setting.svelte';

/** A heading that is no column, and what its first rows say. */
interface UnknownColumn {
  heading: string;
  cells: string[];
  suggestion: string | null;
}

/** What headings of other programs stand for; those of the last tables are remembered in this browser. */
class ColumnChoices {
  readonly #remembered = new LocalSetting<Record<string, string>>('table-columns', {});

  /** The column that a heading stood for; an empty text where it was left out, null where it was never chosen. */
  of(heading: string): string | null {
    return this.#remembered.value[heading] ?? null;
  }

  remember(choices: Record<string, string>): void {
    this.#remembered.value = { ...this.#remembered.value, ...choices };
  }
}

export const columnChoices = new ColumnChoices();

/** Whether a problem is a heading that is no column. */
export const isUnknownHeading = ({ row, column }: TableProblem): boolean => row === 1 && column !== '';

/** The headings that are no columns: those of the problems with the heading, and those that something stands for. */
export function unknownColumns(check: TableCheck, meant: Record<string, string>): UnknownColumn[] {
  const wrong = new Map(
    check.problems
      .filter(isUnknownHeading)
      .map(({ column, suggestion }): [string, string | null] => [column, suggestion ?? null]),
  );
  return check.columns.flatMap(({ heading, cells }) => {
    const name = heading.trim();
    return wrong.has(name) || name in meant
      ? [{ heading: name, cells, suggestion: wrong.get(name) ?? null }]
      : [];
  });
}
