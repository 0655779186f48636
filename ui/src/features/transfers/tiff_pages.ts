/** Reads a byte range of a file; at its end fewer bytes. */
export type ReadRange = (begin: number, end: number) => Promise<Uint8Array>;

/** Bytes of a directory that are read at first: those of scanners are shorter. */
const DIRECTORY_BYTES = 4096;
/** Tags of TIFF 6.0: whether a directory is a smaller picture of another one, and its width. */
const [SUBFILE_TYPE, WIDTH] = [254, 256];

/** How numbers are written in a file; `big`: BigTIFF. */
interface Writing {
  little: boolean;
  big: boolean;
}

/**
 * The number of pages of a TIFF, without smaller pictures of others, as the server counts them. Null where the file is
 * damaged or no TIFF. It counts no further than `most`.
 */
export async function countTiffPages(read: ReadRange, most: number): Promise<number | null> {
  const head = viewOf(await read(0, 16));
  if (head.byteLength < 16) return null;
  const little = head.getUint16(0) === 0x4949;
  const magic = head.getUint16(2, little);
  if ((!little && head.getUint16(0) !== 0x4d4d) || (magic !== 42 && magic !== 43)) return null;
  const writing = { little, big: magic === 43 };
  let next = writing.big ? Number(head.getBigUint64(8, little)) : head.getUint32(4, little);
  const seen = new Set<number>();
  let pages = 0;
  while (next !== 0 && pages <= most) {
    if (seen.has(next) || seen.size > 2 * most) return null;
    seen.add(next);
    const directory = await readDirectory(read, next, writing);
    if (!directory) return null;
    next = directory.next;
    if (!directory.isSmaller) pages += 1;
  }
  return Math.max(1, pages);
}

async function readDirectory(read: ReadRange, at: number, { little, big }: Writing) {
  const [countBytes, entryBytes, placeBytes] = big ? [8, 20, 8] : [2, 12, 4];
  let view = viewOf(await read(at, at + DIRECTORY_BYTES));
  if (view.byteLength < countBytes) return null;
  const count = big ? Number(view.getBigUint64(0, little)) : view.getUint16(0, little);
  const length = countBytes + count * entryBytes + placeBytes;
  if (count === 0 || count > 4096) return null;
  if (view.byteLength < length) view = viewOf(await read(at, at + length));
  if (view.byteLength < length) return null;
  let [hasWidth, isReduced] = [false, false];
  for (let index = 0; index < count; index += 1) {
    const entry = countBytes + index * entryBytes;
    const tag = view.getUint16(entry, little);
    if (tag === WIDTH) hasWidth = true;
    if (tag !== SUBFILE_TYPE) continue;
    const value = entry + entryBytes - placeBytes;
    const isShort = view.getUint16(entry + 2, little) === 3;
    isReduced = ((isShort ? view.getUint16(value, little) : view.getUint32(value, little)) & 1) === 1;
  }
  const place = length - placeBytes;
  const next = big ? Number(view.getBigUint64(place, little)) : view.getUint32(place, little);
  return { next, isSmaller: isReduced || !hasWidth };
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);
