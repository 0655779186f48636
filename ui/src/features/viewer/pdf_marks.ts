/** Where words stand on the page of a PDF. */
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Crop } from '../../api/types';
import { findSpellings, type TextRange } from './spelling_matches';

/** The places of words on a page, as parts of its width and height. One that spans lines has several rectangles. */
export interface PageMarks {
  page: number;
  marks: Crop[][];
}

/** A run of letters on a line. */
interface TextRun {
  str: string;
  /** From the run to the page. */
  transform: number[];
  width: number;
  height: number;
  fontName: string;
  hasEOL: boolean;
}

interface FontStyle {
  fontFamily: string;
  ascent: number;
  descent: number;
}

/** Of fonts that do not say it. */
const ASCENT = 0.8;
const DESCENT = -0.2;

/** Finds words on a page. */
export async function findOnPage(page: PDFPageProxy, spellings: string[]): Promise<Crop[][]> {
  const { items, styles } = await page.getTextContent();
  const runs = items.filter((item) => 'str' in item) as TextRun[];
  const starts: number[] = [];
  let text = '';
  for (const { str, hasEOL } of runs) {
    starts.push(text.length);
    text += hasEOL ? `${str}\n` : str;
  }
  const viewport = page.getViewport({ scale: 1 });
  const measure = letterMeasure();
  return findSpellings(text, spellings).map((range) =>
    runs.flatMap((run, index) => {
      const part = partOf(run, range, starts[index] ?? 0);
      if (!part) return [];
      const style = styles[run.fontName] as FontStyle | undefined;
      const corners = cornersOf(run, part, style, measure).map(([x, y]) =>
        viewport.convertToViewportPoint(x, y),
      );
      return around(corners as [number, number][], viewport);
    }),
  );
}

/** The letters of a run that lie within a range of the text. */
function partOf({ str }: TextRun, { start, end }: TextRange, runStart: number): TextRange | null {
  const part = { start: Math.max(start - runStart, 0), end: Math.min(end - runStart, str.length) };
  return part.end > part.start ? part : null;
}

/** Corners of a part of a run on the page. What lies before it takes its share of the width, by the widths of letters. */
function cornersOf(
  { str, transform, width, height }: TextRun,
  { start, end }: TextRange,
  style: FontStyle | undefined,
  measure: (text: string, family: string) => number,
): [number, number][] {
  const family = style?.fontFamily ?? 'sans-serif';
  const all = measure(str, family) || 1;
  const along = [start, end].map((at) => (measure(str.slice(0, at), family) / all) * width);
  const across = [style?.descent || DESCENT, style?.ascent || ASCENT].map((part) => part * height);
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = transform;
  const [right, up] = [unit(a, b), unit(c, d)];
  return along.flatMap((x) =>
    across.map((y): [number, number] => [e + x * right[0] + y * up[0], f + x * right[1] + y * up[1]]),
  );
}

function unit(x: number, y: number): [number, number] {
  const length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
}

/** The rectangle around points, as parts of a page. */
function around(points: [number, number][], { width, height }: { width: number; height: number }): Crop {
  const [xs, ys] = [points.map(([x]) => x / width), points.map(([, y]) => y / height)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** Measures texts in a font. */
function letterMeasure(): (text: string, family: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  return (text, family) => {
    if (!context) return text.length;
    context.font = `100px ${family}`;
    return context.measureText(text).width;
  };
}
