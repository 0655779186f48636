import type { Media } from '../../api/types';

const USE = 'http://pcdm.org/use#';
/** Pictures that every browser shows. SVG can carry scripts and is not among them. */
const PICTURES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
/** Larger ones are looked at in place of themselves: bytes and pixels. */
const LARGEST = { bytes: 40_000_000, pixels: 50_000_000 };

/** What the viewer shows of an item, and how. */
export type Showing =
  | { kind: 'picture' | 'pdf' | 'audio' | 'video' | 'text'; media: Media; original: Media }
  /** Only the small picture is there. */
  | { kind: 'small'; media: Media; original: Media }
  /** Nothing here can show it. */
  | { kind: 'file'; media: Media; original: Media }
  | { kind: 'nothing' };

export interface Shelf {
  media: Media[];
  /** Address of a media use by its number. */
  useOf: (tid: number) => string | null;
  /** Whether this browser plays recordings of a type. */
  plays: (mime: string) => boolean;
}

/** The media of an item with a use (`OriginalFile`), if it has a file. */
export function withUse({ media, useOf }: Pick<Shelf, 'media' | 'useOf'>, use: string): Media | undefined {
  return media.find((one) => one.file && one.uses.some(({ tid }) => useOf(tid) === USE + use));
}

export function showingOf(shelf: Shelf): Showing {
  const service = withUse(shelf, 'ServiceFile');
  const original = withUse(shelf, 'OriginalFile') ?? service ?? shelf.media.find(({ file }) => file);
  if (!original) return { kind: 'nothing' };
  const mime = typeOf(original);
  if (mime.startsWith('image/')) return picture(shelf, original, service);
  if (mime === 'application/pdf') return { kind: 'pdf', media: original, original };
  if (mime.startsWith('audio/') || mime.startsWith('video/')) {
    const kind = mime.startsWith('audio/') ? 'audio' : 'video';
    const copy = !shelf.plays(mime) && service && typeOf(service).startsWith(`${kind}/`) ? service : original;
    return { kind, media: copy, original };
  }
  return isText(mime) ? { kind: 'text', media: original, original } : other(shelf, original);
}

function picture(shelf: Shelf, original: Media, service: Media | undefined): Showing {
  const copy = service && isPicture(service) ? service : undefined;
  const small = withUse(shelf, 'ThumbnailImage');
  if (isPicture(original) && (isHandy(original) || !copy))
    return { kind: 'picture', media: original, original };
  if (copy) return { kind: 'picture', media: copy, original };
  return small && isPicture(small) ? { kind: 'small', media: small, original } : other(shelf, original);
}

/** Of what cannot be shown, at least what is written in it. */
function other(shelf: Shelf, original: Media): Showing {
  const text = withUse(shelf, 'ExtractedText');
  return text ? { kind: 'text', media: text, original } : { kind: 'file', media: original, original };
}

function isPicture(media: Media): boolean {
  return PICTURES.includes(typeOf(media));
}

function isHandy({ size, width, height }: Media): boolean {
  return (size ?? 0) <= LARGEST.bytes && (width ?? 0) * (height ?? 0) <= LARGEST.pixels;
}

/** The declared type, as the server serves it; what it has where none was declared. */
export function typeOf({ mime, file }: Media): string {
  const declared = (mime ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const found = file?.facts?.mime;
  return declared === 'application/octet-stream' && typeof found === 'string' ? found : declared;
}

/** Whatever is but text; it is shown as what is written, and runs nowhere. */
export function isText(mime: string): boolean {
  return (
    mime.startsWith('text/') || /^application\/(.+\+)?(json|xml|x-ndjson|javascript|yaml|rtf)$/.test(mime)
  );
}
