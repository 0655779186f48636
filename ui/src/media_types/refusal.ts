import type { ContentModel } from '../api/types';
import { extensionOf } from './registry';

/** Why a file is left out before anything is sent. */
export type Refusal = 'hidden' | 'unfinished' | 'empty' | 'unsupported';

const SYSTEM_FILES = new Set(['thumbs.db', 'desktop.ini', '__macosx']);
const UNFINISHED = new Set(['part', 'partial', 'crdownload', 'download', 'tmp', 'filepart']);

/** The reason to leave a file out, or null when some media type takes it. `size` in bytes. */
export function refusal(name: string, size: number, model: ContentModel): Refusal | null {
  const extension = extensionOf(name);
  if (name.startsWith('.') || SYSTEM_FILES.has(name.toLowerCase())) return 'hidden';
  if (UNFINISHED.has(extension)) return 'unfinished';
  const taken = Object.values(model.media_types).some((type) => type.file_extensions.includes(extension));
  if (!taken) return 'unsupported';
  return size === 0 ? 'empty' : null;
}
