import type { ContentModel } from '../api/types';
import { extensionOf, takesFile } from './file_kinds';

/** Why a file is not uploaded. */
export type RefusalReason = 'hidden' | 'unfinished' | 'empty' | 'unsupported';

const SYSTEM_FILES = new Set(['thumbs.db', 'desktop.ini', '__macosx']);
const PARTIAL_EXTENSIONS = new Set(['part', 'partial', 'crdownload', 'download', 'tmp', 'filepart']);

/** Null where the file can be uploaded. `size` in bytes. */
export function refusalReason(name: string, size: number, model: ContentModel): RefusalReason | null {
  if (name.startsWith('.') || SYSTEM_FILES.has(name.toLowerCase())) return 'hidden';
  if (PARTIAL_EXTENSIONS.has(extensionOf(name))) return 'unfinished';
  if (!Object.values(model.media_types).some((type) => takesFile(type, name))) return 'unsupported';
  return size === 0 ? 'empty' : null;
}
