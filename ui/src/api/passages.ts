/** Where the words of a search stand. */
import { apiClient, unwrap } from './client';
import type { ItemMarks } from './types';

/** What is looked for. */
export interface SearchWords {
  q: string;
  /** Whether words are found only as they are typed. */
  isExact: boolean;
}

/** Maximum number of items in one request. */
export const MAX_PASSAGE_ITEMS = 50;

const wordsQuery = ({ q, isExact }: SearchWords) => ({ q, stems: isExact ? (false as const) : undefined });

/** The passages of items in which words stand; at most `MAX_PASSAGE_ITEMS`. */
export const listPassages = async (words: SearchWords, nids: number[], signal: AbortSignal) => {
  const query = { ...wordsQuery(words), nid: nids.join(',') };
  return (await unwrap(apiClient().GET('/api/v1/items/passages', { params: { query }, signal }))).items;
};

/** The places of words in the text of an item's files. */
export const readMarks = (nid: number, words: SearchWords, signal?: AbortSignal): Promise<ItemMarks> =>
  unwrap(
    apiClient().GET('/api/v1/items/{nid}/marks', {
      params: { path: { nid }, query: wordsQuery(words) },
      signal,
    }),
  );
