/** Which language the texts are in: what somebody has chosen, else what the system prefers. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'isolario.language';

/** The languages that the system prefers, the most wanted first. */
export function systemTags(): readonly string[] {
  return typeof navigator === 'undefined' ? [] : navigator.languages;
}

/** The first of our languages among those that are wanted. */
export function bestOf(tags: readonly string[]): Language {
  const codes = tags.map((tag) => tag.slice(0, 2).toLowerCase());
  return codes.find((code): code is Language => code in LANGUAGES) ?? 'en';
}

/** What somebody has chosen in this browser or window; null is as the system prefers. */
export function chosenLanguage(): Language | null {
  try {
    const code = localStorage.getItem(KEY);
    return code !== null && code in LANGUAGES ? (code as Language) : null;
  } catch {
    return null;
  }
}

/** Keeps the choice. The texts change when the page is read again. */
export function chooseLanguage(language: Language | null): void {
  try {
    if (language === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, language);
  } catch {
    // Storage is forbidden: the system decides.
  }
}

export const language: Language = chosenLanguage() ?? bestOf(systemTags());

/** The locale that writes numbers and dates: the system's own where it is of the language of the texts. */
export function localeFor(language: Language, tags: readonly string[]): string {
  const own = tags.find((tag) => tag.toLowerCase().startsWith(language));
  return own ?? { en: 'en-GB', de: 'de-DE' }[language];
}
