/** What dropped files will become. Nothing here sends anything. */
import type { ContentModel } from '../api/types';
import { refusal, type Refusal } from '../media_types/refusal';
import { becomes, type Becoming } from '../media_types/registry';
import { titleFromName } from '../media_types/title';
import type { DroppedFile } from './dropped';

export interface Planned {
  file: DroppedFile;
  title: string;
  becoming: Becoming;
}
export interface Refused {
  file: DroppedFile;
  why: Refusal;
}
/** The new items of one place: the drop's own collection, or a folder that becomes one. */
export interface PlanGroup {
  folder: string[];
  items: Planned[];
}
export interface Plan {
  groups: PlanGroup[];
  refused: Refused[];
  /** Folders that become collections, every one after the one round it. */
  folders: string[][];
  /** Bytes of everything that was dropped. */
  size: number;
}

/** Page 2 before page 10. */
const NATURAL = new Intl.Collator(undefined, { numeric: true });

export function planDrop(files: DroppedFile[], model: ContentModel): Plan {
  const groups = new Map<string, PlanGroup>();
  const refused: Refused[] = [];
  for (const file of files) {
    const why = refusal(file.name, file.size, model);
    const becoming = becomes(file.name, file.mime, model);
    if (why || !becoming) {
      refused.push({ file, why: why ?? 'unsupported' });
      continue;
    }
    const key = folderKey(file.folder);
    const group = groups.get(key) ?? { folder: file.folder, items: [] };
    group.items.push({ file, title: titleFromName(file.name), becoming });
    groups.set(key, group);
  }
  const sorted = [...groups.values()].sort((a, b) => compareFolders(a.folder, b.folder));
  for (const group of sorted) group.items.sort((a, b) => NATURAL.compare(a.file.name, b.file.name));
  return {
    groups: sorted,
    refused,
    folders: foldersOf(sorted),
    size: files.reduce((sum, file) => sum + file.size, 0),
  };
}

/** What is left of a plan without some of its files; folders that would be empty go too. */
export function withoutFiles(plan: Plan, isLeftOut: (file: DroppedFile) => boolean): Plan {
  const groups = plan.groups
    .map(({ folder, items }) => ({ folder, items: items.filter(({ file }) => !isLeftOut(file)) }))
    .filter(({ items }) => items.length > 0);
  return { ...plan, groups, folders: foldersOf(groups) };
}

/** A file name holds no NUL, so it parts the names safely. */
export function folderKey(folder: string[]): string {
  return folder.join('\0');
}

function compareFolders(a: string[], b: string[]): number {
  return folderKey(a) < folderKey(b) ? -1 : 1;
}

function foldersOf(groups: PlanGroup[]): string[][] {
  const all = new Map<string, string[]>();
  for (const { folder } of groups) {
    folder.forEach((_, depth) => {
      const outer = folder.slice(0, depth + 1);
      all.set(folderKey(outer), outer);
    });
  }
  return [...all.values()];
}

/** How many of each media type, for the summary. */
export function countByMediaType(plan: Plan): [string, number][] {
  const counts = new Map<string, number>();
  for (const { items } of plan.groups) {
    for (const { becoming } of items) {
      counts.set(becoming.mediaType, (counts.get(becoming.mediaType) ?? 0) + 1);
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** The files that become items. */
export function plannedFiles(plan: Plan): DroppedFile[] {
  return plan.groups.flatMap(({ items }) => items.map(({ file }) => file));
}

export function itemCount(plan: Plan): number {
  return plan.groups.reduce((sum, group) => sum + group.items.length, 0);
}
