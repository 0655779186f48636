/** Reads files of a drop or a file dialog, in a browser or in the window. */
import {
  chooseFiles,
  chooseFolderToAdd,
  describePaths,
  inWindow,
  listFolder,
  readPart,
  type DescribedPath,
} from '../../desktop';

/** Where the bytes are. */
export type Source = { file: File } | { path: string };

export interface DroppedFile {
  name: string;
  /** Bytes. */
  size: number;
  mime: string | null;
  /** Names of the enclosing folders that were dropped too, outermost first. */
  folder: string[];
  source: Source;
}

const MAX_CONCURRENT_READS = 32;
/** Deeper folders are skipped, so that cyclic links end. */
const MAX_DEPTH = 24;

/** The files of a list; those of a chosen folder know their path in it. */
function filesFromList(files: Iterable<File>): DroppedFile[] {
  return [...files].map((file) => toDroppedFile(file, file.webkitRelativePath.split('/').slice(0, -1)));
}

function toDroppedFile(file: File, folder: string[]): DroppedFile {
  return { name: file.name, size: file.size, mime: file.type || null, folder, source: { file } };
}

/** The files of a drop in a browser, with those in dropped folders. */
export async function filesFromDataTransfer(transfer: DataTransfer): Promise<DroppedFile[]> {
  // Entries must be taken before the first await: the list is emptied after the event.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  if (entries.every((entry) => entry === null)) return filesFromList(transfer.files);
  const found = await Promise.all(
    entries.filter((entry) => entry !== null).map((entry) => readEntry(entry, [])),
  );
  return found.flat();
}

async function readEntry(entry: FileSystemEntry, folder: string[]): Promise<DroppedFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [toDroppedFile(file, folder)];
  }
  if (folder.length >= MAX_DEPTH) return [];
  const inside = await readDirectory((entry as FileSystemDirectoryEntry).createReader());
  const found: DroppedFile[] = [];
  // Reading all at once would block the page.
  for (let first = 0; first < inside.length; first += MAX_CONCURRENT_READS) {
    const some = inside.slice(first, first + MAX_CONCURRENT_READS);
    const walks = some.map((one) => readEntry(one, [...folder, entry.name]));
    for (const files of await Promise.all(walks)) found.push(...files);
  }
  return found;
}

/** A directory reader returns its entries in batches until none are left. */
async function readDirectory(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** The files of a drop in the window, with those in dropped folders. */
export async function filesFromPaths(paths: string[]): Promise<DroppedFile[]> {
  return readFolders(await describePaths(paths), []);
}

export interface FileDialogOptions {
  /** Several files, otherwise one. */
  several?: boolean;
  /** A folder with all in it instead of files. */
  folder?: boolean;
}

/** The files that the user selects in a file dialog: the system's own in the window, the browser's elsewhere. */
export async function filesFromDialog({ several = true, folder = false }: FileDialogOptions = {}): Promise<
  DroppedFile[]
> {
  if (!inWindow) return filesFromList(await filesFromInput(several, folder));
  if (!folder) return readFolders(await chooseFiles(), []);
  const chosen = await chooseFolderToAdd();
  return chosen ? readFolders([chosen], []) : [];
}

/** Bytes that are read from a path at once. */
const PART = 1 << 20;

/** The bytes of a small file. */
export async function bytesOf({ source, size }: DroppedFile): Promise<Blob> {
  if ('file' in source) return source.file;
  const parts: ArrayBuffer[] = [];
  for (let begin = 0; begin < size; begin += PART)
    parts.push(await readPart(source.path, begin, Math.min(PART, size - begin)));
  return new Blob(parts);
}

/** The input of an open dialog: without a reference, the browser may collect it before its answer. */
let openInput: HTMLInputElement | null = null;

function filesFromInput(several: boolean, folder: boolean): Promise<File[]> {
  const input = (openInput = document.createElement('input'));
  Object.assign(input, { type: 'file', multiple: several, webkitdirectory: folder });
  return new Promise((resolve) => {
    const answer = () => {
      if (openInput === input) openInput = null;
      resolve([...(input.files ?? [])]);
    };
    input.addEventListener('change', answer);
    input.addEventListener('cancel', answer);
    input.click();
  });
}

async function readFolders(described: DescribedPath[], folder: string[]): Promise<DroppedFile[]> {
  const found: DroppedFile[] = [];
  for (const { path, name, size, mime, is_dir } of described) {
    if (!is_dir) found.push({ name, size, mime, folder, source: { path } });
    else if (folder.length < MAX_DEPTH)
      found.push(...(await readFolders(await listFolder(path), [...folder, name])));
  }
  return found;
}
