/** Items whose file was not uploaded yet, stored across pages. */
const UNFINISHED_KEY = 'isolario.unfinished';

export interface UnfinishedUpload {
  nid: number;
  name: string;
  title: string;
}

export function readUnfinished(): UnfinishedUpload[] {
  try {
    return JSON.parse(localStorage.getItem(UNFINISHED_KEY) ?? '[]') as UnfinishedUpload[];
  } catch {
    return [];
  }
}

export function rememberUnfinished(one: UnfinishedUpload): void {
  writeUnfinished([...readUnfinished().filter(({ nid }) => nid !== one.nid), one]);
}

export function forgetUnfinished(nid: number): void {
  writeUnfinished(readUnfinished().filter((one) => one.nid !== nid));
}

/** Names of waiting files. */
const WAITING_KEY = 'isolario.waiting';

export function rememberWaitingNames(names: string[]): void {
  store(WAITING_KEY, names);
}

/** Reads the names that an earlier page stored, and removes them. */
export function takeWaitingNames(): string[] {
  try {
    const names = JSON.parse(localStorage.getItem(WAITING_KEY) ?? '[]') as string[];
    localStorage.removeItem(WAITING_KEY);
    return names;
  } catch {
    return [];
  }
}

function writeUnfinished(all: UnfinishedUpload[]): void {
  store(UNFINISHED_KEY, all);
}

function store(key: string, all: unknown[]): void {
  try {
    if (all.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(all));
  } catch {
    // Storage may be full or forbidden: an interrupted page then leaves items without a notice.
  }
}
