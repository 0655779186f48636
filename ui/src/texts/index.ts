import { en } from './en';

/** What every language file has to say. */
export type Texts = typeof en;

/** The texts of the reader's language. A second language is one more file and one more entry here. */
const languages: Record<string, Texts> = { en };

export const t: Texts = languages[preferred()] ?? en;

function preferred(): string {
  const wanted = typeof navigator === 'undefined' ? [] : navigator.languages.map((tag) => tag.slice(0, 2));
  return wanted.find((code) => code in languages) ?? 'en';
}
