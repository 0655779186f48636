import type { Media } from '../../api/types';
import { seenSize } from '../../media_display/seen_size';
import { t } from '../../texts';
import { adjustmentText } from '../adjust_picture/adjustment_text';
import { bytes, decimal, mediaLength, number } from '../../texts/format';

type Facts = Record<string, unknown>;

/** A row of technical metadata. */
export interface FactRow {
  label: string;
  value: string;
  /** Whether it needs attention. */
  warn?: boolean;
}

const text = (facts: Facts, key: string): string | null => {
  const value = facts[key];
  return typeof value === 'string' && value !== '' ? value : null;
};

const amount = (facts: Facts, key: string): number | null => {
  const value = facts[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};

const subobject = (facts: Facts, key: string): Facts | null => {
  const value = facts[key];
  return value && typeof value === 'object' && !Array.isArray(value) ? (value as Facts) : null;
};

/** Rows of technical metadata, as far as it is known. */
export function factRows(media: Media): FactRow[] {
  const { mime, size, file } = media;
  const facts: Facts = file?.facts ?? {};
  const row = (label: string, value: string | null, warn = false): FactRow[] =>
    value ? [{ label, value, warn }] : [];
  return [
    ...row(t.facts.format, [text(facts, 'format'), text(facts, 'format_version')].filter(Boolean).join(' ')),
    ...row(t.facts.puid, text(facts, 'puid')),
    ...mimeRows(facts, mime ?? null),
    ...row(t.facts.size, size == null ? null : bytes(size)),
    ...row(t.facts.dimensions, dimensions(facts)),
    ...row(t.adjust.shown, adjustmentText(media)),
    ...row(t.facts.resolution, resolution(facts)),
    ...row(t.facts.colour, colour(facts)),
    ...row(t.facts.duration, duration(facts)),
    ...row(t.facts.sound, sound(facts)),
    ...row(t.facts.pages, pages(facts)),
    ...row(t.facts.album, text(facts, 'album')),
    ...row(t.facts.damage, text(facts, 'damage'), true),
  ];
}

/** The detected MIME type, and the declared one where it differs. */
function mimeRows(facts: Facts, mime: string | null): FactRow[] {
  const found = text(facts, 'mime');
  const differs = facts.mime_differs === true && found !== null;
  const type = { label: t.facts.type, value: found ?? mime ?? '', warn: false };
  if (!differs) return type.value ? [type] : [];
  const declared = text(facts, 'declared_mime') ?? mime ?? '';
  return [type, { label: t.facts.declared, value: t.facts.differs(declared), warn: true }];
}

function dimensions(facts: Facts): string | null {
  const [width, height] = [amount(facts, 'width'), amount(facts, 'height')];
  if (width !== null && height !== null) {
    const seen = seenSize({ width, height }, facts);
    const millions = (width * height) / 1e6;
    const megapixels = millions >= 0.1 ? t.facts.megapixels(decimal(millions)) : null;
    return [t.files.size(seen.width, seen.height), megapixels].filter(Boolean).join(' · ');
  }
  const page = subobject(facts, 'page_size');
  const [w, h] = [page && amount(page, 'width'), page && amount(page, 'height')];
  // A point is 1/72 inch.
  const millimetres = (points: number) => number(Math.round((points / 72) * 25.4));
  return w && h ? t.facts.millimetres(millimetres(w), millimetres(h)) : null;
}

function resolution(facts: Facts): string | null {
  const found = subobject(facts, 'resolution');
  const [x, y] = [found && amount(found, 'x'), found && amount(found, 'y')];
  if (!x || !y) return null;
  return x === y ? t.facts.dpi(decimal(x)) : t.facts.dpi(`${decimal(x)} × ${decimal(y)}`);
}

function colour(facts: Facts): string | null {
  const space = text(facts, 'colour_space');
  const depth = amount(facts, 'bit_depth');
  const words = [
    space && (t.facts.colours[space] ?? space),
    depth && t.facts.bits(depth),
    facts.alpha === true ? t.facts.alpha : null,
    facts.profile === true ? t.facts.profile : null,
  ];
  return words.filter(Boolean).join(', ') || null;
}

function duration(facts: Facts): string | null {
  const seconds = amount(facts, 'duration');
  return seconds === null ? null : mediaLength(seconds);
}

function sound(facts: Facts): string | null {
  const [rate, channels, bitRate] = ['sample_rate', 'channels', 'bit_rate'].map((key) => amount(facts, key));
  const words = [
    rate ? t.facts.hertz(decimal(rate / 1000)) : null,
    channels ? t.facts.channels(channels) : null,
    bitRate ? t.facts.bitRate(number(Math.round(bitRate / 1000))) : null,
  ];
  return words.filter(Boolean).join(', ') || null;
}

function pages(facts: Facts): string | null {
  const count = amount(facts, 'pages');
  return count !== null && count > 1 ? number(count) : null;
}

/** Exif tags. */
export function exifRows({ file }: Media): FactRow[] {
  const exif = subobject(file?.facts ?? {}, 'exif') ?? {};
  return Object.entries(exif).map(([label, value]) => ({ label, value: String(value) }));
}
