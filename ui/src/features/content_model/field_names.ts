/** Machine names that are made of labels. */

/** As long as the reference allows. */
const LONGEST = 32;
const LETTERS: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  đ: 'd',
  ł: 'l',
};

/** Small letters, digits and underscores. */
export function plainName(label: string): string {
  return label
    .toLowerCase()
    .replace(/[äöüßæøœđł]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
}

/** A name that is not taken: `field_condition`, `field_condition_2` … */
export function freeName(label: string, taken: string[], prefix = 'field_'): string {
  const name = plainName(label);
  if (name === '') return '';
  const base = cut(prefix + name, LONGEST);
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : `_${number}`;
    const found = cut(base, LONGEST - end.length) + end;
    if (!taken.includes(found)) return found;
  }
}

const cut = (name: string, length: number) => name.slice(0, length).replace(/_+$/, '');

/** Whether a new field or bundle may have that name. */
export const isName = (name: string): boolean => /^[a-z][a-z0-9_]*$/.test(name) && name.length <= LONGEST;
