import type { FieldItem } from '../api/types';

/** Words that were typed and not saved, kept in this browser until they are saved or given up. */
const key = (form: string) => `isolario.draft.${form}`;

export type Drafts = Record<string, FieldItem[]>;

export function readDrafts(form: string): Drafts {
  try {
    return JSON.parse(localStorage.getItem(key(form)) ?? '{}') as Drafts;
  } catch {
    return {};
  }
}

export function keepDraft(form: string, field: string, items: FieldItem[] | null): void {
  const drafts = readDrafts(form);
  if (items === null) delete drafts[field];
  else drafts[field] = items;
  try {
    if (Object.keys(drafts).length === 0) localStorage.removeItem(key(form));
    else localStorage.setItem(key(form), JSON.stringify(drafts));
  } catch {
    // Storage may be full or forbidden: the words then live as long as the page.
  }
}
