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

function write(all: Unfinished[]): void {
  try {
    if (all.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // Storage may be full or forbidden: then an interrupted page leaves its item without a word.
  }
}
