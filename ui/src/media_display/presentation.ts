import type { Media, TermRole } from '../api/types';

/** Image types that browsers display. SVG is excluded, since it may contain scripts. */
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
/** Limits above which the service file is displayed, in bytes and pixels. */
const MAX_ORIGINAL = { bytes: 40_000_000, pixels: 50_000_000 };

/** What the viewer displays of an item. */
export type Presentation =
  | { kind: 'picture' | 'pdf' | 'audio' | 'video' | 'text'; media: Media; original: Media }
  /** Only a thumbnail exists. */
  | { kind: 'small'; media: Media; original: Media }
  /** It cannot be displayed. */
  | { kind: 'file'; media: Media; original: Media }
  | { kind: 'nothing' };

export interface ItemMedia {
  media: Media[];
  /** Role of a media use by its id. */
  roleOf: (tid: number) => TermRole | null;
  /** Whether this browser plays a MIME type. */
  canPlay: (mime: string) => boolean;
}

/** The media with a use, if it has a file. */
export function mediaWithUse(
  { media, roleOf }: Pick<ItemMedia, 'media' | 'roleOf'>,
  use: TermRole,
): Media | undefined {
  return media.find((one) => one.file && one.uses.some(({ tid }) => roleOf(tid) === use));
}

export function presentationOf(itemMedia: ItemMedia): Presentation {
  const service = mediaWithUse(itemMedia, 'service_file');
  const original =
    mediaWithUse(itemMedia, 'original_file') ?? service ?? itemMedia.media.find(({ file }) => file);
  if (!original) return { kind: 'nothing' };
  const mime = mimeOfMedia(original);
  if (mime.startsWith('image/')) return presentPicture(itemMedia, original, service);
  if (mime === 'application/pdf') return { kind: 'pdf', media: original, original };
  if (mime.startsWith('audio/') || mime.startsWith('video/')) {
    const kind = mime.startsWith('audio/') ? 'audio' : 'video';
    const copy =
      !itemMedia.canPlay(mime) && service && mimeOfMedia(service).startsWith(`${kind}/`) ? service : original;
    return { kind, media: copy, original };
  }
  return isText(mime) ? { kind: 'text', media: original, original } : presentOther(itemMedia, original);
}

function presentPicture(itemMedia: ItemMedia, original: Media, service: Media | undefined): Presentation {
  const copy = service && isPicture(service) ? service : undefined;
  const small = mediaWithUse(itemMedia, 'thumbnail_image');
  // What is cropped and rotated is seen in the copy.
  if (isPicture(original) && ((isSmallEnough(original) && !original.adjustment) || !copy))
    return { kind: 'picture', media: original, original };
  if (copy) return { kind: 'picture', media: copy, original };
  return small && isPicture(small)
    ? { kind: 'small', media: small, original }
    : presentOther(itemMedia, original);
}

/** The extracted text of what cannot be displayed. */
function presentOther(itemMedia: ItemMedia, original: Media): Presentation {
  const text = mediaWithUse(itemMedia, 'extracted_text');
  return text ? { kind: 'text', media: text, original } : { kind: 'file', media: original, original };
}

/** Whether a browser displays an original, and it is not too large for that. */
export function canShowOriginal(original: Media): boolean {
  return isPicture(original) && isSmallEnough(original);
}

function isPicture(media: Media): boolean {
  return IMAGE_TYPES.includes(mimeOfMedia(media));
}

function isSmallEnough({ size, width, height }: Media): boolean {
  return (size ?? 0) <= MAX_ORIGINAL.bytes && (width ?? 0) * (height ?? 0) <= MAX_ORIGINAL.pixels;
}

/** The declared MIME type; the detected one where none was declared. */
export function mimeOfMedia({ mime, file }: Media): string {
  const declared = (mime ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const found = file?.facts?.mime;
  return declared === 'application/octet-stream' && typeof found === 'string' ? found : declared;
}

const TEXT =
  /^application\/(.+\+)?(json|xml|x-ndjson|javascript|yaml|rtf|sql|mbox|x-tex|x-bibtex|x-subrip|x-research-info-systems)$/;

/** Whether a MIME type is displayed as plain text, whatever it would do elsewhere. */
export function isText(mime: string): boolean {
  return mime.startsWith('text/') || mime === 'message/rfc822' || TEXT.test(mime);
}
