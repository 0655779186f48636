import { language } from './language';

const GERMAN: Record<string, string> = {
  Ctrl: 'Strg',
  Shift: 'Umschalt',
  Del: 'Entf',
  Delete: 'Entf',
  Home: 'Pos 1',
  End: 'Ende',
  PageUp: 'Bild ↑',
  PageDown: 'Bild ↓',
  Space: 'Leertaste',
};

/** What stands on keys: `Ctrl+Shift+C`, or one of them, as keyboards of the reader's language have it. */
export const keyNames = (keys: string): string =>
  language === 'de' ? keys.replace(/[A-Za-z]+/g, (key) => GERMAN[key] ?? key) : keys;
