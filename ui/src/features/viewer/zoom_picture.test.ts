import { describe, expect, it } from 'vitest';
import type { PictureTiles } from '../../api/tiles';
import { tileSource } from './zoom_picture';

const tiles = (width: number, height: number) =>
  ({
    state: 'made',
    reason: null,
    width,
    height,
    side: 512,
    url: '/tiles/{level}/{column}/{row}?ticket=t',
  }) as PictureTiles;

describe('the tiles of a picture', () => {
  it('has its size at the highest level, and one tile at the lowest', () => {
    const source = tileSource(tiles(2400, 1800));
    expect(source).toMatchObject({ width: 2400, height: 1800, tileSize: 512, minLevel: 0, maxLevel: 3 });
    expect(source?.getTileUrl(3, 4, 2)).toBe('/tiles/0/4/2?ticket=t');
    expect(source?.getTileUrl(0, 0, 0)).toBe('/tiles/3/0/0?ticket=t');
  });

  it('has one level where one tile is enough, and another for one pixel more', () => {
    expect(tileSource(tiles(20, 512))?.maxLevel).toBe(0);
    expect(tileSource(tiles(513, 20))?.maxLevel).toBe(1);
    expect(tileSource(tiles(1024, 20))?.maxLevel).toBe(1);
    expect(tileSource(tiles(1025, 20))?.maxLevel).toBe(2);
  });

  it('are none where the server has none', () => {
    expect(tileSource({ ...tiles(1, 1), url: null })).toBeNull();
  });
});
