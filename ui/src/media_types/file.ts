import { MODEL, type Kind } from './kind';

/** Everything that is kept whole and has no player of its own. TIFF and JPEG 2000 masters are here. */
export const file: Kind = {
  mediaType: 'file',
  modelUri: MODEL.binary,
  mimes: {
    tif: 'image/tiff',
    tiff: 'image/tiff',
    jp2: 'image/jp2',
    xml: 'application/xml',
    zip: 'application/zip',
    vtt: 'text/vtt',
    hocr: 'text/vnd.hocr+html',
  },
};
