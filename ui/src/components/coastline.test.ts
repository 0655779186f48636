import { expect, it } from 'vitest';
import { closedPath, coastRing, shoreLines } from './coastline';

it('draws shore lines that never cross', () => {
  const rings = [0, ...shoreLines(16)].map((out) => coastRing(out));
  for (let line = 1; line < rings.length; line += 1) {
    const inner = rings[line - 1] ?? [];
    const outer = rings[line] ?? [];
    outer.forEach((point, step) => {
      const inside = inner[step] ?? { x: 0, y: 0 };
      expect(Math.hypot(point.x, point.y)).toBeGreaterThan(Math.hypot(inside.x, inside.y));
    });
  }
});

it('closes its path', () => {
  expect(closedPath(coastRing(0))).toMatch(/^M[-\d. ]+(Q[-\d. ]+)+Z$/);
  expect(closedPath([])).toBe('');
});
