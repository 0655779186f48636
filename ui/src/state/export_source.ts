import type { ItemQuery } from '../api/types';
import { t } from '../texts';

/** Items that can be exported: parameters of `GET /api/v1/export`, and what they are in words. */
export interface ExportSource {
  words: string;
  parameters: Record<string, string | string[]>;
}

/** Maximum number of ids in one request, and of letters that they may have: the server takes 8,192 of an address. */
const MAX_IDS = 1000;
const MAX_LETTERS = 7000;

/** Whether so many ids can be asked for. */
export const fitsAddress = (nids: number[]): boolean =>
  nids.length <= MAX_IDS && nids.join(',').length <= MAX_LETTERS;

export const selectedItems = (nids: number[]): ExportSource => ({
  words: t.exporting.selected(nids.length),
  parameters: { nids: nids.join(',') },
});

/** A list, in whatever order. */
export function listedItems(query: ItemQuery, words: string): ExportSource {
  const { sort: _, order: __, ...list } = query;
  return { words, parameters: listParameters(list) };
}

/** The parameters that ask for a list, without the fields that are shown of its items. */
export function listParameters({ fields: _, ...list }: Partial<ItemQuery>): ExportSource['parameters'] {
  const entries = Object.entries(list).filter(([, value]) => value !== undefined);
  const parameters = entries.map(([name, value]) => [name, Array.isArray(value) ? value : String(value)]);
  return Object.fromEntries(parameters);
}

/** A collection with everything below it. */
export const collectionItems = (nid: number, title: string): ExportSource => ({
  words: t.exporting.below(title),
  parameters: { view: 'all', collection: String(nid), below: 'true' },
});

export const savedSearchItems = (id: number, name: string): ExportSource => ({
  words: t.exporting.found(name),
  parameters: { saved_search: String(id) },
});
