/** The content model as a file that people keep, send and read again. */
import type { ModelDefinition } from '../../api/content_model';
import { download } from '../../state/download';
import { repository } from '../../state/repository.svelte';
import { t } from '../../texts';
import { plainName } from './field_names';

export function downloadModel(model: ModelDefinition): void {
  const blob = new Blob([JSON.stringify(model, null, 2) + '\n'], { type: 'application/json' });
  const parts = [t.contentModel.fileName, plainName(repository.name)].filter((part) => part !== '');
  download(blob, `${parts.join('-')}.json`);
}

/** Null where the file is no content model. The server says what else is wrong with it. */
export async function readModelFile(file: File): Promise<ModelDefinition | null> {
  try {
    const found = JSON.parse(await file.text()) as Partial<ModelDefinition> | null;
    if (!Array.isArray(found?.bundles) || !found.bundles.every(isBundle)) return null;
    return {
      ...found,
      bundles: found.bundles,
      relators: found.relators ?? {},
      namespaces: found.namespaces ?? {},
    };
  } catch {
    return null;
  }
}

const isBundle = (one: unknown): boolean =>
  typeof one === 'object' &&
  one !== null &&
  ['kind', 'id', 'label'].every((name) => typeof (one as Record<string, unknown>)[name] === 'string') &&
  Array.isArray((one as Record<string, unknown>).fields);
