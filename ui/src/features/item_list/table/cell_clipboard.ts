import { parse, unparse } from 'papaparse';
import { tableUrl } from '../../../api/export';
import { readBytes } from '../../../api/read_bytes';
import { errorText } from '../../../state/batch_preview.svelte';
import { dialogs } from '../../../state/dialogs.svelte';
import { fitsAddress } from '../../../state/export_source';
import type { PagedList } from '../../../state/paged_list.svelte';
import { selection } from '../../../state/selection.svelte';
import { tableColumns } from '../../../state/table_columns.svelte';
import { toaster } from '../../../state/toast.svelte';
import { t } from '../../../texts';
import { cellCursor, columnField } from './cell_cursor.svelte';

/** Names of columns in an exported table, where they are no fields. */
const EXPORTED: Record<string, string> = {
  status: 'published',
  nid: 'node_id',
  changed: 'changed',
  created: 'created',
};

/** The cells of an exported table without its heading and its first column, as rows in the order of these ids. */
export function cellsInOrder(table: string, nids: number[]): string {
  const [, ...rows] = parse<string[]>(table.replace(/^\u{feff}/u, ''), { skipEmptyLines: true }).data;
  const cells = new Map(rows.map(([nid, ...values]) => [Number(nid), values]));
  const ordered = nids.flatMap((nid) => (cells.has(nid) ? [cells.get(nid) ?? []] : []));
  return unparse(ordered, { delimiter: '\t', newline: '\n' });
}

/** Copies the cells of the selected rows, all columns or those of the block, as other programs paste them. */
export async function copyCells(list: PagedList): Promise<void> {
  const block = cellCursor.column === null ? tableColumns.all.map(({ id }) => id) : cellCursor.columns;
  const columns = block.flatMap((id) => EXPORTED[id] ?? columnField(id) ?? []);
  if (columns.length === 0) return toaster.say(t.cells.derived);
  selection.withSelected((selected) => void copy(inListOrder(list, selected), [...new Set(columns)]));
}

function inListOrder(list: PagedList, nids: number[]): number[] {
  const places = new Map([...list.rows.entries()].map(([index, { nid }]) => [nid, index]));
  return [...nids].sort((a, b) => (places.get(a) ?? Infinity) - (places.get(b) ?? Infinity) || a - b);
}

async function copy(nids: number[], columns: string[]): Promise<void> {
  if (nids.length === 0) return;
  if (!fitsAddress(nids)) return toaster.say(t.exporting.tooMany(nids.length));
  const options = { format: 'csv', terms: 'names', columns: ['node_id', ...columns], files: 'none' } as const;
  const url = tableUrl({ nids: nids.join(',') }, { ...options, columns: [...new Set(options.columns)] });
  const text = readBytes(url, AbortSignal.timeout(60_000), () => {}).then(async (table) =>
    cellsInOrder(await table.text(), nids),
  );
  try {
    await writeText(text);
    toaster.say(t.cells.copied(nids.length));
  } catch (error) {
    toaster.warn(errorText(error));
  }
}

/** A browser takes a text that arrives later only where it is promised at once. */
async function writeText(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(await text);
  const blob = text.then((words) => new Blob([words], { type: 'text/plain' }));
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}

/** The table that pasted cells are, from a row and a column on; a sentence where they do not fit. */
export function pastedTable(text: string, nids: number[], columns: string[]): string {
  const rows = parse<string[]>(text.replace(/\r?\n$/, ''), { delimiter: '\t' }).data;
  const width = Math.max(...rows.map((row) => row.length));
  if (width > columns.length) throw new Error(t.tables.pasteTooWide);
  if (rows.length > nids.length) throw new Error(t.tables.pasteTooLong);
  const heading = ['node_id', ...columns.slice(0, width)];
  return unparse([heading, ...rows.map((row, index) => [String(nids[index]), ...row])]);
}

/** Offers to paste cells of another program from the cell of the cursor on. */
export async function pasteCells(list: PagedList, column: string): Promise<void> {
  try {
    const text = await navigator.clipboard.readText();
    const ids = tableColumns.all.map(({ id }) => id);
    const columns = ids.slice(ids.indexOf(column)).map((id) => EXPORTED[id] ?? columnField(id) ?? id);
    const below = list.rows.loadedFrom(selection.cursor).map(({ nid }) => nid);
    const table = pastedTable(text, below, columns);
    const title = t.tables.paste(table.split('\n').length - 1);
    const bytes = new Blob([table], { type: 'text/csv' });
    dialogs.open = {
      kind: 'import-table',
      source: { title, collection: null, table: { name: 'paste.csv', bytes } },
    };
  } catch (error) {
    toaster.warn(errorText(error));
  }
}
