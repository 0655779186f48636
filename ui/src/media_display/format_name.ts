import type { Media } from '../api/types';
import { t } from '../texts';
import { extensionOf } from './file_kinds';
import { mimeOfMedia } from './presentation';

/** The format of a file in words, by its MIME type; of an unknown type by the extension of its name. */
export function formatName(mime: string, name = ''): string {
  const essence = mime.split(';')[0]?.trim().toLowerCase() ?? '';
  if (essence !== '' && essence !== 'application/octet-stream') return t.formats[essence] ?? essence;
  const extension = extensionOf(name);
  return extension && extension.length <= 12 ? t.formatOf(extension.toUpperCase()) : t.formatUnknown;
}

/** The format of the file of a media: as declared, unless only its bytes say what it is. */
export function formatOfMedia(media: Media): string {
  const mime = mimeOfMedia(media);
  const found = media.file?.facts?.format;
  if (t.formats[mime] === undefined && typeof found === 'string') return found;
  return formatName(mime, media.file?.filename);
}
