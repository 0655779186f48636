/** Who gave wrong passwords lately. */
export interface WrongPasswords {
  /** The address with the most of them. */
  from: string;
  times: number;
  /** How many other addresses gave some. */
  others: number;
}

const LATELY = 24 * 3_600_000;

/** Sums up the failed sign-ins of a day; null: there were none. */
export function wrongPasswords(attempts: { at: string; from: string }[], now: Date): WrongPasswords | null {
  const times = new Map<string, number>();
  for (const { at, from } of attempts)
    if (now.getTime() - Date.parse(at) < LATELY) times.set(from, (times.get(from) ?? 0) + 1);
  const [first, ...others] = [...times].sort(([, a], [, b]) => b - a);
  return first ? { from: first[0], times: first[1], others: others.length } : null;
}

export const isThisComputer = (address: string) => address === '127.0.0.1' || address === '::1';
