import type { ContentModel } from '../api/types';
import { MODEL } from './kind';

const type = (source_field: string, extensions: string) => ({
  label: source_field,
  source_field,
  file_extensions: extensions.split(' '),
  fields: [],
});

/** A small content model for tests. */
export const sampleModel: ContentModel = {
  node_types: {},
  vocabularies: {},
  relators: {},
  media_uses: [{ tid: 3, name: 'Original File', uri: 'http://pcdm.org/use#OriginalFile' }],
  models: [
    { tid: 10, name: 'Image', uri: MODEL.image },
    { tid: 11, name: 'Audio', uri: MODEL.audio },
    { tid: 12, name: 'Video', uri: MODEL.video },
    { tid: 13, name: 'Digital Document', uri: MODEL.document },
    { tid: 14, name: 'Binary', uri: MODEL.binary },
    { tid: 15, name: 'Collection', uri: MODEL.collection },
  ],
  media_types: {
    audio: type('field_media_audio_file', 'mp3 wav aac'),
    document: type('field_media_document', 'txt pdf docx'),
    file: type('field_media_file', 'txt pdf tif tiff jp2 xml zip jpg'),
    image: type('field_media_image', 'png gif jpg jpeg'),
    video: type('field_media_video_file', 'mp4 mov'),
  },
};
