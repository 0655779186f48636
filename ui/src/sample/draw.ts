/** Small pictures of our own, drawn on the spot: no file has to be shipped or fetched for them. */
const [WIDTH, HEIGHT] = [960, 720];
const QUALITY = 0.86;

/** Numbers from 0 to 1 that are the same for the same seed. */
function chances(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

/** A map of an island that never was. */
export function drawMap(title: string, seed: number): Promise<File> {
  const chance = chances(seed * 7919);
  return draw(WIDTH, HEIGHT, `map-${seed}.jpg`, (pen) => {
    paper(pen, WIDTH, HEIGHT, '#ece0c0', chance);
    const coast = island(chance);
    for (const [width, colour] of SHORES) line(pen, coast, width, colour);
    pen.fillStyle = '#dcc894';
    pen.fill();
    line(pen, coast, 2, '#5b4a30');
    hills(pen, chance);
    frame(pen, WIDTH, HEIGHT);
    words(pen, (title.split(',')[0] ?? title).toLocaleUpperCase(), WIDTH / 2, 92, '30px');
  });
}

/** A page that somebody has written, without a word that could be read. */
export function drawPage(number: number): Promise<File> {
  const chance = chances(number * 104729);
  return draw(540, HEIGHT, `page-${number}.jpg`, (pen) => {
    paper(pen, 540, HEIGHT, '#efe6cf', chance);
    pen.strokeStyle = '#4b3a26';
    pen.lineWidth = 1.6;
    for (let y = 130; y < HEIGHT - 90; y += 27) handwriting(pen, 76, y, 540 - 76 - chance() * 60, chance);
    words(pen, `· ${number} ·`, 270, HEIGHT - 44, '22px');
  });
}

type Pen = CanvasRenderingContext2D;
type Place = [x: number, y: number];

/** Engraved lines round the coast: wide ones first, each over the last. */
const SHORES: [number, string][] = [
  [64, '#a9bfb2'],
  [58, '#ece0c0'],
  [40, '#86a89a'],
  [35, '#ece0c0'],
  [20, '#5d8a80'],
  [15, '#ece0c0'],
];

async function draw(width: number, height: number, name: string, paint: (pen: Pen) => void): Promise<File> {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('This browser draws no pictures.');
  paint(pen);
  const bytes = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', QUALITY));
  if (!bytes) throw new Error('This browser draws no pictures.');
  return new File([bytes], name, { type: 'image/jpeg' });
}

function paper(pen: Pen, width: number, height: number, colour: string, chance: () => number): void {
  pen.fillStyle = colour;
  pen.fillRect(0, 0, width, height);
  for (let spot = 0; spot < 220; spot += 1) {
    pen.fillStyle = `rgb(120 90 40 / ${0.03 * chance()})`;
    pen.beginPath();
    pen.arc(chance() * width, chance() * height, 4 + 50 * chance(), 0, 7);
    pen.fill();
  }
}

/** A closed coast from a few waves. */
function island(chance: () => number): Place[] {
  const waves = [2, 3, 5, 7, 11, 17, 29].map(
    (turns) => [turns, (chance() * 66) / turns, chance() * 7] as const,
  );
  return Array.from({ length: 240 }, (_, step): Place => {
    const turn = (step / 240) * 2 * Math.PI;
    const reach = waves.reduce((sum, [turns, high, from]) => sum + high * Math.sin(turns * turn + from), 190);
    return [WIDTH / 2 + 1.35 * reach * Math.cos(turn), HEIGHT / 2 + 30 + 0.86 * reach * Math.sin(turn)];
  });
}

function line(pen: Pen, points: Place[], width: number, colour: string): void {
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.closePath();
  Object.assign(pen, { lineWidth: width, strokeStyle: colour, lineJoin: 'round' });
  pen.stroke();
}

function hills(pen: Pen, chance: () => number): void {
  pen.strokeStyle = '#6b5738';
  pen.lineWidth = 1.5;
  for (let hill = 0; hill < 26; hill += 1) {
    const [x, y] = [WIDTH / 2 + (chance() - 0.5) * 300, HEIGHT / 2 + 30 + (chance() - 0.5) * 190];
    pen.beginPath();
    pen.moveTo(x - 9, y + 7);
    pen.quadraticCurveTo(x - 2, y - 12, x + 10, y + 7);
    pen.stroke();
  }
}

/** Black and white by turns, as engravers counted degrees. */
function frame(pen: Pen, width: number, height: number): void {
  pen.strokeStyle = '#3f3220';
  pen.lineWidth = 9;
  pen.setLineDash([34, 34]);
  pen.strokeRect(24, 24, width - 48, height - 48);
  pen.setLineDash([]);
  pen.lineWidth = 1.5;
  for (const inset of [18, 30]) pen.strokeRect(inset, inset, width - 2 * inset, height - 2 * inset);
}

function words(pen: Pen, text: string, x: number, y: number, size: string): void {
  Object.assign(pen, { font: `${size} serif`, textAlign: 'center', fillStyle: '#3f3220' });
  pen.fillText(text, x, y, WIDTH - 160);
}

function handwriting(pen: Pen, from: number, y: number, to: number, chance: () => number): void {
  let x = from;
  while (x < to) {
    const end = Math.min(to, x + 24 + chance() * 60);
    pen.beginPath();
    pen.moveTo(x, y);
    for (; x < end; x += 6)
      pen.quadraticCurveTo(x + 2, y - 4 - 9 * chance(), x + 6, y + 3 * (chance() - 0.5));
    pen.stroke();
    x += 12;
  }
}
