import { crc32 } from 'node:zlib';

const numbers = (...fields) =>
  Buffer.concat(
    fields.map(([size, value]) => {
      const bytes = Buffer.alloc(size);
      bytes.writeUIntLE(value, 0, size);
      return bytes;
    }),
  );

/** What both headers of a file say: version, flags, method, time, date, checksum and sizes. */
const facts = (bytes) =>
  numbers([2, 20], [2, 0], [2, 0], [4, 0], [4, crc32(bytes)], [4, bytes.length], [4, bytes.length]);

/** A ZIP with these files, stored as they are. */
export function zipOf(files) {
  const [parts, directory] = [[], []];
  let at = 0;
  for (const [path, content] of Object.entries(files)) {
    const [name, bytes] = [Buffer.from(path), Buffer.from(content)];
    const head = numbers([4, 0x04034b50]);
    const part = [head, facts(bytes), numbers([2, name.length], [2, 0]), name, bytes];
    const rest = numbers([2, name.length], [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, at]);
    directory.push(numbers([4, 0x02014b50], [2, 20]), facts(bytes), rest, name);
    parts.push(...part);
    at += Buffer.concat(part).length;
  }
  const entries = Buffer.concat(directory);
  const count = Object.keys(files).length;
  const end = numbers([4, 0x06054b50], [4, 0], [2, count], [2, count], [4, entries.length], [4, at], [2, 0]);
  return Buffer.concat([...parts, entries, end]);
}
