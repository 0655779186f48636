import { t } from '../../texts';
import { dateTime, day, timeFromNow } from '../../texts/format';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** A token that expires within this time is marked. */
const SOON = 14 * DAY;

/** When a token or a link was used last. The server notes a use once a minute. */
export function usedWords(token: { last_used?: string | null }, now: Date): string {
  if (!token.last_used) return t.tokens.neverUsed;
  const isRecent = now.getTime() - Date.parse(token.last_used) < MINUTE;
  return isRecent ? t.tokens.usedNow : t.tokens.used(timeFromNow(token.last_used, now));
}

/** When a token or a link expires; null: never. `soon` it needs attention; `over` it is no longer valid. */
export function expiryOf(
  token: { expires?: string | null },
  now: Date,
): { words: string; title: string; soon: boolean; over: boolean } | null {
  if (!token.expires) return null;
  const left = Date.parse(token.expires) - now.getTime();
  const title = dateTime(token.expires);
  if (left <= 0) return { words: t.tokens.expired(day(token.expires)), title, soon: true, over: true };
  if (left < SOON)
    return { words: t.tokens.expires(timeFromNow(token.expires, now)), title, soon: true, over: false };
  return { words: t.tokens.expires(day(token.expires)), title, soon: false, over: false };
}

export const LIFETIMES = ['year', 'quarter', 'month', 'date', 'never'] as const;
/** A link ends always. */
export const LINK_LIFETIMES = ['week', 'month', 'quarter', 'date'] as const;
export type Lifetime = (typeof LIFETIMES | typeof LINK_LIFETIMES)[number];
const DAYS: Partial<Record<Lifetime, number>> = { year: 365, quarter: 90, month: 30, week: 7 };

/** The moment at which a new token expires; null: never. `date` is a day in local time, and included. */
export function expiryAfter(lifetime: Lifetime, date: string, now: Date): string | null {
  const days = DAYS[lifetime];
  if (days) return new Date(now.getTime() + days * DAY).toISOString();
  const [year, month, dayOfMonth] = date.split('-').map(Number);
  if (lifetime !== 'date' || !year || !month || !dayOfMonth) return null;
  return new Date(year, month - 1, dayOfMonth + 1).toISOString();
}
