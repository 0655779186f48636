/** Items that were made for a file which has not arrived, remembered beyond the page. */
const KEY = 'isolario.unfinished';

export interface Unfinished {
  nid: number;
  name: string;
  title: string;
}

export function readUnfinished(): Unfinished[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as Unfinished[];
  } catch {
    return [];
  }
}

export function rememberUnfinished(one: Unfinished): void {
  write([...readUnfinished().filter(({ nid }) => nid !== one.nid), one]);
}

export function forgetUnfinished(nid: number): void {
  write(readUnfinished().filter((one) => one.nid !== nid));
}

/** Names of files whose turn had not come. */
const WAITING = 'isolario.waiting';

export function rememberWaiting(names: string[]): void {
  keep(WAITING, names);
}

/** Those of an earlier page, once. */
export function takeWaiting(): string[] {
  try {
    const names = JSON.parse(localStorage.getItem(WAITING) ?? '[]') as string[];
    localStorage.removeItem(WAITING);
    return names;
  } catch {
    return [];
  }
}

function write(all: Unfinished[]): void {
  keep(KEY, all);
}

function keep(key: string, all: unknown[]): void {
  try {
    if (all.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(all));
  } catch {
    // Storage may be full or forbidden: then an interrupted page leaves its items without a word.
  }
}
