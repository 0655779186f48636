import type { TileSourceOptions } from 'openseadragon';
import { readTiles, type FilePicture, type PictureTiles } from '../../api/tiles';
import type { Media } from '../../api/types';

export interface PictureSize {
  width: number;
  height: number;
}

/** The picture of a file with all its pixels, in tiles. */
export type TiledOriginal = FilePicture & PictureSize;

/** A picture to zoom into. */
export type ZoomPicture =
  /** `original`: where it has more pixels than the picture at the URL. */
  | { url: string; original: TiledOriginal | null }
  /** Only its tiles show it. */
  | { url: null; original: FilePicture };

type TileSource = TileSourceOptions &
  PictureSize & { getTileUrl: (level: number, column: number, row: number) => string };

/** Milliseconds before the server is asked again. It may answer at once while it is busy. */
const PAUSE = 1000;

/** Whether a media shows all of a picture of this size. What somebody has cropped or turned does not. */
export function isCopyOf({ width, height }: Pick<Media, 'width' | 'height'>, size: PictureSize): boolean {
  return !!width && !!height && Math.abs((width * size.height) / size.width - height) <= 1;
}

/** The tiles of a picture, once they are made or refused. */
export async function awaitTiles(picture: FilePicture, signal: AbortSignal): Promise<PictureTiles> {
  for (;;) {
    const tiles = await readTiles(picture, signal);
    signal.throwIfAborted();
    if (tiles.state !== 'waiting') return tiles;
    await new Promise((resume) => setTimeout(resume, PAUSE));
  }
}

/** The tiles as OpenSeadragon reads them; null where there are none. Its levels count upwards from the smallest. */
export function tileSource({ width, height, side, url }: PictureTiles): TileSource | null {
  if (!width || !height || !side || !url) return null;
  const maxLevel = Math.ceil(Math.log2(Math.max(width, height, side) / side));
  const getTileUrl = (level: number, column: number, row: number) =>
    url
      .replace('{level}', String(maxLevel - level))
      .replace('{column}', String(column))
      .replace('{row}', String(row));
  return { width, height, tileSize: side, tileOverlap: 0, minLevel: 0, maxLevel, getTileUrl };
}

/** What is displayed of a picture, and how many pixels it has: that must be known before two are laid out. */
export interface LoadedPicture {
  tileSource: TileSourceOptions | { type: 'image'; url: string };
  copy: PictureSize;
  /** Pixels of the original. */
  size: PictureSize;
}

/** Loads a picture, or the tiles of what nothing else shows. */
export async function loadPicture(
  { url, original }: ZoomPicture,
  signal: AbortSignal,
): Promise<LoadedPicture> {
  if (url !== null) {
    const { naturalWidth: width, naturalHeight: height } = await loadImage(url);
    const copy = { width, height };
    return { tileSource: { type: 'image', url }, copy, size: original ?? copy };
  }
  const tiles = await awaitTiles(original, signal);
  const source = tileSource(tiles);
  if (!source) throw new Error(tiles.reason ?? '');
  return { tileSource: source, copy: source, size: source };
}

function loadImage(url: string): Promise<HTMLImageElement> {
  return new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = () => failed(new Error(url));
    image.src = url;
  });
}
