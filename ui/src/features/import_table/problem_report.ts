import type { TableProblem } from '../../api/import_table';
import { t } from '../../texts';
import { tableProblemText } from '../../texts/table_problems';

/** A cell that begins so, a spreadsheet would calculate. */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A cell as CSV writes it (RFC 4180), which no spreadsheet calculates. */
function cell(text: string): string {
  const guarded = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** The problems of a table as a table. */
export function problemReport(problems: TableProblem[]): string {
  const { row, column, value, problem, suggestion } = t.tables;
  const rows = problems.map((one) => [
    String(one.row),
    one.column,
    one.value,
    tableProblemText(one),
    one.suggestion ?? '',
  ]);
  const lines = [[row, column, value, problem, suggestion], ...rows].map((cells) =>
    cells.map(cell).join(','),
  );
  // Spreadsheets know UTF-8 by its mark.
  return `\ufeff${lines.join('\r\n')}\r\n`;
}
