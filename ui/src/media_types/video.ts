import { MODEL, type Kind } from './kind';

export const video: Kind = {
  mediaType: 'video',
  modelUri: MODEL.video,
  mimes: {
    mp4: 'video/mp4',
    mov: 'video/quicktime',
    wmv: 'video/x-ms-wmv',
    avi: 'video/x-msvideo',
    mts: 'video/mp2t',
    flv: 'video/x-flv',
    f4v: 'video/mp4',
    swf: 'application/x-shockwave-flash',
    mkv: 'video/x-matroska',
    webm: 'video/webm',
    ogv: 'video/ogg',
    mpeg: 'video/mpeg',
  },
};
