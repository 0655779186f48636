import { de } from './de';
import { en } from './en';
import { language, type Language } from './language';

/** What every language file has to say. */
export type Texts = typeof en;

/** One file for each language. */
const texts: Record<Language, Texts> = { en, de };

/** The texts of the reader's language. */
export const t: Texts = texts[language];
