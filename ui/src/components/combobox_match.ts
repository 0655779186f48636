import type { Option } from './Listbox.svelte';

/** Accents of Latin, Greek and Cyrillic letters. Marks of other scripts distinguish words. */
const ACCENTS = /[\u0300-\u036f]/g;

/** A text as it is compared: without case, accents and surplus spaces. */
export function comparable(text: string): string {
  return text.normalize('NFKD').replace(ACCENTS, '').toLowerCase().replace(/\s+/g, ' ').trim();
}

function optionsNamed(options: Option[], text: string): Option[] {
  const wanted = comparable(text);
  const same = options.filter((option) => !option.act && comparable(option.label) === wanted);
  const literal = same.filter(({ label }) => label === text.trim());
  return literal.length > 0 ? literal : same;
}

/** The option that a text names. Of several with the same name it is the chosen one, or none. */
export function namedOption(options: Option[], text: string, chosen?: Option): Option | null {
  const named = optionsNamed(options, text);
  if (chosen && named.includes(chosen)) return chosen;
  return named.length === 1 ? (named[0] ?? null) : null;
}

export const isAmbiguous = (options: Option[], text: string): boolean =>
  optionsNamed(options, text).length > 1;

/**
 * Index of the option that is active before the user moves: the one that the text names, one that begins with it, or
 * the first match. -1 where there are only actions: nothing is created that nobody has moved to.
 */
export function preferredIndex(options: Option[], text: string): number {
  const wanted = comparable(text);
  const ranks = [
    (label: string) => label === wanted,
    (label: string) => label.startsWith(wanted),
    () => true,
  ];
  for (const fits of ranks) {
    const at = options.findIndex((option) => !option.act && fits(comparable(option.label)));
    if (at >= 0) return at;
  }
  return -1;
}
