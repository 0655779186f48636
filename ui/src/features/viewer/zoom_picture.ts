import type { TileSourceOptions } from 'openseadragon';
import { readTiles, type PictureTiles } from '../../api/tiles';

export interface PictureSize {
  width: number;
  height: number;
}

/** A picture to zoom into. */
export interface ZoomPicture {
  url: string;
  /** The original, where it has more pixels than the picture at the URL. */
  original: (PictureSize & { fid: number }) | null;
}

type TileSource = TileSourceOptions & { getTileUrl: (level: number, column: number, row: number) => string };

/** Milliseconds before the server is asked again. It may answer at once while it is busy. */
const PAUSE = 1000;

/** The tiles of a file, once they are made or refused. */
export async function awaitTiles(fid: number, signal: AbortSignal): Promise<PictureTiles> {
  for (;;) {
    const tiles = await readTiles(fid, signal);
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

/** Loads a picture: its size must be known before two are laid out. */
export function loadImage(url: string): Promise<HTMLImageElement> {
  return new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = () => failed(new Error(url));
    image.src = url;
  });
}
