/** The coastline of an island and the shore lines around it, made of a few sine waves. */
export interface Point {
  x: number;
  y: number;
}

const STEPS = 220;
/** Waves of the coast: count per turn, height, phase. */
const WAVES: [number, number, number][] = [
  [1, 3.2, 2.6],
  [2, 5.6, 0.55],
  [3, 3.1, 1.9],
  [5, 2.1, 4.2],
  [7, 1.5, 0.9],
  [11, 0.95, 2.2],
  [17, 0.62, 5.1],
  [29, 0.4, 1.3],
  [43, 0.26, 3.7],
];
const RADIUS = 34;
const FLATTEN = 0.74;

/** A closed line around the island, `out` units from the coast (0: the coast itself). */
export function coastRing(out: number): Point[] {
  return Array.from({ length: STEPS }, (_, step) => {
    const angle = (step / STEPS) * 2 * Math.PI;
    const radius = RADIUS + out + coastOffset(angle, out);
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) * flatten(out) };
  });
}

/** Waves are damped with the distance from the coast. */
function coastOffset(angle: number, out: number): number {
  return WAVES.reduce(
    (sum, [turns, height, start]) => {
      const calm = Math.exp((-out * turns) / 130);
      return sum + height * calm * Math.sin(turns * angle + start);
    },
    bayOffset(angle, out),
  );
}

/** One deep bay in the south-west. */
function bayOffset(angle: number, out: number): number {
  const distance = Math.atan2(Math.sin(angle - 2.5), Math.cos(angle - 2.5));
  return -8.5 * Math.exp(-((distance / 0.19) ** 2)) * Math.exp(-out / 9);
}

function flatten(out: number): number {
  return FLATTEN + (0.88 - FLATTEN) * (1 - Math.exp(-out / 60));
}

/** Distances of the shore lines, increasing outwards. */
export function shoreLines(count: number): number[] {
  return Array.from({ length: count }, (_, line) => 2.2 + line * 2.6 + line * line * 0.16);
}

/** A closed SVG path, smoothed between midpoints. */
export function closedPath(points: Point[]): string {
  const middle = (a: Point, b: Point) => `${round((a.x + b.x) / 2)} ${round((a.y + b.y) / 2)}`;
  const last = points.at(-1);
  const first = points[0];
  if (!first || !last) return '';
  const curves = points.map((point, index) => {
    const next = points[(index + 1) % points.length] ?? first;
    return `Q${round(point.x)} ${round(point.y)} ${middle(point, next)}`;
  });
  return `M${middle(last, first)}${curves.join('')}Z`;
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}
