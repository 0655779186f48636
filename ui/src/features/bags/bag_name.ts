const LONGEST = 80;

/** A title as the name of a file that every system can write. */
export function safeName(title: string): string {
  const letters = title.replace(/[\p{Cc}\p{Cf}\\/:*?"<>|]+/gu, ' ').replace(/\s+/gu, ' ');
  const name = [...letters]
    .slice(0, LONGEST)
    .join('')
    .replace(/^[. ]+|[. ]+$/gu, '');
  return name === '' ? 'bag' : name;
}
