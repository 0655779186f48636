import type { Passage } from '../../api/types';
import { isOfFile } from '../../state/passages.svelte';
import { t } from '../../texts';
import { fieldLabel } from './filter_choices';

type Part = Passage['parts'][number];

/** Letters before the first mark: what is marked must be seen in one line. */
const MAX_BEFORE = 24;

/** What a passage is of: a page of the file, or a field. */
export function passagePlace(passage: Passage): string {
  if (isOfFile(passage)) return passage.page ? t.hits.page(passage.page) : t.hits.text;
  return passage.field === 'file_name' ? t.hits.fileName : fieldLabel(passage.field);
}

/** The text of a passage on one line, from shortly before the first mark. */
export function passageParts({ parts, begins_within, ends_within }: Passage): Part[] {
  const shown = parts.map(({ text, marked }) => ({ text: text.replace(/\s+/g, ' '), marked }));
  const [first] = shown;
  const cut = first && !first.marked ? cutBefore(first.text) : null;
  if (first && cut !== null) first.text = cut;
  if (begins_within || cut !== null) shown.unshift({ text: '…', marked: false });
  if (ends_within) shown.push({ text: '…', marked: false });
  return shown;
}

/** The end of a text, from the beginning of a word; null where it is short. */
function cutBefore(text: string): string | null {
  if (text.length <= MAX_BEFORE) return null;
  const end = text.slice(-MAX_BEFORE);
  return end.includes(' ') ? end.slice(end.indexOf(' ') + 1) : end;
}

/** A passage as a screen reader says it. */
export function passageWords(passage: Passage): string {
  const text = passageParts(passage).map((part) => part.text);
  return `${passagePlace(passage)}: ${text.join('')}`;
}
