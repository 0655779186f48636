import type { ContentModel, NamedTerm } from '../api/types';
import { audio } from './audio';
import { document } from './document';
import { file } from './file';
import { image } from './image';
import { MODEL, type Kind } from './kind';
import { video } from './video';

/** In the order in which they are asked whether they take a file. */
const KINDS: Kind[] = [image, audio, video, document, file];

/** What a file becomes. */
export interface Becoming {
  mediaType: string;
  mime: string;
  model: NamedTerm;
}

export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

/** The MIME type of a file: what the system says, else what its extension says. */
export function mimeOf(name: string, said: string | null): string {
  if (said && said !== 'application/octet-stream') return said;
  const extension = extensionOf(name);
  for (const kind of KINDS) {
    const mime = kind.mimes[extension];
    if (mime) return mime;
  }
  return said || 'application/octet-stream';
}

/** The media type, model and MIME type that a file gets, or null when the repository takes no such file. */
export function becomes(name: string, saidMime: string | null, model: ContentModel): Becoming | null {
  const extension = extensionOf(name);
  const kind = KINDS.find(({ mediaType }) =>
    model.media_types[mediaType]?.file_extensions.includes(extension),
  );
  if (!kind) return null;
  const mime = mimeOf(name, saidMime);
  const term = modelTerm(model, modelUri(kind, mime)) ?? modelTerm(model, MODEL.binary);
  return term ? { mediaType: kind.mediaType, mime, model: term } : null;
}

/** A picture kept as a plain file is still a picture to the curator. */
function modelUri(kind: Kind, mime: string): string {
  return kind === file && mime.startsWith('image/') ? MODEL.image : kind.modelUri;
}

export function modelTerm(model: ContentModel, uri: string): NamedTerm | undefined {
  return model.models.find((term) => term.uri === uri);
}

/** Every extension that some media type takes, for the file dialog. */
export function acceptedExtensions(model: ContentModel): string[] {
  const all = KINDS.flatMap(({ mediaType }) => model.media_types[mediaType]?.file_extensions ?? []);
  return [...new Set(all)];
}
