/** Files as they come in: from a drop or a dialog, in a browser or in the window. */
import { chooseFiles, describePaths, listFolder, type DescribedPath } from '../desktop';

/** Where the bytes are. */
export type Source = { file: File } | { path: string };

export interface DroppedFile {
  name: string;
  /** Bytes. */
  size: number;
  mime: string | null;
  /** Names of the folders round it, outermost first, as far as they were dropped too. */
  folder: string[];
  source: Source;
}

/** Entries of a dropped folder that are read at the same time. */
const AT_ONCE = 32;
/** Deeper folders are left alone, so that a link in a circle ends. */
const DEEPEST = 24;

export function fromFiles(files: Iterable<File>): DroppedFile[] {
  return [...files].map((file) => fromFile(file, []));
}

function fromFile(file: File, folder: string[]): DroppedFile {
  return { name: file.name, size: file.size, mime: file.type || null, folder, source: { file } };
}

/** The files of a browser's drop, with those inside dropped folders. */
export async function fromTransfer(transfer: DataTransfer): Promise<DroppedFile[]> {
  // Entries must be taken before the first await: the list is emptied after the event.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  if (entries.every((entry) => entry === null)) return fromFiles(transfer.files);
  const found = await Promise.all(entries.filter((entry) => entry !== null).map((entry) => walk(entry, [])));
  return found.flat();
}

async function walk(entry: FileSystemEntry, folder: string[]): Promise<DroppedFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [fromFile(file, folder)];
  }
  if (folder.length >= DEEPEST) return [];
  const inside = await readAll((entry as FileSystemDirectoryEntry).createReader());
  const found: DroppedFile[] = [];
  // All at once would stop the page for as long as it takes.
  for (let first = 0; first < inside.length; first += AT_ONCE) {
    const some = inside.slice(first, first + AT_ONCE);
    const walks = some.map((one) => walk(one, [...folder, entry.name]));
    for (const files of await Promise.all(walks)) found.push(...files);
  }
  return found;
}

/** A directory reader hands out its entries in portions until none are left. */
async function readAll(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** The files of a native drop, with those inside dropped folders. */
export async function fromPaths(paths: string[]): Promise<DroppedFile[]> {
  return expand(await describePaths(paths), []);
}

/** The files chosen in the system's own dialog. */
export async function fromDialog(): Promise<DroppedFile[]> {
  return expand(await chooseFiles(), []);
}

async function expand(described: DescribedPath[], folder: string[]): Promise<DroppedFile[]> {
  const found: DroppedFile[] = [];
  for (const { path, name, size, mime, is_dir } of described) {
    if (!is_dir) found.push({ name, size, mime, folder, source: { path } });
    else if (folder.length < DEEPEST)
      found.push(...(await expand(await listFolder(path), [...folder, name])));
  }
  return found;
}
