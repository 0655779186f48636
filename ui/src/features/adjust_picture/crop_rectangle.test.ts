import { describe, expect, it } from 'vitest';
import { afterKey, between, dragged, HANDLES, isWhole, WHOLE } from './crop_rectangle';

const picture = { width: 100, height: 80 };
const start = { x: 20, y: 30, width: 40, height: 20 };
const key = (name: string, shiftKey = false) => afterKey(start, { key: name, shiftKey }, 5, picture);

describe('a crop', () => {
  it('is dragged by its edges and corners', () => {
    expect(HANDLES.length).toBe(8);
    expect(dragged(start, { x: -1, y: -1 }, { x: 5, y: -10 }, picture)).toEqual({
      x: 25,
      y: 20,
      width: 35,
      height: 30,
    });
    expect(dragged(start, { x: 1, y: 0 }, { x: 12.4, y: 99 }, picture)).toEqual({ ...start, width: 52 });
  });

  it('keeps within the picture, and keeps a pixel', () => {
    expect(dragged(start, { x: 1, y: 1 }, { x: 900, y: 900 }, picture)).toEqual({
      ...start,
      width: 80,
      height: 50,
    });
    expect(dragged(start, { x: -1, y: 0 }, { x: 900, y: 0 }, picture)).toEqual({ ...start, x: 59, width: 1 });
    expect(dragged(start, { x: 0, y: 1 }, { x: 0, y: -900 }, picture)).toEqual({ ...start, height: 1 });
  });

  it('is moved as a whole and stops at the edges', () => {
    expect(dragged(start, WHOLE, { x: -5, y: 3 }, picture)).toEqual({ ...start, x: 15, y: 33 });
    expect(dragged(start, WHOLE, { x: 900, y: -900 }, picture)).toEqual({ ...start, x: 60, y: 0 });
  });

  it('is drawn from any corner to the other', () => {
    const drawn = { x: 10, y: 20, width: 30, height: 40 };
    expect(between({ x: 10, y: 20 }, { x: 40, y: 60 }, picture)).toEqual(drawn);
    expect(between({ x: 40, y: 60 }, { x: 10, y: 20 }, picture)).toEqual(drawn);
    expect(between({ x: 99.8, y: 79.9 }, { x: 140, y: 160 }, picture)).toEqual({
      x: 99,
      y: 79,
      width: 1,
      height: 1,
    });
  });

  it('is moved and resized by keys', () => {
    expect(key('ArrowLeft')).toEqual({ ...start, x: 15 });
    expect(key('ArrowDown')).toEqual({ ...start, y: 35 });
    expect(key('ArrowRight', true)).toEqual({ ...start, width: 45 });
    expect(key('ArrowUp', true)).toEqual({ ...start, height: 15 });
    expect(key('Home')).toBeNull();
  });

  it('is none where it keeps the whole picture', () => {
    expect(isWhole({ x: 0, y: 0, ...picture }, picture)).toBe(true);
    expect(isWhole(start, picture)).toBe(false);
  });
});
