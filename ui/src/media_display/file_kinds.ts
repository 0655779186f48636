import type { ContentModel, FileKind, MediaType, NamedTerm, TermRole } from '../api/types';

/** The most likely uses of further files of an item. */
export const LIKELY_USES: TermRole[] = [
  'original_file',
  'preservation_master_file',
  'service_file',
  'intermediate_file',
  'thumbnail_image',
];

/** Media type, MIME type and model of a file. */
export interface FileClassification {
  mediaType: string;
  mime: string;
  model: NamedTerm;
}

export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

/**
 * The MIME type of the extension, as in a watched folder; otherwise the one that the system reports. Systems report
 * what a program has claimed: a CSV file is a spreadsheet where Excel is installed.
 */
export function mimeOf(name: string, declared: string | null, model: ContentModel): string {
  const extension = extensionOf(name);
  for (const kind of model.file_kinds) {
    const mime = kind.mime_types[extension];
    if (mime) return mime;
  }
  return declared || 'application/octet-stream';
}

/** Whether media of a type take a file of that name. */
export function takesFile(type: MediaType | undefined, name: string): boolean {
  return type !== undefined && (type.any_extension || type.file_extensions.includes(extensionOf(name)));
}

/** Null where the repository does not accept the file. */
export function classifyFile(
  name: string,
  declaredMime: string | null,
  model: ContentModel,
): FileClassification | null {
  const kind = model.file_kinds.find(({ media_type }) => takesFile(model.media_types[media_type], name));
  if (!kind) return null;
  const mime = mimeOf(name, declaredMime, model);
  const term = modelTerm(model, modelRole(kind, mime)) ?? modelTerm(model, 'binary');
  return term ? { mediaType: kind.media_type, mime, model: term } : null;
}

function modelRole(kind: FileKind, mime: string): TermRole {
  return kind.model_by_mime?.[mime.split('/')[0] ?? ''] ?? kind.model;
}

/** The model with a role. */
export function modelTerm(model: ContentModel, role: TermRole): NamedTerm | undefined {
  return model.models.find((term) => term.role === role);
}

/** The media use with a role. */
export function useTerm(model: ContentModel, role: TermRole): NamedTerm | undefined {
  return model.media_uses.find((term) => term.role === role);
}

/** Extensions of all media types, for the file dialog. */
export function acceptedExtensions(model: ContentModel): string[] {
  const all = model.file_kinds.flatMap(
    ({ media_type }) => model.media_types[media_type]?.file_extensions ?? [],
  );
  return [...new Set(all)];
}
