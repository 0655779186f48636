import { downloadZip } from 'client-zip';
import { allowForImport } from '../../desktop';
import type { DroppedTable } from '../../state/dialogs.svelte';
import { bytesOf, type DroppedFile } from './dropped_files';

const TABLE = /\.(csv|tsv|xlsx|ods)$/i;

/** The one table among dropped files; null where there is none or several. */
export function tableAmong(files: DroppedFile[]): DroppedFile | null {
  const tables = files.filter(({ name }) => TABLE.test(name));
  return tables.length === 1 ? (tables[0] ?? null) : null;
}

/**
 * A table with the files that its rows name. The window tells the folder of the table, of which rows may name what was
 * dropped; a browser packs all that was dropped with it into a ZIP.
 */
export async function withItsFiles(table: DroppedFile, files: DroppedFile[]): Promise<DroppedTable> {
  const { name, source } = table;
  const isAlone = files.length === 1;
  if ('path' in source) {
    const folder = isAlone ? null : parentOf(source.path);
    if (folder !== null) await allowForImport([...new Set(files.flatMap(droppedPath))]);
    return { name, bytes: await bytesOf(table), folder };
  }
  if (isAlone) return { name, bytes: source.file, folder: null };
  const entries = files.flatMap(({ folder, name, source }) =>
    'file' in source ? [{ name: [...folder, name].join('/'), input: source.file }] : [],
  );
  return { name: `${name}.zip`, bytes: await downloadZip(entries).blob(), folder: null };
}

const parentOf = (path: string): string => path.replace(/[\\/][^\\/]*$/, '');

/** The file itself, or the outermost folder that was dropped with it. */
const droppedPath = ({ folder, source }: DroppedFile): string[] =>
  'path' in source ? [folder.reduce(parentOf, source.path)] : [];
