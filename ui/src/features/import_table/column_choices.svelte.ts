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

/** The headings that are no columns: those of the problems with the heading, and those that something stands for. */
export function unknownColumns(check: TableCheck, meant: Record<string, string>): UnknownColumn[] {
  const wrong = new Map<string, string | null>();
  for (const { row, column, suggestion } of check.problems)
    if (row === 1 && column !== '') wrong.set(column, suggestion ?? null);
  const names = check.columns.map(({ heading }) => heading.trim());
  return check.columns.flatMap(({ cells }, index) => {
    const heading = names[index] ?? '';
    // Nobody could say which of two columns of one name is meant.
    const isOnly = names.indexOf(heading) === names.lastIndexOf(heading);
    if (!isOnly || !(wrong.has(heading) || heading in meant)) return [];
    return [{ heading, cells, suggestion: wrong.get(heading) ?? null }];
  });
}

/** Whether nothing is wrong but headings for which nobody has said yet what they stand for. */
export function asksForColumns(check: TableCheck, meant: Record<string, string>): boolean {
  const unknown = new Set(unknownColumns(check, meant).map(({ heading }) => heading));
  const isOpen = ({ row, column }: TableProblem) => row === 1 && unknown.has(column) && !(column in meant);
  return check.problems.length > 0 && check.problems.every(isOpen);
}
