import { describe, expect, it } from 'vitest';
import type { Media } from '../api/types';
import {
  adjustedSize,
  adjustmentOf,
  AS_ORIGINAL,
  rotated,
  turnedRectangle,
  uprightSize,
} from './picture_adjustment';

const size = { width: 60, height: 40 };
const crop = { x: 5, y: 10, width: 20, height: 8 };

describe('an adjusted picture', () => {
  it('is as in its file where nothing is said', () => {
    expect(adjustmentOf({ adjustment: null })).toEqual(AS_ORIGINAL);
    expect(adjustmentOf({ adjustment: { rotation: 90 } })).toEqual({ rotation: 90, crop: null });
  });

  it('is rotated in both directions, past the full turn', () => {
    expect(rotated({ rotation: 270, crop }, 1)).toEqual({ rotation: 0, crop });
    expect(rotated(AS_ORIGINAL, -1).rotation).toBe(270);
    expect(rotated({ rotation: 90, crop: null }, 3).rotation).toBe(0);
  });

  it('has the size of its region, on its side after a quarter turn', () => {
    expect(adjustedSize(size, AS_ORIGINAL)).toEqual(size);
    expect(adjustedSize(size, { rotation: 90, crop: null })).toEqual({ width: 40, height: 60 });
    expect(adjustedSize(size, { rotation: 180, crop })).toEqual({ width: 20, height: 8 });
    expect(adjustedSize(size, { rotation: 270, crop })).toEqual({ width: 8, height: 20 });
  });

  it('is measured upright, by the facts or by its media', () => {
    const media = { width: 60, height: 40, file: { facts: { orientation: 6 } } } as unknown as Media;
    expect(uprightSize(media)).toEqual({ width: 40, height: 60 });
    const facts = { width: 6000, height: 4000 };
    expect(uprightSize({ ...media, file: { facts } } as unknown as Media)).toEqual(facts);
    expect(uprightSize({ width: null, height: null, file: null } as unknown as Media)).toBeNull();
  });
});

describe('a rectangle in a picture that is turned', () => {
  it('goes with the picture', () => {
    expect(turnedRectangle(crop, size, 1)).toEqual({ x: 22, y: 5, width: 8, height: 20 });
    expect(turnedRectangle(crop, size, 2)).toEqual({ x: 35, y: 22, width: 20, height: 8 });
    expect(turnedRectangle(crop, size, 3)).toEqual({ x: 10, y: 35, width: 8, height: 20 });
  });

  it('is back after four turns, and by the rest of a turn', () => {
    expect(turnedRectangle(crop, size, 4)).toEqual(crop);
    const turned = turnedRectangle(crop, size, 1);
    expect(turnedRectangle(turned, { width: 40, height: 60 }, 3)).toEqual(crop);
  });
});
