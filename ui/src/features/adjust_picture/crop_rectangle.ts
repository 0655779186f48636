import type { Crop } from '../../api/types';
import type { Size } from '../../media_display/seen_size';

export interface Point {
  x: number;
  y: number;
}

/** What is dragged of a rectangle, across and down: an edge before (-1) or after (1), or both (0). */
export interface Handle {
  x: -1 | 0 | 1;
  y: -1 | 0 | 1;
}

export const WHOLE: Handle = { x: 0, y: 0 };

/** The edges and corners, row by row. */
export const HANDLES: readonly Handle[] = ([-1, 0, 1] as const).flatMap((y) =>
  ([-1, 0, 1] as const).flatMap((x) => (x === 0 && y === 0 ? [] : [{ x, y }])),
);

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));

/** The rectangle when a part of it was dragged. It stays in the picture and keeps at least a pixel. */
export function dragged(rectangle: Crop, { x, y }: Handle, by: Point, picture: Size): Crop {
  const moved = x === 0 && y === 0;
  const across = draggedSide(rectangle.x, rectangle.width, moved ? null : x, by.x, picture.width);
  const down = draggedSide(rectangle.y, rectangle.height, moved ? null : y, by.y, picture.height);
  return { x: across.from, y: down.from, width: across.length, height: down.length };
}

/** `edge`: null for both. */
function draggedSide(from: number, length: number, edge: -1 | 0 | 1 | null, distance: number, all: number) {
  const by = Math.round(distance);
  const end = from + length;
  if (edge === null) return { from: clamp(from + by, 0, all - length), length };
  if (edge === 0) return { from, length };
  if (edge < 0) {
    const start = clamp(from + by, 0, end - 1);
    return { from: start, length: end - start };
  }
  return { from, length: clamp(end + by, from + 1, all) - from };
}

/** The rectangle between two corners. It lies in the picture and has at least a pixel. */
export function between(one: Point, other: Point, picture: Size): Crop {
  const across = sideBetween(one.x, other.x, picture.width);
  const down = sideBetween(one.y, other.y, picture.height);
  return { x: across.from, y: down.from, width: across.length, height: down.length };
}

function sideBetween(one: number, other: number, all: number) {
  const from = clamp(Math.round(Math.min(one, other)), 0, all - 1);
  return { from, length: clamp(Math.round(Math.max(one, other)), from + 1, all) - from };
}

export function isWhole({ width, height }: Crop, picture: Size): boolean {
  return width === picture.width && height === picture.height;
}

const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The rectangle after a key: arrows move it by a step, with Shift they move its right or lower edge. */
export function afterKey(
  rectangle: Crop,
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  step: number,
  picture: Size,
): Crop | null {
  const arrow = ARROWS[key];
  if (!arrow) return null;
  const handle: Handle = shiftKey ? { x: arrow.x === 0 ? 0 : 1, y: arrow.y === 0 ? 0 : 1 } : WHOLE;
  return dragged(rectangle, handle, { x: arrow.x * step, y: arrow.y * step }, picture);
}
