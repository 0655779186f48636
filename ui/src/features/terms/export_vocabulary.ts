import { vocabularyUrl, type VocabularyFormat } from '../../api/terms';
import { saveFromServer } from '../../state/save_from_server';

const EXTENSIONS: Record<VocabularyFormat, string> = { csv: 'csv', turtle: 'ttl', jsonld: 'jsonld' };

/** Saves the terms of a vocabulary as a file. */
export async function exportVocabulary(vocabulary: string, format: VocabularyFormat): Promise<void> {
  const url = vocabularyUrl(vocabulary, format);
  const name = `${vocabulary}.${EXTENSIONS[format]}`;
  await saveFromServer(url, name);
}
