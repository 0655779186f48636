import { readBytes } from '../../api/read_bytes';
import { vocabularyUrl, type VocabularyFormat } from '../../api/terms';
import { inWindow, saveAs } from '../../desktop';
import { errorText } from '../../state/batch_preview.svelte';
import { download } from '../../state/download';
import { toaster } from '../../state/toast.svelte';
import { t } from '../../texts';

const EXTENSIONS: Record<VocabularyFormat, string> = { csv: 'csv', turtle: 'ttl', jsonld: 'jsonld' };

/** Saves the terms of a vocabulary as a file. */
export async function exportVocabulary(vocabulary: string, format: VocabularyFormat): Promise<void> {
  const url = vocabularyUrl(vocabulary, format);
  const name = `${vocabulary}.${EXTENSIONS[format]}`;
  try {
    if (inWindow) {
      const { saved, path } = await saveAs(url, name);
      if (saved && path) toaster.say(t.files.savedTo(path));
    } else download(await readBytes(url, new AbortController().signal, () => {}), name);
  } catch (error) {
    toaster.warn(errorText(error));
  }
}
