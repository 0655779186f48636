import type { FieldItem } from '../../api/types';

/** Drafts: values that were typed and not saved, stored in this browser until they are saved or discarded. */
export type Drafts = Record<string, FieldItem[]>;

/** Milliseconds without typing before a draft is stored. */
const WRITE_DELAY = 300;

const storageKey = (form: string) => `isolario.draft.${form}`;

/** Drafts that are not stored yet, by form. */
const pending = new Map<string, Drafts>();
let timer: ReturnType<typeof setTimeout> | undefined;

export function readDrafts(form: string): Drafts {
  return { ...storedDrafts(form), ...pending.get(form) };
}

/** Stores a draft as soon as the typing pauses. */
export function writeDraft(form: string, field: string, items: FieldItem[]): void {
  pending.set(form, { ...pending.get(form), [field]: items });
  clearTimeout(timer);
  timer = setTimeout(flushDrafts, WRITE_DELAY);
}

/** Removes a draft at once, stored or not. */
export function removeDraft(form: string, field: string): void {
  const { [field]: unwritten, ...others } = pending.get(form) ?? {};
  if (unwritten) pending.set(form, others);
  const { [field]: removed, ...rest } = storedDrafts(form);
  if (removed) store(form, rest);
}

/** Stores all drafts now: the page may be closed. */
export function flushDrafts(): void {
  clearTimeout(timer);
  for (const [form, drafts] of pending) store(form, { ...storedDrafts(form), ...drafts });
  pending.clear();
}

function storedDrafts(form: string): Drafts {
  try {
    return JSON.parse(localStorage.getItem(storageKey(form)) ?? '{}') as Drafts;
  } catch {
    return {};
  }
}

function store(form: string, drafts: Drafts): void {
  try {
    if (Object.keys(drafts).length === 0) localStorage.removeItem(storageKey(form));
    else localStorage.setItem(storageKey(form), JSON.stringify(drafts));
  } catch {
    // Storage may be full or forbidden: the drafts then last as long as the page.
  }
}
