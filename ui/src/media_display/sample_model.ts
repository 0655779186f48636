import shipped from '../../../assets/content-model.json';
import type { ContentModel, FileKind, NamedTerm } from '../api/types';

const type = (label: string, extensions: string) => ({
  label,
  source_field: `source of ${label}`,
  file_extensions: extensions.split(' '),
  any_extension: false,
  fields: [],
});

const terms = (known: { role?: string; name: string; uri: string }[]) =>
  known.map(({ role, name, uri }, index) => ({ tid: index + 1, name, uri, role }) as NamedTerm);

/** The sample model where a media type takes any file. */
export const anyFileModel = (): ContentModel => {
  const { file, ...others } = sampleModel.media_types;
  return file
    ? { ...sampleModel, media_types: { ...others, file: { ...file, any_extension: true } } }
    : sampleModel;
};

/** A small content model for tests, with the roles of the real one. */
export const sampleModel: ContentModel = {
  node_types: {},
  vocabularies: {},
  relators: {},
  bundle_roles: shipped.bundle_roles,
  field_roles: shipped.field_roles,
  file_kinds: shipped.file_kinds as unknown as FileKind[],
  media_uses: terms(shipped.media_uses.filter(({ role }) => role === 'original_file')),
  models: terms(shipped.models),
  media_types: {
    audio: type('audio', 'mp3 wav aac'),
    document: type('document', 'txt pdf docx'),
    file: type('file', 'txt pdf tif tiff jp2 xml zip jpg'),
    image: type('image', 'png gif jpg jpeg'),
    video: type('video', 'mp4 mov'),
  },
};
