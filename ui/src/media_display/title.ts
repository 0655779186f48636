const RESERVED = /[\\/:*?"<>|\p{Cc}]/gu;

/** The title of a file name: without extension, underscores, control characters and doubled spaces. */
export function titleFromName(name: string): string {
  const dot = name.lastIndexOf('.');
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const title = stem.replace(/[_\s\p{Cc}]+/gu, ' ').trim();
  return [...(title || name.replace(RESERVED, '_'))].slice(0, 255).join('');
}

/** A file name that is valid on every system. */
export function safeName(name: string): string {
  const cleaned = name.replace(RESERVED, '_').replace(/^[.\s]+|[.\s]+$/g, '');
  return cleaned.normalize('NFC') || 'file';
}

/** The URI of a new file: one folder per month. */
export function contentLocation(name: string, now: Date): string {
  const month = String(now.getMonth() + 1).padStart(2, '0');
  return `public://${now.getFullYear()}-${month}/${safeName(name)}`;
}
