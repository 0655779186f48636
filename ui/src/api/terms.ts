/** Vocabularies as a whole: terms that become one, that nothing uses, and whose names are similar. */
import { absoluteUrl, apiClient, unwrap } from './client';
import type { Batch, BatchPreview } from './types';

/** The address of a vocabulary as a file. */
export const vocabularyUrl = (vocabulary: string, format: 'csv' | 'turtle') =>
  absoluteUrl(`/api/v1/vocabularies/${vocabulary}/export?format=${format}`);

/** What a merge would do; nothing is changed. */
export const previewMerge = (into: number, terms: number[], signal?: AbortSignal): Promise<BatchPreview> =>
  unwrap(
    apiClient().POST('/api/v1/terms/{tid}/merge/preview', {
      params: { path: { tid: into } },
      body: { terms },
      signal,
    }),
  );

/** Begins to merge terms into another one of their vocabulary. */
export const mergeTerms = (into: number, terms: number[]): Promise<Batch> =>
  unwrap(apiClient().POST('/api/v1/terms/{tid}/merge', { params: { path: { tid: into } }, body: { terms } }));

export const listUnusedTerms = (vocabulary: string, after: string | null, signal?: AbortSignal) =>
  unwrap(
    apiClient().GET('/api/v1/vocabularies/{vocabulary}/unused', {
      params: { path: { vocabulary }, query: { after: after ?? undefined } },
      signal,
    }),
  );

export const listSimilarTerms = (vocabulary: string, after: string | null, signal?: AbortSignal) =>
  unwrap(
    apiClient().GET('/api/v1/vocabularies/{vocabulary}/similar', {
      params: { path: { vocabulary }, query: { after: after === null ? undefined : Number(after) } },
      signal,
    }),
  );
