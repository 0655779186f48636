/** Draws the pictures of the sample collection, so that no files are shipped. */
const [WIDTH, HEIGHT] = [960, 720];
const QUALITY = 0.86;

/** Pseudo-random numbers from 0 to 1 for a seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

/** Draws a map of a fictional island. */
export function drawMap(title: string, seed: number): Promise<File> {
  const random = randomNumbers(seed * 7919);
  return drawPicture(WIDTH, HEIGHT, `map-${seed}.jpg`, (context) => {
    drawPaper(context, WIDTH, HEIGHT, '#ece0c0', random);
    const coast = coastOutline(random);
    for (const [width, colour] of SHORES) drawOutline(context, coast, width, colour);
    context.fillStyle = '#dcc894';
    context.fill();
    drawOutline(context, coast, 2, '#5b4a30');
    drawHills(context, random);
    drawFrame(context, WIDTH, HEIGHT);
    drawText(context, (title.split(',')[0] ?? title).toLocaleUpperCase(), WIDTH / 2, 92, '30px');
  });
}

/** Draws a manuscript page with illegible text. */
export function drawPage(number: number): Promise<File> {
  const random = randomNumbers(number * 104729);
  return drawPicture(540, HEIGHT, `page-${number}.jpg`, (context) => {
    drawPaper(context, 540, HEIGHT, '#efe6cf', random);
    context.strokeStyle = '#4b3a26';
    context.lineWidth = 1.6;
    for (let y = 130; y < HEIGHT - 90; y += 27)
      drawHandwriting(context, 76, y, 540 - 76 - random() * 60, random);
    drawText(context, `· ${number} ·`, 270, HEIGHT - 44, '22px');
  });
}

type Canvas2d = CanvasRenderingContext2D;
type Coordinate = [x: number, y: number];

/** Shore lines: the widest first, each drawn over the last. */
const SHORES: [number, string][] = [
  [64, '#a9bfb2'],
  [58, '#ece0c0'],
  [40, '#86a89a'],
  [35, '#ece0c0'],
  [20, '#5d8a80'],
  [15, '#ece0c0'],
];

async function drawPicture(
  width: number,
  height: number,
  name: string,
  paint: (context: Canvas2d) => void,
): Promise<File> {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws no pictures.');
  paint(context);
  const bytes = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', QUALITY));
  if (!bytes) throw new Error('This browser draws no pictures.');
  return new File([bytes], name, { type: 'image/jpeg' });
}

function drawPaper(
  context: Canvas2d,
  width: number,
  height: number,
  colour: string,
  random: () => number,
): void {
  context.fillStyle = colour;
  context.fillRect(0, 0, width, height);
  for (let spot = 0; spot < 220; spot += 1) {
    context.fillStyle = `rgb(120 90 40 / ${0.03 * random()})`;
    context.beginPath();
    context.arc(random() * width, random() * height, 4 + 50 * random(), 0, 7);
    context.fill();
  }
}

/** A closed coastline of a few sine waves. */
function coastOutline(random: () => number): Coordinate[] {
  const waves = [2, 3, 5, 7, 11, 17, 29].map(
    (turns) => [turns, (random() * 66) / turns, random() * 7] as const,
  );
  return Array.from({ length: 240 }, (_, step): Coordinate => {
    const turn = (step / 240) * 2 * Math.PI;
    const reach = waves.reduce((sum, [turns, high, from]) => sum + high * Math.sin(turns * turn + from), 190);
    return [WIDTH / 2 + 1.35 * reach * Math.cos(turn), HEIGHT / 2 + 30 + 0.86 * reach * Math.sin(turn)];
  });
}

function drawOutline(context: Canvas2d, points: Coordinate[], width: number, colour: string): void {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.closePath();
  Object.assign(context, { lineWidth: width, strokeStyle: colour, lineJoin: 'round' });
  context.stroke();
}

function drawHills(context: Canvas2d, random: () => number): void {
  context.strokeStyle = '#6b5738';
  context.lineWidth = 1.5;
  for (let hill = 0; hill < 26; hill += 1) {
    const [x, y] = [WIDTH / 2 + (random() - 0.5) * 300, HEIGHT / 2 + 30 + (random() - 0.5) * 190];
    context.beginPath();
    context.moveTo(x - 9, y + 7);
    context.quadraticCurveTo(x - 2, y - 12, x + 10, y + 7);
    context.stroke();
  }
}

/** A frame of black and white segments. */
function drawFrame(context: Canvas2d, width: number, height: number): void {
  context.strokeStyle = '#3f3220';
  context.lineWidth = 9;
  context.setLineDash([34, 34]);
  context.strokeRect(24, 24, width - 48, height - 48);
  context.setLineDash([]);
  context.lineWidth = 1.5;
  for (const inset of [18, 30]) context.strokeRect(inset, inset, width - 2 * inset, height - 2 * inset);
}

function drawText(context: Canvas2d, text: string, x: number, y: number, size: string): void {
  Object.assign(context, { font: `${size} serif`, textAlign: 'center', fillStyle: '#3f3220' });
  context.fillText(text, x, y, WIDTH - 160);
}

function drawHandwriting(context: Canvas2d, from: number, y: number, to: number, random: () => number): void {
  let x = from;
  while (x < to) {
    const end = Math.min(to, x + 24 + random() * 60);
    context.beginPath();
    context.moveTo(x, y);
    for (; x < end; x += 6)
      context.quadraticCurveTo(x + 2, y - 4 - 9 * random(), x + 6, y + 3 * (random() - 0.5));
    context.stroke();
    x += 12;
  }
}
