/** Vocabularies as a whole: terms that become one, that nothing uses, and whose names are similar. */
import { absoluteUrl, apiClient, unwrap } from './client';
import { postFile } from './import_table';
import type { components } from './schema';
import type { Batch, BatchPreview } from './types';

export type TermCheck = components['schemas']['TermCheck'];
export type TermInTree = components['schemas']['TermInTree'];
export type TermTreePage = components['schemas']['TermTreeList'];
export type VocabularyFormat = components['schemas']['VocabularyFormatName'];

/** The address of a vocabulary as a file. */
export const vocabularyUrl = (vocabulary: string, format: VocabularyFormat) =>
  absoluteUrl(`/api/v1/vocabularies/${vocabulary}/export?format=${format}`);

/** What the import of terms would do, and what is wrong with them; nothing is written. */
export const checkTerms = async (
  vocabulary: string,
  name: string,
  file: Blob,
  signal: AbortSignal,
): Promise<TermCheck> => (await postFile(importUrl(vocabulary, name, true), file, signal)).json();

/** Begins to import terms that have no problems. */
export const importTerms = async (vocabulary: string, name: string, file: Blob): Promise<Batch> =>
  (await postFile(importUrl(vocabulary, name, false), file)).json();

const importUrl = (vocabulary: string, name: string, check: boolean) =>
  `/api/v1/vocabularies/${vocabulary}/import?${new URLSearchParams({ name, check: String(check) })}`;

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

/** The terms directly below another one; 0 for those at the top. */
export const listTermTree = (
  vocabulary: string,
  below: number,
  after: string | null,
  signal?: AbortSignal,
): Promise<TermTreePage> =>
  unwrap(
    apiClient().GET('/api/v1/vocabularies/{vocabulary}/tree', {
      params: { path: { vocabulary }, query: { below: below || undefined, after: after ?? undefined } },
      signal,
    }),
  );

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
