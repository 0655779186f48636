/** The title that an item gets from its file's name: no extension, no underscores, no doubled spaces. */
export function titleFromName(name: string): string {
  const dot = name.lastIndexOf('.');
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const title = stem.replace(/_+/g, ' ').replace(/\s+/g, ' ').trim();
  return [...(title || name)].slice(0, 255).join('');
}

const RESERVED = /[\\/:*?"<>|\u0000-\u001f\u007f]/g;

/** A file name that every system can hold, for the last part of a file's address. */
export function safeName(name: string): string {
  const cleaned = name.replace(RESERVED, '_').replace(/^[.\s]+|[.\s]+$/g, '');
  return cleaned.normalize('NFC') || 'file';
}

/** Where a new file is kept: a folder per month in the public scheme. */
export function contentLocation(name: string, now: Date): string {
  const month = String(now.getMonth() + 1).padStart(2, '0');
  return `public://${now.getFullYear()}-${month}/${safeName(name)}`;
}
